// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/messages/messages_in_flight.hpp"
#include "tests/support/reference/slow_waits.hpp"
#include "tests/support/small_runs.hpp"

#include <gtest/gtest.h>

namespace app::analysis {
namespace {

TEST(UnderWay, isTheMostOfAnyMoment) {
    std::mt19937 random{8};
    for (int trial = 0; trial < 1000; ++trial) {
        const engine::Run run = slow::randomRun(random, trial % 2 == 0);
        std::int64_t most = 0;
        for (engine::Picoseconds time{}; time <= run.duration; time += engine::Picoseconds{1}) {
            std::int64_t now = 0;
            for (std::size_t i = 0; i < run.messages.size(); ++i) {
                const engine::MessageRecord m = run.messages[i];
                const bool isThere = m.sendBegin <= time && (time < m.receiveEnd || time == m.sendBegin);
                now += isThere ? 1 : 0;
            }
            most = std::max(most, now);
        }
        ASSERT_EQ(mostUnderWay(run.messages), most) << "trial " << trial;
    }
    EXPECT_EQ(mostUnderWay({}), 0);
}

TEST(UnderWay, beginsInATraceWhenBothEndsAreInTheirCalls) {
    using engine::Picoseconds;
    // A late sender, a late receiver that the sender waits for, one that it does not wait for, and clocks apart.
    engine::Run run = samples::small(2,
                                     "0>1 round 0 bytes 8 send 50..60 receive 10..70 "
                                     "0>1 round 1 bytes 8 send 10..70 receive 50..60 "
                                     "0>1 round 2 bytes 8 send 10..20 receive 50..60 "
                                     "0>1 round 3 bytes 8 send 50..60 receive 10..40");
    run.setting.on = "time";
    const auto begins = [&](std::size_t i) {
        return std::pair{sendsFrom(run, i).count(), receivesFrom(run, i).count()};
    };
    EXPECT_EQ(begins(0), std::pair(50L, 10L));  // a run of ours: these are the times of the message itself
    run.setting.on = "trace";
    EXPECT_EQ(begins(0), std::pair(50L, 50L));
    EXPECT_EQ(begins(1), std::pair(50L, 50L));
    EXPECT_EQ(begins(2), std::pair(10L, 50L));
    EXPECT_EQ(begins(3), std::pair(50L, 40L));
}

}  // namespace
}  // namespace app::analysis
