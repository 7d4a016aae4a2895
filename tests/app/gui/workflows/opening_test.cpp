// SPDX-License-Identifier: BSD-3-Clause
// The window is there before its trace is read, and lives on while it is.
#include "app/gui/setup/setup_panel.hpp"
#include "app/gui/views/search_bar.hpp"
#include "tests/app/gui/window_fixture.hpp"
#include "traces/recording/archive.hpp"

#include <QDialog>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QStatusBar>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace app::gui {
namespace {

namespace fs = std::filesystem;

/// Names of this process's threads. Those of Qt's own pool, which paints, do not count: they stay for a while.
std::vector<std::string> threads() {
    std::vector<std::string> names;
    for (const auto& task : fs::directory_iterator{"/proc/self/task"}) {
        std::string name;
        std::getline(std::ifstream{task.path() / "comm"}, name);
        if (!name.starts_with("Thread (pooled")) names.push_back(name);
    }
    return names;
}

/// A trace of a quarter of a million messages, made once: read in a moment, but not at once.
class OpeningTest : public testing::Test {
protected:
    static void SetUpTestSuite() {
        folder = std::make_unique<QTemporaryDir>();
        RunWish wish;
        wish.algorithm = "allgatherv/linear-ring";
        wish.problem.ranks = 512;
        traces::write(*execute(wish).run, archive());
    }
    static void TearDownTestSuite() { folder.reset(); }
    static fs::path archive() { return folder->filePath("large").toStdString(); }
    static constexpr std::int64_t messages = 512 * 511;

    OpeningTest() { qputenv("XDG_CACHE_HOME", cache.path().toUtf8()); }
    ~OpeningTest() override { former.isNull() ? qunsetenv("XDG_CACHE_HOME") : qputenv("XDG_CACHE_HOME", former); }
    [[nodiscard]] std::size_t indices() const {
        std::error_code none;
        std::size_t count = 0;
        for (const auto& entry : fs::directory_iterator{cache.filePath("collscope").toStdString(), none})
            count += entry.path().extension() == ".index" ? 1 : 0;
        return count;
    }

