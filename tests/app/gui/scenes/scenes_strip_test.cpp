// SPDX-License-Identifier: BSD-3-Clause
// Rounds as small pictures: every message of every round once, from its sender to its receiver, and nothing else.
#include "app/gui/scenes/common/block_highlight.hpp"
#include "app/gui/scenes/picture/picture.hpp"
#include "engine/base/error.hpp"
#include "tests/app/gui/scenes/scenes_support.hpp"
#include "tests/app/gui/shown_table.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace app::gui {
namespace {

std::vector<Shape> cellsOf(const Scene& scene) {
    std::vector<Shape> cells = shapesOf(scene, Meaning::Kind::round, Shape::Kind::rectangle);
    std::erase_if(cells, [](const Shape& shape) { return !shape.fill.isValid(); });
    return cells;
}

const Shape* cellAround(const std::vector<Shape>& cells, QPointF at) {
    const auto found =
        std::find_if(cells.begin(), cells.end(), [&](const Shape& cell) { return cell.box.contains(at); });
    return found == cells.end() ? nullptr : &*found;
}

TEST(Strip, drawsEveryMessageInThePictureOfItsRound) {
    for (const DrawableRun& subject : {subjectOf(groupsFor("halfduplex-allgather/ring-streams", 4, 6)),
                                       subjectOf(groupsFor("halfduplex-allgather/fully-connected", 4, 6)),
                                       subjectOf(wishFor("allreduce/butterfly", 8, "torus:2x4"))}) {
        const Scene scene = stripScene(subject, {.legends = false}, {1200, 500});
        const std::vector<Shape> cells = cellsOf(scene);
        ASSERT_EQ(static_cast<std::int64_t>(cells.size()), subject.run().rounds);
        std::map<std::int64_t, const Shape*> arrowOf;
        for (const Shape& shape : scene.shapes) {
            if (shape.kind != Shape::Kind::arrow) continue;
            EXPECT_EQ(shape.meaning.kind, Meaning::Kind::message);
            EXPECT_TRUE(arrowOf.emplace(shape.meaning.index, &shape).second) << "drawn twice";
        }
        ASSERT_EQ(arrowOf.size(), subject.run().messages.size());
        for (const auto& [index, arrow] : arrowOf) {
            const engine::MessageRecord message = subject.run().messages[static_cast<std::size_t>(index)];
            const Shape* cell = cellAround(cells, arrow->to);
            ASSERT_NE(cell, nullptr);
            EXPECT_EQ(cell->meaning.index, message.round.value);
            // The head is nearest to the mark of its receiver.
            double nearest = 1e9;
            std::int64_t rank = -1;
            for (const Shape& shape : scene.shapes) {
                if (shape.meaning.kind != Meaning::Kind::rank || shape.kind == Shape::Kind::text) continue;
                const double far = QLineF{shape.box.center(), arrow->to}.length();
                if (far >= nearest) continue;
                nearest = far;
                rank = shape.meaning.index;
            }
            EXPECT_EQ(rank, message.to.value);
        }
    }
}

TEST(Strip, cutsNoTextAndLetsNoneOverlap) {
    for (const DrawableRun& subject :
         {subjectOf(groupsFor("halfduplex-allgather/ring-streams", 4, 6)),
          subjectOf(wishFor("allgatherv/linear-ring", 64)),
          subjectOf(wishFor("bcast/pipelined-chain", 27, "torus:3x3x3")), subjectOf(wishFor("bcast/binomial-tree", 2)),
          DrawableRun{analysis::reportOn(std::make_shared<const engine::Run>(strangeRun()))}})
        for (const QSizeF size : {QSizeF{320, 200}, QSizeF{640, 240}, QSizeF{1200, 180}, QSizeF{300, 500}})
            for (const int part : {0, 5, 10})
                EXPECT_EQ(quarrelsIn(stripScene(subject, {.time = subject.run().duration * part / 10}, size), size), "")
                    << size.width() << 'x' << size.height() << ", " << part;
}

TEST(Strip, showsThePageOfTheRoundInProgressAndFramesIt) {
    const DrawableRun subject = subjectOf(wishFor("allgatherv/linear-ring", 64));
    for (const int round : {0, 20, 62}) {
        const ViewState state{.time = subject.run().perRound[static_cast<std::size_t>(round)].begin};
        const Scene scene = stripScene(subject, state, {400, 220});
        const std::vector<Shape> cells = cellsOf(scene);
        ASSERT_LT(cells.size(), 63U);
        std::set<std::int64_t> rounds;
        for (const Shape& cell : cells) rounds.insert(cell.meaning.index);
        EXPECT_TRUE(rounds.contains(round)) << round;
        const Scene above = stripForeground(subject, state, {400, 220});
        ASSERT_FALSE(above.shapes.empty());
        EXPECT_EQ(cellAround(cells, above.shapes.back().box.center())->meaning.index, round);
    }
    const ViewState over{.time = subject.run().duration};
    EXPECT_EQ(cellsOf(stripScene(subject, over, {400, 220})).front().meaning.index, 0) << "once over, from the begin";
    EXPECT_TRUE(stripForeground(subject, over, {400, 220}).shapes.empty());
}

TEST(Strip, hidesWhatIsAsked) {
    const DrawableRun subject = subjectOf(groupsFor("halfduplex-allgather/ring-streams", 4, 6));
    const ViewState state{.veil = subject.run().perRound[3].begin};
    for (const Shape& shape : stripScene(subject, state, {1200, 500}).shapes) {
        if (shape.meaning.kind != Meaning::Kind::message) continue;
        EXPECT_LT(subject.run().messages.round()[static_cast<std::size_t>(shape.meaning.index)].value, 3);
    }
    // Nor who holds the followed block then.
    const ViewState followed{.block = 0, .veil = state.veil};
    const Scene scene = stripScene(subject, followed, {1200, 500});
    const std::vector<Shape> cells = cellsOf(scene);
    for (const Shape& shape : scene.shapes) {
        if (shape.meaning.kind != Meaning::Kind::rank || shape.fill != subject.colourOf(0, false)) continue;
        EXPECT_LT(cellAround(cells, shape.box.center())->meaning.index, 3);
    }
    for (const QStringList& row : ShownTable{stripTable(subject, state)}.rows) EXPECT_LE(row[0].toInt(), 3);
}

TEST(Strip, saysWhichRoundItShowsWhereThereIsRoomForOne) {
    const DrawableRun subject = subjectOf(wishFor("allreduce/dissemination", 64));
    ASSERT_EQ(subject.run().rounds, 6);
    EXPECT_EQ(stripScene(subject, {.time = subject.stops()[4]}, {160, 190}).description, "Round 5 of 6.");
}

TEST(Strip, saysWhenItDrawsOnlySomeMessages) {
    const DrawableRun subject = subjectOf(wishFor("allgatherv/bruck", 512));
    const Scene scene = stripScene(subject, {}, {1600, 800});
    EXPECT_TRUE(says(scene, "drawn"));
    EXPECT_LT(scene.shapes.size(), 10'000U);
}

/// By their bytes where these differ, one thickness else.
TEST(Arrows, areAsThickAsTheirMessagesAreLarge) {
    for (const char* sizes : {"regular", "linear"}) {
        RunWish wish = wishFor("allgatherv/linear-ring", 8);
        wish.problem.sizes = sizes;
        const DrawableRun subject = subjectOf(wish);
        const bool alike = std::string_view{sizes} == "regular";
        EXPECT_NE(subject.sizesDiffer(), alike);
        for (const auto scene : {runTimelineScene, stripScene}) {
            std::map<engine::Bytes, std::set<double>> widths;
            for (const Shape& shape : scene(subject, {}, {1200, 600}).shapes)
                if (shape.meaning.kind == Meaning::Kind::message && shape.kind == Shape::Kind::arrow)
                    widths[subject.run().messages.bytes()[static_cast<std::size_t>(shape.meaning.index)]].insert(
                        shape.width);
            EXPECT_EQ(widths.size() == 1, alike);
            double before = 0;
            for (const auto& [bytes, found] : widths) {
                ASSERT_EQ(found.size(), 1U) << bytes;
                EXPECT_GT(*found.begin(), before) << bytes;
                before = *found.begin();
            }
        }
    }
}

TEST(Following, lightsTheCarriersAndGreysAllElse) {
    const DrawableRun subject = subjectOf(groupsFor("halfduplex-allgather/ring-streams", 4, 6));
    const ViewState state{.time = subject.stops()[3], .block = 2};
    const QColor own = subject.colourOf(2, false);
    for (const auto scene : {stripScene, runTimelineScene}) {
        std::set<std::int64_t> lit;
        for (const Shape& shape : scene(subject, state, {1200, 600}).shapes)
            if (shape.meaning.kind == Meaning::Kind::message && shape.pen == own) lit.insert(shape.meaning.index);
        std::set<std::int64_t> carriers;
        for (std::size_t i = 0; i < subject.run().messages.size(); ++i)
            for (const auto& [first, last] : subject.carried(i))
                if (first <= 2 && 2 <= last) carriers.insert(static_cast<std::int64_t>(i));
        EXPECT_EQ(lit, carriers);
    }
    // In the network the way already gone is whole, the way to go is dashed.
    for (const Shape& shape : networkForeground(subject, state, {700, 500}).shapes) {
        if (shape.meaning.kind != Meaning::Kind::message || shape.kind != Shape::Kind::line) continue;
        const auto message = static_cast<std::size_t>(shape.meaning.index);
        EXPECT_TRUE(subject.carries(message, 2));
        EXPECT_EQ(shape.dashed, subject.run().messages.receiveEnd()[message] > state.time);
    }
}

TEST(Following, marksTheLastRankInTheDiagram) {
    const DrawableRun subject = subjectOf(groupsFor("halfduplex-allgather/ring-streams", 4, 6));
    const Scene scene = runTimelineScene(subject, {.block = 0}, {900, 500});
    QStringList tips;
    for (const Shape& shape : scene.shapes)
        if (shape.kind == Shape::Kind::ellipse && !shape.tip.isEmpty()) tips << shape.tip;
    EXPECT_EQ(tips, (QStringList{"rank 5 receives it last", "rank 6 receives it last"}));
}

TEST(Following, takesOnlyBlocksThatAreThere) {
    const DrawableRun subject = subjectOf(groupsFor("halfduplex-allgather/ring-streams", 4, 6));
    EXPECT_EQ(columnOfBlock(subject, 3), 3);
    try {
        columnOfBlock(subject, 4);
        FAIL();
    } catch (const engine::Error& error) {
        EXPECT_STREQ(error.what(), "--block 4: this run has only blocks 0 to 3");
    }
    const DrawableRun many = subjectOf(wishFor("allgatherv/bruck", 700));
    for (const std::int64_t block : {0, 1, 350, 699}) {
        const std::int32_t column = columnOfBlock(many, block);
        EXPECT_LE(many.columns().firstIn(column), block);
        EXPECT_GT(many.columns().firstIn(column + 1), block);
    }
    EXPECT_THROW(columnOfBlock(DrawableRun{analysis::reportOn(std::make_shared<const engine::Run>(strangeRun()))}, 0),
                 engine::Error);
}

}  // namespace
}  // namespace app::gui
