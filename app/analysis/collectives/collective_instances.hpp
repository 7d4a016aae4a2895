// SPDX-License-Identifier: BSD-3-Clause
// What a trace did together: its collectives, and the messages between them, one instance after the other.
#pragma once

#include "app/analysis/calls/thread_ids.hpp"
#include "app/analysis/collectives/proven_waits.hpp"
#include "app/analysis/selection/trace_selection.hpp"
#include "engine/problem/problem.hpp"
#include "traces/clocks/clocks.hpp"
#include "traces/recording/recording.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace app::analysis {

/// "MPI_COMM_WORLD"; "communicator 3" of one without a name.
std::string communicatorName(const traces::Recording& recording, std::int32_t communicator);

/// One collective, or the point-to-point messages of one stretch of a communicator.
struct Instance {
    std::string communicator;         ///< its name, or "communicator 3"
    std::int64_t turn = 0;            ///< how many instances the communicator had before
    std::size_t collective = 0;       ///< of a collective: its place in Recording::collectives
    std::string operation;            ///< "allgatherv", or "messages"
    std::vector<engine::Rank> ranks;  ///< world ranks, by rank in the communicator; of two groups A first
    std::int32_t groupA = 0;          ///< p where there are two groups, else 0
    std::int32_t groupB = 0;
    std::int32_t communicatorNumber = 0;  ///< its place in the recording: several may have one name
    std::optional<engine::Rank> root;     ///< rank in the communicator
    engine::Picoseconds begin{};          ///< first rank in it
    engine::Picoseconds end{};            ///< last rank out of it
    /// Per rank of the communicator when it came and went; nothing for ranks that were not recorded.
    std::vector<std::optional<traces::TimeSpan>> stays;
    /// Of a nonblocking collective: from when on each of them could do nothing else, in the call that completed it;
    /// nothing where none is known.
    std::vector<std::optional<engine::Picoseconds>> completing;
    /// By place, which thread of the rank took part; empty where all were the main ones, or it is unknown.
    std::vector<ThreadNumber> threads;
    engine::Bytes bytes = 0;   ///< of its messages; of a collective what its ranks received, as recorded
    bool complete = true;      ///< all ranks were recorded
    bool hasMessages = false;  ///< false: the messages inside were not recorded
    std::int64_t rounds = 0;   ///< of its messages
    std::int64_t messageCount = 0;
    std::uint64_t look = 0;  ///< of its messages (message_signature.hpp)
    /// Its messages; ranks of the communicator, time 0 = begin, in logical rounds. Null where they were not recorded,
    /// or are left out.
    engine::RunPtr run;
    /// Where its messages are left out: their places among those of the recording, or of the library.
    std::vector<std::uint32_t> leftOut;
    bool hasRounds = false;  ///< rounds were recorded, not recovered
    bool isNative = false;   ///< its messages are those that the library sent within it (Recording::library)
    /// How the library names what it ran, and its component; empty where it does not.
    std::string ofLibrary;
    std::string component;
    /// Of a native one: which rank waited for which inside, as its messages prove it.
    std::optional<std::vector<ProvenWait>> waits;
    /// What it solved, where the record says so; instances of a communicator share it where they solved the same.
    std::shared_ptr<const engine::Problem> problem;
    std::string whyNoProblem;  ///< else a clause
    /// How far the clocks of its ranks may disagree; null where one clock measured all of them.
    std::shared_ptr<const traces::ClockUncertainty> clocks;

    [[nodiscard]] std::int32_t rankCount() const { return static_cast<std::int32_t>(ranks.size()); }
    [[nodiscard]] bool isCollective() const { return operation != "messages"; }
    /// Its messages are those of the recording, and each rank waits for its neighbours alone.
    [[nodiscard]] bool isAmongNeighbours() const { return operation.starts_with("neighbor-"); }
    [[nodiscard]] bool isBarrier() const { return operation == "barrier" || operation == "fence"; }
    /// From when on the rank at `place`, which was recorded, could do nothing else.
    [[nodiscard]] std::optional<engine::Picoseconds> blockedFrom(std::size_t place) const {
        return completing.empty() ? stays[place]->begin : completing[place];
    }
    [[nodiscard]] ThreadNumber threadAt(std::size_t place) const {
        return threads.empty() ? ThreadNumber{0} : threads[place];
    }
    /// Whether the ranks at two places did something `apart` from each other in the order in which times show it.
    [[nodiscard]] bool shows(std::size_t a, std::size_t b, engine::Picoseconds apart) const {
        return clocks == nullptr || clocks->shows(ranks[a], ranks[b], apart);
    }
    [[nodiscard]] engine::Picoseconds duration() const { return end - begin; }
};

