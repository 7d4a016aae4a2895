// SPDX-License-Identifier: BSD-3-Clause
// Programs with wildcards and MPI_Waitany take, replayed from what a recorder saw, what they took.
#include "app/session/replay/replay_conditions.hpp"
#include "app/session/replay/replay_run.hpp"
#include "tests/app/session/replay_samples.hpp"
#include "tests/support/programs/virtual_mpi.hpp"

#include <gtest/gtest.h>

#include <random>

namespace app {
namespace {

using engine::Picoseconds;
using engine::Rank;

TEST(ReplayedChoices, takeToThePicosecondWhatPlainEventsTake) {
    std::mt19937 random{20261128};
    int ended = 0;
    std::int64_t wildcards = 0;
    for (int trial = 0; trial < 4000; ++trial) {
        SCOPED_TRACE(testing::Message() << "trial " << trial);
        RunWish wish;
        wish.model = {.alpha = support::VirtualMpi::alpha, .beta = engine::Rate{1000}};
        wish.problem.ports = 0;
        if (trial % 3 == 0) wish.model.eagerLimit = static_cast<engine::Bytes>(random() % 30);
        const int ranks = 2 + static_cast<int>(random() % 5);
        support::VirtualMpi machine{random, ranks, wish.model.eagerLimit};
        if (!machine.ended()) continue;
        ++ended;
        wildcards += machine.wildcards();
        traces::Recording recording = machine.recording();
        recording.properties = replayProperties(wish, "full", emulation::InPorts::byMessage);
        const Trace trace{.report = analysis::reportOn(std::make_shared<const engine::Run>(traces::runOf(recording))),
                          .recording = std::make_shared<const traces::Recording>(std::move(recording))};
        const Replaying again = replayed(trace, {});
        ASSERT_EQ(again.modelOrigin, "recorded");
        ASSERT_TRUE(again.asRecorded.stuck.empty());
        for (const Rank rank : again.asRecorded.result.ranks.ids())
            ASSERT_EQ(again.asRecorded.result.ranks[rank].end, machine.end(rank.value)) << "rank " << rank.value;
        ASSERT_EQ(again.error(), 0);
    }
    EXPECT_GT(ended, 1000);
    EXPECT_GT(wildcards, 3000);
}

}  // namespace
}  // namespace app
