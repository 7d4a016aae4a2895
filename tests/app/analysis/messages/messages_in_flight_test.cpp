// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/messages/messages_in_flight.hpp"
#include "tests/support/reference/slow_waits.hpp"

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

}  // namespace
}  // namespace app::analysis
