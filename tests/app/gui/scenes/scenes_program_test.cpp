// SPDX-License-Identifier: BSD-3-Clause
// What else is drawn and said of a traced program: Where and When, its headline, poster, overview and details.
#include "app/gui/explain/details.hpp"
#include "app/gui/scenes/common/gap_bar.hpp"
#include "app/gui/scenes/common/program_timeline_colours.hpp"
#include "app/gui/scenes/common/rank_states.hpp"
#include "app/gui/scenes/picture/picture.hpp"
#include "app/gui/scenes/text/activity_shares.hpp"
#include "app/gui/scenes/text/headline.hpp"
#include "app/gui/scenes/text/program_text.hpp"
#include "app/gui/scenes/text/run_text.hpp"
#include "app/gui/scenes/text/summary.hpp"
#include "app/gui/scenes/time/overview.hpp"
#include "tests/app/gui/program_support.hpp"
#include "tests/app/gui/scenes/scenes_support.hpp"
#include "tests/support/programs/random_program.hpp"
#include "tests/support/programs/stepping_program.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace app::gui {
namespace {

using analysis::Activity;
using engine::Picoseconds;
using engine::Rank;

TEST(InFlight, isNoMessageWhoseSenderIsStillElsewhere) {
    traces::RecordingBuilder builder{2};
    builder.message({.from = Rank{0},
                     .to = Rank{1},
                     .bytes = 1000,
                     .sendBegin = Picoseconds{80},
                     .sendEnd = Picoseconds{90},
                     .receiveBegin = Picoseconds{10},
                     .receiveEnd = Picoseconds{100}});
    const DrawableRun subject = programSubject(builder.finish());
    EXPECT_TRUE(subject.messagesAt(Picoseconds{50}).empty());
    EXPECT_EQ(subject.messagesAt(Picoseconds{85}).size(), 1U);
    const std::vector<std::uint32_t> all{0};
    Picoseconds receiving{};
    for (const RankStretch& its : RankStretches{subject, all, Picoseconds{0}, Picoseconds{100}}.of(Rank{1}))
        if (its.state == RankState::receiving) receiving += its.end - its.begin;
    EXPECT_EQ(receiving, Picoseconds{20});
}

/// Rank 0 computes for 40 ms before it sends; rank 1 waits in its receive.
TEST(Details, ofAMessageNameTheCallsOfBothEndsAndNoRounds) {
    const auto ms = [](std::int64_t time) { return Picoseconds{time * 1'000'000'000}; };
    traces::RecordingBuilder builder{2};
    for (const int rank : {0, 1}) builder.enter(rank, ms(0), "main");
    builder.enter(0, ms(40), "MPI_Send");
    builder.leave(0, ms(42));
    builder.enter(1, ms(10), "MPI_Recv");
    builder.leave(1, ms(42));
    builder.message({.from = Rank{0},
                     .to = Rank{1},
                     .bytes = 1000,
                     .sendBegin = ms(40),
                     .sendEnd = ms(42),
                     .receiveBegin = ms(10),
                     .receiveEnd = ms(42)});
    for (const int rank : {0, 1}) builder.leave(rank, ms(50));
    const DrawableRun subject = programSubject(builder.finish());
    ASSERT_NE(programOf(subject), nullptr);
    for (const Meaning& asked : {Meaning{Meaning::Kind::message, 0, -1}, Meaning{Meaning::Kind::rank, 1, -1}}) {
        const QString words = detailsOf(subject, {.asked = asked});
        for (const char* no : {"round", "inactive", "was ready"}) EXPECT_FALSE(words.contains(no)) << asked.index;
    }
    const QString words = detailsOf(subject, {.asked = Meaning{Meaning::Kind::message, 0, -1}});
    for (const char* part : {"main/MPI_Send, 40 ms to 42 ms, after 40 ms of computation",
                             "main/MPI_Recv, 10 ms to 42 ms, after 10 ms of computation", "late sender"})
        EXPECT_TRUE(QString{words}.replace(QChar::Nbsp, ' ').contains(part)) << part << '\n' << words.toStdString();
}

TEST(When, hasABarAsHighAsEachIterationIsLong) {
    const DrawableRun subject = programSubject(support::steppingProgram(4, 12));
    const auto& all = programOf(subject)->iterations().all;
    const Scene scene = whenScene(subject, {}, {500, 240});
    const std::vector<Shape> bars = boxesOf(scene, Meaning::Kind::iteration);
    ASSERT_EQ(bars.size(), all.size());
    // They take the width, and the axis has values.
    EXPECT_GT(bars.back().box.right(), 0.9 * 500);
    Picoseconds longest{};
    double highest = 0;
    for (std::size_t k = 0; k < all.size(); ++k) {
        longest = std::max(longest, all[k].duration);
        highest = std::max(highest, bars[k].box.height());
    }
    for (std::size_t k = 0; k < all.size(); ++k) {
        EXPECT_EQ(bars[k].meaning.index, static_cast<std::int64_t>(k));
        EXPECT_NEAR(bars[k].box.height(),
                    highest * static_cast<double>(all[k].duration.count()) / static_cast<double>(longest.count()), 0.5);
        EXPECT_EQ(bars[k].fill == paletteFor(false).accent, all[k].odd);
    }
    EXPECT_TRUE(says(scene, timeInWords(longest)));
    EXPECT_TRUE(says(scene, timeInWords({})));
}

TEST(Where, hasACellForEachRankAndMarksWhatMadeOthersWait) {
    const DrawableRun subject = programSubject(support::steppingProgram(4, 12));
    const analysis::TracedProgram& program = *programOf(subject);
    const Scene scene = whereScene(subject, {}, {700, 260});
    std::vector<Shape> marked;
    std::map<std::int64_t, int> cells;
    for (const Shape& cell : boxesOf(scene, Meaning::Kind::path)) {
        ++cells[cell.meaning.index];
        if (cell.fill == paletteFor(false).accent) marked.push_back(cell);
    }
    EXPECT_EQ(cells.size(), program.profile().inOrder().size());
    for (const auto& [path, count] : cells) EXPECT_EQ(count, 4) << path;
    ASSERT_EQ(marked.size(), 1U);
    EXPECT_EQ(marked[0].meaning.second, 3);
    EXPECT_EQ(program.paths().name(static_cast<analysis::PathId>(marked[0].meaning.index)), "main/assemble");
}

TEST(Program, hasItsCostliestCauseAsHeadline) {
    const DrawableRun subject = programSubject(support::steppingProgram(4, 12));
    // 11 steps in which three ranks wait 19 ms; in the tenth two wait 27 ms, and rank 3 waits 8 ms.
    const Headline headline = headlineOf(*programOf(subject));
    EXPECT_EQ(headline.result, "627 ms of waiting caused by rank 3, in main/assemble");
    EXPECT_TRUE(headline.better.startsWith(
        "Rank 3 caused 91% of the waiting time (wait at NxN, late 11 times, typically by 19 ms); "))
        << headline.better.toStdString();
    EXPECT_TRUE(
        headline.better.endsWith("12 iterations of 29.5 ms (median), 1 outlier; parallel efficiency 48.6%, limited by "
                                 "load balance"))
        << headline.better.toStdString();
}

/// Long reasons in a narrow window leave room for the words of the colours.
TEST(Program, explainsTheBarBelowItsHeadlineAtEveryWidth) {
    const DrawableRun subject = programSubject(support::steppingProgram(4, 12));
    const QString reasons = headlineOf(*programOf(subject)).better;
    int shortened = 0;
    for (double width = 750; width <= 1500; width += 25) {
        const Scene scene = headlineScene(subject, {}, {width, 78});
        EXPECT_TRUE(std::ranges::any_of(scene.shapes, [](const Shape& shape) {
            return shape.text.startsWith("waiting ") && shape.text.endsWith('%');
        })) << width;
        const auto words =
            std::ranges::find_if(scene.shapes, [](const Shape& one) { return one.text.contains(QChar{0x2026}); });
        if (words != scene.shapes.end()) {
            ++shortened;
            EXPECT_EQ(words->tip, reasons) << width;
        }
        EXPECT_EQ(quarrelsIn(scene, {width, 78}), "") << width;
    }
    EXPECT_GT(shortened, 0) << reasons.toStdString();
}

TEST(Poster, ofAProgramShowsWhatItDid) {
    const DrawableRun subject = programSubject(support::steppingProgram(4, 12));
    for (const QSizeF size : {QSizeF{900, 600}, QSizeF{1280, 800}, QSizeF{1600, 1000}, QSizeF{900, 1400}}) {
        const Scene scene = posterScene(subject, {}, size);
        for (const char* heading : {"Timeline of a program", "Call tree", "Iterations"})
            EXPECT_TRUE(says(scene, heading)) << heading;
        for (const char* unknown : {"Block ownership", "Bounds"}) EXPECT_FALSE(says(scene, unknown)) << unknown;
        EXPECT_TRUE(says(scene, headlineOf(*programOf(subject)).result));
        EXPECT_EQ(quarrelsIn(scene, size), "") << size.width() << 'x' << size.height();
    }
}

TEST(TellingMoment, ofATraceHasAMessageUnderWay) {
    std::mt19937 random{11};
    for (int turn = 0; turn < 20; ++turn) {
        const DrawableRun subject = programSubject(slow::randomProgram(random, 4, 60));
        if (subject.run().messages.empty()) continue;
        const Picoseconds moment = tellingMoment(subject);
        bool any = false;
        bool lasting = false;
        for (std::size_t i = 0; i < subject.run().messages.size(); ++i) {
            const engine::MessageRecord m = subject.run().messages[i];
            lasting =
                lasting || std::max(m.sendEnd, m.receiveEnd) - std::min(m.sendBegin, m.receiveBegin) > Picoseconds{1};
            any =
                any || (std::min(m.sendBegin, m.receiveBegin) <= moment && moment < std::max(m.sendEnd, m.receiveEnd));
        }
        EXPECT_TRUE(any || !lasting) << turn;
    }
}

/// Each share against the sums over all ranks.
TEST(Headline, ofAProgramCutsItsBarByWhatRanksDid) {
    const DrawableRun subject = programSubject(support::steppingProgram(4, 12));
    const analysis::TracedProgram* program = programOf(subject);
    ASSERT_NE(program, nullptr);
    double whole = 0;
    for (const GapPart& part : spentPartsOf(subject, program, false)) {
        whole += static_cast<double>(part.time.count());
        if (!part.name.endsWith("waiting")) continue;
        Picoseconds waited{};
        for (Rank rank{0}; rank.value < 4; ++rank)
            waited += program->tracks().spentBy(rank)[static_cast<std::size_t>(Activity::waiting)];
        EXPECT_EQ(part.time, waited / 4);
        EXPECT_EQ(part.spent, SpentIn::waitsChart);
    }
    EXPECT_NEAR(whole, static_cast<double>(summedTime(*program).count()), 10);
}

/// Pixel by pixel against the lanes: from the bottom up as much waiting as there is, and so on.
TEST(Overview, ofAProgramShowsWhatShareOfItsRanksDoesWhat) {
    const DrawableRun subject = programSubject(support::steppingProgram(4, 12));
    const analysis::TracedProgram* program = programOf(subject);
    const Scene scene = overviewBackground(subject, {}, {1000, 104});
    const auto strip = std::ranges::find(scene.shapes, Shape::Kind::cells, &Shape::kind);
    ASSERT_NE(strip, scene.shapes.end());
    const TimeAxis axis = overviewAxis(subject, {}, {1000, 104});
    const auto waits = [](QRgb pixel) {
        return pixel == paletteFor(false).waiting.rgb() || pixel == paletteFor(false).waitingGround.rgb();
    };
    int columns = 0;
    for (int column = 0; column < strip->cells->width(); ++column) {
        const auto edge = [&](int at) {
            return axis.time(strip->box.left() + strip->box.width() * at / strip->cells->width());
        };
        std::vector<Picoseconds> edges{edge(column), edge(column + 1)};
        analysis::TimeInColumns sums{edges};
        for (Rank rank{0}; rank.value < 4; ++rank)
            sums.add(program->tracks().of(static_cast<std::size_t>(program->tracks().ownOf(rank))).activity);
        double share = 0;
        sums.each([&](std::size_t, Picoseconds length, const analysis::TimeByActivity& times) {
            share = static_cast<double>(times[static_cast<std::size_t>(Activity::waiting)].count()) /
                    static_cast<double>(4 * length.count());
        });
        int high = 0;
        while (high < strip->cells->height() && waits(strip->cells->pixel(column, strip->cells->height() - 1 - high)))
            ++high;
        EXPECT_NEAR(high, share * strip->cells->height(), 1.01) << column;
        columns += share > 0.2 ? 1 : 0;
    }
    EXPECT_GT(columns, 5) << "somebody waits";
}

TEST(Details, ofATraceBeginWithWhatWasNotRecorded) {
    const DrawableRun subject = programSubject(support::steppingProgram(4, 12));
    const QString words = detailsOf(subject, {});
    EXPECT_TRUE(words.contains("Not recorded in this trace"));
    EXPECT_TRUE(words.contains("message contents were not recorded")) << words.toStdString();
    EXPECT_FALSE(detailsOf(ringSubject(), {}).contains("Not recorded"));
}

}  // namespace
}  // namespace app::gui
