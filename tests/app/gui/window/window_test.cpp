// SPDX-License-Identifier: BSD-3-Clause
// The whole window, with the events of a mouse and a keyboard.
#include "app/gui/window/main_window.hpp"

#include "app/gui/explain/explain_panel.hpp"
#include "app/gui/gui.hpp"
#include "app/gui/scenes/text/run_text.hpp"
#include "app/gui/setup/setup_panel.hpp"
#include "app/gui/tables/rounds_table.hpp"
#include "app/gui/views/basic_views.hpp"
#include "app/gui/views/charts_panel.hpp"
#include "app/gui/views/diagram_panel.hpp"
#include "app/gui/views/scrub_bar.hpp"
#include "app/gui/views/transport_bar.hpp"
#include "tests/app/gui/window_fixture.hpp"
#include "traces/recording/archive.hpp"

#include <QAction>
#include <QDialog>
#include <QDropEvent>
#include <QHeaderView>
#include <QHelpEvent>
#include <QMenuBar>
#include <QMimeData>
#include <QPainter>
#include <QStatusBar>
#include <QTableWidget>
#include <QToolTip>

#include <ctime>
#include <fstream>
#include <map>
#include <typeinfo>

namespace app::gui {
namespace {

using engine::Picoseconds;
using namespace std::chrono_literals;

class WindowTest : public testing::Test {
protected:
    WindowTest() { stage.begin(); }

    void press(Qt::Key key) { QTest::keyClick(&window, key); }
    [[nodiscard]] Picoseconds time() const { return playback.state().time; }

    Stage stage;
    MainWindow& window = stage.window;
    Playback& playback = window.playback();
};

QPointF middleOf(const std::vector<Shape>& shapes, Meaning::Kind kind, std::int64_t index) {
    for (const Shape& shape : shapes) {
        const bool meant = shape.meaning.kind == kind && shape.meaning.index == index;
        if (meant && !shape.box.isEmpty()) return shape.box.center();
    }
    throw std::runtime_error{"nothing there has this meaning"};
}

TEST_F(WindowTest, beginsWithTheFirstExampleAtATellingMoment) {
    ASSERT_TRUE(playback.subject());
    EXPECT_EQ(playback.subject()->run().setting.algorithm, firstWish().algorithm);
    EXPECT_FALSE(playback.subject()->messagesAt(time()).empty());
    EXPECT_GT(playback.round().value, 0);
    EXPECT_TRUE(window.statusBar()->currentMessage().contains("Space plays"));
    EXPECT_EQ(window.notice(), "");
}

/// Counts how often something is laid out anew.
class Layouts : public QObject {
public:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::LayoutRequest) ++count;
        return QObject::eventFilter(watched, event);
    }
    int count = 0;
};

TEST_F(WindowTest, restsWhereNothingHappens) {
    stage.settle();
    QTest::qWait(300);
    Layouts layouts;
    window.installEventFilter(&layouts);
    QTest::qWait(300);
    EXPECT_LE(layouts.count, 2) << "one that lays itself out again and again keeps a processor busy";
}

TEST_F(WindowTest, leadsFromAPartOfTheTimeToWhereItIsSeen) {
    RunWish wish;
    wish.algorithm = "allgatherv/recursive-doubling";
    wish.problem.ranks = 16;
    wish.network.topology = "torus:4x4";
    playback.show(std::make_shared<const DrawableRun>(execute(wish)));
    HeadlinePanel& headline = *window.contents().headline;
    QTest::mouseClick(&headline, Qt::LeftButton, {}, middleOf(headline.shapes(), Meaning::Kind::cause, 3).toPoint());
    auto& charts = stage.find<ChartsPanel>();
    EXPECT_EQ(charts.tabText(charts.currentIndex()), "Links");
    EXPECT_FALSE(charts.visibleRegion().isEmpty());
    QTest::mouseClick(&headline, Qt::LeftButton, {}, middleOf(headline.shapes(), Meaning::Kind::cause, -1).toPoint());
    EXPECT_FALSE(stage.find<ViewWidget>("Bounds").visibleRegion().isEmpty());
}

