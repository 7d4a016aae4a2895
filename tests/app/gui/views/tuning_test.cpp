// SPDX-License-Identifier: BSD-3-Clause
// The map of a tuning: its cells against the decisions, and what a click shows.
#include "app/gui/scenes/charts/tuning_map_scene.hpp"
#include "app/gui/what_if/tuning_window.hpp"
#include "engine/base/error.hpp"
#include "tests/app/gui/shown_table.hpp"

#include <gtest/gtest.h>

#include <QApplication>
#include <QElapsedTimer>
#include <QImage>
#include <QThread>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace app::gui {
namespace {

using engine::Picoseconds;
using engine::live::Called;

/// Broadcasts of two sizes on 8 ranks: of the larger one binomial is twice as fast as the library's choice, and has a
/// rule; knomial is slower; pipeline, which needs no proof here, gives wrong results.
tune::MeasuredFile measuredFile(std::string& samples) {
    tune::MeasuredFile file{.conditions = "Open MPI 4.1.4"};
    for (const engine::Bytes bytes : {1024, 65536}) {
        tune::Cell cell{.called = Called::bcast, .ranks = 8, .bytes = bytes, .candidates = {{.name = "default"}}};
        for (const auto& [number, name] : {std::pair{6, "binomial"}, {2, "chain"}, {3, "pipeline"}})
            cell.candidates.push_back({.number = number, .name = name, .predicted = Picoseconds{number * 1'000'000}});
        file.cells.push_back(cell);
    }
    tune::Measurements measurements{file.cells};
    while (auto sample = measurements.next(16)) {
        constexpr std::array<int, 4> times{1000, 500, 2000, 1};
        sample->time = Picoseconds{sample->cell == 0 ? 1000 : times[sample->candidate]};
        if (sample->candidate == 3) sample->fault = "wrong results";
        measurements.add(*sample);
        samples += toText(*sample) + '\n';
    }
    std::vector<tune::Tuned> decided = tune::decided(measurements);
    decided[1].checked = tune::Gain{.median = 1.9, .low = 1.8, .high = 2, .rounds = 12};
    samples += tune::checkLines(1, decided[1]) + '\n';
    return file;
}

class Tuning : public testing::Test {
protected:
    Tuning() {
        std::string samples;
        const tune::MeasuredFile file = measuredFile(samples);
        std::ofstream{path_ + ".measured"} << file.head() << samples;
    }
    ~Tuning() override { std::filesystem::remove(path_ + ".measured"); }

