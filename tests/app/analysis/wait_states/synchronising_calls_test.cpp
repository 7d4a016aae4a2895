// SPDX-License-Identifier: BSD-3-Clause
// Calls that only synchronise, in random programs: who waits, for whom and how long is known from making them.
#include "app/analysis/wait_states/synchronising_calls.hpp"
#include "tests/app/analysis/calls/calling_program.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <tuple>

namespace app::analysis::calling {
namespace {

using Waited = std::tuple<int, int, std::int64_t, std::int64_t>;  ///< rank, late rank, entry, the late one's entry

struct Made {
    traces::Recording recording;
    std::map<std::int32_t, std::set<Waited>> waits;  ///< by communicator
};

/// Ranks make calls of few names on random communicators; nobody leaves before the last one has entered. `recorded`:
/// the trace has the communicators.
Made randomCalls(std::mt19937& random, bool recorded, int communicators) {
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    constexpr std::array names = {"MPI_Comm_dup", "MPI_Comm_split", "MPI_Win_create", "MPI_File_open", "MPI_Comm_free"};
    const int ranks = 2 + below(7);
    traces::RecordingBuilder builder{ranks};
    std::vector<std::vector<Rank>> members(1);
    for (int rank = 0; rank < ranks; ++rank) members[0].push_back(Rank{rank});
    for (int i = 1; i < communicators; ++i) {
        std::vector<Rank> some;
        for (const Rank rank : members[0])
            if (below(2) == 0) some.push_back(rank);
        if (some.size() < 2) some = {Rank{0}, Rank{1}};
        (void)builder.communicator("some", some);
        members.push_back(std::move(some));
    }
    Made made;
    std::vector<std::int64_t> clock(engine::asSize(ranks));
    for (int i = 0; i < 40; ++i) {
        const std::int32_t comm = below(communicators);
        const char* const name = names[static_cast<std::size_t>(below(names.size()))];
        std::vector<traces::Participant> parts;
        int late = -1;
        std::int64_t last = -1;
        for (const Rank rank : members[static_cast<std::size_t>(comm)]) {
            // No two enter at once: then nobody alone would be the last.
            const std::int64_t entry = (clock[engine::asSize(rank.value)] / 16 + 1 + below(9)) * 16 + rank.value;
            clock[engine::asSize(rank.value)] = entry;
            if (entry > last) last = entry, late = rank.value;
        }
        for (const Rank rank : members[static_cast<std::size_t>(comm)]) {
            const std::int64_t entry = clock[engine::asSize(rank.value)];
            const std::int64_t exit = last + 1 + below(4);
            builder.enter(rank.value, us(entry), name);
            builder.leave(rank.value, us(exit));
            parts.push_back(part(rank.value, entry, exit));
            clock[engine::asSize(rank.value)] = exit;
            if (rank.value != late) made.waits[comm].emplace(rank.value, late, entry, last);
        }
        if (recorded) builder.collective(traces::Operation::createHandle, comm, traces::noRank, std::move(parts));
    }
    made.recording = builder.finish();
    return made;
}

std::set<Waited> found(const traces::Recording& recording, const Selection& selection = {}) {
    std::set<Waited> all;
    constexpr std::int64_t picosecondsInOne = 1'000'000;
    for (const BlockingCall& call : synchronisingCalls(recording, selection)) {
        EXPECT_EQ(call.kind, WaitKind::atSynchronisingCall);
        all.emplace(call.rank.value, call.late.value, call.begin.count() / picosecondsInOne,
                    call.came.count() / picosecondsInOne);
    }
    return all;
}

TEST(SynchronisingCalls, waitForTheLastMemberOfTheirCommunicator) {
    for (unsigned seed = 1; seed <= 200; ++seed) {
        std::mt19937 random{seed};
        const Made made = randomCalls(random, true, 1 + static_cast<int>(seed % 5));
        std::set<Waited> all;
        for (const auto& [comm, waits] : made.waits) {
            all.insert(waits.begin(), waits.end());
            EXPECT_EQ(found(made.recording, {.part = {}, .communicators = {comm}}), waits)
                << "seed " << seed << ", " << comm;
        }
        EXPECT_EQ(found(made.recording), all) << "seed " << seed;
    }
}

TEST(SynchronisingCalls, areOfAllRanksWhereNoCommunicatorIsRecorded) {
    for (unsigned seed = 1; seed <= 50; ++seed) {
        std::mt19937 random{seed};
        const Made made = randomCalls(random, false, 1);
        EXPECT_EQ(found(made.recording), made.waits.at(0)) << "seed " << seed;
        EXPECT_TRUE(found(made.recording, {.part = {}, .communicators = {0}}).empty());
    }
}

/// Rank 0 has left before rank 1 enters, as MPI_Comm_free may.
TEST(SynchronisingCalls, thatSomebodyLeavesEarlySynchronisedNobody) {
    traces::RecordingBuilder builder{2};
    builder.enter(0, us(0), "MPI_Comm_free");
    builder.leave(0, us(1));
    builder.enter(1, us(2), "MPI_Comm_free");
    builder.leave(1, us(3));
    builder.collective(traces::Operation::destroyHandle, 0, traces::noRank, {part(0, 0, 1), part(1, 2, 3)});
    EXPECT_TRUE(found(builder.finish()).empty());
}

}  // namespace
}  // namespace app::analysis::calling