TEST_F(WindowTest, hasNoTabsOfChartsThatShowNothingOfTheRun) {
    auto& charts = stage.find<ChartsPanel>();
    const auto tabs = [&] {
        QStringList shown;
        for (int i = 0; i < charts.count(); ++i)
            if (charts.isTabVisible(i)) shown << charts.tabText(i);
        return shown;
    };
    RunWish wish;
    wish.algorithm = "allreduce/butterfly";
    wish.problem.ranks = 8;
    playback.show(std::make_shared<const DrawableRun>(execute(wish)));
    EXPECT_EQ(tabs(), (QStringList{"Ranks", "Waits", "Matrix", "Reduction order", "Pattern", "Partial results"}));
    wish.algorithm = "allgatherv/linear-ring";
    wish.network.topology = "ring";
    playback.show(std::make_shared<const DrawableRun>(execute(wish)));
    EXPECT_EQ(tabs(), (QStringList{"Ranks", "Waits", "Links", "Matrix", "Pattern"}));
    charts.choose("Reduction order");
    EXPECT_TRUE(tabs().contains("Reduction order"));
}

/// Qt triggers neither of two actions with the same key.
TEST_F(WindowTest, givesNoKeyToTwoActions) {
    // Those of a panel count while it has the keyboard.
    const auto panelOf = [](const QAction& action) -> const QObject* {
        return action.shortcutContext() == Qt::WidgetWithChildrenShortcut ? action.parent() : nullptr;
    };
    std::multimap<QString, const QAction*> given;
    for (const QAction* action : window.findChildren<QAction*>())
        for (const QKeySequence& key : action->shortcuts()) {
            const auto [first, last] = given.equal_range(key.toString());
            for (auto other = first; other != last; ++other)
                EXPECT_TRUE(panelOf(*action) && panelOf(*other->second) && panelOf(*action) != panelOf(*other->second))
                    << key.toString().toStdString() << ": " << other->second->text().toStdString() << " and "
                    << action->text().toStdString();
            given.emplace(key.toString(), action);
        }
    ASSERT_TRUE(given.contains("Ctrl+Shift+O") && given.contains("Ctrl+Shift+S"));
    EXPECT_EQ(given.find("Ctrl+Shift+O")->second->text(), "Open a&lgorithm...");
    EXPECT_EQ(given.find("Ctrl+Shift+S")->second->text(), "Save al&gorithm");
}

TEST_F(WindowTest, playsAndPausesWithSpace) {
    const Picoseconds before = time();
    press(Qt::Key_Space);
    EXPECT_TRUE(playback.playing());
    EXPECT_EQ(window.contents().transport->playButton().accessibleName(), "Pause");
    stage.clock.pass(500ms);
    playback.tick();
    EXPECT_GT(time(), before);
    press(Qt::Key_Space);
    EXPECT_FALSE(playback.playing());
}

TEST_F(WindowTest, ticksByItself) {
    press(Qt::Key_Space);
    const Picoseconds before = time();
    stage.clock.pass(500ms);
    EXPECT_TRUE(QTest::qWaitFor([&] { return time() > before; }, 5000));
}

TEST_F(WindowTest, stepsWithTheArrowsAndJumpsWithHomeAndEnd) {
    press(Qt::Key_Home);
    EXPECT_EQ(time(), Picoseconds{});
    press(Qt::Key_Right);
    press(Qt::Key_Right);
    EXPECT_EQ(time(), playback.subject()->stops()[2]);
    EXPECT_TRUE(window.contents().transport->position().startsWith("round 3/7"))
        << window.contents().transport->position().toStdString();
    press(Qt::Key_Left);
    EXPECT_EQ(time(), playback.subject()->stops()[1]);
    press(Qt::Key_End);
    EXPECT_EQ(time(), playback.duration());
    press(Qt::Key_Plus);
    EXPECT_EQ(playback.speed(), 2);
    press(Qt::Key_Minus);
    press(Qt::Key_Minus);
    EXPECT_EQ(playback.speed(), 0.5);
    press(Qt::Key_L);
    EXPECT_TRUE(playback.looping());
}

TEST_F(WindowTest, scrubs) {
    ScrubBar& scrub = window.contents().transport->scrubBar();
    QTest::mouseClick(&scrub, Qt::LeftButton, {}, QPoint{scrub.width() / 2, scrub.height() / 2});
    EXPECT_NEAR(static_cast<double>(time().count()) / static_cast<double>(playback.duration().count()), 0.5, 0.01);
    QTest::mouseClick(&scrub, Qt::LeftButton, {}, QPoint{scrub.width() - 1, 5});
    EXPECT_EQ(time(), playback.duration());
}