    const std::string path_ = testing::TempDir() + "tuning_test.conf";
};

TEST_F(Tuning, mapHasACellForEachCase) {
    const std::vector<tune::Tuned> cases = tune::measuredIn(path_ + ".measured").decisions();
    const Scene scene = tuningMapScene(cases, false, {800, 400});
    std::vector<const Shape*> cells;
    for (const Shape& shape : scene.shapes)
        if (shape.kind == Shape::Kind::rectangle && shape.meaning.kind == Meaning::Kind::collective)
            cells.push_back(&shape);
    ASSERT_EQ(cells.size(), 2U);
    EXPECT_EQ(cells[0]->fill, paletteFor(false).groove);
    EXPECT_NE(cells[1]->fill, cells[0]->fill);
    EXPECT_LT(cells[0]->box.left(), cells[1]->box.left()) << "larger sizes are on the right";
    EXPECT_TRUE(cells[1]->tip.contains("binomial")) << cells[1]->tip.toStdString();
    EXPECT_TRUE(std::ranges::any_of(scene.shapes,
                                    [](const Shape& shape) { return shape.text == QStringLiteral("1.9\u00d7"); }));
    EXPECT_TRUE(scene.description.startsWith("1 of 2 cases")) << scene.description.toStdString();
    EXPECT_TRUE(scene.description.contains(QStringLiteral("1.9\u00d7"))) << "with the file, as in the cell";
}

TEST_F(Tuning, isHatchedWithoutARule) {
    std::vector<tune::Tuned> cases = tune::measuredIn(path_ + ".measured").decisions();
    cases[1].kept = false;
    const Scene scene = tuningMapScene(cases, true, {800, 400});
    EXPECT_TRUE(std::ranges::any_of(scene.shapes, [](const Shape& shape) {
        return shape.hatched && shape.meaning == Meaning{Meaning::Kind::collective, 1, -1};
    }));
}

TEST_F(Tuning, showsTheCatalogueWhereItsRuleIsFaster) {
    std::vector<tune::Tuned> cases = tune::measuredIn(path_ + ".measured").decisions();
    tune::Tuned& one = cases[1];
    one.cell.candidates.push_back({.number = tune::Candidate::ofCatalogue, .name = "bcast/pipelined-chain:segments=8"});
    one.verdict.catalogue = one.dropIn = 4;
    one.verdict.catalogueGain = {.median = 2.5, .low = 2.4, .high = 2.6, .rounds = 5};
    const auto hasText = [&](const QString& words) {
        return std::ranges::any_of(tuningMapScene(cases, false, {800, 400}).shapes,
                                   [&](const Shape& shape) { return shape.text == words; });
    };
    EXPECT_TRUE(hasText(QStringLiteral("1.9\u00d7"))) << "only the library's has a rule";
    one.dropInKept = true;
    one.dropInChecked = tune::Gain{.median = 2.2, .low = 2.1, .high = 2.3, .rounds = 12};
    EXPECT_TRUE(hasText(QStringLiteral("2.2\u00d7")));
    EXPECT_TRUE(hasText(QStringLiteral("bcast/pipelined-chain"))) << "the legend";
}

TEST_F(Tuning, clickShowsMeasurementsAndSchedules) {
    TuningWindow window{path_, false, nullptr};  // of the rules, beside which the measurements are
    window.setAttribute(Qt::WA_DeleteOnClose, false);
    ASSERT_EQ(window.cases().size(), 2U);
    const ShownTable table{window.measurements()};
    ASSERT_EQ(table.rows.size(), 4U);
    EXPECT_EQ(table.rows[1][0], "6 (binomial)") << "the case with a rule comes first";
    EXPECT_EQ(table.rows[1][2], QStringLiteral("6 \u00b5s"));
    EXPECT_EQ(table.rows[1].last(), "rule");
    EXPECT_EQ(table.rows[3].last(), "wrong results");
    QElapsedTimer waited;
    waited.start();
    while (window.busy() && waited.elapsed() < 30'000) {
        QCoreApplication::processEvents();
        QThread::msleep(1);
    }
    ASSERT_EQ(window.schedules().size(), 2U);
    EXPECT_EQ(window.schedules()[0].name, "6 (binomial)");
    EXPECT_EQ(window.schedules()[0].subject->run().setting.algorithm, "bcast/binomial-tree");
    window.choose(0);
    EXPECT_NE(window.measurements().rows[1].back(), engine::Cell{"rule"});
    window.choose(7);
    EXPECT_EQ(window.measurements().rows.size(), 4U);
}

TEST_F(Tuning, chosenCaseKeepsItsColour) {
    TuningWindow window{path_, false, nullptr};
    window.setAttribute(Qt::WA_DeleteOnClose, false);
    QRgb colour = 0;
    for (const Shape& shape : tuningMapScene(window.cases(), false, {800, 400}).shapes)
        if (shape.kind == Shape::Kind::rectangle && shape.meaning == Meaning{Meaning::Kind::collective, 1, -1})
            colour = shape.fill.rgb();
    const QImage image = window.grab().toImage().convertToFormat(QImage::Format_RGB32);
    int pixels = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) pixels += image.pixel(x, y) == colour ? 1 : 0;
    EXPECT_GT(pixels, 1000) << "more than its box in the legend";
}

TEST_F(Tuning, refusesOtherFiles) {
    std::ofstream{path_ + ".measured"} << "1\n7\n";
    EXPECT_FALSE(tune::measurementsOf(path_));
    EXPECT_THROW((TuningWindow{path_, false, nullptr}), engine::Error);
}

}  // namespace
}  // namespace app::gui
