// SPDX-License-Identifier: BSD-3-Clause
// What each collective promises, said once more in another way: block by block, from whom to whom.
#include "engine/problem/contract.hpp"

#include "engine/catalogue/catalogue.hpp"
#include "engine/proof/verify.hpp"
#include "engine/schedule/kernel.hpp"
#include "tests/support/catalogue_grid.hpp"

#include <gtest/gtest.h>

#include <set>

namespace engine {
namespace {

using Places = std::set<Bytes>;

Places bytesIn(const Problem& problem, std::int32_t block) {
    const Range range = problem.layout.block(block);
    Places all;
    for (Bytes at = range.begin; at < range.end; ++at) all.insert(at);
    return all;
}

void add(Places& all, const Places& more) { all.insert(more.begin(), more.end()); }

/// Whether `rank` wants what `from` brings; of collectives with a block for each pair, what it brings for `rank`.
bool wants(const Problem& problem, std::int32_t rank, std::int32_t from) {
    const std::int32_t p = problem.groupA;
    const bool across = (rank < p) != (from < p);
    switch (problem.collective) {
        case Collective::bcast: return from == problem.root.value;
        case Collective::gatherv: return rank == problem.root.value;
        case Collective::scatterv: return from == problem.root.value;
        case Collective::allgatherv:
        case Collective::alltoallv: return true;
        case Collective::intergroupBcast: return across && from == problem.root.value;
        case Collective::halfduplexAllgather: return across && from < p;
        default: return across;
    }
}

/// The blocks that `from` brings for `rank`, whether it wants them or not.
std::vector<std::int32_t> broughtFor(const Problem& problem, std::int32_t rank, std::int32_t from) {
    const std::int32_t p = problem.groupA, q = problem.groupB;
    switch (problem.collective) {
        case Collective::bcast:
        case Collective::intergroupBcast: return from == problem.root.value ? std::vector{0} : std::vector<int>{};
        case Collective::scatterv: return from == problem.root.value ? std::vector{rank} : std::vector<int>{};
        case Collective::alltoallv: return {from * p + rank};
        case Collective::intergroupAlltoallv:
            if ((from < p) == (rank < p)) return {};
            return {from < p ? from * q + (rank - p) : p * q + (from - p) * p + rank};
        case Collective::halfduplexAllgather: return from < p ? std::vector{from} : std::vector<int>{};
        default: return {from};
    }
}

/// How often each vector must be in the result of `rank`; nothing where it needs none.
std::optional<std::set<std::int32_t>> contributorsOf(const Problem& problem, std::int32_t rank) {
    std::set<std::int32_t> found;
    const bool between = isIntergroup(problem.collective);
    for (std::int32_t from = 0; from < problem.ranks(); ++from) {
        if (between && (from < problem.groupA) == (rank < problem.groupA)) continue;
        if (problem.collective == Collective::scan && (from > rank || (problem.exclusive && from == rank))) continue;
        found.insert(from);
    }
    const bool rooted = problem.collective == Collective::reduce || problem.collective == Collective::intergroupReduce;
    if (found.empty() || (rooted && rank != problem.root.value)) return std::nullopt;
    return found;
}

void expectPromise(const Problem& problem) {
    const Contract contract{problem};
    for (Rank rank{0}; rank.value < problem.ranks(); ++rank) {
        SCOPED_TRACE(toText(problem) + ", rank " + std::to_string(rank.value));
        if (isReduction(problem.collective)) {
            const auto expected = contributorsOf(problem, rank.value);
            const auto result = contract.result(rank);
            ASSERT_EQ(result.has_value(), expected.has_value());
            if (!expected) continue;
            const auto [first, end] = contract.contributors(rank);
            ASSERT_EQ(first, *expected->begin());
            ASSERT_EQ(end, *expected->rbegin() + 1);
            ASSERT_EQ(end - first, static_cast<std::int32_t>(expected->size()));
            if (problem.collective != Collective::reduceScatter) {
                EXPECT_EQ(*result, (Range{0, problem.layout.largest()}));
            }
            continue;
        }
        Places wanted, brought, after, before;
        for (std::int32_t from = 0; from < problem.ranks(); ++from)
            if (wants(problem, rank.value, from))
                for (const std::int32_t block : broughtFor(problem, rank.value, from))
                    add(wanted, bytesIn(problem, block));
        for (std::int32_t to = 0; to < problem.ranks(); ++to)
            for (const std::int32_t block : broughtFor(problem, to, rank.value)) add(brought, bytesIn(problem, block));
        for (const Range range : contract.after(rank))
            for (Bytes at = range.begin; at < range.end; ++at) after.insert(at);
        const Range own = contract.before(rank);
        for (Bytes at = own.begin; at < own.end; ++at) before.insert(at);
        EXPECT_EQ(after, wanted);
        EXPECT_EQ(before, brought);
    }
}

TEST(Contract, isWhatEveryBlockByItselfWouldSay) {
    int seen = 0;
    for (const Collective collective : collectives())
        for (const std::int32_t ranks : {1, 2, 3, 5})
            for (const Problem& problem : support::problemsFor(collective, ranks)) {
                if (problem.ranks() > 8 || problem.layout.total() > 20'000) continue;
                expectPromise(problem);
                ++seen;
                if (collective != Collective::scan) continue;
                Problem exclusive = problem;
                exclusive.exclusive = true;
                expectPromise(exclusive);
            }
    EXPECT_GT(seen, 60);
}

/// Nothing is proved by doing nothing, unless nothing is asked.
TEST(Contract, asksForSomething) {
    for (const Collective collective : collectives())
        for (const bool exclusive : {false, true}) {
            if (exclusive && collective != Collective::scan) continue;
            for (Problem problem : support::problemsFor(collective, 4)) {
                problem.exclusive = exclusive;
                if (problem.ranks() < 2 || problem.layout.largest() == 0 || !problem.layout.isRegular()) continue;
                const SchedulePtr nothing =
                    schedule(Facts{.ranks = problem.ranks(), .rounds = 1}, [](Rank, Round, auto&) {});
                EXPECT_FALSE(verify(*nothing, problem).proved) << toText(problem);
            }
        }
}

}  // namespace
}  // namespace engine
