// SPDX-License-Identifier: BSD-3-Clause
// Messages across tracks: one by one, or the sign of what they make up.
#include "app/gui/scenes/program/program_timeline_frame.hpp"
#include "app/gui/scenes/text/program_text.hpp"
#include "app/gui/scenes/text/run_text.hpp"
#include "tests/app/gui/program_support.hpp"
#include "tests/app/gui/scenes/scenes_support.hpp"
#include "tests/support/programs/stepping_program.hpp"
#include "traces/recording/recording_builder.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace app::gui {
namespace {

using engine::Picoseconds;
using engine::Rank;

TEST(LocationTimelines, drawAndTellWhatTheMessagesOfAnIterationAre) {
    const DrawableRun subject = programSubject(support::steppingProgram(4, 12));
    const analysis::TracedProgram& program = *programOf(subject);
    ASSERT_EQ(program.patterns().size(), 12U);
    for (const analysis::MessagePattern& pattern : program.patterns())
        EXPECT_EQ(inWords(pattern), "a shift by 1 among 4 ranks");
    const Scene scene = programTimelineScene(subject, {}, programPaper);
    const ProgramTimelineFrame frame = programTimelineFrame(subject, program, {}, programPaper);
    std::map<std::int64_t, int> lines;
    for (const Shape& line : shapesOf(scene, Meaning::Kind::iteration, Shape::Kind::line)) {
        ++lines[line.meaning.index];
        EXPECT_TRUE(frame.iterations.contains(line.from)) << "in the band of iterations";
    }
    EXPECT_EQ(lines.size(), 12U);
    for (const auto& [iteration, count] : lines) EXPECT_EQ(count, 2) << "the two lines of a shift, " << iteration;
    EXPECT_TRUE(says(scene, "pattern: shift (all to the same distance)")) << "the legend";
    EXPECT_TRUE(wordsFor(subject, {Meaning::Kind::iteration, 4, -1}).contains("a shift by 1 among 4 ranks"));
}

/// A halo exchange on a grid of `side` by `side` ranks, `steps` times: 100 ms of work, then each sends to its four
/// neighbours within 10 ms.
traces::Recording haloProgram(int side, int steps) {
    const auto ms = [](double time) { return Picoseconds{static_cast<std::int64_t>(time * 1e9)}; };
    const int ranks = side * side;
    traces::RecordingBuilder builder{ranks};
    for (int rank = 0; rank < ranks; ++rank) builder.enter(rank, ms(0), "main");
    for (int step = 0; step < steps; ++step)
        for (int rank = 0; rank < ranks; ++rank) {
            const double begin = 1 + 110.0 * step;
            builder.enter(rank, ms(begin), "work");
            builder.leave(rank, ms(begin + 99));
            builder.enter(rank, ms(begin + 99), "MPI_Waitall");
            const int row = rank / side, column = rank % side;
            const auto at = [&](int down, int right) {
                return (row + down + side) % side * side + (column + right + side) % side;
            };
            int sent = 0;
            for (const int to : {at(0, 1), at(0, -1), at(1, 0), at(-1, 0)})
                builder.message({.from = Rank{rank},
                                 .to = Rank{to},
                                 .bytes = 8,
                                 .sendBegin = ms(begin + 100 + sent),
                                 .sendEnd = ms(begin + 101 + sent),
                                 .receiveBegin = ms(begin + 100 + sent),
                                 .receiveEnd = ms(begin + 103 + 2 * sent++)});
            builder.leave(rank, ms(begin + 109.5));
        }
    for (int rank = 0; rank < ranks; ++rank) builder.leave(rank, ms(2 + 110.0 * steps));
    return builder.finish();
}

std::size_t linesOfMessages(const Scene& scene) {
    return shapesOf(scene, Meaning::Kind::message, Shape::Kind::line).size() +
           shapesOf(scene, Meaning::Kind::message, Shape::Kind::arrow).size();
}

/// 16 ranks, 64 messages in 10 of 110 ms: of ten steps in the picture, each has less than 10 pixels for them; of one
/// alone, a tenth of the picture; of its exchange alone, all of it.
TEST(LocationTimelines, drawASignInPlaceOfATangle) {
    const DrawableRun subject = programSubject(haloProgram(4, 10));
    const analysis::TracedProgram& program = *programOf(subject);
    ASSERT_EQ(program.iterations().all.size(), 10U);
    ASSERT_EQ(inWords(program.patterns()[4]), "an exchange with up to 4 partners among 16 ranks");
    const Scene whole = programTimelineScene(subject, {}, programPaper);
    EXPECT_EQ(linesOfMessages(whole), 0U);
    std::size_t standIns = 0;
    for (const Shape& shape : whole.shapes) standIns += shape.tip.contains("64 messages too close to be drawn") ? 1 : 0;
    EXPECT_EQ(standIns, 10U);
    EXPECT_TRUE(says(whole, "messages too close to be drawn")) << "the legend";
    const ViewState near{.spanBegin = Picoseconds{100'000'000'000}, .spanEnd = Picoseconds{111'000'000'000}};
    EXPECT_EQ(linesOfMessages(programTimelineScene(subject, near, programPaper)), 64U);
    EXPECT_EQ(quarrelsIn(whole, programPaper), "");
}

/// One exchange is no iteration: the sign stands above its messages alone, once, and the legend says what signs mean.
TEST(LocationTimelines, tellTheSignsOfBurstsInTheLegend) {
    const DrawableRun subject = programSubject(haloProgram(4, 1));
    const analysis::TracedProgram& program = *programOf(subject);
    ASSERT_TRUE(program.iterations().all.empty());
    const Scene whole = programTimelineScene(subject, {}, programPaper);
    int bursts = 0;
    for (const Shape& shape : whole.shapes) bursts += shape.tip.contains("64 messages: an exchange") ? 1 : 0;
    EXPECT_EQ(bursts, 1);
    for (const char* sign : {"pattern: shift (all to the same distance)", "pattern: exchange in pairs", "pattern: tree",
                             "pattern: all-to-all"})
        EXPECT_TRUE(says(whole, sign)) << sign;
    EXPECT_EQ(quarrelsIn(whole, programPaper), "");
    const Scene few = programTimelineScene(programSubject(haloProgram(2, 1)), {}, programPaper);
    EXPECT_FALSE(says(few, "pattern: exchange in pairs")) << "all of them are drawn";
}

/// Of a few messages nobody loses the thread.
TEST(LocationTimelines, drawFewMessagesHoweverCloseTheyAre) {
    const DrawableRun subject = programSubject(haloProgram(2, 10));
    EXPECT_EQ(linesOfMessages(programTimelineScene(subject, {}, programPaper)), subject.run().messages.size());
}

TEST(LocationTimelines, showTheMessagesOfARankThatThePointerIsOn) {
    const DrawableRun subject = programSubject(haloProgram(4, 10));
    const ProgramTimelineFrame frame = programTimelineFrame(subject, *programOf(subject), {}, programPaper);
    const engine::Messages& messages = subject.run().messages;
    for (const int rank : {0, 5, 15}) {
        // Between the first message of the third step and its second.
        const QPointF at{frame.axis.pixel(Picoseconds{321'500'000'000}), frame.middleOf(Rank{rank})};
        const std::optional<std::uint32_t> lit = programTimelineMessageAt(subject, {}, programPaper, at);
        ASSERT_TRUE(lit);
        EXPECT_EQ(messages.from()[*lit], Rank{rank});
        const Scene scene = programTimelineForeground(subject, {.lit = lit}, programPaper);
        std::set<std::int32_t> to;
        for (const Shape& arrow : shapesOf(scene, Meaning::Kind::message, Shape::Kind::arrow)) {
            const auto i = static_cast<std::size_t>(arrow.meaning.index);
            EXPECT_EQ(messages.from()[i], Rank{rank});
            EXPECT_NEAR(arrow.from.x(), frame.axis.pixel(messages.sendBegin()[i]), 0.1);
            EXPECT_NEAR(arrow.to.y(), frame.middleOf(messages.to()[i]), 0.1);
            to.insert(messages.to()[i].value);
        }
        EXPECT_EQ(to.size(), 4U) << "all that it sends meanwhile";
    }
    EXPECT_FALSE(programTimelineMessageAt(subject, {}, programPaper,
                                          {frame.axis.pixel(Picoseconds{50'000'000'000}), frame.middleOf(Rank{5})}));
}

}  // namespace
}  // namespace app::gui