TEST_F(WindowTest, saysOfWhichPartTheTimeBarIsAndLeadsBackToAll) {
    const ScrubBar& scrub = window.contents().transport->scrubBar();
    QToolButton& whole = stage.find<QToolButton>("Show all of the time");
    EXPECT_FALSE(whole.isVisible());
    EXPECT_FALSE(scrub.toolTip().contains("part"));
    playback.showSpan(playback.duration() / 4, playback.duration() / 2);
    EXPECT_TRUE(whole.isVisible());
    for (const Picoseconds edge : {playback.spanBegin(), playback.spanEnd(), playback.duration()}) {
        EXPECT_TRUE(scrub.toolTip().contains(timeInWords(edge))) << scrub.toolTip().toStdString();
        EXPECT_TRUE(whole.toolTip().contains(timeInWords(edge))) << whole.toolTip().toStdString();
    }
    QTest::mouseClick(&whole, Qt::LeftButton);
    EXPECT_EQ(playback.spanEnd() - playback.spanBegin(), playback.duration());
    EXPECT_FALSE(whole.isVisible());
}

TEST_F(WindowTest, buttonsKeepSpaceForThemselves) {
    press(Qt::Key_Home);
    QToolButton& forward = stage.find<QToolButton>("One round forward");
    forward.setFocus();
    QTest::keyClick(&forward, Qt::Key_Space);
    EXPECT_FALSE(playback.playing());
    EXPECT_EQ(time(), playback.subject()->stops()[1]);
}

TEST_F(WindowTest, fieldsKeepTheirKeys) {
    QLineEdit& size = stage.find<QLineEdit>("Size");
    size.setFocus();
    size.selectAll();
    const Picoseconds before = time();
    QTest::keyClicks(&size, "1 KiB");
    QTest::keyClick(&size, Qt::Key_Left);
    QTest::keyClick(&size, Qt::Key_Home);
    EXPECT_EQ(size.text(), "1 KiB");
    EXPECT_FALSE(playback.playing());
    EXPECT_FALSE(playback.looping());
    EXPECT_EQ(time(), before);
}

TEST_F(WindowTest, runsWhatTheSetUpSays) {
    const DrawableRunPtr before = playback.subject();
    playback.seek(playback.duration() / 2);
    stage.find<QSpinBox>("Ranks of group B, q").setValue(10);
    stage.settleAfter(before);
    EXPECT_EQ(playback.subject()->run().ranks, 14);
    EXPECT_EQ(playback.subject()->run().rounds, 9);
    EXPECT_NEAR(static_cast<double>(time().count()) / static_cast<double>(playback.duration().count()), 0.5, 0.01);
    EXPECT_EQ(stage.find<RoundsTable>().model()->rowCount(), 9);
    EXPECT_TRUE(stage.find<ExplainPanel>().toPlainText().contains(" of 9"));
}

TEST_F(WindowTest, runsOnThreadsToo) {
    const DrawableRunPtr before = playback.subject();
    QComboBox& on = stage.find<QComboBox>("Run");
    on.setCurrentIndex(on.findData("threads"));
    stage.settleAfter(before);
    EXPECT_EQ(playback.subject()->run().setting.on, "threads");
    EXPECT_TRUE(playback.subject()->report().correct);
    EXPECT_FALSE(stage.find<QLineEdit>("Startup \u03b1").isEnabled()) << "threads have no alpha to be set";
}

