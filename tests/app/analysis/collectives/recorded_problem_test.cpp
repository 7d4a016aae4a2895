// SPDX-License-Identifier: BSD-3-Clause
// What recorders count of each collective, and the problem that follows from it.
#include "app/analysis/collectives/recorded_problem.hpp"

#include "app/analysis/collectives/collective_instances.hpp"
#include "engine/base/text.hpp"
#include "engine/problem/contract.hpp"
#include "traces/recording/recording_builder.hpp"
#include "traces/recording/vocabulary.hpp"

#include <gtest/gtest.h>

namespace app::analysis {
namespace {

using engine::Bytes;
using engine::Problem;
using engine::Rank;
using traces::Operation;
using traces::Participant;

/// One collective of ranks 0, 1, ... of the world, which came at any time.
struct Seen {
    Operation operation = Operation::barrier;
    std::vector<std::pair<Bytes, Bytes>> sentAndReceived{};
    Rank root = traces::noRank;
    std::int32_t groupA = 0;                ///< where there are two groups
    std::vector<std::int32_t> order{};      ///< of the communicator; the world's when empty
    std::vector<const char*> reductions{};  ///< by rank; none when empty
};

Instance instanceFrom(const Seen& seen, const char* creator) {
    const auto ranks = static_cast<std::int32_t>(seen.sentAndReceived.size());
    traces::RecordingBuilder builder{ranks};
    builder.rest().creator = creator;
    std::vector<Rank> first;
    std::vector<Rank> second;
    for (std::int32_t i = 0; i < ranks; ++i) {
        const Rank rank{seen.order.empty() ? i : seen.order[static_cast<std::size_t>(i)]};
        (seen.groupA > 0 && i >= seen.groupA ? second : first).push_back(rank);
    }
    const bool world = seen.groupA == 0 && seen.order.empty();
    const std::int32_t communicator = world ? 0 : builder.communicator("theirs", first, second);
    std::vector<Participant> parts;
    for (std::int32_t i = 0; i < ranks; ++i) {
        const auto [sent, received] = seen.sentAndReceived[static_cast<std::size_t>(i)];
        parts.push_back({.rank = Rank{i},
                         .begin = engine::Picoseconds{1000 + i},
                         .end = engine::Picoseconds{2000},
                         .sent = sent,
                         .received = received});
        if (seen.reductions.empty()) continue;
        auto& names = builder.rest().reductions;
        const auto name = std::ranges::find(names, std::string{seen.reductions[static_cast<std::size_t>(i)]});
        parts.back().reduction = static_cast<std::int16_t>(name - names.begin());
        if (name == names.end()) names.emplace_back(seen.reductions[static_cast<std::size_t>(i)]);
    }
    builder.collective(seen.operation, communicator, seen.root, parts);
    return instancesOf(builder.finish(), {}).at(0);
}

/// "reduce-scatter n=4 ...", or why not.
std::string problemOf(const Seen& seen, const char* creator = traces::own::creator) {
    const Instance instance = instanceFrom(seen, creator);
    if (!instance.problem) return instance.whyNoProblem;
    const Problem& problem = *instance.problem;
    return engine::toText(problem) + (problem.grain > 0 ? engine::text(" grain=", problem.grain) : "");
}

constexpr const char* scoreP = "Score-P 8.0";

TEST(RecordedProblem, ofReductionsThatLeaveBlocks) {
    EXPECT_EQ(problemOf({Operation::reduceScatterBlock, {{80, 20}, {80, 20}, {80, 20}, {80, 20}}}),
              "reduce-scatter n=4 sizes=4x80 op=sum type=int32");
    EXPECT_EQ(problemOf({Operation::reduceScatterBlock, {{80, 80}, {80, 80}, {80, 80}, {80, 80}}}, scoreP),
              "reduce-scatter n=4 sizes=4x80 op=sum type=int32");
    // Elements of 8 bytes, 5 of them for 3 ranks: 1, 2, 2.
    EXPECT_EQ(problemOf({Operation::reduceScatter, {{40, 8}, {40, 16}, {40, 16}}}),
              "reduce-scatter n=3 sizes=3x40 op=sum type=int32 grain=8");
    EXPECT_EQ(problemOf({Operation::reduceScatter, {{40, 24}, {40, 8}, {40, 8}}}),
              "its blocks differ more than those of the catalogue's algorithms");
    EXPECT_EQ(problemOf({Operation::reduceScatter, {{40, 24}, {32, 8}, {40, 8}}}), "its bytes do not add up");
}

TEST(RecordedProblem, ofScansThatCountTotals) {
    EXPECT_EQ(problemOf({Operation::scan, {{30, 10}, {20, 20}, {10, 30}}}, scoreP),
              "scan n=3 sizes=3x10 op=sum type=int32 grain=1");
    EXPECT_EQ(problemOf({Operation::exscan, {{16, 0}, {8, 8}, {0, 16}}}, scoreP),
              "scan n=3 sizes=3x8 exclusive=yes op=sum type=int32");
    EXPECT_EQ(problemOf({Operation::scan, {{30, 10}, {20, 20}, {10, 20}}}, scoreP), "its bytes do not add up");
    EXPECT_EQ(problemOf({Operation::exscan, {{8, 0}, {8, 8}, {8, 8}}}),
              "scan n=3 sizes=3x8 exclusive=yes op=sum type=int32");
}

TEST(RecordedProblem, betweenTwoGroups) {
    EXPECT_EQ(problemOf({Operation::bcast, {{0, 0}, {8, 0}, {0, 8}, {0, 8}, {0, 8}}, Rank{1}, 2}),
              "intergroup-bcast p=2 q=3 sizes=8 root=1");
    EXPECT_EQ(problemOf({Operation::reduce, {{8, 0}, {8, 0}, {0, 0}, {0, 8}, {0, 0}}, Rank{3}, 2}),
              "intergroup-reduce p=2 q=3 sizes=5x8 root=3 op=sum type=int32");
    EXPECT_EQ(problemOf({Operation::allreduce, {{8, 8}, {8, 8}, {8, 8}}, traces::noRank, 1}),
              "intergroup-allreduce p=1 q=2 sizes=3x8 op=sum type=int32");
    EXPECT_EQ(problemOf({Operation::alltoall, {{8, 4}, {4, 8}, {4, 8}}, traces::noRank, 1}),
              "intergroup-alltoallv p=1 q=2 sizes=2x8,2x4");
    EXPECT_EQ(problemOf({Operation::alltoall, {{8, 4}, {4, 8}, {12, 8}}, traces::noRank, 1}),
              "its bytes do not add up");
    EXPECT_EQ(problemOf({Operation::gather, {{8, 0}, {0, 8}}, Rank{1}, 1}),
              "the catalogue has no gather between two groups");
}

/// An operation of the program's own may not commute, and ranks that combine by different ones are wrong.
TEST(RecordedProblem, combinesAsRecorded) {
    const auto withOperations = [](std::vector<const char*> reductions) {
        return problemOf({Operation::allreduce, {{8, 8}, {8, 8}}, traces::noRank, 0, {}, std::move(reductions)});
    };
    EXPECT_EQ(withOperations({"max", "max"}), "allreduce n=2 sizes=2x8 op=max type=int32");
    EXPECT_EQ(withOperations({"min", "min"}), "allreduce n=2 sizes=2x8 op=min type=int32");
    EXPECT_EQ(withOperations({"prod", "prod"}), "allreduce n=2 sizes=2x8 op=user type=int32");
    for (const auto& unknown : {std::vector<const char*>{}, {"user", "user"}, {"max", "min"}})
        EXPECT_EQ(withOperations(unknown), "allreduce n=2 sizes=2x8 op=sum type=int32");
}

/// Sizes stand in the order of the communicator, also where the world has another.
TEST(RecordedProblem, countsRanksAsTheCommunicatorDoes) {
    EXPECT_EQ(problemOf({Operation::gatherv, {{10, 60}, {20, 0}, {30, 0}}, Rank{0}, 0, {2, 0, 1}}),
              "gatherv n=3 sizes=30,10,20 root=1");
    EXPECT_EQ(problemOf({Operation::allgatherv, {{10, 60}, {20, 60}, {30, 60}}, traces::noRank, 0, {2, 0, 1}}),
              "allgatherv n=3 sizes=30,10,20");
}

}  // namespace
}  // namespace app::analysis
