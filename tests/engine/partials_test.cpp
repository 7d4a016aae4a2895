// SPDX-License-Identifier: BSD-3-Clause
#include "engine/partials.hpp"

#include "engine/kernel.hpp"
#include "engine/pairing.hpp"

#include <gtest/gtest.h>

namespace engine {
namespace {

Partial partialOf(const std::vector<std::int32_t>& terms) {
    Partial partial;
    for (const std::int32_t term : terms) partial.append(Partial{term});
    return partial;
}

TEST(Partial, keepsOrderAndRepeats) {
    for (const std::vector<std::int32_t>& terms : std::vector<std::vector<std::int32_t>>{
             {}, {3}, {1, 2, 3}, {3, 2, 1}, {1, 2, 1}, {2, 3, 4, 3, 2}, {5, 5}, {0, 2, 4}, {7, 8, 0, 1}})
        EXPECT_EQ(partialOf(terms).terms(), terms);
}

TEST(Partial, sharesAnEntryAmongNeighbours) {
    EXPECT_EQ(partialOf({1, 2, 3, 4}).stretches().size(), 1U);
    EXPECT_EQ(partialOf({4, 3, 2}).stretches().size(), 1U);
    EXPECT_EQ(partialOf({4, 5, 0, 1}).stretches().size(), 2U);
}

TEST(Partial, growsAtBothEnds) {
    Partial partial = partialOf({2, 3});
    partial.prepend(partialOf({0, 1}));
    EXPECT_EQ(partial, partialOf({0, 1, 2, 3}));
    partial.append(partial);
    EXPECT_EQ(partial.terms(), (std::vector<std::int32_t>{0, 1, 2, 3, 0, 1, 2, 3}));
}

TEST(Partial, namesWhatIsMissingAndWhatIsThereTwice) {
    EXPECT_EQ(partialOf({3, 2, 0}).missing(4), 1);
    EXPECT_EQ(partialOf({3, 2, 0, 1}).missing(4), std::nullopt);
    EXPECT_EQ(partialOf({0, 1, 2}).missing(4), 3);
    EXPECT_EQ(partialOf({2, 1, 0}).repeated(), std::nullopt);
    EXPECT_EQ(partialOf({0, 1, 2, 3, 2, 1}).repeated(), (std::pair{1, std::int64_t{2}}));
    EXPECT_EQ(partialOf({4, 4, 4}).repeated(), (std::pair{4, std::int64_t{3}}));
}

/// 0 and 1 swap their values: 0 puts what comes behind its own, 1 before it, so that both hold 0 o 1.
TEST(Partials, areReadBeforeTheRoundChangesThem) {
    const SchedulePtr swap =
        then({.ranks = 2}, Part{"swap", 1, [](Rank rank, Round, auto& out) {
                                    const Rank peer{1 - rank.value};
                                    out.sendPartial(peer, 0, 8);
                                    out.receivePartial(peer, 1, rank.value == 0 ? Action::append : Action::prepend, 8);
                                }});
    std::vector<Turn> turns(2);
    for (Rank rank{0}; rank.value < 2; ++rank) swap->turn(rank, Round{0}, turns[rank.index()]);
    Partials partials{swap->facts(), 2};
    EXPECT_EQ(partials.carried(Rank{1}, turns[1].sends()[0]), Partial{1});
    EXPECT_EQ(partials.apply(turns), 8);
    EXPECT_EQ(partials.result(Rank{0}), partialOf({0, 1}));
    EXPECT_EQ(partials.result(Rank{1}), partialOf({0, 1}));
    EXPECT_EQ(receiveFor(turns, Rank{0}, 0), &turns[1].receives()[0]);
}

}  // namespace
}  // namespace engine
