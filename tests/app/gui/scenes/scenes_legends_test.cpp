// SPDX-License-Identifier: BSD-3-Clause
// What marks mean: told where there is room, and the same everywhere.
#include "app/gui/scenes/common/gap_bar.hpp"
#include "app/gui/scenes/common/program_timeline_colours.hpp"
#include "app/gui/scenes/drawing/colours.hpp"
#include "app/gui/scenes/drawing/legend.hpp"
#include "app/gui/scenes/drawing/scene.hpp"
#include "app/gui/scenes/network/network_frame.hpp"
#include "app/gui/scenes/picture/views.hpp"
#include "app/gui/scenes/program/program_timeline_frame.hpp"
#include "app/gui/scenes/text/program_text.hpp"
#include "app/gui/scenes/time/run_timeline_frame.hpp"
#include "tests/app/gui/program_support.hpp"
#include "tests/app/gui/scenes/scenes_support.hpp"
#include "tests/support/programs/stepping_program.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace app::gui {
namespace {

/// In a low card: as many marks as before, and in the last line how many are not there.
TEST(Legends, countWhatHasNoRoom) {
    const DrawableRun subject = subjectOf(wishFor("allreduce/ring", 16, "torus:4x4"));
    const auto wordsIn = [&](QSizeF size) {
        Scene scene;
        SceneBuilder pencil{scene, false};
        networkLegend(subject, {}).column(pencil, {QPointF{}, size});
        QStringList words;
        for (const Shape& shape : scene.shapes)
            if (shape.kind == Shape::Kind::text && !shape.bold) words << shape.text;
        return words;
    };
    const QStringList all = wordsIn({200, 400});
    EXPECT_FALSE(all.back().endsWith("more"));
    for (const int lines : {2, 3, 4}) {
        const QStringList some = wordsIn({200, lines * lineHeight(points::small)});
        ASSERT_EQ(some.size(), lines);
        EXPECT_EQ(some.mid(0, lines - 1), all.mid(0, lines - 1));
        EXPECT_EQ(some.back(), QStringLiteral("%1 more").arg(all.size() - lines + 1));
    }
    Scene scene;
    SceneBuilder pencil{scene, false};
    networkLegend(subject, {}).column(pencil, {0, 0, 200, 2 * lineHeight(points::small)});
    EXPECT_EQ(scene.shapes.back().tip, all.mid(1).join('\n')) << "whoever points there sees them";
}

/// Beside a network, or below it, is no room for a legend that is not drawn: the network has it.
TEST(Legends, haveNoRoomWhereTheyAreNotDrawn) {
    const DrawableRun subject = ringSubject();
    for (const QSizeF size : {QSizeF{360, 60}, QSizeF{360, 73}, QSizeF{360, 100}, QSizeF{360, 120}, QSizeF{360, 200},
                              QSizeF{200, 90}, QSizeF{200, 200}, QSizeF{200, 300}, QSizeF{900, 140}}) {
        const NetworkFrame frame = networkFrame(subject, {}, size);
        const Scene scene = networkBackground(subject, {}, size);
        int marks = 0;
        for (const Shape& shape : scene.shapes)
            if (shape.kind == Shape::Kind::text && frame.legend.contains(shape.box.center())) ++marks;
        const bool drawn = !frame.legend.isEmpty();
        EXPECT_EQ(drawn, marks > 2) << size.width() << 'x' << size.height();
        const QRectF all = QRectF{QPointF{}, size}.adjusted(margin, margin, -margin, -margin);
        if (!drawn) {
            EXPECT_EQ(frame.network, all) << size.width() << 'x' << size.height();
        }
        EXPECT_EQ(quarrelsIn(scene, size), "") << size.width() << 'x' << size.height();
    }
    for (const auto& [narrow, words] :
         {std::pair{QSizeF{300, 500}, loadHeading(subject.roundAt({}))}, {{260, 340}, "link load"}}) {
        ASSERT_FALSE(networkFrame(subject, {}, narrow).column);
        EXPECT_TRUE(says(networkBackground(subject, {}, narrow), words)) << narrow.width();
    }
}

/// Drawn in lines, with what is told of an entry: the shapes that lie before its words.
std::vector<Shape> marksOf(const Legend& legend, const QString& words) {
    Scene scene;
    SceneBuilder pencil{scene, false};
    legend.rows(pencil, {0, 0, 2000, 40});
    std::vector<Shape> found;
    for (const Shape& shape : scene.shapes) {
        if (shape.kind != Shape::Kind::text) found.push_back(shape);
        else if (shape.text == words) return found;
        else found.clear();
    }
    return {};
}

TEST(Legends, countInTheLastLineWhatHasNoRoom) {
    const DrawableRun subject = ringSubject();
    const Legend legend = networkLegend(subject, {});
    Scene scene;
    SceneBuilder pencil{scene, false};
    legend.rows(pencil, {0, 0, 200, lineHeight(points::small) + 2});
    QStringList words;
    for (const Shape& shape : textsOf(scene)) words << shape.text;
    ASSERT_GE(words.size(), 2);
    EXPECT_TRUE(words.back().endsWith(" more")) << words.back().toStdString();
    const qsizetype rest = textsOf(scene).back().tip.count('\n') + 1;
    EXPECT_EQ(words.back(), QStringLiteral("%1 more").arg(rest));
}

TEST(Legends, explainTheLabelOfASum) {
    const auto explains = [](const DrawableRun& subject) {
        Scene scene;
        SceneBuilder pencil{scene, false};
        networkLegend(subject, {}).rows(pencil, {0, 0, 2000, 40});
        return says(scene, "message with the sum of 2 contributions");
    };
    EXPECT_TRUE(explains(subjectOf(wishFor("reduce/binomial-tree", 4))));
    EXPECT_FALSE(explains(ringSubject()));
}

TEST(Legends, tellTheWaysOfAFollowedBlockApart) {
    const DrawableRun subject = subjectOf(groupsFor("halfduplex-allgather/ring-streams", 4, 6));
    const Legend legend = runTimelineLegend(subject, {.block = 2}, RowsDrawn::messages);
    const std::vector<Shape> all = marksOf(legend, "block 2, followed");
    const std::vector<Shape> last = marksOf(legend, "route to the last receiver");
    ASSERT_EQ(all.size(), 1U);
    ASSERT_EQ(last.size(), 1U);
    EXPECT_GT(last.front().width, all.front().width + 1);
    EXPECT_EQ(last.front().pen, all.front().pen);
}

/// Waiting is one sign in every picture: its hatch on its ground.
TEST(Legends, drawWaitingAlikeEverywhere) {
    const DrawableRun run = ringSubject();
    const DrawableRun program = programSubject(support::steppingProgram(4, 12));
    const analysis::TracedProgram* traced = programOf(program);
    std::vector<GapPart> parts = spentPartsOf(program, traced, false);
    for (GapPart& part : parts)
        if (part.waits) part.size = QStringLiteral("here");
    for (const std::vector<Shape>& marks :
         {marksOf(runTimelineLegend(run, {}, RowsDrawn::messages), "waiting"),
          marksOf(networkLegend(run, {}), "waiting"), marksOf(programTimelineLegend(*traced, false), "waiting"),
          marksOf(legendOf(parts), "waiting here")}) {
        ASSERT_FALSE(marks.empty());
        EXPECT_TRUE(marks.front().hatched);
        EXPECT_EQ(marks.front().fill, paletteFor(false).waitingGround);
        EXPECT_EQ(marks.front().pen, paletteFor(false).waiting);
    }
    // So is the bar below the headline.
    const Scene scene = headlineScene(program, {}, {900, 78});
    EXPECT_TRUE(std::ranges::any_of(scene.shapes, [](const Shape& shape) {
        return shape.meaning.kind == Meaning::Kind::cause && shape.hatched && shape.box.width() > 100;
    }));
}

TEST(Legends, areSeenOnDarkPaper) {
    const DrawableRun program = programSubject(support::steppingProgram(4, 12));
    const QColor paper = paletteFor(true).paper;
    Scene scene;
    SceneBuilder pencil{scene, true};
    programTimelineLegend(*programOf(program), true).rows(pencil, {0, 0, 2000, 40});
    int outlined = 0;
    for (const Shape& shape : scene.shapes) {
        if (shape.kind != Shape::Kind::rectangle || !shape.pen.isValid()) continue;
        ++outlined;
        EXPECT_GE(contrast(shape.pen, paper), 3) << shape.pen.name().toStdString();
    }
    EXPECT_GE(outlined, 3);
    for (std::size_t k = 1; k < analysis::activities; ++k)
        EXPECT_GE(contrast(strongColour(static_cast<analysis::Activity>(k), true), paper), 3) << k;
}

/// The corner below the last bar is the last number's; a sentence that has no room ends in an ellipsis, with a tip.
TEST(Charts, nameTheirAxisBesideTheNumbersInLowPanels) {
    const DrawableRun subject = ringSubject();
    for (const QSizeF size : {QSizeF{420, 110}, QSizeF{300, 90}, QSizeF{420, 300}}) {
        const Scene scene = idleScene(subject, {}, size);
        EXPECT_TRUE(std::ranges::any_of(textsOf(scene), [](const Shape& shape) { return shape.text == "9"; }))
            << size.height();
        EXPECT_TRUE(std::ranges::any_of(textsOf(scene), [](const Shape& shape) { return shape.text == "rank"; }))
            << size.height();
        EXPECT_EQ(quarrelsIn(scene, size), "");
    }
    const Scene low = idleScene(subject, {}, {300, 90});
    const std::vector<Shape> texts = textsOf(low);
    const auto cut = std::ranges::find_if(texts, [](const Shape& text) { return text.text.endsWith(QChar{0x2026}); });
    ASSERT_NE(cut, texts.end());
    EXPECT_GT(cut->tip.size(), cut->text.size());
}

/// What has no room gives way to the names of functions: cells first, then times.
TEST(Where, keepsItsNamesInNarrowPanels) {
    const DrawableRun subject = programSubject(support::steppingProgram(6, 12));
    const auto said = [&](double width) {
        QStringList words;
        for (const Shape& shape : whereScene(subject, {}, {width, 200}).shapes)
            if (shape.kind == Shape::Kind::text && shape.meaning.kind == Meaning::Kind::path) words << shape.text;
        return words;
    };
    for (const double width : {112.0, 140.0, 170.0, 220.0, 400.0, 700.0}) {
        EXPECT_TRUE(said(width).contains("assemble")) << width << said(width).join(' ').toStdString();
        EXPECT_EQ(quarrelsIn(whereScene(subject, {}, {width, 200}), {width, 200}), "") << width;
    }
    EXPECT_LT(said(112).size(), said(220).size()) << "its times have no room";
}

/// Where a number is wider than its iteration every other is named, or every fifth, the odd one always; none stands
/// on another.
TEST(LocationTimelines, numbersSomeIterationsWhereNotAllFit) {
    const DrawableRun subject = programSubject(support::steppingProgram(6, 12));
    for (const double width : {300.0, 420.0}) {
        const Scene scene = programTimelineScene(subject, {}, {width, 150});
        EXPECT_TRUE(says(scene, "12")) << width;
    }
    const auto numbersIn = [&](double width) {
        QStringList numbers;
        const QSizeF size{width, 150};
        const Scene scene = programTimelineScene(subject, {}, size);
        EXPECT_EQ(quarrelsIn(scene, size), "") << width;
        const QRectF band = programTimelineFrame(subject, *programOf(subject), {}, size).iterations;
        for (const Shape& text : textsOf(scene))
            if (band.contains(text.box.center())) numbers << text.text;
        return numbers;
    };
    // None has the word, or the sign of its messages, where another has not.
    for (double width = 300; width < 1400; width += 37) {
        QStringList others = numbersIn(width);
        others.removeIf([](const QString& name) { return name.contains("instead of"); });
        const auto words =
            std::ranges::count_if(others, [](const QString& name) { return name.contains("iteration"); });
        EXPECT_TRUE(words == 0 || words == others.size()) << width << others.join('|').toStdString();
        const Scene scene = programTimelineScene(subject, {}, {width, 150});
        std::map<std::int64_t, int> strokes;
        for (const Shape& stroke : shapesOf(scene, Meaning::Kind::iteration, Shape::Kind::line))
            ++strokes[stroke.meaning.index];
        EXPECT_TRUE(strokes.empty() || strokes.size() == 12) << width << ": " << strokes.size();
    }
    EXPECT_EQ(numbersIn(250).mid(0, 9), (QStringList{"1", "2", "3", "4", "5", "6", "7", "8", "9"}));
    EXPECT_EQ(numbersIn(250).mid(9), (QStringList{"10", "12"}));
    for (const double width : {140.0, 160.0, 180.0, 200.0}) {
        EXPECT_TRUE(numbersIn(width).contains("10")) << width << ": the odd one";
        EXPECT_GE(numbersIn(width).size(), 2) << width;
    }
}

/// Whether messages have colours: those of what they carry, and no grey.
bool coloursMessages(const Scene& scene) {
    std::set<int> hues;
    for (const Shape& shape : scene.shapes) {
        if (shape.meaning.kind != Meaning::Kind::message) continue;
        const QColor colour =
            shape.kind == Shape::Kind::line || shape.kind == Shape::Kind::arrow ? shape.pen : shape.fill;
        if (colour.isValid() && colour.hsvSaturation() > 60) hues.insert(colour.hsvHue() / 8);
    }
    return hues.size() > 1;
}

/// In every view, of runs whose columns are blocks, segments and contributions.
TEST(Legends, sayWhatTheColoursOfMessagesMean) {
    std::map<std::string_view, int> coloured;
    for (const RunWish& wish :
         {wishFor("allgatherv/bruck", 7), wishFor("allreduce/ring", 6), wishFor("bcast/pipelined-chain", 6),
          wishFor("reduce/binomial-tree", 9, "torus:3x3"), wishFor("alltoallv/pairwise-exchange", 4),
          groupsFor("intergroup-allgatherv/segmented", 4, 6), wishFor("scan/binomial-tree", 8)}) {
        const DrawableRun subject = subjectOf(wish);
        const QString what = QString::fromStdString(subject.columns().singular());
        for (const View& view : views()) {
            if (view.ofPrograms) continue;
            const Scene scene = view.scene(subject, {.time = subject.run().duration / 2}, {1600, 1000});
            if (!coloursMessages(scene)) continue;
            ++coloured[view.name];
            EXPECT_TRUE(says(scene, "(colour: its first " + what + ')') || says(scene, "message with its " + what))
                << view.name << " of " << wish.algorithm;
        }
    }
    for (const char* name : {"poster", "network", "timeline", "messages", "strip"})
        EXPECT_GT(coloured[name], 3) << name;
    EXPECT_FALSE(says(runTimelineScene(subjectOf(wishFor("bcast/binomial-tree", 8)), {}, {900, 500}), "colour:"))
        << "one message, one colour";
}

/// A rank that receives from all others at once takes them one after the other.
TEST(Arrows, areDashedWhileTheirMessagesWait) {
    constexpr QSizeF size{900, 500};
    const DrawableRun subject = subjectOf(wishFor("gatherv/flat", 5));
    const engine::Messages& messages = subject.run().messages;
    const Scene scene = runTimelineScene(subject, {}, size);
    const TimeAxis axis = runTimelineAxis(subject, {}, size);
    std::size_t dashed = 0;
    for (std::size_t i = 0; i < messages.size(); ++i) {
        double from = axis.pixel(messages.sendBegin()[i]);
        for (const Shape& shape : scene.shapes) {
            if (shape.meaning != Meaning{Meaning::Kind::message, static_cast<std::int64_t>(i), -1}) continue;
            EXPECT_NEAR(shape.from.x(), from, 0.01);
            EXPECT_NEAR(shape.to.x(), axis.pixel(shape.dashed ? messages.receiveBegin()[i] : messages.receiveEnd()[i]),
                        0.01);
            dashed += shape.dashed ? 1 : 0;
            from = shape.to.x();
        }
        EXPECT_NEAR(from, axis.pixel(messages.receiveEnd()[i]), 0.01);
    }
    EXPECT_EQ(dashed, messages.size() - 1) << "all but the first";
    EXPECT_TRUE(says(scene, "message waits for its receiver"));
    const Scene calm = runTimelineScene(subjectOf(wishFor("allgatherv/bruck", 7)), {}, size);
    EXPECT_FALSE(says(calm, "message waits for its receiver"));
    for (const Shape& shape : calm.shapes) EXPECT_FALSE(shape.dashed && shape.meaning.kind == Meaning::Kind::message);
}

TEST(Stages, lastUntilTheirLastCombiningEnds) {
    RunWish wish = wishFor("reduce/binomial-tree", 9);
    wish.model.gamma = engine::Rate{1'000'000};
    const DrawableRun subject = subjectOf(wish);
    const TimeAxis axis = runTimelineAxis(subject, {}, {900, 500});
    const std::vector<Shape> bands =
        shapesOf(runTimelineScene(subject, {}, {900, 500}), Meaning::Kind::stage, Shape::Kind::rectangle);
    ASSERT_EQ(bands.size(), 1U);
    EXPECT_NEAR(bands.front().box.right(), axis.pixel(subject.run().duration) - 1, 0.5);
}

/// A ring on a fully connected network has no links; who sends to whom is seen all the same, and explained.
TEST(NetworkLines, areDrawnBetweenPartnersAndExplained) {
    constexpr QSizeF size{900, 500};
    const DrawableRun ring = subjectOf(wishFor("allreduce/ring", 6));
    EXPECT_EQ(ring.blueprint().bonds.size(), 6U);
    EXPECT_EQ(subjectOf(wishFor("bcast/pipelined-chain", 6)).blueprint().bonds.size(), 5U);
    EXPECT_TRUE(says(networkScene(ring, {}, size), "ranks that communicate"));
    const DrawableRun all = subjectOf(wishFor("allgatherv/bruck", 7));
    EXPECT_TRUE(all.blueprint().bonds.empty());
    EXPECT_FALSE(says(networkScene(all, {}, size), "ranks that communicate"));
    const Scene torus = networkScene(subjectOf(wishFor("allreduce/ring", 9, "torus:3x3")), {}, size);
    EXPECT_TRUE(says(torus, "link without load"));
    EXPECT_FALSE(says(torus, "ranks that communicate"));
}

/// In a row of low pictures, as below a poster, circles are as large as their numbers need.
TEST(Strip, numbersRanksWhereThereIsRoom) {
    for (const char* id : {"bcast/binomial-tree", "reduce-scatter/recursive-halving"}) {
        const DrawableRun subject = subjectOf(wishFor(id, 8));
        const Scene scene = stripScene(subject, {}, {1560, 150});
        std::map<QString, int> numbers;
        for (const Shape& shape : shapesOf(scene, Meaning::Kind::rank, Shape::Kind::text)) ++numbers[shape.text];
        EXPECT_EQ(numbers.size(), 8U) << id;
        for (const auto& [number, times] : numbers) EXPECT_EQ(times, 3) << id << ' ' << number.toStdString();
        EXPECT_EQ(quarrelsIn(scene, {1560, 150}), "") << id;
    }
}

/// In a low card rows can be read before all of the legend can; who made others wait is named, whoever else is not.
TEST(LocationTimelines, keepTheirRowsAndWhoIsToBlameInLowCards) {
    const DrawableRun subject = programSubject(support::steppingProgram(6, 12));
    for (const double height : {165.0, 175.0, 190.0, 240.0}) {
        const QSizeF low{560, height};
        const ProgramTimelineFrame frame = programTimelineFrame(subject, *programOf(subject), {}, low);
        EXPECT_FALSE(frame.inRow.compact) << height;
        const Scene scene = programTimelineScene(subject, {}, low);
        EXPECT_EQ(quarrelsIn(scene, low), "") << height;
        for (int rank = 0; rank < 6; ++rank) EXPECT_TRUE(says(scene, QStringLiteral("rank %1").arg(rank))) << height;
    }
    EXPECT_TRUE(says(programTimelineScene(subject, {}, {560, 175}), "more")) << "the legend is shorter";
    EXPECT_FALSE(says(programTimelineScene(subject, {}, {560, 240}), "more"));
    const Scene lowest = programTimelineScene(subject, {}, {560, 110});
    EXPECT_TRUE(says(lowest, "rank 3"));
    EXPECT_FALSE(says(lowest, "rank 2")) << "its place is taken";
}

/// What was waited in a call is hatched on the call itself, wherever the time it moved something is told.
TEST(LocationTimelines, hatchWaitsOnTheirCalls) {
    const DrawableRun subject = programSubject(support::steppingProgram(4, 12));
    const analysis::TracedProgram& program = *programOf(subject);
    const QSizeF high{1100, 600};
    const ProgramTimelineFrame frame = programTimelineFrame(subject, program, {}, high);
    ASSERT_GT(frame.inRow.band, 0);
    std::map<std::int64_t, int> drawn;
    for (const Shape& box : boxesOf(programTimelineScene(subject, {}, high), Meaning::Kind::wait)) {
        const analysis::Wait& wait = program.waits()[static_cast<std::size_t>(box.meaning.index)];
        EXPECT_TRUE(box.hatched);
        EXPECT_NEAR(box.box.left(), frame.axis.pixel(wait.begin), 0.1);
        EXPECT_NEAR(box.box.right(), frame.axis.pixel(wait.end()), 1.1);
        ++drawn[box.meaning.index];
    }
    EXPECT_GT(drawn.size(), 20U);
    for (const auto& [wait, times] : drawn) EXPECT_EQ(times, 2) << "on its call, and in the band below";
}

/// The words for how much sooner a run ends stand on their ground, with nothing drawn across.
TEST(Finish, standsAboveTheLineBetweenGroups) {
    const DrawableRun subject = ringSubject();
    const Scene scene = runTimelineScene(subject, {.horizon = subject.run().duration * 3 / 2}, {900, 400});
    const auto words = std::ranges::find(scene.shapes, QStringLiteral("sooner"), &Shape::text);
    ASSERT_NE(words, scene.shapes.end());
    const QRectF plot = runTimelineFrame(subject, {}, {900, 400}).plot.adjusted(0, 1, 0, -1);
    for (auto after = words; after != scene.shapes.end(); ++after) {
        const bool level = after->kind == Shape::Kind::line && after->from.y() == after->to.y();
        EXPECT_FALSE(level && plot.contains(QPointF{words->box.center().x(), after->from.y()}) &&
                     after->from.x() < words->box.left() && after->to.x() > words->box.right())
            << after->from.y();
    }
}

/// The names of calls stand above the messages that cross them.
TEST(LocationTimelines, writeOnCallsAboveWhatCrossesThem) {
    const DrawableRun subject = programSubject(support::steppingProgram(4, 12));
    const Scene scene = programTimelineScene(subject, {}, {1100, 600});
    const auto first = std::ranges::find(scene.shapes, QStringLiteral("main"), &Shape::text);
    ASSERT_NE(first, scene.shapes.end());
    EXPECT_TRUE(std::any_of(scene.shapes.begin(), first,
                            [](const Shape& shape) { return shape.meaning.kind == Meaning::Kind::message; }));
    EXPECT_FALSE(std::any_of(first, scene.shapes.end(),
                             [](const Shape& shape) { return shape.meaning.kind == Meaning::Kind::message; }));
}

TEST(Words, keepNumbersWithTheirUnits) {
    const QString words = "no communication 97.5% of the time, each 355 ms of 364 ms (97.5%) in 7 rounds";
    for (double width = 30; width < 300; width += 5)
        for (const QString& line : wrapped(words, points::small, width)) {
            EXPECT_FALSE(line.startsWith('%') || line.startsWith("ms ") || line == "ms") << line.toStdString();
            EXPECT_EQ(line, line.trimmed());
        }
    EXPECT_EQ(wrapped(words, points::small, 200).join(' '), words);
}

TEST(Stages, areNamedInPartWhereTheyAreNarrow) {
    const DrawableRun subject = subjectOf(wishFor("allreduce/circulant", 8));
    int inPart = 0;
    for (double width = 170; width < 300; width += 3)
        for (const Shape& shape : runTimelineScene(subject, {}, {width, 300}).shapes)
            if (shape.kind == Shape::Kind::text && shape.meaning.kind == Meaning::Kind::stage)
                inPart += shape.text.endsWith(QChar{0x2026}) ? 1 : 0;
    EXPECT_GT(inPart, 0);
}

}  // namespace
}  // namespace app::gui
