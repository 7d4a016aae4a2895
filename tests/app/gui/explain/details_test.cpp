// SPDX-License-Identifier: BSD-3-Clause
// Details: what is told about everything that can be clicked, with the numbers of the run.
#include "app/gui/explain/details.hpp"

#include "app/gui/explain/explain_panel.hpp"
#include "app/gui/scenes/text/run_text.hpp"
#include "app/gui/views/basic_views.hpp"
#include "app/gui/views/diagram_panel.hpp"
#include "tests/app/gui/scenes/scenes_support.hpp"
#include "tests/app/gui/window_fixture.hpp"

#include <QContextMenuEvent>
#include <QMenu>
#include <QTextDocument>

namespace app::gui {
namespace {

QString told(const DrawableRun& subject, const Meaning& asked) {
    QTextDocument document;
    document.setHtml(detailsOf(subject, {.asked = asked}));
    return document.toPlainText().replace(QChar::Nbsp, ' ');
}

DrawableRun streams() { return subjectOf(groupsFor("halfduplex-allgather/ring-streams", 4, 6)); }

#define EXPECT_SAYS(words, part) EXPECT_TRUE((words).contains(part)) << (words).toStdString()

TEST(Details, putTheNumbersOfTheRunIntoTheBoundOfTheTime) {
    const QString words = told(streams(), {Meaning::Kind::bound, 4, -1});
    EXPECT_SAYS(words, QStringLiteral("6 \u00d7 1 \u00b5s + 384 KiB \u00d7 0.4 ns/B = 163.3 \u00b5s"));
    EXPECT_SAYS(words, QStringLiteral("7 \u00d7 1 \u00b5s + 448 KiB \u00d7 0.4 ns/B = 190.5 \u00b5s"));
    EXPECT_SAYS(words, "1 \u00b5s extra startups");
}

TEST(Details, sayHowMuchEachCauseCosts) {
    const DrawableRun subject = streams();
    EXPECT_SAYS(told(subject, {Meaning::Kind::cause, 0, -1}),
                QStringLiteral("(7 \u2212 6 startups) \u00d7 1 \u00b5s = 1 \u00b5s"));
    EXPECT_SAYS(told(subject, {Meaning::Kind::cause, 1, -1}),
                QStringLiteral("(448 KiB \u2212 384 KiB serialized) \u00d7 0.4 ns/B = 26.21 \u00b5s"));
    EXPECT_SAYS(told(subject, {Meaning::Kind::cause, 0, -1}), "Attained by halfduplex-allgather/ring-belts");
}

/// Against the report itself: the sums in words are those of the gap.
TEST(Details, sumUpEveryCauseAsTheGapDoes) {
    for (const char* topology : {"full", "torus:4x4"})
        for (const char* id : {"allgatherv/recursive-doubling", "bcast/chain", "allreduce/ring"}) {
            RunWish wish = wishFor(id, 16, topology);
            wish.perturbation.arrival = {.pattern = emulation::Arrival::Pattern::ramp,
                                         .most = engine::Picoseconds{50'000'000}};
            const DrawableRun subject = subjectOf(wish);
            for (std::size_t cause = 0; cause < analysis::gapCauses.size(); ++cause) {
                const engine::Picoseconds time = *subject.report().gap.*analysis::gapCauses[cause].time;
                const QString words = told(subject, {Meaning::Kind::cause, static_cast<std::int64_t>(cause), -1});
                EXPECT_SAYS(words, timeInWords(time < engine::Picoseconds{} ? -time : time));
            }
        }
}

TEST(Details, tellWhyARankIsStill) {
    const DrawableRun subject = streams();
    // Rank 6 waits from the begin for its first block, which has to come through rank 5.
    const QString words = told(subject, {Meaning::Kind::still, 6, 0});
    EXPECT_SAYS(words, QStringLiteral("Rank 6: waiting for 54.43 \u00b5s"));
    EXPECT_SAYS(words, QStringLiteral("rank 5 was ready from 54.43 \u00b5s on"));
    const QString done = told(subject, {Meaning::Kind::still, 0, subject.run().duration.count() - 1});
    EXPECT_SAYS(done, "Rank 0: finished early for");
    EXPECT_SAYS(told(subject, {Meaning::Kind::still, 0, 1}), "Rank 0, group A, senders");
}

TEST(Details, tellAMessageFromItsCauseToWhatFollows) {
    const DrawableRun subject = streams();
    const QString words = told(subject, {Meaning::Kind::message, 0, -1});
    EXPECT_SAYS(words, "from rank 0 to rank 9");
    EXPECT_SAYS(words, QStringLiteral("\u03b1 + \u03b2 m = 1 \u00b5s + 0.4 ns/B \u00d7 64 KiB = 27.21 \u00b5s"));
    EXPECT_SAYS(words, "forwards some of it in");
}

TEST(Details, followABlockHopByHop) {
    const DrawableRun subject = streams();
    const QString words = told(subject, {Meaning::Kind::block, 0, -1});
    EXPECT_SAYS(words, "9 hops");
    EXPECT_SAYS(words, QStringLiteral("rank 5, rank 6, at 190.5 \u00b5s"));
    EXPECT_SAYS(words, QStringLiteral("round 3: 0 \u2192 1, 8 \u2192 7"));
    EXPECT_SAYS(told(subject, {Meaning::Kind::block, 2, -1}), "(again)");
}

TEST(Details, countOneAsOne) {
    const DrawableRun subject{execute(wishFor("bcast/binomial-tree", 2))};
    EXPECT_SAYS(told(subject, {Meaning::Kind::rank, 0, -1}), "1 message, 64 KiB");
    EXPECT_SAYS(told(subject, {Meaning::Kind::rank, 1, -1}), "1 message, 64 KiB");
    EXPECT_SAYS(told(subject, {Meaning::Kind::block, 0, -1}), "1 hop");
    EXPECT_FALSE(told(subject, {Meaning::Kind::block, 0, -1}).contains("1 hops"));
}

TEST(Details, areThereForEverythingInEveryPicture) {
    for (const DrawableRun& subject :
         {streams(), subjectOf(wishFor("allreduce/butterfly", 16, "fat-tree:4x4")),
          subjectOf(wishFor("bcast/pipelined-chain", 9)),
          DrawableRun{analysis::reportOn(std::make_shared<const engine::Run>(strangeRun()))}})
        for (const auto scene :
             {networkScene, runTimelineScene, stripScene, ownershipScene, boundsScene, headlineScene})
            for (const Shape& shape : scene(subject, {.time = subject.run().duration / 3}, {900, 500}).shapes) {
                const Meaning::Kind kind = shape.meaning.kind;
                if (kind == Meaning::Kind::none || kind == Meaning::Kind::stage || kind == Meaning::Kind::axis ||
                    kind == Meaning::Kind::round)
                    continue;
                const QString words = told(subject, shape.meaning);
                EXPECT_GT(words.size(), 15) << static_cast<int>(kind);
                EXPECT_FALSE(words.contains('%') && words.contains("%1")) << words.toStdString();
            }
}

TEST(Details, hideWhatIsAskedInALesson) {
    const DrawableRun subject = streams();
    const ViewState state{.asked = Meaning{Meaning::Kind::block, 0, -1}, .veil = subject.stops()[2]};
    EXPECT_TRUE(detailsOf(subject, state).contains(hiddenWords()));
}

class DetailsTest : public testing::Test {
protected:
    DetailsTest() { stage.begin(); }

