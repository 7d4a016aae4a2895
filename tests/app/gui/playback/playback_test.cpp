// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/playback/playback.hpp"

#include "tests/app/gui/window_fixture.hpp"

#include <QSignalSpy>

namespace app::gui {
namespace {

using engine::Picoseconds;
using namespace std::chrono_literals;

class PlaybackTest : public testing::Test {
protected:
    PlaybackTest() { playback.show(firstSubject()); }

    void pass(std::chrono::nanoseconds time) {
        clock.pass(time);
        playback.tick();
    }
    [[nodiscard]] Picoseconds time() const { return playback.state().time; }

    HandClock clock;
    Playback playback{clock.clock()};
};

TEST_F(PlaybackTest, movesWithTheClockAndNotWithTicks) {
    playback.play();
    pass(1s);
    const Picoseconds one = time();
    for (int i = 0; i < 100; ++i) playback.tick();
    EXPECT_EQ(time(), one);
    for (int i = 0; i < 10; ++i) pass(100ms);
    EXPECT_NEAR(static_cast<double>(time().count()), 2.0 * static_cast<double>(one.count()), 2);
    EXPECT_GT(one, Picoseconds{});
}

TEST_F(PlaybackTest, cutsOnlyWhatHasThreeDimensions) {
    playback.setCut({1, 0});
    EXPECT_EQ(playback.state().cut, CutPlane{});
    RunWish wish;
    wish.algorithm = "bcast/chain";
    wish.problem.ranks = 24;
    wish.network.topology = "torus:2x3x4";
    playback.show(std::make_shared<const DrawableRun>(execute(wish)));
    playback.setCut({1, 7});
    EXPECT_EQ(playback.state().cut, (CutPlane{1, 2})) << "there are three layers";
    playback.setCut({3, 0});
    EXPECT_EQ(playback.state().cut, CutPlane{});
}

TEST_F(PlaybackTest, takesAboutEightTenthsOfASecondPerRound) {
    playback.play();
    pass(2800ms);
    EXPECT_NEAR(static_cast<double>(time().count()), static_cast<double>(playback.duration().count()) / 2, 2);
}

TEST_F(PlaybackTest, stopsAtTheEndAndStartsOver) {
    playback.play();
    pass(1h);
    EXPECT_EQ(time(), playback.duration());
    EXPECT_FALSE(playback.playing());
    playback.play();
    EXPECT_TRUE(playback.playing());
    EXPECT_EQ(time(), Picoseconds{});
}

TEST_F(PlaybackTest, goesRoundWhenLooping) {
    playback.setLooping(true);
    playback.play();
    pass(5600ms + 2800ms);
    EXPECT_TRUE(playback.playing());
    EXPECT_NEAR(static_cast<double>(time().count()), static_cast<double>(playback.duration().count()) / 2, 4);
}

TEST_F(PlaybackTest, stepsThroughAllStopsAndBackExactly) {
    std::vector<Picoseconds> forward{time()};
    while (time() < playback.duration() && forward.size() < 20) {
        playback.step(+1);
        forward.push_back(time());
    }
    EXPECT_EQ(forward, playback.subject()->stops());
    std::vector<Picoseconds> backward{time()};
    while (time() > Picoseconds{} && backward.size() < 20) {
        playback.step(-1);
        backward.push_back(time());
    }
    std::reverse(backward.begin(), backward.end());
    EXPECT_EQ(backward, forward);
    playback.step(-1);
    EXPECT_EQ(time(), Picoseconds{});
}

TEST_F(PlaybackTest, stepPauses) {
    playback.play();
    pass(1s);
    playback.step(+1);
    EXPECT_FALSE(playback.playing());
    const Picoseconds there = time();
    pass(1s);
    EXPECT_EQ(time(), there);
}

TEST_F(PlaybackTest, changesSpeedWithoutAJump) {
    playback.play();
    pass(1s);
    const Picoseconds before = time();
    playback.setSpeed(4);
    EXPECT_EQ(time(), before);
    pass(250ms);
    EXPECT_NEAR(static_cast<double>(time().count()), 2.0 * static_cast<double>(before.count()), 2);
    playback.setSpeed(1000);
    EXPECT_EQ(playback.speed(), Playback::fastest);
}

TEST_F(PlaybackTest, seeksWithinTheRun) {
    playback.seek(Picoseconds{-5});
    EXPECT_EQ(time(), Picoseconds{});
    playback.seek(playback.duration() * 2);
    EXPECT_EQ(time(), playback.duration());
    playback.seekRound(engine::Round{3});
    EXPECT_EQ(playback.round(), engine::Round{3});
    playback.seekRound(engine::Round{99});
    EXPECT_EQ(playback.round(), engine::Round{3});
}

TEST_F(PlaybackTest, undoesZoomsAsOneAndDragsEach) {
    const Picoseconds all = playback.duration();
    playback.zoom(0.5, all / 2);
    playback.zoom(0.5, all / 2);
    EXPECT_EQ(playback.spanEnd() - playback.spanBegin(), all / 4);
    playback.showSpan(all * 3 / 8, all / 2);
    playback.showSpan(all / 2, all * 3 / 7);
    EXPECT_EQ(playback.spanBegin(), all * 3 / 7);
    EXPECT_EQ(playback.spanEnd(), all / 2);
    playback.undoSpan();
    EXPECT_EQ(playback.spanBegin(), all * 3 / 8);
    playback.undoSpan();
    EXPECT_EQ(playback.spanEnd() - playback.spanBegin(), all / 4);
    playback.undoSpan();
    EXPECT_EQ(playback.spanBegin(), Picoseconds{});
    EXPECT_EQ(playback.spanEnd(), all);
    playback.undoSpan();
    EXPECT_EQ(playback.spanEnd(), all);
}

TEST_F(PlaybackTest, keepsTheSpanWithinTheRun) {
    playback.zoom(0.5, Picoseconds{});
    playback.pan(-3);
    EXPECT_EQ(playback.spanBegin(), Picoseconds{});
    playback.pan(100);
    EXPECT_EQ(playback.spanEnd(), playback.duration());
    playback.zoom(100, playback.duration());
    EXPECT_EQ(playback.spanBegin(), Picoseconds{});
    EXPECT_EQ(playback.spanEnd(), playback.duration());
    for (int i = 0; i < 200; ++i) playback.zoom(0.5, Picoseconds{12345});
    EXPECT_LT(playback.spanBegin(), playback.spanEnd());
}

TEST_F(PlaybackTest, takesTheSpanAlongWithTheCursor) {
    playback.showSpan(Picoseconds{}, playback.duration() / 4);
    playback.seek(playback.duration() / 2);
    EXPECT_LE(playback.spanBegin(), time());
    EXPECT_GE(playback.spanEnd(), time());
    EXPECT_EQ(playback.spanEnd() - playback.spanBegin(), playback.duration() / 4);
    playback.undoSpan();
    EXPECT_EQ(playback.spanEnd(), playback.duration());
}

TEST_F(PlaybackTest, zoomsFromWhatTheDiagramShows) {
    Report report = execute(firstWish());
    engine::Run late = *report.run;
    engine::Messages moved;
    const Picoseconds by = late.duration * 100;
    for (std::size_t i = 0; i < late.messages.size(); ++i) {
        engine::MessageRecord message = late.messages[i];
        for (Picoseconds* time : {&message.sendBegin, &message.sendEnd, &message.receiveBegin, &message.receiveEnd}) {
            *time += by;
        }
        moved.push(message, late.messages.what(i));
    }
    late.messages = moved;
    late.duration += by;
    for (engine::RoundTimes& round : late.perRound) round.begin += by, round.end += by;
    report.run = std::make_shared<const engine::Run>(std::move(late));
    playback.show(std::make_shared<const DrawableRun>(std::move(report)));
    const Picoseconds before = playback.spanEnd() - playback.spanBegin();
    playback.zoom(0.5, playback.duration());
    EXPECT_NEAR(static_cast<double>((playback.spanEnd() - playback.spanBegin()).count()),
                static_cast<double>(before.count()) / 2, 2);
}

TEST_F(PlaybackTest, keepsTheBlockThatWasClicked) {
    QSignalSpy changed{&playback, &Playback::changed};
    playback.select(Meaning{Meaning::Kind::block, 3, 1});
    EXPECT_EQ(playback.state().rank, engine::Rank{1});
    EXPECT_EQ(playback.state().block, 3);
    playback.select(Meaning{Meaning::Kind::block, 2, 1});
    EXPECT_EQ(playback.state().rank, engine::Rank{1}) << "the same rank stays";
    EXPECT_EQ(playback.state().block, 2);
    EXPECT_EQ(changed.count(), 2);
    playback.select(Meaning{Meaning::Kind::rank, 0});
    EXPECT_EQ(playback.state().block, 2) << "of another rank";
    playback.select(Meaning{Meaning::Kind::block, 99, 0});
    EXPECT_EQ(playback.state().block, 2) << "there is no such block";
    playback.select(std::nullopt);
    EXPECT_FALSE(playback.state().block);
}

TEST_F(PlaybackTest, selectsAndClears) {
    QSignalSpy changes{&playback, &Playback::changed};
    playback.select(Meaning{Meaning::Kind::rank, 2});
    EXPECT_EQ(playback.state().rank, engine::Rank{2});
    playback.select(Meaning{Meaning::Kind::message, 3});
    EXPECT_EQ(playback.state().message, std::size_t{3});
    EXPECT_EQ(changes.count(), 2);
    playback.fitSelection();
    const engine::MessageRecord message = playback.subject()->run().messages[3];
    EXPECT_LE(playback.spanBegin(), message.sendBegin);
    EXPECT_GE(playback.spanEnd(), message.receiveEnd);
    playback.select(Meaning{Meaning::Kind::rank, 99});
    EXPECT_EQ(playback.state().rank, engine::Rank{2});
    playback.select(std::nullopt);
    EXPECT_FALSE(playback.state().rank);
    EXPECT_FALSE(playback.state().message);
    playback.select(Meaning{Meaning::Kind::rank, 2});
    playback.select(Meaning{Meaning::Kind::rank, 2});
    EXPECT_FALSE(playback.state().rank);
}

TEST_F(PlaybackTest, walksAlongTheMessagesOfARank) {
    playback.selectRank(engine::Rank{2});
    const engine::Messages& messages = playback.subject()->run().messages;
    int seen = 0;
    std::optional<std::size_t> last;
    while (playback.selectNextMessage(+1), playback.state().message != last) {
        last = playback.state().message;
        const engine::MessageRecord message = messages[*last];
        EXPECT_TRUE(message.from == engine::Rank{2} || message.to == engine::Rank{2});
        EXPECT_EQ(time(), message.sendBegin);
        ++seen;
    }
    int all = 0;
    for (std::size_t i = 0; i < messages.size(); ++i) {
        all += messages.from()[i] == engine::Rank{2} || messages.to()[i] == engine::Rank{2};
    }
    EXPECT_EQ(seen, all);
}

TEST_F(PlaybackTest, beginsAnotherRunAnew) {
    playback.setSpeed(2);
    playback.seek(playback.duration());
    playback.selectRank(engine::Rank{1});
    playback.zoom(0.5, Picoseconds{});
    QSignalSpy subjects{&playback, &Playback::subjectChanged};
    playback.show(firstSubject());
    EXPECT_EQ(subjects.count(), 1);
    EXPECT_EQ(time(), Picoseconds{});
    EXPECT_FALSE(playback.state().rank);
    EXPECT_EQ(playback.spanEnd(), playback.duration());
    EXPECT_EQ(playback.speed(), 2);
}

TEST(Playback, doesNothingWithoutARun) {
    Playback playback;
    playback.play();
    playback.step(+1);
    playback.seek(Picoseconds{5});
    playback.zoom(0.5, Picoseconds{});
    playback.fitSelection();
    playback.selectNextMessage(+1);
    playback.selectNeighbour(+1);
    EXPECT_FALSE(playback.playing());
    EXPECT_EQ(playback.state().time, Picoseconds{});
}

}  // namespace
}  // namespace app::gui
