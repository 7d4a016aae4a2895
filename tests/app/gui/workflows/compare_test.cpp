// SPDX-License-Identifier: BSD-3-Clause
// Two runs on one clock.
#include "app/gui/comparison/differences_panel.hpp"
#include "app/gui/explain/details.hpp"
#include "app/gui/explain/explain_panel.hpp"
#include "app/gui/explain/explanation.hpp"
#include "app/gui/scenes/text/run_text.hpp"
#include "app/gui/views/basic_views.hpp"
#include "app/gui/views/card.hpp"
#include "app/gui/views/charts_panel.hpp"
#include "app/gui/views/diagram_panel.hpp"
#include "app/gui/views/network_and_timeline.hpp"
#include "app/gui/views/overview_panel.hpp"
#include "app/gui/views/search_bar.hpp"
#include "app/gui/views/table_window.hpp"
#include "app/gui/widgets/fitting_label.hpp"
#include "tests/app/gui/scenes/scenes_support.hpp"
#include "tests/app/gui/window_fixture.hpp"
#include "traces/recording/archive.hpp"

#include <QClipboard>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QSpinBox>
#include <QStatusBar>
#include <QTextDocument>
#include <QToolButton>

namespace app::gui {
namespace {

using engine::Picoseconds;

TEST(Matching, isTheSameRoundTimeOrShare) {
    const DrawableRun streams = subjectOf(groupsFor("halfduplex-allgather/ring-streams", 4, 6));
    const DrawableRun belts = subjectOf(groupsFor("halfduplex-allgather/ring-belts", 4, 6));
    const auto middle = [](const DrawableRun& subject, std::size_t round) {
        return subject.stops()[round] + (subject.stops()[round + 1] - subject.stops()[round]) / 2;
    };
    EXPECT_EQ(matched(streams, middle(streams, 2), belts, Match::round), middle(belts, 2));
    EXPECT_EQ(matched(streams, streams.run().duration, belts, Match::round), belts.run().duration);
    EXPECT_EQ(matched(streams, Picoseconds{5}, belts, Match::time), Picoseconds{5});
    EXPECT_EQ(matched(streams, streams.run().duration, belts, Match::time), belts.run().duration);
    EXPECT_EQ(matched(streams, streams.run().duration / 2, belts, Match::share), belts.run().duration / 2);
    EXPECT_EQ(matched(streams, streams.stops()[6], belts, Match::round), belts.run().duration)
        << "belts have no seventh round";
}

class CompareTest : public testing::Test {
protected:
    CompareTest() {
        stage.begin();
        window.comparison().compareWith("halfduplex-allgather/ring-belts");
        stage.settle();
    }

