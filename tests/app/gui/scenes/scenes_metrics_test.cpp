// SPDX-License-Identifier: BSD-3-Clause
// Metrics in Tracks: every step against what was recorded, and what hovering and Details say of it.
#include "app/gui/explain/details.hpp"
#include "app/gui/scenes/program/program_timeline_frame.hpp"
#include "app/gui/scenes/text/program_text.hpp"
#include "app/gui/scenes/text/run_text.hpp"
#include "tests/app/gui/scenes/scenes_support.hpp"
#include "tests/app/gui/shown_table.hpp"
#include "tests/support/programs/stepping_program.hpp"
#include "traces/recording/run_from_recording.hpp"

#include <gtest/gtest.h>

namespace app::gui {
namespace {

using engine::Picoseconds;
using engine::Rank;

constexpr QSizeF metricsSheet{1100, 600};

/// The stepping program; each rank counts `perRank` samples, and node 1 draws power.
DrawableRun measuredProgram(int ranks, int perRank) {
    traces::Recording recording = support::steppingProgram(ranks, 12);
    recording.metrics = {
        {"flops", "what was worked", "#", traces::MetricValue::accumulated, traces::MetricTiming::start},
        {"power", "", "W", traces::MetricValue::absolute, traces::MetricTiming::next}};
    const auto at = [&](int i) { return recording.duration / 10 + recording.duration / 10 * 8 * i / perRank; };
    for (int rank = 0; rank <= ranks; ++rank) {
        const bool node = rank == ranks;
        std::vector<Picoseconds> time;
        std::vector<double> values;
        for (int i = 0; i < perRank; ++i) {
            time.push_back(at(i));
            values.push_back(node ? 100 + 50 * (i % 3) : 1e9 * i * i * (rank + 1));
        }
        recording.samples.push_back({.location = node ? 0 : rank,
                                     .rank = node ? traces::noRank : Rank{rank},
                                     .about = node ? "node 1" : "",
                                     .metrics = {node ? 1 : 0},
                                     .time = time,
                                     .values = {values}});
    }
    auto kept = std::make_shared<const traces::Recording>(std::move(recording));
    return DrawableRun{analysis::reportOn(std::make_shared<const engine::Run>(traces::runOf(*kept))), kept};
}

TEST(ProgramTimelineMetrics, standBelowTheirRanksAndNodes) {
    const DrawableRun subject = measuredProgram(4, 9);
    const analysis::TracedProgram& program = *programOf(subject);
    const auto names = [&](const ProgramTimelineView& view) {
        const ProgramTimelineFrame frame = programTimelineFrame(subject, program, {.tracks = view}, metricsSheet);
        QStringList all;
        for (const ProgramTimelineRow& row : frame.rows) all << nameOfRow(program, frame, row);
        return all.join(", ");
    };
    EXPECT_EQ(names({}).toStdString(), "rank 0, flops, rank 1, flops, rank 2, flops, rank 3, flops, power, node 1");
    EXPECT_EQ(names({.metrics = std::vector<std::int32_t>{1}}).toStdString(),
              "rank 0, rank 1, rank 2, rank 3, power, node 1");
    EXPECT_EQ(names({.metrics = std::vector<std::int32_t>{}}).toStdString(), "rank 0, rank 1, rank 2, rank 3");
    EXPECT_EQ(names({.metrics = std::vector<std::int32_t>{7}}).toStdString(), "rank 0, rank 1, rank 2, rank 3")
        << "of another trace's session";
    EXPECT_EQ(names({.groups = ProgramTimelineView::Groups::node}).toStdString(),
              "rank 0, flops, rank 1, flops, rank 2, flops, rank 3, flops, power, node 1");
    EXPECT_EQ(names({.groups = ProgramTimelineView::Groups::node, .folded = {0}}).toStdString(),
              "2 ranks, rank 2, flops, rank 3, flops, power, node 1");
}

TEST(ProgramTimelineMetrics, drawEachStepAsHighAsItsValue) {
    const DrawableRun subject = measuredProgram(4, 9);
    const analysis::TracedProgram& program = *programOf(subject);
    const ProgramTimelineFrame frame = programTimelineFrame(subject, program, {}, metricsSheet);
    const std::vector<Shape> boxes =
        shapesOf(programTimelineScene(subject, {}, metricsSheet), Meaning::Kind::metric, Shape::Kind::rectangle);
    ASSERT_EQ(boxes.size(), 4U * 8 + 9);
    const double most = program.metrics().rangeOf(0).most;
    for (const Shape& box : boxes) {
        const analysis::MetricCurve& its = program.metrics().all()[static_cast<std::size_t>(box.meaning.index)];
        if (its.metric != 0) continue;
        const analysis::Curve::Step step = its.curve[its.curve.at(Picoseconds{box.meaning.second})];
        EXPECT_NEAR(box.box.left(), frame.axis.pixel(step.begin), 1e-6);
        EXPECT_NEAR(box.box.right(), frame.axis.pixel(step.end), 1e-6);
        EXPECT_NEAR(box.box.height() / (frame.pitch - frame.gap()), step.value / most, 0.03)
            << "one scale for all ranks";
    }
    EXPECT_TRUE(says(programTimelineScene(subject, {}, metricsSheet), "W")) << "what the upper edge is";
}

TEST(ProgramTimelineMetrics, areDrawnFromTheLeastToTheMostWhereManyShareAPixel) {
    const DrawableRun subject = measuredProgram(2, 30'000);
    const analysis::TracedProgram& program = *programOf(subject);
    const ProgramTimelineFrame frame = programTimelineFrame(subject, program, {}, metricsSheet);
    const Scene scene = programTimelineScene(subject, {}, metricsSheet);
    EXPECT_TRUE(shapesOf(scene, Meaning::Kind::metric, Shape::Kind::rectangle).empty());
    const double top = frame.topOf(frame.rows.size() - 1) + frame.gap() / 2;
    const auto strip = std::find_if(scene.shapes.begin(), scene.shapes.end(), [&](const Shape& shape) {
        return shape.kind == Shape::Kind::cells && std::abs(shape.box.top() - top) < 0.5 && shape.box.height() > 20;
    });
    ASSERT_NE(strip, scene.shapes.end());
    // 100 to 200 W out of 200: the lower half is ground, the upper one ink.
    const QImage& image = *strip->cells;
    const int column = image.width() / 2;
    EXPECT_EQ(image.pixel(column, 0), image.pixel(column, image.height() / 2 - 2));
    EXPECT_NE(image.pixel(column, 0), image.pixel(column, image.height() - 2));
    EXPECT_EQ(qAlpha(image.pixel(0, image.height() - 2)), 0) << "nothing before the first sample";
}

TEST(ProgramTimelineMetrics, areShadesWhereRowsAreLow) {
    const DrawableRun subject = measuredProgram(60, 40);
    const analysis::TracedProgram& program = *programOf(subject);
    const ProgramTimelineFrame frame = programTimelineFrame(subject, program, {}, metricsSheet);
    ASSERT_TRUE(frame.inRow.compact);
    const Scene scene = programTimelineScene(subject, {}, metricsSheet);
    const auto image = std::find_if(scene.shapes.begin(), scene.shapes.end(), [&](const Shape& shape) {
        return shape.kind == Shape::Kind::cells && shape.cells->height() == static_cast<int>(frame.rows.size());
    });
    ASSERT_NE(image, scene.shapes.end());
    ASSERT_TRUE(frame.rows[119].isMetric());
    const QRgb early = image->cells->pixel(image->cells->width() / 4, 119);
    const QRgb late = image->cells->pixel(image->cells->width() * 3 / 4, 119);
    EXPECT_GT(qGray(early), qGray(late)) << "the more the darker";
}

TEST(ProgramTimelineMetrics, tellTheValueUnderTheMouse) {
    const DrawableRun subject = measuredProgram(4, 9);
    const analysis::TracedProgram& program = *programOf(subject);
    const ProgramTimelineFrame frame = programTimelineFrame(subject, program, {}, metricsSheet);
    const auto curve = static_cast<std::size_t>(frame.rows.back().curve);
    const analysis::Curve::Step step = program.metrics().all()[curve].curve[4];
    const QPointF at{frame.axis.pixel(step.begin + (step.end - step.begin) / 2),
                     frame.topOf(frame.rows.size() - 1) + frame.pitch / 2};
    const std::optional<Meaning> meaning = programTimelineMeaningAt(subject, {}, metricsSheet, at);
    ASSERT_TRUE(meaning);
    EXPECT_EQ(meaning->kind, Meaning::Kind::metric);
    EXPECT_TRUE(wordsFor(subject, *meaning).startsWith("power of node 1: 150 W, "))
        << wordsFor(subject, *meaning).toStdString();
    const QString page = detailsOf(subject, {.asked = meaning});
    for (const char* said : {"power", "node 1", "150 W", "absolute, until the next sample", "100 W", "200 W"})
        EXPECT_TRUE(page.contains(said)) << said << " in " << page.toStdString();
    const ShownTable table{programTimelineTable(subject, {})};
    EXPECT_TRUE(std::any_of(table.rows.begin(), table.rows.end(), [](const auto& row) {
        return row[0] == "-" && row[1] == "power, node 1" && row[2] == "150 W";
    }));
    EXPECT_FALSE(programTimelineMeaningAt(subject, {}, metricsSheet, {frame.plot.left(), at.y()}))
        << "before the first sample";
    const Meaning ofRank{Meaning::Kind::metric, frame.rows[3].curve, step.begin.count()};
    EXPECT_EQ(rankOfStretch(subject, ofRank), Rank{1});
    EXPECT_TRUE(isOfProgram(subject, ofRank));
    EXPECT_FALSE(isOfProgram(subject, {Meaning::Kind::metric, 99, 0}));
}

}  // namespace
}  // namespace app::gui