/// Whether instances have their messages, or look and sums alone.
enum class InstanceMessages : std::uint8_t { kept, leftOut };

/// All instances, by their begin; `collectivesFound` receives those among them that are collectives as soon as they are
/// there, in any order. Throws Error where they would take more than a quarter of this machine's memory, as
/// those of a million ranks do. Messages belong together while they are on one communicator, between the same two of
/// its collectives, in the same call of a function of the program, and all blocking or all not.
std::vector<Instance> instancesOf(const traces::Recording& recording, const Selection& selection,
                                  InstanceMessages messages = InstanceMessages::kept,
                                  const std::function<void(const std::vector<Instance>&)>& collectivesFound = {});

inline bool lacksMessages(const Instance& instance) { return !instance.leftOut.empty(); }
/// Gives an instance of `recording` the messages that were left out.
void addMessages(const traces::Recording& recording, Instance& instance);

/// One after the other those that are collectives, communicator by communicator.
void eachCollective(const traces::Recording& recording, const Selection& selection,
                    const std::function<void(Instance&& instance)>& take);

/// The messages of the selection as one run over the ranks of the world, in logical rounds where none were recorded.
engine::Run selectedRun(const traces::Recording& recording, const Selection& selection);

/// The one instance that a run of ours is.
Instance instanceOf(const engine::RunPtr& run, const std::optional<engine::Problem>& problem);

/// Who waited in a collective, by Scalasca's names.
enum class CollectiveWait : std::uint8_t { none, atNxN, atBarrier, lateBroadcast, earlyReduce, earlyScan };
std::string_view name(CollectiveWait wait);

/// What arrivals say about one instance.
struct Arrivals {
    CollectiveWait kind = CollectiveWait::none;
    /// From the first rank's arrival to the last one's; nothing of fewer than two recorded ranks, and where the clocks
    /// of these two do not show it.
    std::optional<engine::Picoseconds> spread;
    engine::Picoseconds waiting{};     ///< summed over ranks, from when they came until what they needed could begin
    std::optional<engine::Rank> last;  ///< rank of the communicator that came last, as far as clocks show it
    std::vector<engine::Picoseconds> perRank{};  ///< its part of `waiting`, by rank of the communicator
    std::vector<engine::Rank> awaited{};         ///< for whom: by rank of the communicator, itself where it did not
    /// In a rooted collective a rank also waits where Scalasca has no class for it; not in `perRank` or `waiting`.
    struct FurtherWait {
        /// For whom: the root of a reduce or gather for its last contributor, a member of one for the root, anyone for
        /// another member.
        enum class For : std::uint8_t { contributor, root, member };
        For whom = For::member;
        std::size_t place = 0;        ///< who waits: rank of the communicator, as is `late`
        std::size_t late = 0;         ///< who entered late
        engine::Picoseconds begin{};  ///< since the start of the trace
        engine::Picoseconds time{};   ///< more than 0
        bool isProven = false;        ///< by messages inside; else inferred
    };
    std::vector<FurtherWait> further{};  ///< by place, those of a place in the order of time
};
/// Waits that are shorter than clocks may be apart are none. Scalasca's rules: at N x N and barriers a rank waits for
/// the last one; in a broadcast or scatter for the root; in a reduce or gather the root for the first other one; in a
/// scan each for those before it. Never longer than it was in the call; of a nonblocking collective in the one that
/// completed it.
///
/// Beyond these rules, in a rooted collective: where the messages inside were recorded, these prove which rank waited
/// for which. Else, whichever way its data go, a rank that leaves after another one has entered may have depended on
/// it, one that leaves before has not. Which ranks depend on which is not recorded, so that a rank is taken to wait for
/// the root, then for the last rank that entered before it left:
///     reduce, gather    a member until the root has entered (the root takes no message before that); then, as in the
///     rest all of them       until the last of the others has entered, as far as these enter while it is in the call
/// Eager messages need no such wait: then ranks leave at once, and nothing is counted.
Arrivals arrivalsOf(const Instance& instance);
/// Of a nonblocking collective the place of the rank that came last to the call that completes it, where no rank had
/// left before and all left soon after: then the library went on with the collective only in calls of MPI, and the
/// others waited for that one. Nothing where a rank entered later than that, or where not all ranks are known.
std::optional<std::size_t> lastToComplete(const Instance& instance);
/// From the last entry to the last exit, not below 0.
engine::Picoseconds timeFromLastEntry(const Instance& instance);
/// How long each rank of the communicator waited in all, further waits among it.
std::vector<engine::Picoseconds> waitedIn(const Instance& instance);

}  // namespace app::analysis
