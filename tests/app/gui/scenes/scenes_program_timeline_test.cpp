// SPDX-License-Identifier: BSD-3-Clause
// Tracks of a traced program: every shape against what was recorded.
#include "app/gui/explain/details.hpp"
#include "app/gui/scenes/common/program_timeline_colours.hpp"
#include "app/gui/scenes/picture/picture.hpp"
#include "app/gui/scenes/program/program_timeline_frame.hpp"
#include "app/gui/scenes/text/program_text.hpp"
#include "app/gui/scenes/text/run_text.hpp"
#include "app/gui/scenes/time/overview.hpp"
#include "app/gui/tables/rounds_table.hpp"
#include "tests/app/gui/program_support.hpp"
#include "tests/app/gui/scenes/scenes_support.hpp"
#include "tests/app/gui/shown_table.hpp"
#include "tests/support/programs/random_program.hpp"
#include "tests/support/programs/stepping_program.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

namespace app::gui {
namespace {

using analysis::Activity;
using engine::Picoseconds;
using engine::Rank;

TEST(LocationTimelines, areOfTracesWithCallsAlone) {
    EXPECT_FALSE(ringSubject().isProgram());
    EXPECT_TRUE(says(programTimelineScene(ringSubject(), {}, programPaper), "the trace of a program"));
    EXPECT_TRUE(programSubject(support::steppingProgram(4, 12)).isProgram());
}

/// All but waits and what follows from them, and nothing that would have to wait for these.
TEST(LocationTimelines, showCallsWhileWaitsAreLookedFor) {
    const DrawableRun subject = programSubject(support::steppingProgram(8, 20'000));
    std::optional<Scene> scene;
    while (!subject.programReady() && !scene) scene = programTimelineAtFirst(subject, {}, programPaper);
    ASSERT_TRUE(scene);
    EXPECT_TRUE(says(*scene, "Searching for wait states")) << scene->description.toStdString();
    EXPECT_TRUE(std::none_of(scene->shapes.begin(), scene->shapes.end(),
                             [](const Shape& shape) { return shape.meaning != Meaning{}; }));
    const analysis::TracedProgram first{subject.recording(), engine::Progress{}};
    const analysis::TracedProgram& program = *programOf(subject);
    EXPECT_FALSE(first.tracks().present()[static_cast<std::size_t>(Activity::waiting)]);
    ASSERT_TRUE(program.tracks().present()[static_cast<std::size_t>(Activity::waiting)]);
    for (std::size_t location = 0; location < subject.recording()->locations.size(); ++location) {
        const auto& early = first.tracks().of(location).calls;
        const auto& late = program.tracks().of(location).calls;
        ASSERT_EQ(early.size(), late.size());
        for (std::size_t depth = 0; depth < late.size(); ++depth) {
            ASSERT_EQ(early[depth].size(), late[depth].size());
            for (std::size_t i = 0; i < late[depth].size(); ++i) ASSERT_EQ(early[depth][i], late[depth][i]);
        }
    }
    EXPECT_FALSE(programTimelineAtFirst(subject, {}, programPaper)) << "what is known takes its place";
    EXPECT_FALSE(says(programTimelineScene(subject, {}, programPaper), "Searching for wait states"));
}

TEST(LocationTimelines, showNobodyARoundThatWasNotRecorded) {
    const DrawableRun subject = programSubject(support::steppingProgram(4, 12));
    ASSERT_GT(subject.run().messages.size(), 0U);
    const ShownTable bounds{boundsTable(subject, {})};
    for (const std::size_t ofRounds : {std::size_t{0}, std::size_t{2}}) {
        EXPECT_EQ(bounds.rows[ofRounds][1], QStringLiteral("\u2013")) << bounds.rows[ofRounds][0].toStdString();
        EXPECT_TRUE(bounds.rows[ofRounds][4].contains("not recorded"));
    }
    EXPECT_TRUE(shapesOf(stripScene(subject, {}, programPaper), Meaning::Kind::round, Shape::Kind::rectangle).empty());
    EXPECT_TRUE(stripScene(subject, {}, programPaper).description.contains("not recorded"));
    EXPECT_TRUE(stripTable(subject, {}).rows.empty());
    EXPECT_TRUE(overviewTable(subject, {}).rows.empty());
    EXPECT_EQ(runTimelineTable(subject, {}).rows[0][0], engine::Cell{});
    EXPECT_FALSE(momentOf(subject, {}).contains("ound")) << momentOf(subject, {}).toStdString();
    EXPECT_FALSE(detailsOf(subject, {.asked = Meaning{Meaning::Kind::message, 0, -1}}).contains("ound 1"));
    Playback playback;
    const RoundsTable rounds{playback};
    playback.show(std::make_shared<const DrawableRun>(subject));
    EXPECT_EQ(rounds.model()->rowCount(), 0);
}

TEST(LocationTimelines, drawEveryCallWhereItWas) {
    const DrawableRun subject = programSubject(support::steppingProgram(4, 12));
    const traces::Recording& recording = *subject.recording();
    const analysis::TracedProgram& program = *programOf(subject);
    const Scene scene = programTimelineScene(subject, {}, programPaper);
    const ProgramTimelineFrame frame = programTimelineFrame(subject, program, {}, programPaper);
    ASSERT_FALSE(frame.inRow.compact);
    std::size_t calls = 0;
    for (const Shape& box : boxesOf(scene, Meaning::Kind::call)) {
        const auto location = static_cast<std::size_t>(box.meaning.second);
        const auto call = static_cast<std::size_t>(box.meaning.index);
        const traces::States& states = recording.states[location];
        const double left = std::max(frame.axis.pixel(states.begin[call]), frame.plot.left());
        const double right = std::min(frame.axis.pixel(states.end[call]), frame.plot.right());
        EXPECT_LE(box.box.right(), right + 0.9);
        EXPECT_GE(box.box.left(), left - 0.1);
        const double top = frame.topOf(location);
        EXPECT_GE(box.box.top(), top - 0.1);
        EXPECT_LE(box.box.bottom(), top + frame.pitch + 0.1);
        // Only in lanes of calls; in the band below, a call is told in pieces between its waits.
        const bool inBand =
            box.box.top() > top + frame.gap() / 2 + frame.inRow.lane * static_cast<double>(frame.inRow.lanes) - 0.5;
        if (!inBand) {
            EXPECT_NEAR(box.box.left(), left, 0.1);
            EXPECT_NEAR(box.box.right(), right, 1.1);
            ++calls;
        }
    }
    std::size_t recorded = 0;
    for (const traces::States& states : recording.states) recorded += states.size();
    EXPECT_EQ(frame.inRow.lanes, 3U) << "main, halo, MPI_Sendrecv";
    EXPECT_EQ(calls, recorded);
}

TEST(LocationTimelines, drawWaitingWhereAWaitWasFoundAndNowhereElse) {
    const DrawableRun subject = programSubject(support::steppingProgram(4, 12));
    const analysis::TracedProgram& program = *programOf(subject);
    const Scene scene = programTimelineScene(subject, {}, programPaper);
    const ProgramTimelineFrame frame = programTimelineFrame(subject, program, {}, programPaper);
    std::set<std::int64_t> drawn;
    for (const Shape& box : boxesOf(scene, Meaning::Kind::wait)) {
        const analysis::Wait& wait = program.waits()[static_cast<std::size_t>(box.meaning.index)];
        EXPECT_NEAR(box.box.left(), frame.axis.pixel(wait.begin), 0.1);
        EXPECT_NEAR(box.box.right(), frame.axis.pixel(wait.end()), 1.1);
        EXPECT_TRUE(box.hatched || box.box.width() < 3);
        drawn.insert(box.meaning.index);
    }
    EXPECT_EQ(drawn.size(), program.waits().size());
    EXPECT_EQ(program.waits().size(), 3U * 12U) << "three ranks wait in each of twelve reductions";
}

TEST(LocationTimelines, sayWhatLiesAtEveryPlace) {
    const DrawableRun subject = programSubject(support::steppingProgram(4, 12));
    const analysis::TracedProgram& program = *programOf(subject);
    for (const Picoseconds end : {subject.run().duration, subject.run().duration / 40}) {
        const ViewState state{.spanBegin = Picoseconds{0}, .spanEnd = end};
        const ProgramTimelineFrame frame = programTimelineFrame(subject, program, state, programPaper);
        std::mt19937 random{3};
        for (int turn = 0; turn < 2000; ++turn) {
            const QPointF at{frame.plot.left() + static_cast<double>(random() % 10000) * frame.plot.width() / 10001,
                             frame.plot.top() + static_cast<double>(random() % 10000) * frame.plot.height() / 10001};
            const auto found = programTimelineMeaningAt(subject, state, programPaper, at);
            if (!found) continue;
            const Picoseconds time = frame.axis.time(at.x());
            const auto row = static_cast<std::size_t>((at.y() - frame.plot.top()) / frame.pitch);
            if (found->kind == Meaning::Kind::call) {
                const traces::States& states = subject.recording()->states[static_cast<std::size_t>(found->second)];
                const auto call = static_cast<std::size_t>(found->index);
                EXPECT_EQ(found->second, frame.rows[row].location);
                EXPECT_TRUE(states.begin[call] <= time && time < states.end[call]);
            } else if (found->kind == Meaning::Kind::wait) {
                const analysis::Wait& wait = program.waits()[static_cast<std::size_t>(found->index)];
                EXPECT_EQ(wait.rank, frame.rows[row].rank);
                EXPECT_TRUE(wait.begin <= time && time < wait.end());
            } else {
                EXPECT_EQ(found->kind, Meaning::Kind::own);
            }
            EXPECT_FALSE(wordsFor(subject, *found).isEmpty());
        }
    }
}

/// The share of a pixel's time in which a location did each thing, looked up picosecond by picosecond.
QColor slowColour(const DrawableRun& subject, const std::vector<std::size_t>& locations, Picoseconds from,
                  Picoseconds to, bool dark) {
    const analysis::TracedProgram& program = *programOf(subject);
    std::array<double, 3> sums{};
    double covered = 0;
    const double all = static_cast<double>((to - from).count()) * static_cast<double>(locations.size());
    for (const std::size_t location : locations)
        for (Picoseconds t = from; t < to; t += Picoseconds{1}) {
            const analysis::Lane& lane = program.tracks().of(location).activity;
            for (std::size_t i = 0; i < lane.size(); ++i) {
                if (lane[i].begin > t || lane[i].end <= t || lane[i].activity == Activity::none) continue;
                const QColor colour = lane[i].activity == Activity::waiting ? strongColour(lane[i].activity, dark)
                                                                            : activityColour(lane[i].activity, dark);
                covered += 1;
                sums[0] += static_cast<double>(colour.redF());
                sums[1] += static_cast<double>(colour.greenF());
                sums[2] += static_cast<double>(colour.blueF());
            }
        }
    if (covered == 0) return {};
    return QColor::fromRgbF(static_cast<float>(sums[0] / covered), static_cast<float>(sums[1] / covered),
                            static_cast<float>(sums[2] / covered), static_cast<float>(std::max(covered / all, 0.15)));
}

TEST(TracksJudged, mixColoursByTheTimeOfWhatSharesAPixel) {
    std::mt19937 random{5};
    for (int turn = 0; turn < 20; ++turn) {
        const int ranks = 60 + static_cast<int>(random() % 60);
        const DrawableRun subject = programSubject(slow::randomProgram(random, ranks, 80));
        if (!subject.isProgram()) continue;
        const bool dark = turn % 2 == 0;
        const QSizeF low{150, 90};
        const ViewState state{.dark = dark};
        const analysis::TracedProgram& program = *programOf(subject);
        const ProgramTimelineFrame frame = programTimelineFrame(subject, program, state, low);
        ASSERT_TRUE(frame.inRow.compact);
        const Scene scene = programTimelineBackground(subject, state, low);
        const auto cells = std::find_if(scene.shapes.begin(), scene.shapes.end(),
                                        [](const Shape& shape) { return shape.kind == Shape::Kind::cells; });
        ASSERT_NE(cells, scene.shapes.end());
        const QImage& image = *cells->cells;
        const auto rows = frame.rows.size();
        const auto lines = static_cast<std::size_t>(image.height());
        for (std::size_t line = 0; line < lines; line += 7) {
            std::vector<std::size_t> locations;
            for (std::size_t row = rows * line / lines; row < rows * (line + 1) / lines; ++row)
                locations.push_back(static_cast<std::size_t>(frame.rows[row].location));
            for (int column = 0; column < image.width(); column += 5) {
                const double left = frame.plot.left();
                const double width = frame.plot.width();
                const Picoseconds from = frame.axis.time(left + width * column / image.width());
                const Picoseconds to =
                    std::max(frame.axis.time(left + width * (column + 1) / image.width()), from + Picoseconds{1});
                const QColor expected = slowColour(subject, locations, from, to, dark);
                const QRgb found = image.pixel(column, static_cast<int>(line));
                ASSERT_NEAR(qAlpha(found), expected.isValid() ? expected.alpha() : 0, 2) << column << ", " << line;
                if (qAlpha(found) < 60) continue;  // colours of what is nearly transparent are rounded
                EXPECT_NEAR(qRed(found), expected.red(), 5);
                EXPECT_NEAR(qGreen(found), expected.green(), 5);
                EXPECT_NEAR(qBlue(found), expected.blue(), 5);
            }
        }
    }
}

TEST(LocationTimelines, markOddIterationsAndEndsOfCollectives) {
    const DrawableRun subject = programSubject(support::steppingProgram(4, 12));
    const analysis::TracedProgram& program = *programOf(subject);
    const Scene scene = programTimelineScene(subject, {}, programPaper);
    const ProgramTimelineFrame frame = programTimelineFrame(subject, program, {}, programPaper);
    ASSERT_EQ(program.iterations().all.size(), 12U);
    EXPECT_EQ(boxesOf(scene, Meaning::Kind::iteration).size(), 12U);
    EXPECT_TRUE(program.iterations().all[9].odd);
    const std::vector<Shape> ends = shapesOf(scene, Meaning::Kind::collective, Shape::Kind::line);
    ASSERT_EQ(ends.size(), 12U);
    for (std::size_t k = 0; k < ends.size(); ++k) {
        EXPECT_NEAR(ends[k].from.x(), frame.axis.pixel(program.tracks().collectives()[k].end), 0.01);
        EXPECT_LT(ends[k].from.y(), frame.topOf(1));
        EXPECT_GT(ends[k].to.y(), frame.topOf(3));
    }
    // Wide enough, the band says how long it took.
    const ViewState near{.spanBegin = program.iterations().all[9].begin,
                         .spanEnd = program.iterations().all[9].begin + program.iterations().all[9].duration};
    EXPECT_TRUE(says(programTimelineScene(subject, near, programPaper), "iteration 10  37.5 ms instead of 29.5 ms"));
}

TEST(LocationTimelines, arrangeRowsByGroupAndByWhatRanksSpent) {
    const DrawableRun subject = programSubject(support::steppingProgram(8, 12));
    const analysis::TracedProgram& program = *programOf(subject);
    ViewState state;
    state.tracks.order = ProgramTimelineView::Order::computed;
    ProgramTimelineFrame frame = programTimelineFrame(subject, program, state, programPaper);
    EXPECT_EQ(frame.rows.front().rank, Rank{3}) << "assembles longest";
    EXPECT_EQ(frame.rows[1].rank, Rank{1});
    state.tracks.order = ProgramTimelineView::Order::waited;
    frame = programTimelineFrame(subject, program, state, programPaper);
    EXPECT_EQ(frame.rows.back().rank, Rank{3}) << "waits least";
    state.tracks = {.groups = ProgramTimelineView::Groups::node};
    frame = programTimelineFrame(subject, program, state, programPaper);
    ASSERT_EQ(frame.groups.size(), 2U);
    EXPECT_EQ(frame.rows.size(), 8U);
    EXPECT_EQ(frame.groups[1].name, "node 1");
    state.tracks.folded = {0};
    frame = programTimelineFrame(subject, program, state, programPaper);
    EXPECT_EQ(frame.rows.size(), 5U);
    EXPECT_EQ(frame.rowOf[2], 0);
    EXPECT_EQ(frame.rowOf[4], 1);
    EXPECT_EQ(programTimelineMeaningAt(subject, state, programPaper, {frame.plot.center().x(), frame.topOf(0) + 5}),
              (Meaning{Meaning::Kind::group, 0, -1}));
}

TEST(LocationTimelines, keepNamesOfGroupsAsTheyAre) {
    traces::Recording recording = support::steppingProgram(8, 3);
    for (std::size_t i = 0; i < 4; ++i) recording.locations[i].path = {"machine", "node%2"};
    const Scene scene = programTimelineScene(programSubject(std::move(recording)),
                                             {.tracks = {.groups = ProgramTimelineView::Groups::node}}, programPaper);
    EXPECT_TRUE(std::any_of(scene.shapes.begin(), scene.shapes.end(), [](const Shape& shape) {
        return shape.tip == QStringLiteral("node%2: 4 ranks; a click folds it");
    }));
}

TEST(LocationTimelines, showSomeRowsHigherWhereAskedTo) {
    const DrawableRun subject = programSubject(support::steppingProgram(200, 3));
    const analysis::TracedProgram& program = *programOf(subject);
    ViewState state;
    EXPECT_TRUE(programTimelineFrame(subject, program, state, programPaper).inRow.compact);
    state.tracks.zoom = 20;
    state.tracks.top = 1000;
    const ProgramTimelineFrame frame = programTimelineFrame(subject, program, state, programPaper);
    EXPECT_FALSE(frame.inRow.compact);
    EXPECT_EQ(frame.endRow(), 200U) << "not beyond the last one";
    EXPECT_NEAR(frame.topOf(200), frame.plot.bottom(), 0.01);
    for (const Shape& box : boxesOf(programTimelineScene(subject, state, programPaper), Meaning::Kind::call)) {
        EXPECT_GE(box.box.top(), frame.plot.top() - 0.1);
        EXPECT_LE(box.box.bottom(), frame.plot.bottom() + 0.1);
    }
}

TEST(LocationTimelines, keepTextsApartAndWithinThePaper) {
    for (const int ranks : {1, 4, 30, 300}) {
        const DrawableRun subject = programSubject(support::steppingProgram(std::max(ranks, 4), 12));
        for (const QSizeF size : {QSizeF{300, 240}, QSizeF{700, 420}, QSizeF{1400, 800}})
            for (const char* view : {"tracks", "where", "when"}) {
                ViewState state;
                state.tracks.groups =
                    ranks > 10 ? ProgramTimelineView::Groups::node : ProgramTimelineView::Groups::none;
                EXPECT_EQ(quarrelsIn(viewScene(view, subject, state, size), size), "")
                    << view << " of " << ranks << " ranks at " << size.width();
            }
    }
}

TEST(LocationTimelines, sayWhatMixedColoursAre) {
    const DrawableRun subject = programSubject(support::steppingProgram(4, 12));
    EXPECT_TRUE(says(programTimelineScene(subject, {}, {1400, 800}), "several activities in a pixel"));
}

TEST(LocationTimelines, haveTheirAxisBelowTheLastRow) {
    const DrawableRun subject = programSubject(support::steppingProgram(4, 12));
    const analysis::TracedProgram& program = *programOf(subject);
    for (const double height : {300.0, 600.0, 1400.0}) {
        const ProgramTimelineFrame frame = programTimelineFrame(subject, program, {}, {1100, height});
        const double rows = static_cast<double>(frame.rows.size()) * frame.pitch;
        EXPECT_NEAR(frame.plot.height(), std::max(rows, 10.0), 0.5) << height;
        EXPECT_GT(frame.legend.top(), frame.plot.bottom());
        EXPECT_LE(frame.legend.bottom(), height);
    }
}

}  // namespace
}  // namespace app::gui
