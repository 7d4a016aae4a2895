// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/proofs/listing.hpp"
#include "app/analysis/messages/schedule_totals.hpp"
#include "app/session/proofs/proofs.hpp"
#include "app/session/proofs/properties.hpp"
#include "engine/base/text.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/schedule/ring_shift.hpp"

#include <gtest/gtest.h>

#include <span>

namespace app {
namespace {

using engine::Rank;
using engine::Round;
using engine::text;

engine::Plan plan(std::string_view id, const ProblemWish& wish) {
    return makePlan(engine::algorithmNamed(id), wish, {});
}

std::string told(const engine::Plan& plan, const Cut& cut) {
    std::string words;
    tell(plan, cut,
         [&](const Telling& message) { words += text(message.round, ":", message.from, ">", message.to, " "); });
    return words;
}

TEST(Tell, cutsRoundsAndRanks) {
    const engine::Plan tree = plan("bcast/binomial-tree", {.ranks = 5});
    EXPECT_EQ(told(tree, wholeOf(*tree.schedule)), "0:0>4 1:0>2 2:0>1 2:2>3 ");
    EXPECT_EQ(told(tree, {Round{1}, Round{3}, std::nullopt}), "1:0>2 2:0>1 2:2>3 ");
    EXPECT_EQ(told(tree, {Round{0}, Round{3}, Rank{2}}), "1:0>2 2:2>3 ");
    EXPECT_EQ(told(tree, {Round{0}, Round{3}, Rank{3}}), "2:2>3 ");
}

TEST(Tell, cutsEverySchedulesTheSameWay) {
    for (const engine::Algorithm* algorithm : engine::catalogue()) {
        if (algorithm->id.find("torus") != std::string::npos) continue;
        const engine::Plan each =
            plan(algorithm->id,
                 isIntergroup(algorithm->collective) ? ProblemWish{.groupA = 4, .groupB = 4} : ProblemWish{.ranks = 8});
        const Cut whole = wholeOf(*each.schedule);
        for (Rank rank{0}; rank.value < 8; ++rank) {
            std::string filtered;
            tell(each, whole, [&](const Telling& message) {
                if (message.from == rank || message.to == rank)
                    filtered += text(message.round, ":", message.from, ">", message.to, " ");
            });
            EXPECT_EQ(told(each, {whole.first, whole.last, rank}), filtered) << algorithm->id << " rank " << rank;
        }
    }
}

TEST(Tell, followsPartialResultsThroughRoundsThatAreCut) {
    const engine::Plan bruck = plan("allreduce/bruck", {.ranks = 5});
    std::vector<std::string> terms;
    const auto partials = tell(bruck, {Round{1}, Round{2}, std::nullopt}, [&](const Telling& message) {
        const auto stretches = message.terms->whole().stretches();
        terms.push_back(text(stretches.front().first, "..", stretches.back().last));
    });
    ASSERT_TRUE(partials);
    EXPECT_EQ(partials->result(Rank{3}).whole().terms(), (std::vector<std::int32_t>{3, 4, 0, 1, 2}));
    EXPECT_EQ(terms.size(), 5U);
}

TEST(Totals, tellWholeContributionsFromParts) {
    EXPECT_EQ(analysis::totalsOf(plan("halfduplex-allgather/ring-streams", {.groupA = 4, .groupB = 6, .size = 8})),
              (analysis::Totals{.messages = 37,
                                .bytes = 37 * 8,
                                .busiest = 5 * 8,
                                .connections = analysis::Connections{.pairs = 10, .most = 2},
                                .wholeContributions = true}));
    EXPECT_FALSE(analysis::totalsOf(plan("bcast/scatter-ring-allgather", {.ranks = 4}))->wholeContributions);
    EXPECT_FALSE(analysis::totalsOf(plan("allgatherv/bruck", {.ranks = 4}))->wholeContributions);
    EXPECT_FALSE(analysis::totalsOf(plan("allreduce/bruck", {.ranks = 4}))->wholeContributions);
    EXPECT_EQ(analysis::totalsOf(plan("allgatherv/linear-ring", {.ranks = 65536})), std::nullopt);
}

/// The turns of another schedule, of which nothing else is known.
class Turns final : public engine::Schedule {
public:
    explicit Turns(engine::SchedulePtr schedule) : Schedule{schedule->facts()}, schedule_{std::move(schedule)} {}
    void batch(Round round, Rank first, Rank last, engine::Batch& out) const override {
        schedule_->batch(round, first, last, out);
    }

private:
    void fill(Rank rank, Round round, engine::Turn& out) const override { schedule_->turn(rank, round, out); }