TEST_F(WindowTest, saysARefusalBesideTheFieldAndKeepsTheRun) {
    const DrawableRunPtr before = playback.subject();
    QComboBox& network = stage.find<QComboBox>("Network");
    network.setCurrentText("torus:3x3");
    EXPECT_TRUE(QTest::qWaitFor([&] { return !window.setup().refusal().isEmpty(); }, 10'000));
    EXPECT_TRUE(window.setup().refusal().contains("9 places")) << window.setup().refusal().toStdString();
    EXPECT_EQ(playback.subject(), before);
    EXPECT_TRUE(QApplication::activeModalWidget() == nullptr);
}

TEST_F(WindowTest, dropsTheResultOfARunThatIsNoLongerWanted) {
    RunWish slow = firstWish();
    slow.problem.groupA = slow.problem.groupB = 400;
    window.setup().setWish(slow);
    window.setup().runNow();
    window.setup().setWish(firstWish());
    window.setup().runNow();
    stage.settle();
    EXPECT_EQ(playback.subject()->run().ranks, 10);
    EXPECT_FALSE(QTest::qWaitFor([&] { return playback.subject()->run().ranks != 10; }, 300));
}

TEST_F(WindowTest, saysWhatIsWrongWithABadFileAndKeepsTheRun) {
    const DrawableRunPtr before = playback.subject();
    const std::string file = stage.folder.filePath("bad.otf2").toStdString();
    std::ofstream{file} << "nothing of the kind";
    window.presenter().openTrace(file);
    stage.settle();
    EXPECT_TRUE(window.notice().contains("bad.otf2")) << window.notice().toStdString();
    EXPECT_EQ(playback.subject(), before);
    EXPECT_TRUE(stage.find<QToolButton>("Close the notice").isVisible());
    QTest::mouseClick(&stage.find<QToolButton>("Close the notice"), Qt::LeftButton);
    EXPECT_EQ(window.notice(), "");
}

TEST_F(WindowTest, opensWhatItSaved) {
    const engine::Run run = playback.subject()->run();
    const std::filesystem::path folder = stage.folder.filePath("trace").toStdString();
    window.saving().saveTrace(folder);
    stage.settle();
    EXPECT_EQ(window.notice(), "");
    window.presenter().openTrace(folder / "traces.otf2");
    stage.settle();
    EXPECT_EQ(window.notice(), "");
    EXPECT_EQ(playback.subject()->run().messages, run.messages);
    EXPECT_EQ(playback.subject()->run().duration, run.duration);
    EXPECT_TRUE(window.windowTitle().startsWith("trace - "));
    window.saving().saveTrace(folder);
    stage.settle();
    EXPECT_NE(window.notice(), "") << "an archive that is there must not be written over";
}

TEST_F(WindowTest, opensWhatIsDropped) {
    RunWish wish;
    wish.algorithm = "bcast/binomial-tree";
    wish.problem.ranks = 5;
    const std::filesystem::path folder = stage.folder.filePath("dropped").toStdString();
    traces::write(*execute(wish).run, folder);
    const DrawableRunPtr before = playback.subject();
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(QString::fromStdString((folder / "traces.otf2").string()))});
    QDragEnterEvent enter{{10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier};
    QApplication::sendEvent(&window, &enter);
    EXPECT_TRUE(enter.isAccepted());
    QDropEvent drop{{10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier};
    QApplication::sendEvent(&window, &drop);
    stage.settleAfter(before);
    EXPECT_EQ(playback.subject()->run().ranks, 5);
}

/// A folder of the profiler's traces, one a rank, whatever the names of the files.
TEST_F(WindowTest, opensAFolderOfTrainingTracesThatIsDropped) {
    const std::filesystem::path folder = stage.folder.filePath("job").toStdString();
    std::filesystem::create_directory(folder);
    for (const int rank : {0, 1, 2})
        std::ofstream{folder / ("worker" + std::to_string(7 - rank) + ".pt.trace.json")}
            << R"({"distributedInfo": {"rank": )" << rank << R"(, "world_size": 3}, "traceEvents": [{"ph": "X", "cat":
            "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 1000, "dur": 500, "args": {"device": 0, "stream": 7}}]})";
    const DrawableRunPtr before = playback.subject();
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(QString::fromStdString(folder.string() + "/"))});
    QDragEnterEvent enter{{10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier};
    QApplication::sendEvent(&window, &enter);
    EXPECT_TRUE(enter.isAccepted());
    QDropEvent drop{{10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier};
    QApplication::sendEvent(&window, &drop);
    stage.settleAfter(before);
    EXPECT_EQ(window.notice(), "");
    EXPECT_EQ(playback.subject()->run().ranks, 3);
    EXPECT_TRUE(window.windowTitle().startsWith("job - ")) << window.windowTitle().toStdString();
}

TEST_F(WindowTest, showsASelectionInAllPanels) {
    NetworkPanel& network = stage.find<NetworkPanel>();
    const auto lookOf = [](ViewWidget& view) { return view.grab().toImage(); };
    const QImage spaceTime = lookOf(stage.find<RunTimelinePanel>());
    const QImage holdings = lookOf(stage.find<OwnershipPanel>());
    const QPointF at = middleOf(network.shapes(), Meaning::Kind::rank, 2);
    QTest::mouseClick(&network, Qt::LeftButton, {}, at.toPoint());
    EXPECT_EQ(playback.state().rank, engine::Rank{2});
    EXPECT_NE(lookOf(stage.find<RunTimelinePanel>()), spaceTime);
    EXPECT_NE(lookOf(stage.find<OwnershipPanel>()), holdings);
    EXPECT_TRUE(stage.find<ExplainPanel>().toPlainText().contains("Rank 2"));
    QTest::keyClick(&network, Qt::Key_Escape);
    EXPECT_FALSE(playback.state().rank);
    QTest::keyClick(&network, Qt::Key_Down);
    EXPECT_EQ(playback.state().rank, engine::Rank{0});
}

TEST_F(WindowTest, saysWhatTheMouseIsOn) {
    NetworkPanel& network = stage.find<NetworkPanel>();
    const QPointF at = middleOf(network.shapes(), Meaning::Kind::rank, 2);
    QMouseEvent move{QEvent::MouseMove, at, network.mapToGlobal(at), Qt::NoButton, Qt::NoButton, Qt::NoModifier};
    QApplication::sendEvent(&network, &move);
    const QString words = window.statusBar()->currentMessage();
    EXPECT_TRUE(words.contains("2")) << words.toStdString();
}

TEST_F(WindowTest, seeksWithTheTableOfRounds) {
    RoundsTable& table = stage.find<RoundsTable>();
    const QRect row = table.visualRect(table.model()->index(1, 1));
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, row.center());
    EXPECT_EQ(playback.round(), engine::Round{1});
    EXPECT_EQ(time(), playback.subject()->run().perRound[1].begin);
    press(Qt::Key_Right);
    EXPECT_EQ(table.currentIndex().row(), 2);
}

TEST_F(WindowTest, remembersWhatTheUserChose) {
    const QString file = stage.settings.fileName();
    const DrawableRunPtr before = playback.subject();
    stage.find<QSpinBox>("Ranks of group A, p").setValue(8);
    stage.settleAfter(before);
    playback.setSpeed(4);
    window.setTheme(Theme::dark);
    window.findChild<QDockWidget*>("bounds")->hide();
    window.close();

    Stage again{file};
    again.begin();
    EXPECT_EQ(again.window.playback().subject()->run().groupA, 8);
    EXPECT_EQ(again.window.playback().speed(), 4);
    EXPECT_TRUE(again.window.playback().state().dark);
    EXPECT_TRUE(again.window.findChild<QDockWidget*>("bounds")->isHidden());
    EXPECT_FALSE(again.window.statusBar()->currentMessage().contains("Space plays"));
    again.window.setTheme(Theme::light);
}

TEST_F(WindowTest, opensTheTraceOfLastTimeAgain) {
    const std::filesystem::path folder = stage.folder.filePath("trace").toStdString();
    traces::write(*execute(firstWish()).run, folder);
    window.presenter().openTrace(folder / "traces.otf2");
    stage.settle();
    window.close();
    {
        Stage again{stage.settings.fileName()};
        again.begin();
        EXPECT_TRUE(again.window.windowTitle().startsWith("trace - "));
        const DrawableRunPtr before = again.window.playback().subject();
        again.find<QSpinBox>("Ranks of group A, p").setValue(8);
        again.settleAfter(before);
        again.window.close();
    }
    Stage third{stage.settings.fileName()};
    third.begin();
    EXPECT_EQ(third.window.playback().subject()->run().groupA, 8) << "the last run, not the trace before it";
}

TEST_F(WindowTest, adoptsUnevenSizesFromARun) {
    RunWish wish;
    wish.algorithm = "allgatherv/linear-ring";
    wish.problem.ranks = 7;
    wish.problem.size = 1000;
    for (const char* sizes : {"spike", "half-full", "linear", "geometric", "broadcast"}) {
        wish.problem.sizes = sizes;
        const std::optional<RunWish> behind = wishBehind(execute(wish));
        ASSERT_TRUE(behind) << sizes;
        EXPECT_EQ(makeProblem(engine::Collective::allgatherv, behind->problem).layout,
                  makeProblem(engine::Collective::allgatherv, wish.problem).layout)
            << sizes;
    }
}

TEST(WindowSpeed, isThereWithinHalfASecond) {
    const std::clock_t before = std::clock();
    const Stage stage;
    const double seconds = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
    EXPECT_LT(seconds, 0.5) << "of the processor, from nothing to a window on the screen";
}

TEST_F(WindowTest, staysWholeWhenItIsTiny) {
    window.resize(640, 480);
    QCoreApplication::processEvents();
    EXPECT_LE(window.width(), 640);
    EXPECT_LE(window.height(), 480);
    EXPECT_GE(stage.find<NetworkPanel>().width(), 240);
    EXPECT_FALSE(window.grab().isNull());
    press(Qt::Key_Right);
    press(Qt::Key_Space);
    EXPECT_TRUE(playback.playing());
}

TEST_F(WindowTest, isSharpAtEveryScale) {
    stage.find<QLineEdit>("Size").setFocus();
    for (ViewWidget* view : window.findChildren<ViewWidget*>()) {
        if (!view->isVisible()) continue;
        const QPixmap picture = view->grab();
        const qreal ratio = picture.devicePixelRatio();
        EXPECT_EQ(ratio, window.devicePixelRatioF());
        EXPECT_EQ(picture.size(), (QSizeF{view->size()} * ratio).toSize()) << view->accessibleName().toStdString();
        const QImage image = picture.toImage().convertToFormat(QImage::Format_RGB32);
        QImage atOnce{image.size(), QImage::Format_RGB32};
        atOnce.setDevicePixelRatio(ratio);
        atOnce.fill(view->palette().color(QPalette::Base));
        QPainter painter{&atOnce};
        paint(painter, {.shapes = view->shapes(), .description = {}});
        EXPECT_EQ(image, atOnce) << "the layers of " << view->accessibleName().toStdString() << " do not fit";
        std::set<QRgb> colours;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) colours.insert(image.pixel(x, y));
        }
        EXPECT_GT(colours.size(), 8U) << view->accessibleName().toStdString() << " is blank";
    }
}

