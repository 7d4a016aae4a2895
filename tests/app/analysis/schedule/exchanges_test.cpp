// SPDX-License-Identifier: BSD-3-Clause
// Exchanges with neighbours are no collectives, and collectives written by hand are recognised though they differ a
// little from those of the catalogue.
#include "app/analysis/overview/first_page.hpp"
#include "app/analysis/schedule/logical_rounds.hpp"
#include "app/analysis/schedule/reachability.hpp"
#include "engine/base/text.hpp"
#include "tests/support/first_page.hpp"
#include "tests/support/traced.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace app::analysis {
namespace {

using engine::Rank;

struct Sent {
    int from;
    int to;
    engine::Bytes bytes = 4096;
};
using Phase = std::vector<Sent>;  ///< messages under way at the same time

/// The run of phases one after the other, ten microseconds each, of which nothing but the messages is known.
engine::Run ranIn(int ranks, const std::vector<Phase>& phases) {
    std::vector<Sample> samples;
    for (std::size_t k = 0; k < phases.size(); ++k)
        for (const Sent& hop : phases[k]) {
            const engine::Picoseconds begin{static_cast<std::int64_t>(k) * 10'000'000};
            const engine::Picoseconds end{begin.count() + 10'000'000};
            samples.push_back({{.from = Rank{hop.from},
                                .to = Rank{hop.to},
                                .round = {},
                                .bytes = hop.bytes,
                                .sendBegin = begin,
                                .sendEnd = end,
                                .receiveBegin = begin,
                                .receiveEnd = end}});
        }
    engine::Run run = assembled(ranks, std::move(samples));
    run.setting.on = "trace";
    return run;
}

/// What it is taken for: an id and how like it is, or nothing.
std::string takenFor(const engine::Run& run) {
    Trace trace;
    trace.report.run = std::make_shared<const engine::Run>(run);
    TraceAnalysis analysis{trace, {.alpha = engine::Picoseconds{1'000'000}, .beta = engine::Rate{400'000}}};
    const IdentifiedPtr known = analysis.identified(0);
    EXPECT_EQ(known->plan.has_value(), known->problem.has_value());
    EXPECT_EQ(known->plan.has_value(), !known->found.empty());
    EXPECT_EQ(known->plan.has_value(), analysis.whatIf(0) != nullptr);
    return known->plan ? engine::text(known->plan->algorithm->id, ' ', known->confidence()) : "";
}

/// Each phase of `exchange` `times` times over; `together`: all of one exchange is under way at once.
std::vector<Phase> repeated(const std::vector<Phase>& exchange, int times, bool together) {
    Phase all;
    for (const Phase& phase : exchange) all.insert(all.end(), phase.begin(), phase.end());
    std::vector<Phase> phases;
    for (int i = 0; i < times; ++i) {
        if (together) phases.push_back(all);
        else phases.insert(phases.end(), exchange.begin(), exchange.end());
    }
    return phases;
}

void expectNoCollective(const std::string& what, int ranks, const std::vector<Phase>& exchange,
                        const std::vector<int>& times) {
    for (const int k : times)
        for (const bool together : {false, true})
            EXPECT_EQ(takenFor(ranIn(ranks, repeated(exchange, k, together))), "")
                << what << " of " << ranks << " ranks, " << k << " times, " << (together ? "at once" : "in turn");
}

std::vector<Phase> ringHalo(int ranks, engine::Bytes bytes) {
    std::vector<Phase> phases(2);
    for (int r = 0; r < ranks; ++r) {
        phases[0].push_back({r, (r + 1) % ranks, bytes});
        phases[1].push_back({r, (r + ranks - 1) % ranks, bytes});
    }
    return phases;
}

std::vector<Phase> gridHalo(int rows, int columns, bool round) {
    std::vector<Phase> phases;
    for (const auto& [down, right] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}}) {
        Phase& phase = phases.emplace_back();
        for (int y = 0; y < rows; ++y)
            for (int x = 0; x < columns; ++x) {
                const int toY = y + down;
                const int toX = x + right;
                if (!round && (toY < 0 || toY >= rows || toX < 0 || toX >= columns)) continue;
                const int to = (toY + rows) % rows * columns + (toX + columns) % columns;
                phase.push_back({y * columns + x, to});
            }
    }
    return phases;
}

TEST(Exchanges, withNeighboursOnARingAreNoCollective) {
    for (const int ranks : {5, 8}) {
        expectNoCollective("ring", ranks, ringHalo(ranks, 4096), {1, 2, ranks / 2, ranks - 1, ranks, 20});
        expectNoCollective("ring without bytes", ranks, ringHalo(ranks, 0), {1, 2, ranks - 1});
    }
}

TEST(Exchanges, onGridsAreNoCollective) {
    for (const bool round : {false, true})
        for (const auto& [rows, columns] : {std::pair{2, 3}, {3, 3}, {4, 4}})
            expectNoCollective(round ? "torus" : "mesh", rows * columns, gridHalo(rows, columns, round), {1, 2, 9});
}

TEST(Exchanges, onRandomGraphsAreNoCollective) {
    std::mt19937 random{20};
    for (int i = 0; i < 8; ++i) {
        const int ranks = 5 + static_cast<int>(random() % 6);
        const auto share = 2 + random() % 6;  // of ten pairs have an edge
        const bool alike = random() % 2 == 0;
        std::vector<Phase> phases;
        for (int a = 0; a < ranks; ++a)
            for (int b = a + 1; b < ranks; ++b)
                if (random() % 10 < share) {
                    const engine::Bytes bytes = alike ? 1024 : 8 * static_cast<engine::Bytes>(1 + random() % 100);
                    phases.push_back({{a, b, bytes}, {b, a, bytes}});
                }
        std::shuffle(phases.begin(), phases.end(), random);
        if (!phases.empty()) expectNoCollective("graph", ranks, phases, {1, 2});
    }
}

TEST(Exchanges, areToldNotRecognisedWithoutBoundAndAdvice) {
    Trace trace;
    trace.report.run = std::make_shared<const engine::Run>(ranIn(8, repeated(ringHalo(8, 4096), 7, false)));
    TraceAnalysis analysis{trace, {.alpha = engine::Picoseconds{1'000'000}, .beta = engine::Rate{400'000}}};
    const std::vector<std::string> page = support::firstPageInWords(analysis);
    ASSERT_FALSE(page.empty());
    EXPECT_EQ(
        page.front(),
        "Point-to-point messages among 8 ranks took 140 us: 112 messages in 14 rounds (reconstructed), 448 KiB in "
        "total. The messages form an exchange with up to 2 partners among 8 ranks. No lower bound is given, and no faster "
        "algorithm can be named: the messages match no algorithm of the catalogue.");
    for (const char* definition : {"algorithms", "bounds", "what-if"}) {
        const engine::Table table = computeTable(tableNamed(definition), analysis);
        EXPECT_TRUE(table.rows.empty()) << definition;
        ASSERT_FALSE(table.remarks.empty());
        EXPECT_NE(table.remarks.front().find("match no algorithm"), std::string::npos) << table.remarks.front();
    }
}

/// The messages of a broadcast in eight segments along a chain, and one back to the root for each: all in turn.
TEST(Exchanges, ofATokenThatGoesAroundARingAreNoBroadcast) {
    std::vector<Phase> phases;
    for (int k = 0; k < 31; ++k) phases.push_back({{k % 4, (k + 1) % 4, 1024}});
    EXPECT_EQ(takenFor(ranIn(4, phases)), "");
    // Where the chain does not wait for what comes back, it is one.
    std::vector<Phase> chain(11);
    for (int segment = 0; segment < 8; ++segment)
        for (int rank = 0; rank < 3; ++rank) chain[engine::asSize(segment + rank)].push_back({rank, rank + 1, 1024});
    EXPECT_EQ(takenFor(ranIn(4, chain)), "bcast/pipelined-chain 1");
}

TEST(Exchanges, betweenTwoRanksFitSeveralCollectives) { EXPECT_EQ(takenFor(ranIn(2, {{{0, 1}, {1, 0}}})), ""); }

/// A binomial tree whose ranks send to their nearest child first: fewer leaves begin late, but the order is another.
TEST(HandWritten, binomialTreeWithItsChildrenTheOtherWayRoundIsStillAlike) {
    std::vector<Phase> phases(3);
    phases[0] = {{0, 4}};
    phases[1] = {{0, 2}, {4, 6}};
    phases[2] = {{0, 1}, {2, 3}, {4, 5}, {6, 7}};
    EXPECT_EQ(takenFor(ranIn(8, phases)).find("bcast/bin"), 0U);
    // The root serves a leaf before its second subtree.
    phases = {{{0, 4}}, {{0, 1}, {4, 6}}, {{0, 2}, {4, 5}, {6, 7}}, {{2, 3}}};
    const std::string other = takenFor(ranIn(8, phases));
    EXPECT_EQ(other.find("bcast/bin"), 0U) << other;
    EXPECT_NE(other.find(" 0."), std::string::npos) << other;
}

TEST(HandWritten, ringAllgatherWithAWordToTheRootAfterItIsStillAlike) {
    std::vector<Phase> phases;
    for (int k = 0; k < 7; ++k) {
        Phase& phase = phases.emplace_back();
        for (int r = 0; r < 8; ++r) phase.push_back({r, (r + 1) % 8, 1000});
    }
    EXPECT_EQ(takenFor(ranIn(8, phases)), "allgatherv/linear-ring 1");
    for (int r = 1; r < 8; ++r) phases.push_back({{r, 0, 0}});
    const std::string other = takenFor(ranIn(8, phases));
    EXPECT_EQ(other.find("allgatherv/linear-ring 0.9"), 0U) << other;
}

TEST(HandWritten, broadcastThatLeavesSomeoneOutIsNone) {
    EXPECT_EQ(takenFor(ranIn(8, {{{0, 4}}, {{0, 2}, {4, 6}}, {{0, 1}, {2, 3}, {4, 5}, {6, 7}}})).find("bcast/"), 0U);
    EXPECT_EQ(takenFor(ranIn(8, {{{0, 4}}, {{0, 2}, {4, 6}}, {{0, 1}, {2, 3}, {4, 5}}})), "");
}

/// The slow judge: who knows of whom, worked out message by message in the order of time.
std::vector<std::set<int>> slowKnowledge(const engine::Run& run) {
    std::vector<std::set<int>> known(engine::asSize(run.ranks));
    for (int r = 0; r < run.ranks; ++r) known[engine::asSize(r)].insert(r);
    struct Moment {
        engine::Picoseconds at;
        bool begins;
        std::size_t message;
    };
    std::vector<Moment> moments;
    for (std::size_t i = 0; i < run.messages.size(); ++i) {
        moments.push_back({run.messages.sendBegin()[i], true, i});
        moments.push_back({run.messages.receiveEnd()[i], false, i});
    }
    std::stable_sort(moments.begin(), moments.end(), [](const Moment& a, const Moment& b) {
        return std::pair{a.at, a.begins} < std::pair{b.at, b.begins};
    });
    std::vector<std::set<int>> told(run.messages.size());
    for (const Moment& moment : moments) {
        auto& from = known[run.messages.from()[moment.message].index()];
        auto& to = known[run.messages.to()[moment.message].index()];
        if (moment.begins) told[moment.message] = from;
        else to.insert(told[moment.message].begin(), told[moment.message].end());
    }
    return known;
}

TEST(Reachability, agreesWithASlowJudge) {
    std::mt19937 random{7};
    int enough = 0;
    for (int i = 0; i < 400; ++i) {
        const int ranks = 3 + static_cast<int>(random() % 8);
        std::vector<Phase> phases(1 + random() % 6);
        for (Phase& phase : phases)
            for (auto k = random() % 12; k > 0; --k) {
                const int from = static_cast<int>(random() % static_cast<unsigned>(ranks));
                const int to = (from + 1 + static_cast<int>(random() % static_cast<unsigned>(ranks - 1))) % ranks;
                phase.push_back({from, to});
            }
        const engine::Run run = ranIn(ranks, phases);
        const std::vector<std::set<int>> known = slowKnowledge(run);
        const bool all = std::all_of(known.begin(), known.end(),
                                     [&](const auto& one) { return static_cast<int>(one.size()) == ranks; });
        EXPECT_EQ(Reachability{run}.sufficesFor(support::barrier(ranks)), all) << i;
        enough += all ? 1 : 0;
        const int root = static_cast<int>(random() % static_cast<unsigned>(ranks));
        const bool reached =
            std::all_of(known.begin(), known.end(), [&](const auto& one) { return one.contains(root); });
        EXPECT_EQ(Reachability{run}.sufficesFor(support::bcast(ranks, root, 1)), reached) << i;
    }
    EXPECT_GT(enough, 20);
}

TEST(Reachability, countsBytes) {
    const engine::Run run = ranIn(3, {{{0, 1, 100}, {0, 2, 99}}});
    EXPECT_TRUE(Reachability{run}.sufficesFor(support::bcast(3, 0, 99)));
    EXPECT_FALSE(Reachability{run}.sufficesFor(support::bcast(3, 0, 100)));
}

}  // namespace
}  // namespace app::analysis