    engine::SchedulePtr schedule_;
};

TEST(Totals, ofARingShiftAreThoseOfItsTurns) {
    int ringShifts = 0;
    for (const int ranks : {1, 2, 3, 7, 12})
        for (const char* sizes : {"regular", "spike", "broadcast", "half-full", "geometric", "linear"})
            for (const std::map<std::string, std::string>& options : std::vector<std::map<std::string, std::string>>{
                     {}, {{"block", "3"}}, {{"block", "20"}, {"empty", "skipped"}}}) {
                engine::Plan each = makePlan(
                    engine::algorithmNamed(options.empty() ? "allgatherv/linear-ring" : "allgatherv/pipelined-ring"),
                    {.ranks = ranks, .size = 8, .sizes = sizes}, options);
                const auto known = analysis::totalsOf(each);
                ringShifts += dynamic_cast<const engine::RingShiftSchedule*>(each.schedule.get()) != nullptr ? 1 : 0;
                each.schedule = std::make_shared<const Turns>(each.schedule);
                EXPECT_EQ(known, analysis::totalsOf(each)) << ranks << " ranks, " << sizes;
            }
    EXPECT_EQ(ringShifts, 75) << "most of 5 x 6 x 3";
}

TEST(Totals, countThePairsOfRanksThatTalk) {
    const auto connections = [](const std::string& algorithm, ProblemWish problem,
                                const std::map<std::string, std::string>& options = {}) {
        problem.size = 60;
        return analysis::totalsOf(makePlan(engine::algorithmNamed(algorithm), problem, options))->connections.value();
    };
    // Kang et al. 2019, section 4: p across, and rings of p and of q.
    for (const auto& [p, q] : {std::pair{12, 4}, {9, 3}, {20, 5}}) {
        const analysis::Connections ring =
            connections("intergroup-allgatherv/segmented", {.groupA = p, .groupB = q}, {{"gather", "ring"}});
        EXPECT_EQ(ring.pairs, 2 * p + q);
        EXPECT_EQ(ring.most, p / q + 2) << "of a rank of the smaller group";
    }
    EXPECT_EQ(connections("alltoallv/flat", {.ranks = 50}), (analysis::Connections{50 * 49 / 2, 49}));
    EXPECT_EQ(connections("allreduce/bruck", {.ranks = 1}), (analysis::Connections{0, 0}));
    EXPECT_EQ(connections("allgatherv/linear-ring", {.ranks = 2}), (analysis::Connections{1, 1}));
}

TEST(Prove, countsProofsAndRefusals) {
    const engine::Algorithm& doubling = engine::algorithmNamed("allgatherv/recursive-doubling");
    std::vector<Conjecture> all;
    for (int n = 1; n <= 8; ++n) all.push_back({&doubling, {.ranks = n}});
    all.push_back({&doubling, {}});
    const Proofs proofs = prove(all, {});
    EXPECT_EQ(proofs.problems, 9);
    EXPECT_EQ(proofs.proved, 4);
    EXPECT_EQ(proofs.refused, 5);
    EXPECT_EQ(proofs.refuted, 0);
    EXPECT_EQ(proofs.messages, 0 + 2 + 8 + 24);
    EXPECT_EQ(proofs.refusal.rfind(
                  "allgatherv/recursive-doubling: needs a power-of-two number of ranks, not 3; allgatherv/bruck", 0),
              0U)
        << proofs.refusal;
}

/// Nobody says anything.
engine::SchedulePtr silence(const engine::Problem& problem, const engine::Options&) {
    return engine::then({.ranks = problem.ranks()}, engine::Part{"silence", 1, [](Rank, Round, auto&) {}});
}

TEST(Prove, namesTheFirstCounterExample) {
    engine::Algorithm liar = engine::algorithmNamed("bcast/flat");
    liar.id = "bcast/liar";
    liar.options.clear();
    liar.objects = nullptr;
    liar.plan = silence;
    std::string counterExample;
    std::string command;
    const auto refuted = [&](const Conjecture& conjecture, const engine::Plan&, const engine::Verdict& verdict) {
        counterExample = verdict.counterExample;
        command = commandOf(conjecture);
    };
    const Proofs proofs = prove({{&liar, {.ranks = 2, .size = 12}}}, refuted);
    EXPECT_EQ(proofs.refuted, 1);
    EXPECT_EQ(command, "collscope verify bcast/liar -n 2 --size 12");
    EXPECT_EQ(counterExample, "after the last round rank 1 lacks the message");
}

TEST(Prove, repeatsWhatItDrew) {
    Conjecture drawn{&engine::algorithmNamed("intergroup-allgatherv/segmented"), {.groupA = 3, .groupB = 2, .size = 7}};
    drawn.problem.sizes = "spike";
    drawn.problem.ports = 1;
    drawn.options = {{"gather", "ring"}, {"pad", "no"}};
    EXPECT_EQ(commandOf(drawn),
              "collscope verify intergroup-allgatherv/segmented -p 3 -q 2 --size 7 --sizes spike "
              "--set gather=ring --set pad=no");
}

TEST(RequirePaired, stopsRealRanksFromWaitingForEver) {
    engine::Algorithm lonely = engine::algorithmNamed("bcast/flat");
    lonely.id = "bcast/lonely";
    lonely.options.clear();
    lonely.objects = nullptr;
    lonely.plan = [](const engine::Problem& problem, const engine::Options&) {
        return engine::then({.ranks = problem.ranks()},
                            engine::Part{"lonely", 1, [](engine::Rank rank, engine::Round, auto& out) {
                                             if (rank.value == 1) out.receive(engine::Rank{0}, engine::Range{0, 12});
                                         }});
    };
    const engine::Plan plan = makePlan(lonely, {.ranks = 2, .size = 12}, {});
    try {
        requirePaired(plan);
        FAIL() << "let through";
    } catch (const engine::Error& error) {
        EXPECT_STREQ(error.what(),
                     "bcast/lonely: real ranks would wait forever: in round 1: rank 1 expects a "
                     "message from rank 0 that is not sent; rank 0 sends nothing then");
    }
}

TEST(Explain, namesTheDescribedAlgorithmThatAttainsABound) {
    const engine::Problem problem = makeProblem(engine::Collective::intergroupAllgatherv, {.groupA = 4, .groupB = 4});
    for (const char* id : {"intergroup-allgatherv/segmented", "intergroup-allgatherv/balanced"}) {
        const engine::Plan plan = engine::makePlan(engine::algorithmNamed(id), problem, {});
        const std::vector<std::string> bounds = explain(*plan.algorithm, &plan).bounds;
        ASSERT_GE(bounds.size(), 3U);
        for (const std::string& bound : std::span{bounds}.first(3))
            EXPECT_NE(bound.find(engine::text(", attained by ", id, ": ")), std::string::npos) << bound;
    }
}

TEST(Explain, findsNeedsAndBounds) {
    const Explanation doubling = explain(engine::algorithmNamed("allgatherv/recursive-doubling"));
    ASSERT_EQ(doubling.refusals.size(), 1U);
    EXPECT_NE(doubling.refusals[0].find("power-of-two"), std::string::npos);
    EXPECT_EQ(doubling.refusals[0], "a power-of-two number of ranks; allgatherv/bruck supports any number");
    const Explanation streams = explain(engine::algorithmNamed("halfduplex-allgather/ring-streams"));
    EXPECT_TRUE(streams.refusals.empty());
    EXPECT_EQ(streams.wiring, "ring: each rank communicates with its two neighbours only");
    EXPECT_EQ(streams.bounds.size(), 3U);
    const auto network = [](const char* id) { return explain(engine::algorithmNamed(id)).wiring; };
    EXPECT_EQ(
        network("allgatherv/linear-ring"),
        "ring: each rank sends to rank r + 1 and receives from rank r - 1; runs on any network, by default a fully connected one");
    EXPECT_EQ(
        network("reduce/chain"),
        "chain: each rank communicates with ranks r - 1 and r + 1; runs on any network, by default a fully connected one");
    EXPECT_EQ(
        network("barrier/linear"),
        "star: one rank communicates with every other rank; runs on any network, by default a fully connected one");
    EXPECT_EQ(
        network("allreduce/butterfly"),
        "hypercube: ranks whose numbers differ in one bit communicate; runs on any network, by default a fully connected one");
    EXPECT_EQ(
        network("allgatherv/bruck"),
        "ranks communicate over the distances 1, 2, 4 and 8 (16 ranks); runs on any network, by default a fully connected one");
    EXPECT_EQ(network("alltoallv/flat"),
              "ranks communicate over all distances; runs on any network, by default a fully connected one");
    for (const engine::Algorithm* algorithm : engine::catalogue())
        EXPECT_FALSE(explain(*algorithm).wiring.empty()) << algorithm->id << " takes no problem that was tried";
}

}  // namespace
}  // namespace app