    Stage stage;
    MainWindow& window = stage.window;
    Playback& playback = window.playback();
    Playback& other = window.other();
};

TEST_F(CompareTest, showsBothSideBySideAtTheSameMoment) {
    ASSERT_TRUE(window.comparison().comparing());
    EXPECT_TRUE(stage.find<NetworkPanel>("Network of the second run").isVisible());
    EXPECT_TRUE(stage.find<QTableView>("Differences").isVisible());
    EXPECT_EQ(other.subject()->run().rounds, 6);
    playback.seekRound(engine::Round{3});
    EXPECT_EQ(other.round(), engine::Round{3});
    QComboBox& match = stage.find<QComboBox>("What is shown together");
    match.setFocus();
    QTest::keyClick(&match, Qt::Key_Down);
    playback.seek(Picoseconds{50'000'000});
    EXPECT_EQ(other.state().time, Picoseconds{50'000'000});
}

TEST_F(CompareTest, saysWhichRunIsFasterAndWhy) {
    auto* panel = window.findChild<DifferencesPanel*>();
    EXPECT_TRUE(panel->winner().startsWith(QStringLiteral("Ring belts is 1.17x faster than Ring streams: ")))
        << panel->winner().toStdString();
    EXPECT_TRUE(panel->winner().contains("1 fewer round"));
}

TEST_F(CompareTest, drawsBothOnOneAxisOfTime) {
    auto& first = stage.find<RunTimelinePanel>("Timeline");
    auto& second = stage.find<RunTimelinePanel>("Timeline of the second run");
    EXPECT_EQ(first.axis()->end(), playback.duration());
    EXPECT_EQ(second.axis()->end(), playback.duration()) << "the longer one's";
    const auto sooner = [](RunTimelinePanel& panel) {
        QString tip;
        for (const Shape& shape : panel.shapes())
            if (shape.tip.contains("sooner")) tip = shape.tip;
        return tip;
    };
    EXPECT_EQ(sooner(second), QStringLiteral("27.21 \u00b5s sooner than the other run"));
    EXPECT_EQ(sooner(first), QString{});
    window.comparison().stop();
    for (const Shape& shape : first.shapes()) EXPECT_FALSE(shape.tip.startsWith("the end, after"));
}

TEST_F(CompareTest, followsABlockInBoth) {
    playback.selectBlock(2);
    EXPECT_EQ(other.state().block, 2);
    other.selectBlock(std::nullopt);
    EXPECT_FALSE(playback.state().block);
}

TEST_F(CompareTest, eitherSideMovesBoth) {
    playback.seekRound(engine::Round{1});
    other.seekRound(engine::Round{4});
    EXPECT_EQ(playback.round(), engine::Round{4});
    NetworkPanel& network = stage.find<NetworkPanel>("Network of the second run");
    network.setFocus();
    QTest::keyClick(&network, Qt::Key_Down);
    EXPECT_EQ(other.state().rank, engine::Rank{0});
    EXPECT_EQ(playback.state().rank, engine::Rank{0});
    QTest::keyClick(&network, Qt::Key_Escape);
    EXPECT_FALSE(playback.state().rank);
}

TEST_F(CompareTest, leavesRoomForWhatIsCompared) {
    const QTableView& rows = stage.find<QTableView>("Differences");
    for (const QSize size : {QSize{1024, 700}, QSize{1280, 800}, QSize{1920, 1080}}) {
        window.resize(size);
        stage.settle();
        const QHeaderView& header = *rows.horizontalHeader();
        EXPECT_GE(header.sectionSize(0), rows.viewport()->width() / 3 - 2) << size.width();
        EXPECT_LE(header.length(), std::max(rows.viewport()->width(), 180)) << size.width();
    }
}

/// Where both have no room, each has all of it in turn; and a projector shows them alone, as large as each other.
TEST_F(CompareTest, showsWhatHasRoomAndTheRestBehindTabs) {
    QTabBar& tabs = stage.find<QTabBar>("Part of the comparison to show");
    const ViewWidget& first = stage.find<RunTimelinePanel>("Timeline");
    const ViewWidget& second = stage.find<RunTimelinePanel>("Timeline of the second run");
    const QTableView& rows = stage.find<QTableView>("Differences");
    EXPECT_FALSE(tabs.isVisible());
    EXPECT_TRUE(rows.isVisible());
    window.resize(480, 360);
    stage.settle();
    ASSERT_EQ(tabs.count(), 3);
    using Seen = std::array<bool, 3>;
    for (int tab = 0; tab < 3; ++tab) {
        tabs.setCurrentIndex(tab);
        EXPECT_EQ((Seen{first.isVisible(), second.isVisible(), rows.isVisible()}),
                  (Seen{tab == 0, tab == 1, tab == 2}));
    }
    window.resize(800, 600);
    stage.settle();
    ASSERT_EQ(tabs.count(), 2);
    EXPECT_EQ(tabs.currentIndex(), 1) << "as it was chosen";
    window.projector().set(true);
    window.setWindowState(Qt::WindowNoState);
    window.resize(1024, 600);
    stage.settle();
    EXPECT_FALSE(tabs.isVisible());
    EXPECT_EQ((Seen{first.isVisible(), second.isVisible(), rows.isVisible()}), (Seen{true, true, false}));
    EXPECT_NEAR(first.height(), second.height(), 1);
    EXPECT_FALSE(window.contents().docks[Dock::explanation].isVisible());
    window.comparison().stop();
    stage.settle();
    EXPECT_TRUE(window.contents().docks[Dock::explanation].isVisible());
    window.projector().set(false);
}

/// Both are called by what differs; A and B are groups of ranks.
TEST_F(CompareTest, saysOfWhichRunEachCardAndTipSpeaks) {
    const auto title = [&](Dock dock) { return window.contents().docks.titleOf(dock).title(); };
    const FittingLabel& line = stage.find<FittingLabel>("The run in a line");
    const auto tipOfARank = [&](const QString& picture) {
        auto& network = stage.find<NetworkPanel>(picture);
        for (const Shape& shape : network.shapes())
            if (shape.meaning.kind == Meaning::Kind::rank) return network.tipAt(shape.box.center());
        return QString{};
    };
    EXPECT_EQ(title(Dock::explanation), "Explanation: Ring streams");
    EXPECT_EQ(title(Dock::setup), "Set-up");
    EXPECT_TRUE(line.words().startsWith("Ring streams: 10 ranks")) << line.words().toStdString();
    EXPECT_TRUE(tipOfARank("Network").startsWith("Ring streams: ")) << tipOfARank("Network").toStdString();
    EXPECT_TRUE(tipOfARank("Network of the second run").startsWith("Ring belts: "));
    const QAbstractItemModel& rows = *stage.find<QTableView>("Differences").model();
    QStringList columns;
    for (int column = 0; column < rows.columnCount(); ++column)
        columns << rows.headerData(column, Qt::Horizontal).toString();
    EXPECT_EQ(columns, (QStringList{"what", "Ring streams", "Ring belts", "ratio"}));
    window.comparison().stop();
    stage.settle();
    EXPECT_EQ(title(Dock::explanation), "Explanation");
    EXPECT_TRUE(line.words().startsWith("10 ranks")) << line.words().toStdString();
    EXPECT_FALSE(tipOfARank("Network").startsWith("Ring streams"));
}

/// Why something is so is told of the run in whose picture it was chosen, by mouse or by keys, and under that run's
/// name.
TEST_F(CompareTest, tellsOfTheRunOfWhichSomethingWasChosen) {
    const auto title = [&](Dock dock) { return window.contents().docks.titleOf(dock).title(); };
    const auto& details = stage.find<DetailsPanel>("Details");
    const auto& explanation = stage.find<ExplainPanel>("Explanation");
    const auto plain = [](const QString& html) {
        QTextDocument page;
        page.setHtml(html);
        return page.toPlainText();
    };
    const auto tells = [&](const Playback& told, const Playback& quiet, const QString& name) {
        EXPECT_EQ(title(Dock::details), "Details: " + name);
        EXPECT_EQ(title(Dock::explanation), "Explanation: " + name);
        EXPECT_EQ(title(Dock::bounds), "Bounds: Ring streams");
        EXPECT_EQ(details.toPlainText(), plain(detailsOf(*told.subject(), told.state())));
        EXPECT_NE(details.toPlainText(), plain(detailsOf(*quiet.subject(), quiet.state())));
        EXPECT_EQ(explanation.toPlainText(), plain(explain(*told.subject(), told.state())));
        EXPECT_NE(explanation.toPlainText(), plain(explain(*quiet.subject(), quiet.state())));
    };
    other.select(Meaning{Meaning::Kind::rank, 8, -1});
    tells(other, playback, "Ring belts");
    playback.seekRound(engine::Round{3});
    tells(other, playback, "Ring belts");
    playback.select(Meaning{Meaning::Kind::message, 5, -1});
    tells(playback, other, "Ring streams");
    NetworkPanel& network = stage.find<NetworkPanel>("Network of the second run");
    network.setFocus();
    QTest::keyClick(&network, Qt::Key_Down);
    tells(other, playback, "Ring belts");
    window.comparison().stop();
    stage.settle();
    EXPECT_EQ(title(Dock::details), "Details");
    EXPECT_EQ(explanation.toPlainText(), plain(explain(*playback.subject(), playback.state())));
}

/// Beside a name that needs the room a fact is left out, not cut.
TEST_F(CompareTest, namesTheRunAboveItsNetwork) {
    for (const QSize size : {QSize{640, 480}, QSize{800, 600}, QSize{1024, 700}, QSize{1366, 768}})
        for (const Layout layout : {Layout::compare, Layout::inspect}) {
            window.resize(size);
            window.desk().choose(layout);
            stage.settle();
            for (const Card* card : window.findChildren<Card*>()) {
                if (!card->isVisible()) continue;
                for (const FittingLabel* label : card->title().findChildren<FittingLabel*>())
                    if (label->isVisible() && !label->visibleRegion().isEmpty()) {
                        EXPECT_EQ(label->text(), label->words()) << size.width();
                    }
            }
        }
}

TEST_F(CompareTest, aRowOfTheDifferencesIsARound) {
    QTableView& rows = stage.find<QTableView>("Differences");
    int round5 = -1;
    for (int row = 0; row < rows.model()->rowCount(); ++row)
        if (rows.model()->index(row, 0).data().toString().startsWith("Round 5")) round5 = row;
    ASSERT_GE(round5, 0);
    rows.scrollTo(rows.model()->index(round5, 0));
    QTest::mouseClick(rows.viewport(), Qt::LeftButton, {}, rows.visualRect(rows.model()->index(round5, 0)).center());
    EXPECT_EQ(playback.round(), engine::Round{4});
    EXPECT_EQ(other.round(), engine::Round{4});
}

TEST_F(CompareTest, followsAChangedProblem) {
    const DrawableRunPtr before = other.subject();
    stage.find<QSpinBox>("Ranks of group A, p").setValue(6);
    EXPECT_TRUE(QTest::qWaitFor([&] { return other.subject() != before; }, 60'000));
    EXPECT_EQ(other.subject()->run().groupA, 6);
    EXPECT_EQ(other.subject()->run().setting.algorithm, "halfduplex-allgather/ring-belts");
}

TEST_F(CompareTest, comparesWithATraceAndStops) {
    const std::filesystem::path folder = stage.folder.filePath("other").toStdString();
    traces::write(*execute(firstWish()).run, folder);
    window.comparison().compareWithTrace(folder / "traces.otf2");
    stage.settle();
    EXPECT_EQ(other.subject()->run().rounds, 7);
    QTest::mouseClick(&stage.find<QToolButton>("Stop comparing"), Qt::LeftButton);
    EXPECT_FALSE(window.comparison().comparing());
    EXPECT_FALSE(stage.find<NetworkPanel>("Network of the second run").isVisible());
    window.comparison().compareWithTrace("/nowhere");
    stage.settle();
    EXPECT_NE(window.notice(), "");
    EXPECT_FALSE(window.comparison().comparing());
}

TEST_F(CompareTest, keepsARunForTheNextOne) {
    window.comparison().stop();
    const DrawableRunPtr kept = playback.subject();
    QTest::keyClick(&window, Qt::Key_K, Qt::ControlModifier);
    EXPECT_EQ(other.subject(), kept);
    stage.find<QSpinBox>("Ranks of group A, p").setValue(8);
    stage.settleAfter(kept);
    EXPECT_EQ(other.subject(), kept);
    EXPECT_EQ(playback.subject()->run().groupA, 8);
    EXPECT_EQ(playback.side(), "p 8");
    EXPECT_EQ(other.side(), "p 4");
}

class ToolsTest : public testing::Test {
protected:
    ToolsTest() { stage.begin(); }

    Stage stage;
    MainWindow& window = stage.window;
    Playback& playback = window.playback();
};

TEST_F(ToolsTest, chartsFollowAndFeedTheSelection) {
    window.findChild<QDockWidget*>("charts")->raise();
    ChartsPanel& charts = stage.find<ChartsPanel>();
    auto& idle = stage.find<ViewWidget>("How each rank spent the run");
    charts.setCurrentWidget(&idle);
    QCoreApplication::processEvents();
    for (const Shape& shape : idle.shapes()) {
        if (shape.meaning.kind != Meaning::Kind::rank || shape.meaning.index != 3) continue;
        QTest::mouseClick(&idle, Qt::LeftButton, {}, shape.box.center().toPoint());
        break;
    }
    EXPECT_EQ(playback.state().rank, engine::Rank{3});
    auto& links = stage.find<ViewWidget>("Links by round");
    charts.setCurrentWidget(&links);
    QCoreApplication::processEvents();
    playback.toBegin();
    for (const Shape& shape : links.shapes()) {
        if (shape.meaning.kind != Meaning::Kind::link || shape.meaning.second != 4) continue;
        QTest::mouseClick(&links, Qt::LeftButton, {}, shape.box.center().toPoint());
        break;
    }
    EXPECT_EQ(playback.round(), engine::Round{4});
    EXPECT_TRUE(playback.state().link);
}

TEST_F(ToolsTest, showsTheTableBehindAPicture) {
    NetworkPanel& network = stage.find<NetworkPanel>();
    network.setFocus();
    QTest::keyClick(&network, Qt::Key_T, Qt::ControlModifier);
    auto* table = window.findChild<TableWindow*>();
    ASSERT_NE(table, nullptr);
    EXPECT_EQ(table->rows().table().rows.size(), 10U);
    const auto rows = table->rows().table().rows;
    playback.toEnd();
    EXPECT_TRUE(QTest::qWaitFor([&] { return table->rows().table().rows != rows; }, 2000));
    table->rows().copy();
    EXPECT_EQ(QApplication::clipboard()->text().count('\n'), 10);
}

TEST_F(ToolsTest, findsMessages) {
    QTest::keyClick(&window, Qt::Key_F, Qt::ControlModifier);
    QLineEdit& line = stage.find<QLineEdit>("Search for messages");
    ASSERT_TRUE(line.hasFocus());
    playback.toBegin();
    QTest::keyClicks(&line, "from 3 to 4");
    const SearchBar& bar = *window.contents().search;
    EXPECT_TRUE(bar.verdict().endsWith("messages")) << bar.verdict().toStdString();
    QTest::keyClick(&line, Qt::Key_Return);
    ASSERT_TRUE(playback.state().message);
    const std::size_t first = *playback.state().message;
    QTest::keyClick(&line, Qt::Key_Return);
    EXPECT_NE(*playback.state().message, first);
    QTest::keyClick(&line, Qt::Key_Return, Qt::ShiftModifier);
    EXPECT_EQ(*playback.state().message, first);
    QTest::keyClicks(&line, " gibberish");
    EXPECT_TRUE(bar.verdict().contains("cannot be searched"));
    QTest::keyClick(&line, Qt::Key_Escape);
    EXPECT_FALSE(line.isVisible());
}

TEST_F(ToolsTest, measuresWithShiftAndDragAndWithM) {
    RunTimelinePanel& panel = stage.find<RunTimelinePanel>();
    const TimeAxis axis = *panel.axis();
    const int left = static_cast<int>(axis.left()) + 20;
    const Picoseconds before = playback.state().time;
    const auto send = [&](QEvent::Type type, int x, Qt::MouseButtons buttons) {
        const QPointF at(x, 60);
        QMouseEvent event{type,
                          at,
                          panel.mapToGlobal(at),
                          type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton,
                          buttons,
                          Qt::ShiftModifier};
        QApplication::sendEvent(&panel, &event);
    };
    send(QEvent::MouseButtonPress, left, Qt::LeftButton);
    send(QEvent::MouseMove, left + 80, Qt::LeftButton);
    send(QEvent::MouseButtonRelease, left + 80, Qt::NoButton);
    const QString length = timeInWords(axis.time(left + 80) - axis.time(left));
    EXPECT_TRUE(panel.measure().startsWith(length)) << panel.measure().toStdString();
    EXPECT_EQ(playback.state().time, before) << "measuring moves nothing";
    panel.setFocus();
    QTest::keyClick(&panel, Qt::Key_M);
    EXPECT_EQ(panel.measure(), "");
    playback.selectMessage(0);
    QTest::keyClick(&panel, Qt::Key_M);
    const engine::MessageRecord message = playback.subject()->run().messages[0];
    EXPECT_TRUE(panel.measure().startsWith(timeInWords(message.receiveEnd - message.sendBegin)));
}

TEST_F(ToolsTest, movesTheSpanInTheOverview) {
    OverviewPanel& overview = stage.find<OverviewPanel>();
    playback.showSpan(playback.duration() / 4, playback.duration() / 2);
    const Picoseconds length = playback.spanEnd() - playback.spanBegin();
    const QPoint far{overview.width() - 60, overview.height() / 2};
    QTest::mouseClick(&overview, Qt::LeftButton, {}, far);
    EXPECT_GT(playback.spanBegin(), playback.duration() / 2);
    EXPECT_EQ(playback.spanEnd() - playback.spanBegin(), length);
    overview.setFocus();
    const Picoseconds begin = playback.spanBegin();
    QTest::keyClick(&overview, Qt::Key_A);
    EXPECT_LT(playback.spanBegin(), begin);
    QTest::keyClick(&overview, Qt::Key_0);
    EXPECT_EQ(playback.spanEnd() - playback.spanBegin(), playback.duration());
}

}  // namespace
}  // namespace app::gui
