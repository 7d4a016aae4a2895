// SPDX-License-Identifier: BSD-3-Clause
// What waits come to: by what was waited for (WaitGroup), by rank, and by who was late. Whatever shows a sum of waits
// takes it from here, or adds up the same waits by its own places: call paths, iterations.
#pragma once

#include "app/analysis/wait_states/wait_states.hpp"
#include "traces/storage/large_pages.hpp"

#include <array>
#include <numeric>
#include <vector>

namespace app::analysis {

/// What one rank made others wait.
struct DelayRow {
    engine::Rank origin;
    std::int64_t waits = 0;
    engine::Picoseconds direct{};    ///< waits for this rank itself
    engine::Picoseconds passedOn{};  ///< waits for ranks that only passed its delay on

    [[nodiscard]] engine::Picoseconds all() const { return direct + passedOn; }
    friend bool operator==(const DelayRow&, const DelayRow&) = default;
};
/// Most costly first.
std::vector<DelayRow> delays(const std::vector<Wait>& waits, const std::vector<WaitShare>& shares = {});

/// All waits together.
struct WaitTotals {
    std::size_t waits = 0;
    std::array<engine::Picoseconds, waitGroups> time{};  ///< by group
    engine::Picoseconds atSynchronisingCalls{};          ///< of WaitGroup::collectives: MPI_Finalize and others
    std::vector<DelayRow> delays{};                      ///< most costly first
    bool ofSeveralThreads = false;                       ///< not only the main threads of ranks waited

    [[nodiscard]] engine::Picoseconds of(WaitGroup group) const { return time[static_cast<std::size_t>(group)]; }
    [[nodiscard]] engine::Picoseconds forMessages() const { return of(WaitGroup::senders) + of(WaitGroup::receivers); }
    [[nodiscard]] engine::Picoseconds all() const {
        return std::accumulate(time.begin(), time.end(), engine::Picoseconds{});
    }
    friend bool operator==(const WaitTotals&, const WaitTotals&) = default;
};
WaitTotals waitTotals(const TracedWaits& waits);

/// As much of a wait as its origin takes to be found.
struct ShortWait {
    engine::Picoseconds begin{};
    engine::Picoseconds time{};
    engine::Rank rank;
    engine::Rank late;
    ThreadNumber thread = 0;
    ThreadNumber lateThread = 0;
    WaitKind kind = WaitKind::lateSender;

    [[nodiscard]] engine::Picoseconds end() const { return begin + time; }
    [[nodiscard]] static ShortWait of(const Wait& wait) {
        return {wait.begin, wait.time, wait.rank, wait.late, wait.thread, wait.lateThread, wait.kind};
    }
};
using ShortWaits = std::vector<ShortWait, traces::LargePageAllocator<ShortWait>>;

/// Waits in these collectives, at windows and of threads, as far as they lie in the selection's time: all of a
/// selection but those for its messages.
ShortWaits waitsBesideMessages(const traces::Recording& recording, const Selection& selection,
                               const std::vector<Instance>& collectives);
/// Waits of a selection in several lists, each in the order of their ends, of equal ends in that of their begins: those
/// beside messages, then those of each rank for its messages, which are found here, on all cores. Throws Cancelled.
std::vector<ShortWaits> shortWaits(const traces::Recording& recording, const Selection& selection,
                                   ShortWaits besideMessages, const engine::Progress& progress = {});
/// What tracedWaits comes to, without keeping more than that of a wait: on one core, as each follows from those before
/// it. Throws Cancelled.
WaitTotals waitTotals(const traces::Recording& recording, std::vector<ShortWaits> lists,
                      const engine::Progress& progress = {});

/// The time that those had who could wait: the part's ranks in `span`, or, where threads waited for each other, all
/// threads of these.
engine::Picoseconds timeOfWaiters(const WaitTotals& totals, const Threads& threads, const Part& part,
                                  traces::TimeSpan span);

/// What waits come to on each rank, of all its threads.
struct WaitSums {
    std::array<std::vector<engine::Picoseconds>, waitGroups> waited;  ///< by group and rank
    std::vector<engine::Picoseconds> caused;                          ///< by rank: others waited for it, or its threads
    std::vector<engine::Picoseconds> besideMainThread;  ///< by rank: of `waited`, what its other threads waited

    WaitSums() = default;
    explicit WaitSums(std::int32_t ranks);
    void add(const Wait& wait);
    [[nodiscard]] const std::vector<engine::Picoseconds>& of(WaitGroup group) const {
        return waited[static_cast<std::size_t>(group)];
    }
    /// By rank, whatever it waited for.
    [[nodiscard]] std::vector<engine::Picoseconds> all() const;
};
/// The sums of tracedWaits, without keeping them. Throws Cancelled.
WaitSums waitSums(const engine::Run& run, const Part& part = {}, const engine::Progress& progress = {});
WaitSums waitSums(const traces::Recording& recording, const Selection& selection,
                  const engine::Progress& progress = {});

}  // namespace app::analysis
