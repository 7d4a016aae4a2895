// SPDX-License-Identifier: BSD-3-Clause
// Exchanges that a program repeats without anything in between: each is an instance of its own.
#include "app/analysis/collectives/message_groups.hpp"
#include "app/analysis/trace/trace_analysis.hpp"
#include "tests/app/analysis/calls/calling_program.hpp"
#include "tests/support/first_page.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <utility>
#include <vector>

namespace app::analysis::calling {
namespace {

using Pairs = std::vector<std::pair<int, int>>;

/// The messages of each time take 2 us.
Trace repeating(int ranks, int times, const std::function<Pairs(int time)>& messages) {
    Program program{ranks};
    for (int time = 0; time < times; ++time)
        for (const auto& [from, to] : messages(time)) {
            const std::int64_t begin = 10 * time;
            program.message(from, to, begin, begin + 2, begin, begin + 2);
        }
    return program.trace();
}
Trace repeating(int ranks, int times, const Pairs& messages) {
    return repeating(ranks, times, [&](int) { return messages; });
}

std::size_t instancesIn(const Trace& trace) {
    TraceAnalysis analysis{trace, {}};
    return analysis.instances().size();
}

const Pairs shift{{0, 1}, {1, 2}, {2, 3}, {3, 0}};

TEST(RepeatedExchanges, areSoManyInstances) {
    EXPECT_EQ(instancesIn(repeating(4, 10, shift)), 10U);
    EXPECT_EQ(instancesIn(repeating(4, 10, {{0, 1}, {1, 0}, {2, 3}, {3, 2}})), 10U) << "in pairs";
    EXPECT_EQ(instancesIn(repeating(4, 10, {{0, 1}, {0, 3}, {1, 0}, {1, 2}, {2, 1}, {2, 3}, {3, 0}, {3, 2}})), 10U);
    EXPECT_EQ(instancesIn(repeating(4, 7, {{1, 0}, {2, 0}, {3, 0}})), 7U) << "gathers";
    EXPECT_EQ(instancesIn(repeating(4, 7, {{0, 1}, {0, 2}, {0, 3}})), 7U) << "scatters";
    EXPECT_EQ(instancesIn(repeating(3, 5, {{0, 1}, {0, 2}, {1, 0}, {1, 2}, {2, 0}, {2, 1}})), 5U) << "all to all";
}

TEST(RepeatedExchanges, areOneInstanceWhereAnAlgorithmMayRepeat) {
    EXPECT_EQ(instancesIn(repeating(4, 3, shift)), 1U) << "allgather on a ring";
    EXPECT_EQ(instancesIn(repeating(4, 6, shift)), 1U) << "its blocks in two segments";
    EXPECT_EQ(instancesIn(repeating(4, 10, {{0, 1}, {1, 2}, {2, 3}})), 1U) << "a pipelined broadcast along a chain";
    EXPECT_EQ(instancesIn(repeating(4, 5, {{0, 2}, {0, 1}, {2, 3}})), 1U) << "a pipelined broadcast down a tree";
    EXPECT_EQ(instancesIn(repeating(2, 10, {{0, 1}, {1, 0}})), 1U) << "ping-pong";
    // Partners change from time to time, as in recursive doubling.
    EXPECT_EQ(instancesIn(repeating(
                  4, 2,
                  [](int time) {
                      return time == 0 ? Pairs{{0, 1}, {1, 0}, {2, 3}, {3, 2}} : Pairs{{0, 2}, {2, 0}, {1, 3}, {3, 1}};
                  })),
              1U);
}

TEST(RepeatedExchanges, areNamedByTheirPattern) {
    const Trace trace = repeating(4, 10, shift);
    TraceAnalysis analysis{trace, {}};
    const std::vector<std::string> page = support::firstPageInWords(analysis);
    EXPECT_FALSE(support::sentenceWith(page, "10 exchanges").empty()) << engine::joined(page, "\n");
    EXPECT_FALSE(support::sentenceWith(page, "The messages form a shift by 1 among 4 ranks.").empty())
        << engine::joined(page, "\n");
}

}  // namespace
}  // namespace app::analysis::calling
