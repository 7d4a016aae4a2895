// SPDX-License-Identifier: BSD-3-Clause
// The way of a block, against every byte of it followed by itself.
#include "app/analysis/dataflow/block_route.hpp"

#include "emulation/clocks/virtual_clock.hpp"
#include "emulation/networks/network.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace app::analysis {
namespace {

using engine::Picoseconds;
using engine::Rank;

struct RouteSample {
    engine::Plan plan;
    engine::Run run;
    Columns columns;
    BlockOwnership holdings;
};

RouteSample sampleOf(const char* algorithm, const engine::Problem& problem, const char* network = "full") {
    engine::Plan plan = engine::makePlan(engine::algorithmNamed(algorithm), problem, {});
    engine::Run run = emulation::emulate(plan, *emulation::makeNetwork(network, problem.ranks()), {}).run;
    const Columns columns{plan.problem, &plan, run, 512};
    const BlockOwnership holdings{plan.problem, &plan, nullptr, run, columns};
    return {std::move(plan), std::move(run), columns, holdings};
}

/// When each rank first had every byte of `range`; nothing where it lacks one. `owner` has all from the begin on.
std::map<Rank, Picoseconds> completeAt(const engine::Run& run, engine::Range range, Rank owner) {
    std::map<Rank, Picoseconds> complete;
    for (Rank rank{0}; rank.value < run.ranks; ++rank) {
        if (rank == owner) continue;
        Picoseconds latest{};
        bool all = true;
        for (engine::Bytes byte = range.begin; byte < range.end; ++byte) {
            Picoseconds first = Picoseconds::max();
            for (std::size_t i = 0; i < run.messages.size(); ++i)
                for (const engine::Range& part : run.messages.what(i))
                    if (run.messages.to()[i] == rank && part.begin <= byte && byte < part.end)
                        first = std::min(first, run.messages.receiveEnd()[i]);
            all = all && first != Picoseconds::max();
            latest = std::max(latest, first);
        }
        if (all) complete[rank] = latest;
    }
    return complete;
}

void judge(const RouteSample& sample, bool receiversOnly, const std::string& what) {
    const engine::Messages& messages = sample.run.messages;
    for (std::int32_t column = 0; column < sample.columns.count(); ++column) {
        const Route route = routeOf(sample.run, sample.columns, sample.holdings, column);
        const engine::Range range = sample.columns.range(column);
        const bool ofRoot = sample.plan.problem.collective == engine::Collective::bcast;
        const Rank owner = ofRoot ? sample.plan.problem.root : Rank{column};
        std::map<Rank, Picoseconds> complete = completeAt(sample.run, range, owner);
        if (receiversOnly)
            std::erase_if(complete, [&](const auto& each) { return each.first.value < sample.run.groupA; });
        Picoseconds latest{};
        for (const auto& [rank, time] : complete) latest = std::max(latest, time);
        std::set<Rank> last;
        for (const auto& [rank, time] : complete)
            if (time == latest) last.insert(rank);
        EXPECT_EQ(route.complete, latest) << what << ", " << column;
        EXPECT_EQ((std::set<Rank>{route.last.begin(), route.last.end()}), last) << what << ", " << column;
        EXPECT_EQ(route.served, static_cast<std::int64_t>(complete.size())) << what << ", " << column;
        EXPECT_EQ(route.needed, route.served) << what << ", " << column;
        // The chain leads from the owner to the first of those, and nothing leaves before it has come.
        ASSERT_FALSE(route.chain.empty()) << what;
        EXPECT_EQ(messages.from()[route.chain.front().message], owner) << what;
        EXPECT_EQ(messages.to()[route.chain.back().message], route.last.front()) << what;
        EXPECT_EQ(messages.receiveEnd()[route.chain.back().message], latest) << what;
        for (std::size_t i = 0; i < route.chain.size(); ++i) {
            EXPECT_GE(route.chain[i].timeAtSender(), Picoseconds{}) << what;
            if (i == 0) continue;
            EXPECT_EQ(messages.from()[route.chain[i].message], messages.to()[route.chain[i - 1].message]) << what;
            EXPECT_EQ(route.chain[i].there, messages.receiveEnd()[route.chain[i - 1].message]) << what;
        }
    }
}

TEST(Route, isThatOfEveryByte) {
    for (const char* id : {"halfduplex-allgather/ring-streams", "halfduplex-allgather/ring-belts"})
        for (const auto& [p, q] : {std::pair{2, 4}, {4, 6}, {6, 4}})
            judge(sampleOf(id, support::halfduplex(p, q, 4), "ring"), true, id);
    for (const char* id : {"allgatherv/linear-ring", "allgatherv/recursive-doubling", "allgatherv/bruck"})
        judge(sampleOf(id, support::allgatherv(std::vector<engine::Bytes>(8, 3))), false, id);
    for (const char* id : {"bcast/binomial-tree", "bcast/chain", "bcast/scatter-ring-allgather"})
        judge(sampleOf(id, support::bcast(7, 2, 14)), false, id);
}

TEST(Route, saysWhatWasInTheWay) {
    // Block 0 is at rank 1 after round 3 of ring streams, and goes on at once; at rank 7 after round 3 too, but leaves
    // in round 7: rank 6 takes in other blocks before.
    const RouteSample sample = sampleOf("halfduplex-allgather/ring-streams", support::halfduplex(4, 6, 65536), "ring");
    const Route route = routeOf(sample.run, sample.columns, sample.holdings, 0);
    EXPECT_EQ(route.hops.size(), 9U);
    EXPECT_EQ((std::set<Rank>{route.last.begin(), route.last.end()}), (std::set<Rank>{Rank{5}, Rank{6}}));
    for (const Leg& leg : route.chain) {
        EXPECT_EQ(leg.timeAtSender() > Picoseconds{}, !leg.fromSender.empty() || !leg.toReceiver.empty());
        for (const std::uint32_t other : leg.fromSender) {
            EXPECT_EQ(sample.run.messages.from()[other], sample.run.messages.from()[leg.message]);
            EXPECT_LT(sample.run.messages.sendBegin()[other], leg.left);
        }
        for (const std::uint32_t other : leg.toReceiver)
            EXPECT_EQ(sample.run.messages.to()[other], sample.run.messages.to()[leg.message]);
    }
}

TEST(Route, endsWhereMessagesTakeNoTime) {
    for (const auto& [algorithm, problem] :
         {std::pair{"bcast/scatter-ring-allgather", support::bcast(6, 0, 48)},
          std::pair{"allgatherv/linear-ring", support::allgatherv({8, 8, 8, 8, 8, 8})}}) {
        const engine::Plan plan = engine::makePlan(engine::algorithmNamed(algorithm), problem, {});
        emulation::Conditions free;
        free.model.alpha = Picoseconds{};
        free.model.beta = {};
        const engine::Run run = emulation::emulate(plan, *emulation::makeNetwork("full", problem.ranks()), free).run;
        ASSERT_EQ(run.duration, Picoseconds{});
        const Columns columns{plan.problem, &plan, run, 512};
        const BlockOwnership holdings{plan.problem, &plan, nullptr, run, columns};
        for (std::int32_t column = 0; column < columns.count(); ++column)
            EXPECT_LE(routeOf(run, columns, holdings, column).chain.size(), run.messages.size()) << algorithm;
    }
}

TEST(Route, marksWhatComesAgain) {
    const RouteSample sample = sampleOf("halfduplex-allgather/ring-streams", support::halfduplex(4, 6, 65536), "ring");
    const auto again = [&](std::int32_t column) {
        const Route route = routeOf(sample.run, sample.columns, sample.holdings, column);
        return std::count_if(route.hops.begin(), route.hops.end(), [](const Hop& hop) { return hop.again; });
    };
    EXPECT_EQ(again(0), 0);
    EXPECT_EQ(again(2), 1) << "rank 9 gets block 2 from both sides";
}

TEST(Route, countsRanksThatNeverGetIt) {
    const RouteSample sample = sampleOf("allgatherv/linear-ring", support::allgatherv({4, 4, 4}));
    engine::RunBuilder builder{3, 1, {}};
    const engine::Range part[]{{0, 4}};
    engine::MessageRecord message{};
    message.to = Rank{1};
    message.bytes = 4;
    message.sendEnd = message.receiveEnd = Picoseconds{5};
    builder.message(message, part);
    const engine::Run run = builder.finish();
    const Route route =
        routeOf(run, sample.columns, BlockOwnership{sample.plan.problem, nullptr, nullptr, run, sample.columns}, 0);
    ASSERT_EQ(route.hops.size(), 1U);
    EXPECT_EQ(route.needed, 2);
    EXPECT_EQ(route.served, 1) << "rank 2 never gets it";
    EXPECT_TRUE(routeOf(run, sample.columns, sample.holdings, 1).hops.empty());
}

}  // namespace
}  // namespace app::analysis
