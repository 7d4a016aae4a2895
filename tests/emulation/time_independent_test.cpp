// SPDX-License-Identifier: BSD-3-Clause
// Programs as SimGrid's time-independent traces, word by word; what SimGrid says of them asks
// tests/scripts/mpi/simgrid_replay_test.py.
#include "emulation/replay/time_independent.hpp"
#include "engine/base/error.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "tests/support/programs/replay_programs.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace emulation {
namespace {

using support::Making;

std::string actionsOf(const Program& program, int rank) {
    std::ostringstream out;
    TimeIndependent{program}.write(Rank{rank}, out);
    return out.str();
}

TEST(TimeIndependent, givesEveryMessageATag) {
    Making making{2};
    making.add(0, Does::computes, 1'600);
    const auto first = making.message(0, 1, 5);
    const auto second = making.message(0, 1, 7);
    making.add(0, Does::sends, first).add(0, Does::sends, second);
    making.add(0, Does::awaitsSend, second).add(0, Does::awaitsSend, first);
    making.receive(1, first);
    making.receive(1, second);
    EXPECT_EQ(actionsOf(making.made, 0), R"(0 init
0 compute 1.600
0 isend 1 0 5
0 isend 1 1 7
0 wait 0 1 1
0 wait 0 1 0
0 finalize
)");
    EXPECT_EQ(actionsOf(making.made, 1), R"(1 init
1 irecv 0 0 5
1 wait 0 1 0
1 irecv 0 1 7
1 wait 0 1 1
1 finalize
)");
}

TEST(TimeIndependent, tellsTheMessagesOfCollectives) {
    Making making{3};
    const auto own = making.message(1, 1, 5);
    making.add(1, Does::sends, own).add(1, Does::receives, own).add(1, Does::awaitsReceive, own);
    making.made.collectives.push_back(
        {.members = std::make_shared<const std::vector<Rank>>(std::vector{Rank{2}, Rank{1}}), .schedule = nullptr});
    for (const int rank : {1, 2}) making.add(rank, Does::enters, 0).add(rank, Does::lingers, 500);
    EXPECT_EQ(actionsOf(making.made, 0), "0 init\n0 finalize\n");
    EXPECT_EQ(actionsOf(making.made, 1), R"(1 init
1 irecv 2 1 0
1 isend 2 1 0
1 wait 2 1 1
1 wait 1 2 1
1 compute 0.500
1 finalize
)");
}

TEST(TimeIndependent, refusesWhatNoActionIsFor) {
    Making making{1};
    making.made.collectives.push_back(
        {.members = std::make_shared<const std::vector<Rank>>(std::vector{Rank{0}}), .schedule = nullptr});
    making.add(0, Does::starts, 0).add(0, Does::ends, 0);
    EXPECT_THROW(TimeIndependent{making.made}, engine::Error);
}

}  // namespace
}  // namespace emulation
