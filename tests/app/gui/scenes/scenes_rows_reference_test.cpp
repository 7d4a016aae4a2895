// SPDX-License-Identifier: BSD-3-Clause
// Rows of the space-time diagram, grouped, folded and zoomed: what they show adds up to what plain sums over all
// messages say, on random runs.
#include "app/analysis/selection/partial_runs.hpp"
#include "app/gui/scenes/run/port_loads.hpp"
#include "app/gui/scenes/time/run_timeline_frame.hpp"
#include "tests/app/gui/scenes/scenes_support.hpp"

#include <gtest/gtest.h>

#include <QRegularExpression>

#include <numeric>
#include <random>
#include <set>

namespace app::gui {
namespace {

using engine::Picoseconds;
using engine::Rank;

constexpr QSizeF sheet{700, 400};

class Dice {
public:
    explicit Dice(std::uint32_t seed) : random_{seed} {}
    int below(int end) { return static_cast<int>(random_() % static_cast<std::uint32_t>(end)); }

private:
    std::mt19937 random_;
};

/// Messages between random ranks at random times, which may overlap; two sides on the places of `topology`. Every
/// second rank comes at some time before its first message.
DrawableRun randomSubject(Dice& dice, std::int32_t ranks, int count, const std::string& topology, int duration) {
    engine::Run run;
    run.ranks = ranks;
    run.rounds = 1;
    run.groupA = ranks / 3;
    run.groupB = ranks - run.groupA;
    run.setting.topology = topology;
    run.duration = Picoseconds{duration};
    std::vector<Picoseconds> first(static_cast<std::size_t>(ranks), run.duration);
    for (int i = 0; i < count; ++i) {
        engine::MessageRecord message{};
        message.from = Rank{dice.below(ranks)};
        message.to = Rank{dice.below(ranks)};
        message.sendBegin = Picoseconds{dice.below(duration - 100)};
        message.sendEnd = message.sendBegin + Picoseconds{dice.below(50)};
        message.receiveBegin = message.sendBegin + Picoseconds{dice.below(30)};
        message.receiveEnd = message.receiveBegin + Picoseconds{dice.below(50)};
        run.messages.push(message, {});
        for (const auto& [rank, begin] :
             {std::pair{message.from, message.sendBegin}, {message.to, message.receiveBegin}})
            first[rank.index()] = std::min(first[rank.index()], begin);
    }
    analysis::sumUp(run);
    run.entered.resize(first.size());
    for (std::size_t rank = 0; rank < first.size(); rank += 2)
        run.entered[rank] = Picoseconds{dice.below(static_cast<int>(first[rank].count()) + 1)};
    return DrawableRun{analysis::reportOn(std::make_shared<const engine::Run>(std::move(run)))};
}

ProgramTimelineView randomView(Dice& dice, const DrawableRun& subject) {
    ProgramTimelineView view;
    view.groups = static_cast<ProgramTimelineView::Groups>(dice.below(3));
    for (std::size_t group = 0; group < subject.groupsBy(view.groups).size(); ++group)
        if (dice.below(2) == 0) view.folded.push_back(static_cast<std::int32_t>(group));
    if (dice.below(2) == 0) view.zoom = 1 + dice.below(8);
    view.top = dice.below(subject.run().ranks);
    return view;
}

RankState stateAt(const DrawableRun& subject, Rank rank, Picoseconds time) {
    const engine::Messages& messages = subject.run().messages;
    bool sends = false;
    bool receives = false;
    Picoseconds done{};
    for (std::size_t i = 0; i < messages.size(); ++i) {
        const engine::MessageRecord one = messages[i];
        if (one.from == rank) done = std::max(done, one.sendEnd);
        if (one.to == rank) done = std::max(done, one.receiveEnd);
        sends = sends || (one.from == rank && one.sendBegin <= time && time < one.sendEnd);
        receives = receives || (one.to == rank && one.receiveBegin <= time && time < one.receiveEnd);
    }
    if (time < subject.run().entered[rank.index()]) return RankState::absent;
    if (time >= done) return RankState::done;
    if (sends) return receives ? RankState::both : RankState::sending;
    return receives ? RankState::receiving : RankState::waiting;
}

TEST(FoldedGroups, spendAsLongInEachStateAsTheirRanks) {
    Dice dice{3};
    std::size_t compared = 0;
    for (int repeat = 0; repeat < 6; ++repeat) {
        const DrawableRun subject =
            randomSubject(dice, 12, 40, repeat % 2 == 0 ? "torus:3x4" : "torus:3x4 placement=random:7", 300);
        ViewState state{.spanBegin = Picoseconds{dice.below(40)}, .spanEnd = Picoseconds{200 + dice.below(100)}};
        state.tracks.groups =
            repeat < 3 ? ProgramTimelineView::Groups::node : ProgramTimelineView::Groups::communicator;
        const auto& groups = subject.groupsBy(state.tracks.groups);
        ASSERT_EQ(groups.size(), repeat < 3 ? 3U : 2U);
        state.tracks.folded.resize(groups.size());
        std::iota(state.tracks.folded.begin(), state.tracks.folded.end(), 0);
        const RunTimelineFrame frame = runTimelineFrame(subject, state, sheet);
        ASSERT_EQ(frame.rowCount, groups.size());
        const auto messages = messagesInSight(subject, frame);
        ASSERT_TRUE(messages);
        const RankStretches stretches{subject, *messages, frame.axis.begin(), frame.axis.end()};
        for (std::size_t group = 0; group < groups.size(); ++group) {
            const StateColumns columns = statesOfGroup(frame, stretches, group);
            ASSERT_EQ(columns.edge(0), frame.axis.begin());
            ASSERT_EQ(columns.edge(columns.columns()), frame.axis.end());
            for (std::int32_t column = 0; column < columns.columns(); ++column) {
                StateColumns::Times expected{};
                for (Picoseconds time = columns.edge(column); time < columns.edge(column + 1); ++time)
                    for (const Rank rank : groups[group].ranks)
                        ++expected[static_cast<std::size_t>(stateAt(subject, rank, time))];
                ASSERT_EQ(columns.at(column), expected) << "group " << group << ", column " << column;
                ++compared;
            }
        }
    }
    EXPECT_GT(compared, 1000U);
}

TEST(Rows, haveEveryRankOnceHoweverTheyAreArranged) {
    Dice dice{5};
    for (int repeat = 0; repeat < 40; ++repeat) {
        const DrawableRun subject =
            randomSubject(dice, 24, 60, repeat % 2 == 0 ? "torus:4x6" : "torus:4x6 placement=random:3", 500);
        const ViewState state{.tracks = randomView(dice, subject)};
        const RunTimelineFrame frame = runTimelineFrame(subject, state, sheet);
        std::vector<int> inRow(frame.rowCount);
        for (Rank rank{0}; rank.value < 24; ++rank) ++inRow[frame.rowOfRank(rank)];
        for (std::size_t row = 0; row < frame.rowCount; ++row) {
            const bool isRank = frame.rankOf(row) >= 0;
            EXPECT_EQ(inRow[row], isRank ? 1 : static_cast<int>(frame.groups[frame.groupOf(row)].ranks->size()));
        }
        EXPECT_LT(frame.firstRow(), frame.endRow());
        // What is seen lies in the plot, and leads to ranks in sight.
        const Scene scene = runTimelineScene(subject, state, sheet);
        const std::vector<bool> seen = frame.ranksInSight();
        std::size_t named = 0;
        for (const Shape& shape : scene.shapes) {
            const bool isText = shape.kind == Shape::Kind::text;
            if (isText && (shape.meaning.kind == Meaning::Kind::rank || shape.meaning.kind == Meaning::Kind::group))
                ++named;
            if (isText || shape.meaning.kind == Meaning::Kind::none) continue;
            const QRectF room = frame.plot.adjusted(-2, -0.6, 2, 0.6);
            if (shape.meaning.kind == Meaning::Kind::message) {
                const engine::MessageRecord one = subject.run().messages[static_cast<std::size_t>(shape.meaning.index)];
                EXPECT_TRUE(seen[one.from.index()] || seen[one.to.index()]);
                EXPECT_TRUE(room.contains(shape.from) && room.contains(shape.to));
            }
            if (shape.meaning.kind == Meaning::Kind::still || shape.meaning.kind == Meaning::Kind::rank) {
                EXPECT_TRUE(seen[static_cast<std::size_t>(shape.meaning.index)]);
                EXPECT_TRUE(shape.kind == Shape::Kind::line || room.contains(shape.box));
            }
        }
        EXPECT_GT(named, 0U) << "rows have names at every zoom";
        EXPECT_EQ(quarrelsIn(scene, sheet), "") << repeat;
    }
}

TEST(Rows, sayAsManyMessagesByDensityAsWereSent) {
    Dice dice{8};
    for (int repeat = 0; repeat < 6; ++repeat) {
        const DrawableRun subject = randomSubject(dice, 24, 12'000, "torus:4x6", 100'000);
        ViewState state{.tracks = randomView(dice, subject)};
        state.tracks.zoom = 1;
        const QSizeF paper{260, 200};
        ASSERT_TRUE(drawsDensity(subject, runTimelineFrame(subject, state, paper)));
        const Scene scene = runTimelineBackground(subject, state, paper);
        static const QRegularExpression count{QStringLiteral(", (\\d+) messages in cells")};
        int sent = 0;
        for (const Shape& shape : scene.shapes)
            if (const auto match = count.match(shape.tip); match.hasMatch()) sent += match.captured(1).toInt();
        EXPECT_EQ(sent, 12'000) << repeat;
    }
}

/// Of more ranks and messages than a picture looks at one by one.
TEST(Rows, areSummedFromBundlesWhereThereAreMany) {
    const DrawableRun subject = subjectOf(wishFor("allgatherv/linear-ring", 600, "torus:20x30"));
    const std::size_t sent = subject.run().messages.size();
    ASSERT_EQ(sent, 600U * 599U);
    ASSERT_LT(subject.density().bundles().count(), 600);
    ViewState state;
    state.tracks.groups = ProgramTimelineView::Groups::node;
    state.tracks.folded.resize(20);
    std::iota(state.tracks.folded.begin(), state.tracks.folded.end(), 0);
    static const QRegularExpression words{QStringLiteral("^row (\\d+): .*, (\\d+) messages in cells of 30 ranks")};
    std::vector<int> ofGroup(20);
    for (const Shape& shape : runTimelineBackground(subject, state, {260, 200}).shapes)
        if (const auto match = words.match(shape.tip); match.hasMatch())
            ofGroup[match.captured(1).toUInt()] += match.captured(2).toInt();
    for (const int messages : ofGroup) EXPECT_NEAR(messages, 30 * 599, 30 * 6);
    Dice dice{17};
    for (int repeat = 0; repeat < 12; ++repeat) {
        const ViewState any{.tracks = randomView(dice, subject)};
        for (const QSizeF paper : {QSizeF{260, 200}, QSizeF{900, 700}})
            EXPECT_FALSE(runTimelineBackground(subject, any, paper).shapes.empty());
    }
}

TEST(PortLoads, areThoseOfTheRanksOfEachRow) {
    Dice dice{11};
    for (int repeat = 0; repeat < 5; ++repeat) {
        const DrawableRun subject = randomSubject(dice, 30, 300, {}, 1000);
        std::vector<std::int32_t> rowOf(30);
        for (std::int32_t& row : rowOf) row = dice.below(5) - 1;
        PortLoads loads{rowOf, 4, TimeAxis{Picoseconds{100}, Picoseconds{900}, 0, 1}, 8};
        loads.fill(subject);
        for (std::int32_t row = 0; row < 4; ++row)
            for (std::int32_t column = 0; column < 8; ++column) {
                std::int64_t busy = 0;
                std::int64_t begun = 0;
                const Picoseconds begin{100 + 100 * column};
                const auto within = [&](Picoseconds from, Picoseconds to) {
                    return std::max<std::int64_t>(
                        (std::min(to, begin + Picoseconds{100}) - std::max(from, begin)).count(), 0);
                };
                for (std::size_t i = 0; i < 300; ++i) {
                    const engine::MessageRecord one = subject.run().messages[i];
                    if (rowOf[one.from.index()] == row) {
                        busy += within(one.sendBegin, one.sendEnd);
                        begun += one.sendBegin >= begin && one.sendBegin < begin + Picoseconds{100} ? 1 : 0;
                    }
                    if (rowOf[one.to.index()] == row) busy += within(one.receiveBegin, one.receiveEnd);
                }
                EXPECT_DOUBLE_EQ(loads.at(row, column).busy, static_cast<double>(busy));
                EXPECT_EQ(loads.at(row, column).messages, static_cast<double>(begun));
            }
    }
}

TEST(Bundles, areRowsOfRanksThatReachOverNoEdgeOfALargeGroup) {
    Dice dice{13};
    for (int repeat = 0; repeat < 60; ++repeat) {
        const std::int32_t ranks = 1 + dice.below(3000);
        std::vector<std::int32_t> edges{0};
        while (edges.back() < ranks) edges.push_back(edges.back() + 1 + dice.below(repeat % 3 == 0 ? 6 : 400));
        edges.pop_back();
        const Bundles bundles{ranks, edges};
        ASSERT_EQ(bundles.ranks(), ranks);
        EXPECT_LE(bundles.count(), 512);
        EXPECT_GE(bundles.count(), std::min(ranks, 128) / 2);
        std::vector<int> sizes(static_cast<std::size_t>(bundles.count()));
        for (Rank rank{0}; rank.value < ranks; ++rank) {
            ++sizes[static_cast<std::size_t>(bundles.of(rank))];
            if (rank.value > 0) {
                const std::int32_t step = bundles.of(rank) - bundles.of(Rank{rank.value - 1});
                EXPECT_TRUE(step == 0 || step == 1);
            }
        }
        for (const int size : sizes) {
            EXPECT_GT(size, 0);
            EXPECT_LE(size, 2 * ranks / std::min(ranks, 256) + 2);
        }
        edges.push_back(ranks);
        for (std::size_t group = 0; group + 1 < edges.size(); ++group) {
            const std::int32_t first = edges[group];
            const std::int32_t end = edges[group + 1];
            if ((end - first) * std::int64_t{std::min(ranks, 256)} < ranks) continue;
            if (first > 0) {
                EXPECT_NE(bundles.of(Rank{first - 1}), bundles.of(Rank{first}));
            }
            if (end < ranks) {
                EXPECT_NE(bundles.of(Rank{end - 1}), bundles.of(Rank{end}));
            }
        }
    }
}

TEST(SpaceTime, showsSingleRanksOfManyWhenZoomed) {
    const DrawableRun subject = subjectOf(wishFor("allgatherv/linear-ring", 600));
    ASSERT_GT(subject.run().messages.size(), 200'000U);
    ViewState state;
    state.tracks = {.zoom = 40, .top = 100};
    const RunTimelineFrame frame = runTimelineFrame(subject, state, {900, 500});
    EXPECT_EQ(frame.firstRow(), 100U);
    EXPECT_LT(frame.endRow(), 120U);
    const Scene scene = runTimelineBackground(subject, state, {900, 500});
    std::set<std::int64_t> ranks;
    for (const Shape& shape : scene.shapes)
        if (shape.meaning.kind == Meaning::Kind::rank && shape.kind != Shape::Kind::text)
            ranks.insert(shape.meaning.index);
    EXPECT_EQ(ranks.size(), frame.endRow() - frame.firstRow()) << "a row of cells for each";
}

}  // namespace
}  // namespace app::gui
