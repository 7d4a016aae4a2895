// SPDX-License-Identifier: BSD-3-Clause
#include "tests/app/gui/scenes/scenes_support.hpp"

#include <gtest/gtest.h>

#include <set>

namespace app::gui {
namespace {

using engine::Picoseconds;
using engine::Rank;

constexpr QSizeF ownershipCanvas{600, 400};

engine::Problem broadcastToOne() {
    engine::Problem problem;
    problem.groupA = 2;
    problem.layout = engine::Layout::regular(1, 8);
    return problem;
}

/// "0123 ..." per rank: the columns it holds whole at `time`.
std::string heldAt(const DrawableRun& subject, Picoseconds time) {
    std::string rows;
    for (std::int32_t rank = 0; rank < subject.run().ranks; ++rank) {
        rows += rank == 0 ? "" : " ";
        for (std::int32_t column = 0; column < subject.columns().count(); ++column) {
            const analysis::Holding cell = subject.holdings().at(Rank{rank}, column, time, Picoseconds::max());
            rows += cell.held == cell.size ? std::to_string(column) : ".";
        }
    }
    return rows;
}

TEST(BlockOwnership, growRoundByRound) {
    const DrawableRun subject = subjectOf(groupsFor("halfduplex-allgather/ring-intragroup", 2, 3));
    ASSERT_EQ(subject.stops().size(), 5U);
    // The table in the algorithm's file: m0 and m1 go round 0 -> 1 -> 2 -> 3 -> 4 -> 0.
    EXPECT_EQ(heldAt(subject, subject.stops()[0]), "0. .1 .. .. ..");
    EXPECT_EQ(heldAt(subject, subject.stops()[1]), "0. 01 .1 .. ..");
    EXPECT_EQ(heldAt(subject, subject.stops()[2]), "0. 01 01 .1 ..");
    EXPECT_EQ(heldAt(subject, subject.stops()[3]), "0. 01 01 01 .1");
    EXPECT_EQ(heldAt(subject, subject.stops()[4]), "01 01 01 01 01");
}

TEST(BlockOwnership, knowWhatIsNeededAndWhatIsNew) {
    const DrawableRun subject = ringSubject();
    const Picoseconds now = subject.stops()[1];
    const analysis::Holding sender = subject.holdings().at(Rank{0}, 0, now, subject.roundBegan(now));
    EXPECT_EQ(sender.needed, 0);
    EXPECT_FALSE(sender.fresh);
    const analysis::Holding receiver = subject.holdings().at(Rank{4}, 3, now, subject.roundBegan(now));
    EXPECT_EQ(receiver.needed, 65536);
    EXPECT_TRUE(receiver.fresh) << "it came at the moment this round began";
    const Picoseconds later = subject.stops()[2];
    EXPECT_FALSE(subject.holdings().at(Rank{4}, 3, later, subject.roundBegan(later)).fresh);
}

TEST(BlockOwnership, markWhatComesTwice) {
    engine::RunBuilder builder{2, 2, {}};
    const engine::Range all[]{{0, 8}};
    for (std::int64_t round = 0; round < 2; ++round) {
        const Picoseconds begin{100 * round};
        builder.message({Rank{0}, Rank{1}, engine::Round{round}, 8, begin, begin + Picoseconds{100}, begin,
                         begin + Picoseconds{100}},
                        all);
    }
    auto run = std::make_shared<engine::Run>(builder.finish());
    run->setting.problem = toText(broadcastToOne());
    const DrawableRun subject{analysis::reportOn(run)};
    ASSERT_EQ(subject.columns().kind(), analysis::Columns::Kind::segments);
    EXPECT_FALSE(subject.holdings().at(Rank{1}, 0, Picoseconds{100}, {}).again);
    EXPECT_TRUE(subject.holdings().at(Rank{1}, 0, Picoseconds{200}, {}).again);
    EXPECT_TRUE(says(ownershipScene(subject, {.time = Picoseconds{200}}, ownershipCanvas), QStringLiteral("2\u00d7")));
}

TEST(BlockOwnership, countContributionsOfReductions) {
    const DrawableRun subject = subjectOf(wishFor("allreduce/butterfly", 4));
    ASSERT_EQ(subject.columns().kind(), analysis::Columns::Kind::contributions);
    EXPECT_EQ(heldAt(subject, Picoseconds{}), "0... .1.. ..2. ...3");
    EXPECT_EQ(heldAt(subject, subject.stops()[1]), "01.. 01.. ..23 ..23");
    EXPECT_EQ(heldAt(subject, subject.run().duration), "0123 0123 0123 0123");
}

TEST(BlockOwnership, areCompleteAtTheEndOfEveryAlgorithm) {
    for (const engine::Algorithm* algorithm : engine::catalogue()) {
        RunWish wish =
            engine::isIntergroup(algorithm->collective) ? groupsFor(algorithm->id, 4, 4) : wishFor(algorithm->id, 8);
        if (algorithm->id.find("torus") != std::string::npos) wish.network.topology = "torus:2x4";
        std::optional<Report> report;
        try {
            report = execute(wish);
        } catch (const engine::Error&) {
            continue;  // made for other problems than this one
        }
        const DrawableRun subject{*report};
        if (!subject.holdings().unknown().empty()) continue;
        for (std::int32_t rank = 0; rank < subject.run().ranks; ++rank)
            for (std::int32_t column = 0; column < subject.columns().count(); ++column) {
                const analysis::Holding cell = subject.holdings().at(Rank{rank}, column, subject.run().duration, {});
                EXPECT_GE(cell.held, cell.needed) << algorithm->id << ": rank " << rank << " column " << column;
            }
    }
}

TEST(OwnershipScene, countsWhatHasArrived) {
    const DrawableRun subject = ringSubject();
    EXPECT_TRUE(says(ownershipScene(subject, {}, ownershipCanvas), "0 of 24 needed blocks are present"));
    EXPECT_TRUE(says(ownershipScene(subject, {.time = subject.stops()[3]}, ownershipCanvas), "6 of 24 needed blocks"));
    EXPECT_TRUE(
        says(ownershipScene(subject, {.time = subject.run().duration}, ownershipCanvas), "24 of 24 needed blocks"));
}

TEST(OwnershipScene, hasACellForEveryRankAndBlock) {
    const DrawableRun subject = ringSubject();
    const Scene scene = ownershipScene(subject, {.time = subject.stops()[3]}, ownershipCanvas);
    for (std::int32_t rank = 0; rank < 10; ++rank)
        for (std::int32_t block = 0; block < 4; ++block)
            EXPECT_TRUE(std::any_of(scene.shapes.begin(), scene.shapes.end(),
                                    [&](const Shape& shape) {
                                        return shape.meaning == Meaning{Meaning::Kind::block, block, rank};
                                    }))
                << rank << ' ' << block;
}

/// Of a broadcast every cell is needed; of a scatter each needs its own block alone.
TEST(OwnershipScene, saysWhatItsColumnsAndDotsAre) {
    const Scene all = ownershipScene(subjectOf(wishFor("allgatherv/bruck", 8)), {}, {900, 600});
    EXPECT_TRUE(says(all, "rank \\ block"));
    EXPECT_TRUE(says(all, "arrived since the round began"));
    EXPECT_FALSE(says(all, "neither present nor needed"));
    EXPECT_TRUE(
        says(ownershipScene(subjectOf(wishFor("scatterv/flat", 8)), {}, {900, 600}), "neither present nor needed"));
    // A rank has its own vector, which is no part of the result that it needs.
    EXPECT_TRUE(
        says(ownershipScene(subjectOf(groupsFor("intergroup-allreduce/reduce-exchange-bcast", 3, 2)), {}, {900, 600}),
             "no part of the result of this rank"));
}

TEST(OwnershipScene, explainsPartsColoursAndColumns) {
    constexpr QSizeF size{900, 600};
    const DrawableRun reduced = subjectOf(wishFor("reduce-scatter/recursive-halving", 8));
    EXPECT_TRUE(says(ownershipScene(reduced, {}, size), "partly filled: share combined"));
    const Scene whole = ownershipScene(subjectOf(wishFor("allgatherv/bruck", 8)), {}, size);
    EXPECT_FALSE(says(whole, "partly filled"));
    EXPECT_TRUE(says(whole, "present (colour: block)"));
    const DrawableRun exchange = subjectOf(wishFor("alltoallv/pairwise-exchange", 4));
    const Scene end = ownershipScene(exchange, {.time = exchange.run().duration}, size);
    EXPECT_TRUE(says(end, QStringLiteral("2\u21923")));
    EXPECT_TRUE(says(end, "arrived since the last round began"));
    EXPECT_FALSE(says(end, "arrived since the round began"));
}

TEST(OwnershipScene, saysWhenContentsWereNotRecorded) {
    auto run = std::make_shared<engine::Run>(strangeRun());
    EXPECT_TRUE(says(ownershipScene(DrawableRun{analysis::reportOn(run)}, {}, ownershipCanvas), "not known"));
    run->setting.problem = toText(broadcastToOne());
    EXPECT_TRUE(says(ownershipScene(DrawableRun{analysis::reportOn(run)}, {}, ownershipCanvas), "not recorded"));
}

/// Many moments around each at which something comes, and each such moment itself: what is kept for it is what is
/// drawn.
TEST(OwnershipScene, isDrawnAnewOnlyWhereSomethingCame) {
    for (const RunWish& wish : {wishFor("allgatherv/bruck", 7), wishFor("allreduce/ring", 6, "ring"),
                                groupsFor("halfduplex-allgather/ring-belts", 4, 6)}) {
        const DrawableRun subject = subjectOf(wish);
        const std::int64_t end = subject.run().duration.count();
        std::set<Picoseconds> kept, moments;
        for (std::int64_t k = 0; k <= 300; ++k) moments.insert(Picoseconds{end * k / 300});
        for (const Picoseconds came : subject.run().messages.receiveEnd())
            for (const std::int64_t by : {-1, 0, 1}) moments.insert(came + Picoseconds{by});
        for (const Picoseconds time : moments) {
            const ViewState now{.time = time};
            const ViewState same = holdingsDepends(subject, now);
            kept.insert(same.time);
            const Scene scene = holdingsBackground(subject, now, ownershipCanvas);
            const Scene held = holdingsBackground(subject, same, ownershipCanvas);
            ASSERT_EQ(scene.shapes.size(), held.shapes.size()) << time.count();
            for (std::size_t i = 0; i < scene.shapes.size(); ++i) {
                const Shape &one = scene.shapes[i], &other = held.shapes[i];
                ASSERT_TRUE(one.box == other.box && one.fill == other.fill && one.pen == other.pen &&
                            one.text == other.text && one.meaning == other.meaning)
                    << time.count() << ' ' << i;
            }
        }
        EXPECT_LT(kept.size() * 3, moments.size()) << "of most moments the picture is there";
    }
}

TEST(OwnershipScene, takesManyRanksTogether) {
    const DrawableRun subject = subjectOf(wishFor("allgatherv/bruck", 1024));
    const Scene scene = ownershipScene(subject, {.time = subject.run().duration / 2}, ownershipCanvas);
    EXPECT_LT(scene.shapes.size(), 20'000U);
    EXPECT_TRUE(says(scene, "% of the needed data is present"));
}

}  // namespace
}  // namespace app::gui
