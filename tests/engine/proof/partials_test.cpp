// SPDX-License-Identifier: BSD-3-Clause
#include "engine/proof/partials.hpp"

#include "engine/proof/send_receive_matching.hpp"
#include "engine/schedule/kernel.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>

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

TEST(Partial, growsAtItsEnd) {
    Partial partial = partialOf({0, 1});
    partial.append(partialOf({2, 3}));
    EXPECT_EQ(partial, partialOf({0, 1, 2, 3}));
    partial.append(partial);
    EXPECT_EQ(partial.terms(), (std::vector<std::int32_t>{0, 1, 2, 3, 0, 1, 2, 3}));
}

TEST(Partial, namesWhatIsMissingAndWhatIsThereTwice) {
    EXPECT_EQ(partialOf({3, 2, 0}).missing(0, 4), 1);
    EXPECT_EQ(partialOf({3, 2, 0, 1}).missing(0, 4), std::nullopt);
    EXPECT_EQ(partialOf({0, 1, 2}).missing(0, 4), 3);
    EXPECT_EQ(partialOf({5, 4}).missing(4, 6), std::nullopt);
    EXPECT_EQ(partialOf({5, 4}).missing(3, 6), 3);
    EXPECT_EQ(partialOf({5, 4}).foreign(4, 6), std::nullopt);
    EXPECT_EQ(partialOf({5, 4}).foreign(4, 5), 5);
    EXPECT_EQ(partialOf({2, 3, 4, 9}).foreign(3, 10), 2);
    EXPECT_TRUE(partialOf({1, 2, 5}).rises());
    EXPECT_FALSE(partialOf({1, 2, 2}).rises());
    EXPECT_FALSE(partialOf({2, 1}).rises());
    EXPECT_EQ(partialOf({2, 1, 0}).repeated(), std::nullopt);
    EXPECT_EQ(partialOf({0, 1, 2, 3, 2, 1}).repeated(), (std::pair{1, std::int64_t{2}}));
    EXPECT_EQ(partialOf({4, 4, 4}).repeated(), (std::pair{4, std::int64_t{3}}));
}

/// Every byte of a vector by itself: its contributions in order, none where it holds nothing.
using Slowly = std::vector<std::vector<std::int32_t>>;

Slowly slowly(const PartialVector& vector, Bytes bytes) {
    Slowly all(asSize(bytes));
    for (const auto& [range, partial] : vector.pieces())
        for (Bytes at = range.begin; at < range.end; ++at) all[asSize(at)] = partial.terms();
    return all;
}

TEST(PartialVector, isWhatEveryByteByItselfWouldBe) {
    constexpr Bytes bytes = 12;
    std::mt19937 random{7};
    const auto below = [&](std::int64_t count) {
        return static_cast<std::int64_t>(random() % static_cast<std::uint32_t>(count));
    };
    for (int trial = 0; trial < 2000; ++trial) {
        PartialVector held = below(2) == 0 ? PartialVector{} : PartialVector{{0, bytes}, Partial{0}};
        Slowly judge = slowly(held, bytes);
        for (std::int32_t step = 1; step < 8; ++step) {
            const Bytes from = below(bytes);
            const Bytes middle = from + below(bytes - from) + 1;
            const Range last{0, below(from + 1)};
            const std::vector<Range> ranges{{from, middle}, last};  // as a run that goes round the end
            const PartialVector arrived = PartialVector{{0, bytes}, Partial{step}}.in(ranges);
            const auto action = static_cast<Action>(below(3));
            held.merge(arrived, [&](Partial own, const Partial& other) {
                if (action == Action::keep) return other;
                Partial both = action == Action::append ? own : other;
                both.append(action == Action::append ? other : own);
                return both;
            });
            for (const Range range : ranges)
                for (Bytes at = range.begin; at < range.end; ++at) {
                    auto& terms = judge[asSize(at)];
                    if (action == Action::keep) terms = {step};
                    else terms.insert(action == Action::append ? terms.end() : terms.begin(), step);
                }
            ASSERT_EQ(slowly(held, bytes), judge) << "trial " << trial << ", step " << step;
            for (std::size_t i = 1; i < held.pieces().size(); ++i)
                ASSERT_FALSE(held.pieces()[i - 1].range.end == held.pieces()[i].range.begin &&
                             held.pieces()[i - 1].content == held.pieces()[i].content)
                    << "neighbours that are alike are one";
            std::optional<Bytes> missing;
            for (Bytes at = bytes - 1; at >= from; --at)
                if (judge[asSize(at)].empty()) missing = at;
            ASSERT_EQ(held.missing({from, bytes}), missing);
        }
    }
}

TEST(PartialVector, hasNothingInAnEmptyRange) {
    const PartialVector held{{0, 12}, Partial{0}};
    const PartialVector part = held.in(std::array{Range{4, 4}});
    EXPECT_TRUE(part.pieces().empty());
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
    const Problem problem{.collective = Collective::allreduce, .groupA = 2, .layout = Layout::regular(2, 8)};
    Partials partials{swap->facts(), problem};
    EXPECT_EQ(partials.carried(Rank{1}, turns[1], turns[1].sends()[0]).whole(), Partial{1});
    EXPECT_EQ(partials.apply(turns), 8);
    EXPECT_EQ(partials.result(Rank{0}).whole(), partialOf({0, 1}));
    EXPECT_EQ(partials.result(Rank{1}).whole(), partialOf({0, 1}));
    EXPECT_EQ(Matches{turns}.receiveFor(Rank{0}, 0), &turns[1].receives()[0]);
}

/// A slot that is replaced as a whole by one that is empty is empty.
TEST(Partials, areReplacedAlsoByNothing) {
    const SchedulePtr tell =
        then({.ranks = 2, .slots = 2, .own = 1}, Part{"tell", 1, [](Rank rank, Round, auto& out) {
                                                          if (rank.value == 0) out.sendPartial(Rank{1}, 1, 8);
                                                          else out.receivePartial(Rank{0}, 1, Action::keep, 8);
                                                      }});
    std::vector<Turn> turns(2);
    for (Rank rank{0}; rank.value < 2; ++rank) tell->turn(rank, Round{0}, turns[rank.index()]);
    const Problem problem{.collective = Collective::allreduce, .groupA = 2, .layout = Layout::regular(2, 8)};
    Partials partials{tell->facts(), problem};
    EXPECT_EQ(partials.apply(turns), 0);
    EXPECT_TRUE(partials.at(Rank{1}, 0).pieces().empty());
    EXPECT_EQ(partials.at(Rank{0}, 0).whole(), Partial{0});
}

}  // namespace
}  // namespace engine