/// What is cut at the edge of a table ends in dots, in every table.
TEST_F(WindowTest, everyTableKeepsItsCellsWhole) {
    press(Qt::Key_F1);
    window.findChild<NetworkPanel*>()->setFocus();
    window.showTable();
    QStringList plain;
    for (const QTableView* table : window.findChildren<QTableView*>())
        if (typeid(*table->horizontalHeader()) == typeid(QHeaderView)) plain << table->accessibleName();
    EXPECT_EQ(plain.join(", ").toStdString(), "");
    EXPECT_GE(window.findChildren<QTableView*>().size(), 8);
    // The tip says all, where the model says nothing of its own.
    auto& keys = stage.find<QTableWidget>("Keys");
    const QPoint at = keys.visualItemRect(keys.item(1, 1)).center();
    QHelpEvent help{QEvent::ToolTip, at, keys.viewport()->mapToGlobal(at)};
    QApplication::sendEvent(keys.viewport(), &help);
    EXPECT_EQ(QToolTip::text(), keys.item(1, 1)->text());
}

TEST_F(WindowTest, listsEveryShortcut) {
    press(Qt::Key_F1);
    auto* dialog = window.findChild<QDialog*>();
    ASSERT_NE(dialog, nullptr);
    EXPECT_FALSE(dialog->isModal());
    auto* table = dialog->findChild<QTableWidget*>();
    QStringList keys;
    for (int row = 0; row < table->rowCount(); ++row) keys += table->item(row, 0)->text();
    for (const char* key :
         {"Space", "Right", "Left", "Home", "End", "Ctrl+O", "Ctrl+S", "Ctrl+E", "F11", "L", "W", "Ctrl+1", "Ctrl+0"}) {
        EXPECT_TRUE(keys.contains(key)) << key;
    }
    // Menus within menus, too: layouts, and the rows of Tracks.
    for (const QAction* action : window.menuBar()->findChildren<QAction*>()) {
        EXPECT_TRUE(keys.join(' ').contains(action->shortcut().toString())) << action->text().toStdString();
    }
}

TEST(WindowPicture, isWrittenInTheSizeAskedFor) {
    const QTemporaryDir folder;
    const QString file = folder.filePath("window.png");
    Picture picture;
    picture.width = 1100;
    picture.height = 700;
    writeWindowPicture(std::nullopt, file.toStdString(), picture);
    EXPECT_EQ(QImage{file}.size(), (QSizeF(1100, 700) * qApp->devicePixelRatio()).toSize());
    EXPECT_THROW(writeWindowPicture(std::nullopt, "/nowhere/at/all.png", picture), engine::Error);
    EXPECT_THROW(writeWindowPicture(std::nullopt, folder.filePath("window.svg").toStdString(), picture), engine::Error);
}

}  // namespace
}  // namespace app::gui
