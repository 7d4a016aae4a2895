// SPDX-License-Identifier: BSD-3-Clause
// Small multiples: every algorithm once, the fastest first, all on one axis of time.
#include "app/gui/scenes/drawing/style.hpp"
#include "app/gui/scenes/text/run_text.hpp"
#include "app/gui/what_if/small_multiples_panel.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "tests/app/gui/window_fixture.hpp"
#include "tests/app/session/replay_samples.hpp"

#include <QMouseEvent>
#include <QPushButton>
#include <QTableView>

#include <set>

namespace app::gui {
namespace {

TEST(Multiples, standSideBySideInsideTheirPaper) {
    for (const QSizeF size : {QSizeF{300, 400}, QSizeF{800, 300}, QSizeF{1600, 1000}})
        for (std::size_t count = 1; count <= 20; ++count) {
            const std::vector<QRectF> cells = multipleCells(count, size);
            ASSERT_EQ(cells.size(), count);
            for (std::size_t i = 0; i < count; ++i) {
                EXPECT_GE(cells[i].left(), 0);
                EXPECT_LE(cells[i].right(), size.width());
                EXPECT_EQ(cells[i].size(), cells[0].size()) << "one axis needs one width";
                for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(cells[i].intersects(cells[j]));
            }
        }
}

TEST(Multiples, haveOneAxisAndTheFastestFirst) {
    RunWish wish;
    wish.algorithm = "allgatherv/linear-ring";
    wish.problem.ranks = 8;
    std::vector<Absent> absent;
    const std::vector<SmallMultiple> runs = runAll(wish, absent, {});
    for (const Absent& one : absent) EXPECT_FALSE(one.why.isEmpty()) << one.name.toStdString();
    std::size_t rivals = 0;
    for (const engine::Algorithm* each : engine::catalogue())
        rivals += each->collective == engine::Collective::allgatherv ? 1 : 0;
    EXPECT_EQ(runs.size() + absent.size(), rivals);
    ASSERT_GT(runs.size(), 5U);
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const std::string& algorithm = runs[i].subject->run().setting.algorithm;
        const RunWish each = algorithm == wish.algorithm ? wish : rivalOf(pinned(wish), algorithm);
        EXPECT_EQ(runs[i].subject->run().setting.topology, runs[0].subject->run().setting.topology) << algorithm;
        EXPECT_EQ(execute(each).run->duration, runs[i].subject->run().duration) << each.algorithm;
        if (i == 0) continue;
        EXPECT_LE(runs[i - 1].subject->run().duration, runs[i].subject->run().duration);
    }
    const QSizeF size{1200, 700};
    const Scene scene = multiplesScene(runs, -1, {}, size);
    const std::vector<QRectF> cells = multipleCells(runs.size(), size);
    const double longest = engine::seconds(runs.back().subject->run().duration);
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const QString end = runs[i].name + " ends after ";
        const auto line = std::ranges::find_if(scene.shapes, [&](const Shape& shape) {
            return shape.tip.startsWith(end) && cells[i].contains(shape.from);
        });
        ASSERT_NE(line, scene.shapes.end()) << runs[i].name.toStdString();
        const double share = engine::seconds(runs[i].subject->run().duration) / longest;
        EXPECT_NEAR(line->from.x(), cells[i].left() + share * cells[i].width(), 0.01);
    }
    EXPECT_EQ(multiplesTable(runs).rows.size(), runs.size());
    EXPECT_EQ(multiplesTable(runs).rows[0][2], engine::Cell{}) << "nobody is slower than itself";
}

TEST(Multiples, offerNothingWhereTheProblemIsNotKnown) {
    Stage stage;
    stage.begin();
    const auto& button = stage.find<QPushButton>("Run all algorithms for this problem");
    EXPECT_TRUE(button.isEnabled());
    stage.window.presenter().begin(samples::uneven());
    stage.settle();
    EXPECT_FALSE(button.isEnabled());
    stage.window.contents().docks.bringUp(Dock::allAlgorithms);
    stage.settle();
    const auto& picture = stage.find<QWidget>("All algorithms as small diagrams");
    EXPECT_TRUE(picture.accessibleDescription().startsWith("The problem of this run is unknown"))
        << picture.accessibleDescription().toStdString();
}

TEST(Multiples, areComparedByAClick) {
    Stage stage;
    stage.begin();
    MultiplesPanel& panel = *stage.window.contents().multiples;
    stage.window.contents().docks.bringUp(Dock::allAlgorithms);
    panel.start();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !panel.busy(); }, 60'000));
    ASSERT_GT(panel.runs().size(), 1U);
    QWidget& picture = stage.find<QWidget>("All algorithms as small diagrams");
    picture.setFocus();
    const auto other = std::ranges::find_if(panel.runs(), [](const SmallMultiple& run) {
        return run.subject->run().setting.algorithm != firstWish().algorithm;
    });
    for (auto at = panel.runs().begin(); at <= other; ++at) QTest::keyClick(&picture, Qt::Key_Down);
    QTest::keyClick(&picture, Qt::Key_Return);
    stage.settle();
    EXPECT_EQ(stage.find<QTableView>("All algorithms as a table").model()->rowCount(),
              static_cast<int>(panel.runs().size()));
    ASSERT_TRUE(stage.window.comparison().comparing());
    EXPECT_EQ(stage.window.other().subject()->run().setting.algorithm, other->subject->run().setting.algorithm);
}

}  // namespace
}  // namespace app::gui
