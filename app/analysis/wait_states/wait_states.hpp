// SPDX-License-Identifier: BSD-3-Clause
// Wait states by Scalasca's names, the late rank, and the rank whose delay was the cause. Rows per rank, and idle
// waves.
//
//   late sender     the receiver was ready before the sender began; in the wrong order, where a message that was sent
//                   before was there, which it takes in a later call
//   late receiver   the sender could not finish before the receiver was ready
//   in collectives  at NxN, at a barrier, for a late root, of a root that came early, in a scan for ranks before it;
//                   and, which Scalasca has no class for, of a root once the first rank has entered, for the last one
//   completion      of those at NxN and of barriers: what a rank stays after the first one has left
//   at windows      early transfer, late post, early wait, late complete, and for locks (one_sided_calls.hpp)
//   of threads      at barriers of OpenMP, for critical sections and locks, and idle (thread_calls.hpp)
//
// In traces of other tools a rank waits in a call from its entry until the rank that it depends on arrives
// (blocking_calls.hpp). In Collscope's own runs, times are those of busy ports: a rank is ready when it has entered and
// its previous messages and combining are complete, and waits from then on for the other end of its message. If the
// sender is ready last, that is a late sender, otherwise a late receiver. Over MPI a send that waits for its receiver
// counts as busy: such waits follow from the time at which the receiver was ready.
//
// delay_propagation.hpp finds the delay that caused each wait. The waits caused by one delay form an idle wave.
#pragma once

#include "app/analysis/format/cell_format.hpp"
#include "app/analysis/wait_states/blocking_calls.hpp"
#include "app/analysis/wait_states/delay_propagation.hpp"
#include "app/analysis/wait_states/thread_calls.hpp"
#include "app/analysis/wait_states/wait_state.hpp"
#include "engine/run/executor.hpp"
#include "engine/run/run.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace app::analysis {

/// Waits with their origins.
struct TracedWaits {
    traces::TimeSpan span{};  ///< the time that all waits lie in
    std::vector<Wait> all{};
    std::vector<Delay> delays{};         ///< that they follow from, by wave
    std::vector<WaitShare> shares{};     ///< of waits that follow from delays of several ranks
    std::vector<EarlierPart> earlier{};  ///< of waits that follow from several delays of one rank
    std::vector<Wait> polled{};          ///< times that are no waits, but pass delays on (polledTimes)
    Threads threads{0};                  ///< who waits and is waited for
    /// Barriers of threads with all that met there, rising by place.
    std::vector<std::vector<LeavesBarrier>> barriers{};
};

/// Every wait for messages of the part's ranks and sizes, in the order in which they were sent, as far as it lies in
/// the part's time. Throws Cancelled.
TracedWaits tracedWaits(const engine::Run& run, const Part& part, const engine::Progress& progress = {});
std::vector<Wait> waits(const engine::Run& run, const engine::Progress& progress = {});

/// Likewise, without their origins, one after the other in no order. Throws Cancelled.
void eachWait(const engine::Run& run, const Part& part, const std::function<void(const Wait&)>& take,
              const engine::Progress& progress = {});

/// Those in the messages of the selection and in `instances`, at windows and of threads, by their begins, as far as
/// they lie in its time. Throws Cancelled.
TracedWaits tracedWaits(const traces::Recording& recording, const Selection& selection,
                        const std::vector<Instance>& instances, const engine::Progress& progress = {});

/// Whether calls that found nothing (MPI_Test, MPI_Iprobe and variants) were recorded.
bool hasPolls(const traces::Recording& recording);
/// Times in which ranks polled for messages that were not sent yet, as waits for their senders: from the first call
/// that found nothing to the send, or to the wait in the call that received it. Only where an MPI_Test, or a receive
/// behind an MPI_Iprobe, ended an uninterrupted sequence of such calls: behind MPI_Wait the rank had chosen what to
/// compute before. They are no waits, as the rank may have computed; but it could not go on before.
std::vector<Wait> polledTimes(const traces::Recording& recording, const Selection& selection);

/// Waits of one kind on one thread, in all.
struct WaitRow {
    WaitKind kind = WaitKind::lateSender;
    engine::Rank rank;
    std::int64_t waits = 0;
    engine::Picoseconds time{};
    engine::Picoseconds longest{};
    std::optional<engine::Rank> mostlyFor{};  ///< for whom it waited longest in all; of completions nobody
    ThreadNumber thread = 0;                  ///< of `rank`
    ThreadNumber mostlyForThread = 0;         ///< of `mostlyFor`

    friend bool operator==(const WaitRow&, const WaitRow&) = default;
};
/// Longest in all first.
std::vector<WaitRow> waitsPerRank(const std::vector<Wait>& waits);
/// What blocking collectives took on ranks of the part after the first rank had left; longest in all first.
std::vector<WaitRow> completionsPerRank(const std::vector<Instance>& instances, const Part& part);

/// Calls that neither messages nor collectives tell: of threads, then at windows, then those that only synchronise.
/// `threads` are those of the recording. Throws Cancelled.
ThreadCalls callsOfThreadsAndWindows(const traces::Recording& recording, const Threads& threads,
                                     const Selection& selection, const engine::Progress& progress = {});
/// The wait of a call, as far as it lies in the span; nothing where none does.
std::optional<Wait> waitIn(const BlockingCall& call, traces::TimeSpan span);

/// How unevenly times are spread over ranks.
struct Imbalance {
    engine::Picoseconds mean{};
    engine::Picoseconds most{};
    engine::Picoseconds least{};
    engine::Rank who;
    /// (most - mean) / mean, 0 = even.
    [[nodiscard]] double aboveMean() const { return mean.count() > 0 ? ratio(most, mean) - 1 : 0; }
};
/// Of times by rank, over the ranks of the part.
Imbalance imbalanceOf(const std::vector<engine::Picoseconds>& times, const Part& part = {});

}  // namespace app::analysis
