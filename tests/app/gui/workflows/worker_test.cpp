// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/widgets/worker.hpp"

#include "engine/base/error.hpp"

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QSignalSpy>
#include <QTest>

#include <atomic>

namespace app::gui {
namespace {

class WorkerTest : public testing::Test {
protected:
    void start(const std::function<int(const engine::Progress&)>& work) {
        worker.start(
            work, [this](int result) { results.push_back(result); },
            [this](const QString& sentence) { refusals.push_back(sentence); });
    }
    bool waitUntilIdle() {
        return QTest::qWaitFor([this] { return !worker.busy(); }, 10'000);
    }

    Worker worker;
    std::vector<int> results;
    QStringList refusals;
};

TEST_F(WorkerTest, tellsTheResultInTheWindowsThread) {
    QSignalSpy busy{&worker, &Worker::busyChanged};
    QSignalSpy progressed{&worker, &Worker::progressed};
    start([](const engine::Progress& progress) {
        progress.at(0.5);
        return 7;
    });
    EXPECT_TRUE(results.empty());
    ASSERT_TRUE(waitUntilIdle());
    EXPECT_EQ(results, std::vector<int>{7});
    EXPECT_EQ(busy.count(), 2);
    ASSERT_EQ(progressed.count(), 1);
    EXPECT_EQ(progressed[0][0].toDouble(), 0.5);
}

TEST_F(WorkerTest, tellsMistakesAsSentences) {
    start([](const engine::Progress&) -> int { throw engine::Error{"root 9 is outside 0..7"}; });
    ASSERT_TRUE(waitUntilIdle());
    EXPECT_EQ(refusals, QStringList{"root 9 is outside 0..7"});
    start([](const engine::Progress&) -> int { throw std::bad_alloc{}; });
    ASSERT_TRUE(waitUntilIdle());
    EXPECT_TRUE(refusals.back().contains("memory"));
    EXPECT_TRUE(results.empty());
}

TEST_F(WorkerTest, neverTellsAResultThatIsNoLongerWanted) {
    std::atomic<bool> go{false};
    std::atomic<bool> gone{false};
    start([&](const engine::Progress&) {
        while (!go) std::this_thread::yield();
        gone = true;
        return 1;
    });
    start([](const engine::Progress&) { return 2; });
    go = true;
    ASSERT_TRUE(waitUntilIdle());
    while (!gone) std::this_thread::yield();
    QTest::qWait(50);
    EXPECT_EQ(results, std::vector<int>{2});
}

TEST_F(WorkerTest, asksTheOldWorkToStop) {
    std::atomic<bool> stopped{false};
    start([&](const engine::Progress& progress) -> int {
        try {
            while (true) progress.at(0);
        } catch (const engine::Cancelled&) {
            stopped = true;
            throw;
        }
    });
    worker.cancel();
    EXPECT_FALSE(worker.busy());
    EXPECT_TRUE(QTest::qWaitFor([&] { return stopped.load(); }, 10'000));
    QTest::qWait(20);
    EXPECT_TRUE(results.empty());
    EXPECT_TRUE(refusals.isEmpty());
}

TEST(Worker, waitsForItsWorkBeforeItGoes) {
    std::atomic<bool> ended{false};
    {
        Worker worker;
        worker.start(
            [&](const engine::Progress& progress) {
                while (!progress.stop.stop_requested()) std::this_thread::yield();
                ended = true;
            },
            [] { FAIL() << "nobody is there to be told"; }, [](const QString&) {});
    }
    QCoreApplication::processEvents();
    EXPECT_TRUE(ended);
}

}  // namespace
}  // namespace app::gui
