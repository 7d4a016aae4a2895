// SPDX-License-Identifier: BSD-3-Clause
// What the picture of very many messages rests on: the index of messages by time, and the sums in buckets.
#include "app/gui/scenes/drawing/number_text.hpp"
#include "app/gui/scenes/run/port_loads.hpp"
#include "tests/app/gui/scenes/scenes_support.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace app::gui {
namespace {

using engine::Picoseconds;

constexpr std::int64_t duration = 2'000'000'000'000;  // 2 s
constexpr std::int64_t burst = 1'000'000'000;         // 1 ms, in which half of all happens

DrawableRun subjectOfMessages(std::int32_t ranks, const std::vector<engine::MessageRecord>& messages) {
    engine::Run run;
    run.ranks = ranks;
    run.rounds = 1;
    run.duration = Picoseconds{duration};
    run.perRank.resize(static_cast<std::size_t>(ranks));
    run.perRound.push_back({{}, run.duration, static_cast<std::int64_t>(messages.size()), 0, 0});
    run.messageCount = static_cast<std::int64_t>(messages.size());
    for (const engine::MessageRecord& message : messages) run.messages.push(message, {});
    return DrawableRun{analysis::reportOn(std::make_shared<const engine::Run>(std::move(run)))};
}

/// `count` messages: half of them in a burst, some of no length, one from begin to end, one at the very end.
DrawableRun unevenSubject(std::int32_t ranks, int count) {
    std::mt19937 random{7};
    const auto below = [&](std::int64_t end) { return static_cast<std::int64_t>(random()) % end; };
    std::vector<engine::MessageRecord> messages;
    for (int i = 0; i < count; ++i) {
        engine::MessageRecord message{};
        message.from = engine::Rank{static_cast<std::int32_t>(below(ranks))};
        message.to = engine::Rank{static_cast<std::int32_t>(below(ranks))};
        const bool within = i % 2 == 0;
        const std::int64_t begin = within ? duration / 3 + below(burst) : below(duration / 1000) * 900;
        message.sendBegin = Picoseconds{begin};
        message.sendEnd = Picoseconds{begin + (i % 97 == 0 ? 0 : 1 + below(within ? burst / 1000 : duration / 1000))};
        message.receiveBegin = message.sendBegin + Picoseconds{below(1000)};
        message.receiveEnd = message.receiveBegin + (message.sendEnd - message.sendBegin);
        messages.push_back(message);
    }
    messages[5].receiveBegin = Picoseconds{0};
    messages[5].receiveEnd = Picoseconds{duration};
    messages[7].sendBegin = messages[7].sendEnd = Picoseconds{duration};
    messages[7].receiveBegin = messages[7].receiveEnd = Picoseconds{duration};
    return subjectOfMessages(ranks, messages);
}

const DrawableRun& uneven() {
    static const DrawableRun subject = unevenSubject(300, 300'000);
    return subject;
}

/// Rows of whole bundles.
PortLoads emptyLoads(const DrawableRun& subject, const TimeAxis& axis, std::int32_t rows, std::int32_t columns) {
    const Bundles bundles{subject.run().ranks};
    std::vector<std::int32_t> rowOf;
    for (engine::Rank rank{0}; rank.value < bundles.ranks(); ++rank)
        rowOf.push_back(bundles.of(rank) * rows / bundles.count());
    return {rowOf, rows, axis, columns};
}

PortLoads loadsOf(const DrawableRun& subject, const TimeAxis& axis, std::int32_t rows, std::int32_t columns) {
    PortLoads loads = emptyLoads(subject, axis, rows, columns);
    loads.fill(subject);
    return loads;
}

PortLoads fromMessages(const DrawableRun& subject, const TimeAxis& axis, std::int32_t rows, std::int32_t columns) {
    PortLoads loads = emptyLoads(subject, axis, rows, columns);
    loads.fillFromMessages(subject, 0, columns);
    return loads;
}

TimeAxis axisOf(std::int64_t begin, std::int64_t end) { return {Picoseconds{begin}, Picoseconds{end}, 0, 1200}; }

/// The whole, parts with and without the burst, the burst alone and within, and less than a bucket.
std::vector<TimeAxis> spans() {
    constexpr std::int64_t third = duration / 3;
    return {axisOf(0, duration),
            axisOf(third / 2, 2 * third),
            axisOf(2 * third, duration),
            axisOf(third - burst, third + 2 * burst),
            axisOf(third, third + burst),
            axisOf(third + burst / 3, third + burst / 2),
            axisOf(third + burst / 3, third + burst / 3 + 50'000),
            axisOf(third + burst / 3, third + burst / 3 + 100)};
}

TEST(MessageIndex, findsWhatTouchesASpanInTheOrderOfBegins) {
    const engine::Messages& messages = uneven().run().messages;
    const auto beginOf = [&](std::uint32_t i) { return std::min(messages.sendBegin()[i], messages.receiveBegin()[i]); };
    const auto endOf = [&](std::uint32_t i) { return std::max(messages.sendEnd()[i], messages.receiveEnd()[i]); };
    for (const TimeAxis& axis : spans()) {
        std::vector<std::uint32_t> expected;
        for (const std::uint32_t i : uneven().index().byBegin())
            if (beginOf(i) <= axis.end() && endOf(i) >= axis.begin()) expected.push_back(i);
        EXPECT_EQ(uneven().index().touching(axis.begin(), axis.end()), expected);
        EXPECT_EQ(std::count(expected.begin(), expected.end(), 5U), 1) << "under way from begin to end";
        const std::size_t few = std::min<std::size_t>(expected.size(), 3);
        expected.resize(few);
        EXPECT_EQ(uneven().index().touching(axis.begin(), axis.end(), few), expected);
    }
    const auto order = uneven().index().byBegin();
    EXPECT_EQ(order.size(), messages.size());
    EXPECT_TRUE(std::is_sorted(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::pair{beginOf(a), a} < std::pair{beginOf(b), b};
    }));
}

TEST(Density, hasBucketsOfMessagesAndNotOfTime) {
    const auto edges = uneven().density().edges();
    ASSERT_GT(edges.size(), 100U);
    EXPECT_EQ(edges.front(), Picoseconds{0});
    EXPECT_EQ(edges.back(), Picoseconds{duration + 1});
    EXPECT_TRUE(std::is_sorted(edges.begin(), edges.end(), std::less_equal<>{}));
    const auto inBurst = std::count_if(edges.begin(), edges.end(), [](Picoseconds edge) {
        return edge.count() >= duration / 3 && edge.count() < duration / 3 + burst;
    });
    EXPECT_NEAR(static_cast<double>(inBurst), static_cast<double>(edges.size()) / 2, 5);
}

// Between edges of buckets both ways are exact.
TEST(Density, sumsUpTheSameAsMessagesDo) {
    const auto edges = uneven().density().edges();
    std::vector<std::int32_t> rows(256);
    std::iota(rows.begin(), rows.end(), 0);
    std::size_t compared = 0;
    for (std::size_t from = 0; from + 2 < edges.size(); from = from * 2 + 1)
        for (std::size_t to = from + 2; to < edges.size(); to = to * 2 + 1) {
            const TimeAxis axis{edges[from], std::min(edges[to], Picoseconds{duration}), 0, 1};
            std::vector<PortLoad> sums(256);
            uneven().density().add(axis.begin(), axis.end(), rows, sums);
            const PortLoads exact = fromMessages(uneven(), axis, 256, 1);
            for (std::int32_t row = 0; row < 256; ++row) {
                const PortLoad& sum = sums[static_cast<std::size_t>(row)];
                ASSERT_EQ(sum.busy, exact.at(row, 0).busy) << from << " to " << to << ", row " << row;
                ASSERT_EQ(sum.messages, exact.at(row, 0).messages) << from << " to " << to << ", row " << row;
                compared += sum.any() ? 1U : 0U;
            }
        }
    EXPECT_GT(compared, 5000U);
}

TEST(PortLoads, loseNothingHoweverShort) {
    for (const TimeAxis& axis : spans()) {
        const PortLoads sums = loadsOf(uneven(), axis, 200, 301);
        const PortLoads exact = fromMessages(uneven(), axis, 200, 301);
        for (std::int32_t row = 0; row < 200; ++row)
            for (std::int32_t column = 0; column < 301; ++column) {
                if (exact.at(row, column).any()) {
                    ASSERT_TRUE(sums.at(row, column).any())
                        << "row " << row << ", column " << column << " of " << axis.end().count();
                }
                ASSERT_GE(sums.at(row, column).busy, 0);
            }
    }
}

TEST(PortLoads, addUpToTheSameInEveryRow) {
    for (const TimeAxis& axis : spans()) {
        const PortLoads sums = loadsOf(uneven(), axis, 200, 301);
        const PortLoads exact = fromMessages(uneven(), axis, 200, 301);
        // Where sums meet the ends of an axis or columns made from messages, a bucket of 256 messages in all rows is
        // cut.
        const double span = static_cast<double>((axis.end() - axis.begin()).count());
        for (std::int32_t row = 0; row < 200; ++row) {
            double busy = 0;
            double messages = 0;
            double exactMessages = 0;
            for (std::int32_t column = 0; column < 301; ++column) {
                busy += sums.at(row, column).busy - exact.at(row, column).busy;
                messages += sums.at(row, column).messages;
                exactMessages += exact.at(row, column).messages;
            }
            EXPECT_LT(std::abs(busy), 0.02 * span);
            EXPECT_NEAR(messages, exactMessages, 4 + 0.01 * exactMessages);
        }
    }
}

TEST(PortLoads, areExactWhereColumnsAreNarrowerThanBuckets) {
    for (const TimeAxis& axis : {spans()[6], spans()[7]}) {
        const PortLoads sums = loadsOf(uneven(), axis, 200, 301);
        const PortLoads exact = fromMessages(uneven(), axis, 200, 301);
        double all = 0;
        for (std::int32_t row = 0; row < 200; ++row)
            for (std::int32_t column = 0; column < 301; ++column) {
                ASSERT_DOUBLE_EQ(sums.at(row, column).busy, exact.at(row, column).busy);
                all += exact.at(row, column).busy;
            }
        EXPECT_GT(all, 0);
    }
}

// Of a picture of which some rows are out of sight.
TEST(PortLoads, leaveOutRanksInNoRowWhereSumsTellThem) {
    const TimeAxis axis = spans()[0];
    const Bundles bundles{uneven().run().ranks};
    std::vector<std::int32_t> rowOf;
    for (engine::Rank rank{0}; rank.value < bundles.ranks(); ++rank) {
        const std::int32_t bundle = bundles.of(rank);
        rowOf.push_back(bundle >= 100 && bundle < 110 ? bundle - 100 : -1);
    }
    PortLoads some{rowOf, 10, axis, 7};
    some.fill(uneven());
    const PortLoads all = loadsOf(uneven(), axis, 256, 7);
    for (std::int32_t row = 0; row < 10; ++row)
        for (std::int32_t column = 0; column < 7; ++column) {
            EXPECT_EQ(some.at(row, column).busy, all.at(row + 100, column).busy);
            EXPECT_EQ(some.at(row, column).messages, all.at(row + 100, column).messages);
        }
}

// Busy time by hand: rank 0 sends in [10, 40) and [60, 61), rank 1 receives in [20, 50) and at no time at 100.
TEST(PortLoads, measureBusyTimeInParts) {
    std::vector<engine::MessageRecord> messages(2);
    for (engine::MessageRecord& message : messages) message.to = engine::Rank{1};
    messages[0].sendBegin = Picoseconds{10};
    messages[0].sendEnd = Picoseconds{40};
    messages[0].receiveBegin = Picoseconds{20};
    messages[0].receiveEnd = Picoseconds{50};
    messages[1].sendBegin = Picoseconds{60};
    messages[1].sendEnd = Picoseconds{61};
    messages[1].receiveBegin = messages[1].receiveEnd = Picoseconds{100};
    const PortLoads loads = loadsOf(subjectOfMessages(2, messages), axisOf(0, 100), 2, 8);
    const std::vector<double> sender{2.5, 12.5, 12.5, 2.5, 1, 0, 0, 0};
    const std::vector<double> receiver{0, 5, 12.5, 12.5, 0, 0, 0, 0};
    const std::vector<double> begun{1, 0, 0, 0, 1, 0, 0, 0};
    for (std::int32_t column = 0; column < 8; ++column) {
        const auto at = static_cast<std::size_t>(column);
        EXPECT_DOUBLE_EQ(loads.at(0, column).busy, sender[at]) << column;
        EXPECT_DOUBLE_EQ(loads.at(1, column).busy, receiver[at]) << column;
        EXPECT_EQ(loads.at(0, column).messages, begun[at]) << column;
    }
}

TEST(SpaceTime, showsMessagesOfNoLengthAmongMany) {
    // 600 ranks are too many for bars; rank 200 alone sends, and takes no time for it.
    std::vector<engine::MessageRecord> messages(1);
    messages[0].from = engine::Rank{200};
    messages[0].sendBegin = messages[0].sendEnd = messages[0].receiveBegin = messages[0].receiveEnd =
        Picoseconds{duration / 2};
    const Scene scene = runTimelineScene(subjectOfMessages(600, messages), {}, {1280, 800});
    const auto found = std::find_if(scene.shapes.begin(), scene.shapes.end(),
                                    [](const Shape& shape) { return shape.kind == Shape::Kind::cells; });
    ASSERT_NE(found, scene.shapes.end());
    std::vector<QPointF> seen;
    for (int y = 0; y < found->cells->height(); ++y)
        for (int x = 0; x < found->cells->width(); ++x)
            if (qAlpha(found->cells->pixel(x, y)) > 0)
                seen.push_back({(x + 0.5) / found->cells->width(), (y + 0.5) / found->cells->height()});
    ASSERT_EQ(seen.size(), 1U);
    EXPECT_NEAR(seen[0].x(), 0.5, 0.01);
    EXPECT_NEAR(seen[0].y(), 200.5 / 600, 0.01);
}

// 63 * 62 = 3906 messages are drawn, of 66 * 65 = 4290 the first 4000; there is room for all marks.
TEST(Pattern, tellsOfMessagesThatAreNotDrawn) {
    for (const std::int64_t ranks : {63, 66}) {
        const Scene scene = patternScene(subjectOf(wishFor("alltoallv/pairwise-exchange", ranks)), {}, {4000, 2400});
        const std::int64_t messages = ranks * (ranks - 1);
        const std::int64_t drawn = std::min<std::int64_t>(messages, 4000);
        const QString words =
            QStringLiteral("%1 of %2 messages are drawn").arg(countInWords(drawn), countInWords(messages));
        EXPECT_EQ(std::ssize(shapesOf(scene, Meaning::Kind::message, Shape::Kind::arrow)), drawn);
        EXPECT_EQ(scene.crowded, messages > drawn);
        EXPECT_EQ(scene.description.contains(words), messages > drawn) << scene.description.toStdString();
    }
}

}  // namespace
}  // namespace app::gui
