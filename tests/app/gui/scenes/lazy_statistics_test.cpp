// SPDX-License-Identifier: BSD-3-Clause
// Sums of many messages, counted while people already look, and the charts that wait for them.
#include "app/gui/scenes/common/chart_frame.hpp"
#include "app/gui/views/table_window.hpp"
#include "tests/app/gui/scenes/scenes_support.hpp"
#include "tests/app/gui/window_fixture.hpp"

#include <QTableView>

#include <atomic>

namespace app::gui {
namespace {

using engine::Picoseconds;

/// Every rank sends round the ring, one message after the other.
std::shared_ptr<const Report> manyMessages(std::int32_t ranks, std::int64_t rounds) {
    engine::Run run;
    run.ranks = ranks;
    run.rounds = rounds;
    run.perRank.resize(static_cast<std::size_t>(ranks));
    run.duration = Picoseconds{rounds * 1000};
    for (std::int64_t round = 0; round < rounds; ++round) {
        const Picoseconds begin{round * 1000};
        for (std::int32_t rank = 0; rank < ranks; ++rank)
            run.messages.push({engine::Rank{rank}, engine::Rank{(rank + 1) % ranks}, engine::Round{round}, 8, begin,
                               begin + Picoseconds{600}, begin, begin + Picoseconds{600}},
                              {});
        run.perRound.push_back({begin, begin + Picoseconds{600}, ranks, 8 * ranks, 8});
    }
    run.messageCount = ranks * rounds;
    run.byteCount = 8 * run.messageCount;
    return std::make_shared<const Report>(analysis::reportOn(std::make_shared<const engine::Run>(std::move(run))));
}

TEST(Counting, countsAFewMessagesAtOnce) {
    const auto report = manyMessages(10, 50);
    const Counting counting{report};
    EXPECT_TRUE(counting.done());
    EXPECT_EQ(counting.tallies().traffic.at(9, 0).messages, 50);
}

TEST(Counting, countsManyTheSame) {
    const auto report = manyMessages(500, 1000);
    const Counting counting{report};
    const Tallies whole{*report, nullptr, {}};
    const Tallies& tallies = counting.tallies();
    EXPECT_TRUE(counting.done());
    EXPECT_EQ(tallies.traffic.largest, whole.traffic.largest);
    EXPECT_EQ(tallies.waits.waited, whole.waits.waited);
    EXPECT_EQ(tallies.waits.all()[3], Picoseconds{999 * 400});
}

TEST(Counting, stopsWhenNobodyAsksAnyMore) {
    const auto report = manyMessages(500, 1000);
    std::stop_source stopped;
    stopped.request_stop();
    EXPECT_THROW((Tallies{*report, nullptr, {.report = {}, .stop = stopped.get_token()}}), engine::Cancelled);
    std::weak_ptr<const Report> seen = report;
    { const Counting counting{report}; }
    EXPECT_EQ(seen.use_count(), 1) << "its thread is gone";
}

std::atomic<bool> counted{false};

TEST(ViewWidget, saysThatItIsStillAtWorkUntilItIsReady) {
    counted = false;
    Playback playback;
    ViewWidget view{
        playback, {.scene = idleScene, .table = idleTable, .ready = [](const DrawableRun&) { return counted.load(); }}};
    view.resize(400, 300);
    view.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&view));
    EXPECT_TRUE(view.ready()) << "there is nothing to count yet";
    playback.show(firstSubject());
    EXPECT_FALSE(view.ready());
    const auto saysItWaits = [&] { return says({.shapes = view.shapes(), .description = {}}, "Still counting"); };
    EXPECT_TRUE(saysItWaits());
    TableWindow table{view, playback, nullptr};
    table.show();
    auto* rows = table.findChild<QTableView*>();
    ASSERT_NE(rows, nullptr);
    EXPECT_EQ(rows->model()->rowCount(), 0);
    const QImage before = view.grab().toImage();
    counted = true;
    EXPECT_TRUE(QTest::qWaitFor([&] { return rows->model()->rowCount() == 10; }, 10'000));
    EXPECT_FALSE(saysItWaits());
    EXPECT_NE(view.grab().toImage(), before);
}

std::optional<Scene> soFar(const DrawableRun&, const ViewState& state, QSizeF size) {
    return counted ? std::optional<Scene>{} : sorry(QStringLiteral("This far"), state.dark, size);
}

TEST(ViewWidget, showsWhatThereIsUntilItIsReady) {
    counted = false;
    Playback playback;
    ViewWidget view{playback,
                    {.heading = "Chart",
                     .scene = idleScene,
                     .table = idleTable,
                     .depends = [](const DrawableRun&, ViewState state) { return state; },
                     .ready = [](const DrawableRun&) { return counted.load(); },
                     .meanwhile = soFar}};
    view.resize(400, 300);
    view.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&view));
    playback.show(firstSubject());
    const auto saysSo = [&](const char* words) { return says({.shapes = view.shapes(), .description = {}}, words); };
    EXPECT_TRUE(saysSo("This far"));
    EXPECT_FALSE(saysSo("Still counting"));
    const QImage before = view.grab().toImage();
    counted = true;
    EXPECT_FALSE(saysSo("This far"));
    EXPECT_NE(view.grab().toImage(), before);
}

}  // namespace
}  // namespace app::gui