    QTemporaryDir cache;

private:
    static std::unique_ptr<QTemporaryDir> folder;
    const QByteArray former = qgetenv("XDG_CACHE_HOME");
};

std::unique_ptr<QTemporaryDir> OpeningTest::folder;

TEST_F(OpeningTest, theWindowIsThereFirstAndTakesKeysWhileItReads) {
    Stage stage;
    MainWindow& window = stage.window;
    window.presenter().begin(Unread{archive()});
    EXPECT_TRUE(window.isVisible());
    EXPECT_TRUE(window.working());
    EXPECT_FALSE(window.playback().subject());
    auto& progress = stage.find<QProgressBar>("Progress of the run");
    EXPECT_TRUE(QTest::qWaitFor([&] { return progress.isVisible(); }, 2000));
    EXPECT_TRUE(stage.find<QPushButton>("Cancel").isVisible());
    EXPECT_TRUE(window.statusBar()->currentMessage().contains("large"));
    QTest::keyClick(&window, Qt::Key_F, Qt::ControlModifier);
    auto* words = window.contents().search->findChild<QLineEdit*>();
    ASSERT_NE(words, nullptr);
    QTest::keyClicks(words, "rank 3");
    EXPECT_EQ(words->text(), "rank 3");
    EXPECT_FALSE(window.grab().isNull()) << "pictures of nothing";
    EXPECT_FALSE(window.playback().subject()) << "typed and painted before the result was looked at";
    stage.settle();
    ASSERT_TRUE(window.playback().subject());
    EXPECT_EQ(window.playback().subject()->run().messageCount, messages);
    EXPECT_EQ(window.notice(), "");
    EXPECT_TRUE(window.windowTitle().startsWith("large")) << window.windowTitle().toStdString();
    EXPECT_FALSE(window.statusBar()->currentMessage().contains("Reading"));
}

TEST_F(OpeningTest, canBeCancelledAndBegunAgain) {
    Stage stage;
    MainWindow& window = stage.window;
    window.presenter().begin(Unread{archive()});
    EXPECT_TRUE(QTest::qWaitFor([&] { return stage.find<QPushButton>("Cancel").isVisible(); }, 2000));
    QTest::mouseClick(&stage.find<QPushButton>("Cancel"), Qt::LeftButton);
    EXPECT_FALSE(window.working());
    EXPECT_FALSE(stage.find<QPushButton>("Cancel").isVisible());
    EXPECT_FALSE(window.statusBar()->currentMessage().contains("Reading"));
    EXPECT_FALSE(QTest::qWaitFor([&] { return window.playback().subject() != nullptr; }, 300));
    EXPECT_EQ(window.notice(), "") << "who cancels knows it";
    EXPECT_FALSE(window.grab().isNull());
    window.presenter().openTrace(archive());
    stage.settle();
    ASSERT_TRUE(window.playback().subject());
    EXPECT_EQ(window.playback().subject()->run().messageCount, messages);
}

TEST_F(OpeningTest, aWindowThatIsClosedMeanwhileLeavesNothingBehind) {
    const std::vector<std::string> before = threads();
    for (const int milliseconds : {0, 30, 120, 400}) {
        Stage stage;
        stage.window.presenter().begin(Unread{archive()});
        EXPECT_GT(threads().size(), before.size());
        QTest::qWait(milliseconds);
        EXPECT_TRUE(stage.window.close());
    }
    EXPECT_EQ(threads(), before) << "of those that do the window's work";
}

TEST_F(OpeningTest, whatBreaksWhileItIsReadStandsAboveThePictures) {
    const QTemporaryDir other;
    const fs::path broken = other.filePath("broken").toStdString();
    traces::write(*execute(firstWish()).run, broken);
    fs::remove_all(broken / "traces");
    ASSERT_NO_THROW(traces::requireOpenable(broken));
    Stage stage;
    stage.window.presenter().begin(Unread{broken});
    stage.settle();
    EXPECT_TRUE(stage.window.notice().contains("broken")) << stage.window.notice().toStdString();
    EXPECT_FALSE(stage.window.playback().subject());
    EXPECT_FALSE(stage.window.statusBar()->currentMessage().contains("Reading"));
    // The window is as good as any other.
    stage.window.setup().runNow();
    stage.settle();
    EXPECT_TRUE(stage.window.playback().subject());
    EXPECT_EQ(stage.window.notice(), "");
}

TEST_F(OpeningTest, filesWithoutATimelineAreReadAsAReport) {
    Stage stage;
    stage.window.presenter().setReadReport([](const fs::path& path) -> std::optional<std::string> {
        if (path.filename() == "broken") throw engine::Error{"broken: no dumps"};
        return path.filename() == "dumps" ? std::optional<std::string>{"rank 2 has not called it"} : std::nullopt;
    });
    stage.window.presenter().begin(Unread{"/nowhere/dumps"});
    stage.settle();
    const auto* report = stage.window.findChild<QDialog*>("report");
    ASSERT_TRUE(report);
    EXPECT_TRUE(report->isVisible());
    EXPECT_EQ(report->windowTitle(), "/nowhere/dumps");
    EXPECT_TRUE(report->findChild<QPlainTextEdit*>()->toPlainText().contains("rank 2 has not called it"));
    EXPECT_TRUE(stage.window.playback().subject()) << "behind it stands the run of the set-up";
    EXPECT_EQ(stage.window.files().recent().value(0), "/nowhere/dumps");
    stage.window.presenter().openTrace("/nowhere/broken");
    stage.settle();
    EXPECT_TRUE(stage.window.notice().contains("no dumps")) << stage.window.notice().toStdString();
    // Whatever is no report is opened as a trace.
    stage.window.presenter().openTrace(archive());
    stage.settle();
    EXPECT_EQ(stage.window.playback().subject()->run().messageCount, messages);
}

TEST_F(OpeningTest, theIndexIsKeptWhenTheTraceIsOnTheScreen) {
    const Unread always{archive(), {.memory = {}, .keep = traces::Keep::inCache, .smallest = 0}};
    Stage stage;
    std::size_t whenShown = 99;
    QObject::connect(&stage.window.playback(), &Playback::subjectChanged, [&] { whenShown = indices(); });
    stage.window.presenter().begin(always);
    stage.settle();
    EXPECT_EQ(whenShown, 0U);
    EXPECT_TRUE(QTest::qWaitFor([&] { return indices() == 1; }, 60'000));
}

}  // namespace
}  // namespace app::gui