    Stage stage;
    MainWindow& window = stage.window;
    Playback& playback = window.playback();
    DetailsPanel& details = stage.find<DetailsPanel>("Details");
};

QPointF middleOfFirst(ViewWidget& view, Meaning::Kind kind) {
    for (const Shape& shape : view.shapes())
        if (shape.meaning.kind == kind && shape.kind == Shape::Kind::rectangle && shape.box.width() > 8)
            // Arrows lie above bars: where none does.
            for (double x = shape.box.left() + 1; x < shape.box.right(); ++x)
                if (const QPointF at{x, shape.box.center().y()}; view.meaningAt(at) == shape.meaning) return at;
    throw std::runtime_error{"there is none"};
}

TEST_F(DetailsTest, tellAboutAHatchedStretchThatIsClicked) {
    EXPECT_TRUE(details.toPlainText().contains("Click a rank")) << "empty, it says what would fill it";
    auto& diagram = stage.find<RunTimelinePanel>("Timeline");
    QTest::mouseClick(&diagram, Qt::LeftButton, {}, middleOfFirst(diagram, Meaning::Kind::still).toPoint());
    EXPECT_TRUE(details.toPlainText().contains("waiting for")) << details.toPlainText().toStdString();
    QCoreApplication::processEvents();
    EXPECT_FALSE(details.viewport()->visibleRegion().isEmpty()) << "it comes to the front";
    QTest::keyClick(&diagram, Qt::Key_Escape);
    EXPECT_FALSE(playback.state().asked);
}

TEST_F(DetailsTest, leadOnThroughTheirLinks) {
    playback.selectRank(engine::Rank{6});
    Q_EMIT details.anchorClicked(QUrl{"still:6:0"});
    EXPECT_EQ(playback.state().asked, (Meaning{Meaning::Kind::still, 6, 0}));
    Q_EMIT details.anchorClicked(QUrl{"message:3"});
    EXPECT_EQ(playback.state().message, std::size_t{3});
    Q_EMIT details.anchorClicked(QUrl{"block:2"});
    EXPECT_EQ(playback.state().block, 2);
    EXPECT_TRUE(details.toPlainText().contains("Block 2"));
    Q_EMIT details.anchorClicked(QUrl{"round:4"});
    EXPECT_EQ(playback.round(), engine::Round{4});
    Q_EMIT details.anchorClicked(QUrl{"cause:1"});
    EXPECT_TRUE(details.toPlainText().contains("Extra bytes"));
}

TEST_F(DetailsTest, stayClosedWhereTheyWereClosed) {
    QDockWidget& dock = window.contents().docks[Dock::details];
    dock.close();
    playback.selectRank(engine::Rank{1});
    QCoreApplication::processEvents();
    EXPECT_TRUE(dock.isHidden());
}

TEST_F(DetailsTest, clickingARoundOfTheStripGoesThere) {
    auto& strip = stage.find<ViewWidget>("Round by round");
    std::vector<Shape> shapes = strip.shapes();
    const auto cell = std::find_if(shapes.begin(), shapes.end(), [](const Shape& shape) {
        return shape.meaning == Meaning{Meaning::Kind::round, 1, -1};
    });
    ASSERT_NE(cell, shapes.end());
    QTest::mouseClick(&strip, Qt::LeftButton, {}, (cell->box.topLeft() + QPointF{3, 3}).toPoint());
    EXPECT_EQ(playback.round(), engine::Round{1});
}

TEST_F(DetailsTest, menusOfPicturesSayWhatCanBeDone) {
    auto& holdings = stage.find<OwnershipPanel>();
    const QPoint at = middleOfFirst(holdings, Meaning::Kind::block).toPoint();
    QContextMenuEvent event{QContextMenuEvent::Mouse, at, holdings.mapToGlobal(at)};
    QApplication::sendEvent(&holdings, &event);
    auto* menu = holdings.findChild<QMenu*>();
    ASSERT_NE(menu, nullptr);
    auto* follow = menu->findChild<QAction*>("follow");
    ASSERT_NE(follow, nullptr);
    follow->trigger();
    EXPECT_TRUE(playback.state().block);
    EXPECT_TRUE(details.toPlainText().contains("hops"));
    menu->close();
    for (ViewWidget* view : window.findChildren<ViewWidget*>()) {
        QContextMenuEvent key{QContextMenuEvent::Keyboard, {}, {}};
        QApplication::sendEvent(view, &key);
        for (QMenu* each : view->findChildren<QMenu*>()) {
            if (each->isHidden()) continue;  // within another one
            EXPECT_GE(each->actions().size(), 2) << view->accessibleName().toStdString();
            each->close();
        }
    }
}

TEST_F(DetailsTest, escapeLeavesTheSelectionAndThenTheProjector) {
    auto& network = stage.find<NetworkPanel>("Network");
    window.projector().set(true);
    network.setFocus();
    playback.selectRank(engine::Rank{2});
    QTest::keyClick(&network, Qt::Key_Escape);
    EXPECT_FALSE(playback.state().rank);
    EXPECT_TRUE(window.projector().on());
    QTest::keyClick(&network, Qt::Key_Escape);
    EXPECT_FALSE(window.projector().on());
    window.setFullScreen(true);
    QTest::keyClick(&window, Qt::Key_Escape);
    EXPECT_FALSE(window.isFullScreen());
}

}  // namespace
}  // namespace app::gui
