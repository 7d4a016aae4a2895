// SPDX-License-Identifier: BSD-3-Clause
// Rounds while ranks march on their own: no number that is wrong for most, and lessons that say what is seen.
#include "app/gui/explain/explanation.hpp"
#include "app/gui/scenes/drawing/scene.hpp"
#include "app/gui/scenes/text/run_text.hpp"
#include "app/teaching/lessons/lesson.hpp"
#include "engine/base/error.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "tests/app/gui/scenes/scenes_support.hpp"

#include <gtest/gtest.h>

namespace app::gui {
namespace {

using engine::Picoseconds;
using engine::Rank;
using engine::Round;

constexpr Picoseconds us(std::int64_t time) { return Picoseconds{time * 1'000'000}; }

/// Three pairs do four rounds each, 0>1 in 10 us each, the others in 40. At 35 us the first pair is in its last round
/// and the others are in their first.
DrawableRun pairs() {
    engine::RunBuilder builder{6, 4, {}};
    for (int round = 0; round < 4; ++round)
        for (int pair = 0; pair < 3; ++pair) {
            const int length = pair == 0 ? 10 : 40;
            engine::MessageRecord m{
                .from = Rank{2 * pair}, .to = Rank{2 * pair + 1}, .round = Round{round}, .bytes = 8};
            m.sendBegin = m.receiveBegin = us(length * round);
            m.sendEnd = m.receiveEnd = us(length * round + length);
            builder.message(m, {});
        }
    engine::Run run = builder.finish();
    run.setting.on = "virtual";
    return DrawableRun{analysis::reportOn(std::make_shared<const engine::Run>(std::move(run)))};
}

TEST(FreeRanks, areInSeveralRoundsAtOnce) {
    const DrawableRun subject = pairs();
    EXPECT_EQ(subject.roundsAt(us(35)), (RoundSpan{Round{0}, Round{3}}));
    EXPECT_EQ(subject.roundOf(Rank{0}, us(35)), Round{3});
    EXPECT_EQ(subject.roundOf(Rank{3}, us(35)), Round{0});
    EXPECT_EQ(subject.roundAt(us(35)), Round{0}) << "four ranks of six";
    EXPECT_EQ(subject.roundAt(us(45)), Round{1}) << "the first pair is done";
    EXPECT_EQ(momentOf(subject, us(35)).section(',', 0, 0), "Rounds 1 to 4 of 4");
    EXPECT_EQ(momentOf(subject, us(5)).section(',', 0, 0), "Round 1 of 4");
    EXPECT_EQ(subject.roundsAt(us(130)), (RoundSpan{Round{3}, Round{3}}));
    EXPECT_EQ(subject.roundsAt(us(160)), (RoundSpan{Round{3}, Round{3}})) << "over";
    EXPECT_EQ(subject.roundOf(Rank{0}, us(-1)), std::nullopt);
}

/// Of the belts half the messages of round 2 begin with those of round 1.
TEST(FreeRanks, shareTheNumberOfRoundsThatBeginTogether) {
    RunWish wish = groupsFor("halfduplex-allgather/ring-belts", 4, 6);
    wish.stepping = emulation::Stepping::free;
    const Scene scene = runTimelineBackground(subjectOf(wish), {}, {900, 500});
    for (const char* words : {"1-2", "3", "4", "5", "6"}) EXPECT_TRUE(says(scene, words)) << words;
}

TEST(FreeRanks, areNamedWithTheirRounds) {
    const DrawableRun subject = pairs();
    const QString words = explain(subject, {.time = us(35)});
    for (const char* part : {"Rounds 1 to 4 of 4", "ranks 2-5 in round 1; ranks 0-1 in round 4", "<b>Round 1</b>"})
        EXPECT_TRUE(words.contains(part)) << part << "\n" << words.toStdString();
    EXPECT_TRUE(explain(subject, {.time = us(35), .rank = Rank{0}}).contains("<b>Round 4</b>"));
    EXPECT_FALSE(explain(subject, {.time = us(5)}).contains("on their own"));
}

/// The number of a round stands where half of it has begun.
TEST(FreeRanks, areNumberedWhereMostOfThemAre) {
    const DrawableRun subject = pairs();
    for (int round = 0; round < 4; ++round) EXPECT_EQ(subject.middleBegin(Round{round}), us(40 * round)) << round;
    const QSizeF size{900, 400};
    const TimeAxis axis = runTimelineAxis(subject, {}, size);
    std::vector<Shape> texts = textsOf(runTimelineScene(subject, {}, size));
    const auto line = std::find_if(texts.begin(), texts.end(), [](const Shape& one) { return one.text == "round"; });
    ASSERT_NE(line, texts.end());
    for (int round = 0; round < 4; ++round)
        EXPECT_TRUE(std::any_of(texts.begin(), texts.end(), [&](const Shape& text) {
            return std::abs(text.box.center().y() - line->box.center().y()) < 1 &&
                   text.text == QString::number(round + 1) &&
                   std::abs(text.box.left() - axis.pixel(us(40 * round)) - 2) < 2;
        })) << round;
}

/// What is told of the rounds of a moment, whatever the algorithm and however unevenly ranks come: no message is under
/// way outside of the span, both ends of it are there, and the one number for it is none that only few have reached.
TEST(FreeRanks, areToldTheRoundsThatTheyAreIn) {
    int runs = 0;
    int several = 0;
    for (const engine::Algorithm* algorithm : engine::catalogue()) {
        RunWish wish;
        wish.algorithm = algorithm->id;
        if (engine::isIntergroup(algorithm->collective)) {
            wish.problem.groupA = 3;
            wish.problem.groupB = 5;
        } else {
            wish.problem.ranks = 8;
        }
        wish.perturbation.arrival = emulation::readArrival("random:100us,3");
        std::optional<DrawableRun> subject;
        try {
            subject.emplace(execute(wish));
        } catch (const engine::Error&) {
            continue;  // one that does not fit
        }
        ++runs;
        const engine::Run& run = subject->run();
        const engine::Messages& messages = run.messages;
        for (int sample = 0; sample < 60; ++sample) {
            const Picoseconds moment = run.duration * sample / 60;
            const RoundSpan span = subject->roundsAt(moment);
            several += span.one() ? 0 : 1;
            std::vector<std::int64_t> begun(static_cast<std::size_t>(run.rounds));
            std::vector<std::int64_t> ended(begun.size());
            for (std::size_t i = 0; i < messages.size(); ++i) {
                const Picoseconds begin = std::min(messages.sendBegin()[i], messages.receiveBegin()[i]);
                const Picoseconds end = std::max(messages.sendEnd()[i], messages.receiveEnd()[i]);
                begun[messages.round()[i].index()] += begin <= moment ? 1 : 0;
                ended[messages.round()[i].index()] += end <= moment ? 1 : 0;
                if (begin <= moment && moment < end) {
                    EXPECT_TRUE(span.first <= messages.round()[i] && messages.round()[i] <= span.last)
                        << algorithm->id << " at " << moment.count();
                }
            }
            const auto all = [&](Round round) { return run.perRound[round.index()].messages; };
            for (Round round{0}; round < span.first; ++round)
                EXPECT_EQ(ended[round.index()], all(round)) << algorithm->id << ": round " << round.value << " is over";
            for (Round round = span.last + 1; round.value < run.rounds; ++round)
                EXPECT_EQ(begun[round.index()], 0) << algorithm->id << ": round " << round.value << " has not begun";
            const Round told = subject->roundAt(moment);
            EXPECT_TRUE(span.first <= told && told <= span.last) << algorithm->id;
            if (!span.one() && told != span.first) {
                EXPECT_GE(2 * begun[told.index()], all(told)) << algorithm->id << ": few are in round " << told.value;
            }
        }
        // Whoever goes to a round is in it.
        for (Round round{0}; round.value < run.rounds; ++round) {
            if (run.perRound[round.index()].messages == 0) continue;
            const Picoseconds there = subject->middleBegin(round);
            const Round told = subject->roundAt(there);
            EXPECT_EQ(subject->middleBegin(told), there) << algorithm->id << ", round " << round.value;
        }
    }
    EXPECT_GT(runs, 60);
    EXPECT_GT(several, 500);
}

/// "After round 2 the ranks 0 and 4 have it" is so at the stop "round 3", however unevenly ranks go.
TEST(FreeRanks, haveFinishedWhatALessonSaysIsOver) {
    for (const Lesson& lesson : lessons()) {
        std::optional<RunWish> wish;
        for (const Stop& stop : lesson.stops) {
            if (stop.run) wish = stop.run;
            if (stop.where != Stop::Where::round) continue;
            for (const bool uneven : {false, true}) {
                RunWish own = *wish;
                if (uneven) own.perturbation.arrival = emulation::readArrival("random:100us,3");
                const DrawableRun subject{execute(own)};
                const engine::Picoseconds moment = momentOf(stop, subject);
                const engine::Messages& messages = subject.run().messages;
                std::size_t ahead = 0;
                for (std::size_t i = 0; i < messages.size(); ++i) {
                    if (messages.round()[i] < stop.round) {
                        EXPECT_LE(messages.receiveEnd()[i], moment)
                            << lesson.title.toStdString() << ", round " << stop.round.value + 1;
                    } else if (messages.receiveEnd()[i] <= moment) {
                        ++ahead;
                    }
                }
                EXPECT_TRUE(uneven || ahead == 0) << lesson.title.toStdString() << ", round " << stop.round.value + 1;
            }
        }
    }
}

/// A program that was traced may compute between its messages: nothing says that it waits.
TEST(ForeignTraces, doNotWaitOutsideMessages) {
    for (const bool foreign : {false, true}) {
        engine::Run run = strangeRun();
        run.setting.on = foreign ? "trace" : "virtual";
        run.duration = Picoseconds{100};
        run.perRank.assign(2, {Picoseconds{9}, Picoseconds{50}, Picoseconds{41}});
        const DrawableRun subject{analysis::reportOn(std::make_shared<const engine::Run>(std::move(run)))};
        for (const Scene& scene : {runTimelineScene(subject, {}, {900, 500}), networkScene(subject, {}, {900, 500}),
                                   idleScene(subject, {}, {900, 500})}) {
            EXPECT_EQ(says(scene, "no communication"), foreign);
            EXPECT_EQ(says(scene, "waiting"), !foreign);
        }
    }
}

}  // namespace
}  // namespace app::gui
