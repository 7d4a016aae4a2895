// SPDX-License-Identifier: BSD-3-Clause
// The first counterexample of a wrong schedule as a picture: what ran until then, the round, the rank, the message,
// the block and the sentence.
#include "app/gui/scenes/picture/heading.hpp"
#include "app/gui/scenes/picture/picture.hpp"
#include "app/gui/scenes/text/headline.hpp"
#include "app/gui/scenes/text/summary.hpp"
#include "tests/app/gui/scenes/scenes_support.hpp"

#include <gtest/gtest.h>

#include "engine/base/text.hpp"

#include <filesystem>
#include <fstream>
#include <set>

namespace app::gui {
namespace {

using engine::Picoseconds;
using engine::Rank;

/// The run of a script with this turn; `rounds` of them.
Report runOf(const std::string& turn, std::int64_t ranks, const std::string& collective = "allgatherv") {
    const std::filesystem::path file =
        std::filesystem::path{testing::TempDir()} /
        (std::string{"fault-"} + testing::UnitTest::GetInstance()->current_test_info()->name() + ".lua");
    std::ofstream{file} << "algorithm { collective = \"" << collective << "\" }\n"
                        << "function rounds() return n - 1 end\nfunction turn(rank, round)\n"
                        << turn << "\nend\n";
    const Report report = execute(wishFor(file.string(), ranks));
    std::filesystem::remove(file);
    return report;
}

/// A ring that sends what it gets only later, from the second round on.
Report hastyRing(std::int64_t ranks) {
    return runOf(
        "send((rank + 1) % n, block((rank + round) % n))\n"
        "receive((rank - 1) % n, block((rank - 1 + round) % n))",
        ranks);
}

/// A ring in which rank 2 is deaf in the second round.
Report deafRing() {
    return runOf(
        "send((rank + 1) % n, block((rank - round) % n))\n"
        "if rank ~= 2 or round ~= 1 then receive((rank - 1) % n, block((rank - round - 1) % n)) end",
        4);
}

/// The discs of the mark, by their tip.
std::vector<Shape> marksIn(const Scene& scene, const DrawableRun& subject) {
    std::vector<Shape> found;
    for (const Shape& shape : scene.shapes)
        if (shape.kind == Shape::Kind::ellipse && shape.tip == subject.faultInWords()) found.push_back(shape);
    return found;
}

constexpr QSizeF sheet{700, 500};

TEST(Fault, isSaidWithTheRoundInWhichTheBlockComes) {
    const Report report = hastyRing(6);
    EXPECT_EQ(report.fault, "Rank 0 sends block 1 to rank 1 in round 2, but gets it in round 3 at the earliest.");
    const DrawableRun subject{report};
    ASSERT_TRUE(subject.fault());
    EXPECT_EQ(subject.fault()->rank, Rank{0});
    EXPECT_EQ(subject.fault()->column, 1);
    const engine::MessageRecord message = subject.run().messages[*subject.fault()->message];
    EXPECT_EQ(message.from, Rank{0});
    EXPECT_EQ(message.to, Rank{1});
    EXPECT_EQ(message.round, engine::Round{1});
    // The moment shown lies in that round, with the message under way.
    const Picoseconds moment = tellingMoment(subject);
    EXPECT_EQ(subject.roundAt(moment), engine::Round{1});
    EXPECT_LT(message.sendBegin, moment);
    EXPECT_LT(moment, message.receiveEnd);
    EXPECT_TRUE(headlineOf(report).words().endsWith(subject.faultInWords()));
}

TEST(Fault, isMarkedInEveryViewAtItsMoment) {
    const DrawableRun subject{hastyRing(6)};
    const Picoseconds moment = subject.fault()->time;
    const auto message = static_cast<std::int64_t>(*subject.fault()->message);
    using Kind = Meaning::Kind;
    const auto only = [&](const Scene& scene) {
        const std::vector<Shape> marks = marksIn(scene, subject);
        EXPECT_EQ(marks.size(), 1U);
        return marks.empty() ? Meaning{} : marks.front().meaning;
    };
    EXPECT_EQ(only(runTimelineScene(subject, {.time = moment}, sheet)), (Meaning{Kind::message, message, -1}));
    EXPECT_EQ(only(networkScene(subject, {.time = moment}, sheet)), (Meaning{Kind::rank, 0, -1}));
    EXPECT_EQ(only(ownershipScene(subject, {.time = moment}, sheet)), (Meaning{Kind::block, 1, 0}));
    EXPECT_EQ(only(stripScene(subject, {.time = moment}, sheet)), (Meaning{Kind::message, message, -1}));
    // At other moments the diagram alone shows it: there time is an axis.
    for (const Picoseconds other : {Picoseconds{}, subject.run().duration}) {
        EXPECT_EQ(marksIn(runTimelineScene(subject, {.time = other}, sheet), subject).size(), 1U);
        EXPECT_TRUE(marksIn(networkScene(subject, {.time = other}, sheet), subject).empty());
        EXPECT_TRUE(marksIn(ownershipScene(subject, {.time = other}, sheet), subject).empty());
    }
    EXPECT_TRUE(
        says(posterScene(subject, {.time = moment}, {1600, 1000}), QStringLiteral("Wrong: Rank 0 sends block 1")));
}

TEST(Fault, isMarkedOnTheBlockAndTheRowItIsAbout) {
    const DrawableRun subject{hastyRing(6)};
    const Picoseconds moment = subject.fault()->time;
    const Scene holdings = ownershipScene(subject, {.time = moment}, sheet);
    const QPointF middle = marksIn(holdings, subject).front().box.center();
    const auto cells = shapesOf(holdings, Meaning::Kind::block, Shape::Kind::rectangle);
    const auto cell = std::find_if(cells.begin(), cells.end(),
                                   [](const Shape& one) { return one.meaning.index == 1 && one.meaning.second == 0; });
    ASSERT_NE(cell, cells.end());
    EXPECT_TRUE(cell->box.contains(middle));
    const Scene diagram = runTimelineScene(subject, {.time = moment}, sheet);
    const engine::MessageRecord message = subject.run().messages[*subject.fault()->message];
    const TimeAxis axis = runTimelineAxis(subject, {.time = moment}, sheet);
    EXPECT_NEAR(marksIn(diagram, subject).front().box.center().x(), axis.pixel(message.sendBegin), 0.01);
}

TEST(Fault, bringsNothingThatTheSenderDoesNotHold) {
    // n = 4: from the second round on rank r sends r + 1 and r + 2, of which it holds neither.
    const DrawableRun subject{hastyRing(4)};
    const Picoseconds end = subject.run().duration;
    for (std::int32_t rank = 0; rank < 4; ++rank)
        for (std::int32_t block = 0; block < 4; ++block) {
            const bool has = block == rank || block == (rank + 3) % 4;
            const analysis::Holding cell = subject.holdings().at(Rank{rank}, block, end, end);
            EXPECT_EQ(cell.held, has ? cell.size : 0) << rank << " of " << block;
            EXPECT_FALSE(cell.again);
        }
    EXPECT_EQ(subject.holdings().coverageAt(end).held, 8);
}

TEST(Fault, showsWhatRanBeforeAMessageThatNobodyReceives) {
    const Report report = deafRing();
    EXPECT_EQ(report.fault, "round 2: rank 1 sends to rank 2, which does not receive it");
    EXPECT_EQ(report.run->rounds, 2);
    EXPECT_EQ(report.run->messageCount, 7);
    const DrawableRun subject{report};
    ASSERT_TRUE(subject.fault());
    EXPECT_FALSE(subject.fault()->message);
    const ViewState state{.time = tellingMoment(subject)};
    EXPECT_EQ(subject.roundAt(state.time), engine::Round{1});
    // What was passed on in the second round counts, but for rank 2, which took nothing: 3 + 3 + 2 + 3 blocks.
    EXPECT_EQ(subject.holdings().coverageAt(subject.run().duration).held, 11);
    // The message that nobody took is drawn where it would have gone.
    for (const Scene& scene : {networkScene(subject, state, sheet), runTimelineScene(subject, state, sheet)}) {
        EXPECT_EQ(marksIn(scene, subject).size(), 1U);
        EXPECT_TRUE(std::any_of(scene.shapes.begin(), scene.shapes.end(), [&](const Shape& shape) {
            return shape.kind == Shape::Kind::arrow && shape.dashed && shape.tip == subject.faultInWords();
        }));
    }
}

TEST(Fault, atTheEndMarksTheBlockThatIsMissing) {
    const DrawableRun subject{
        runOf("if round == 0 then send((rank + 1) % n, block(rank))\n"
              "receive((rank - 1) % n, block((rank - 1) % n)) end",
              3)};
    EXPECT_EQ(subject.report().fault, "after the last round rank 0 lacks block 1");
    EXPECT_EQ(tellingMoment(subject), subject.run().duration);
    const Scene holdings = ownershipScene(subject, {.time = tellingMoment(subject)}, sheet);
    ASSERT_EQ(marksIn(holdings, subject).size(), 1U);
    EXPECT_EQ(marksIn(holdings, subject).front().meaning, (Meaning{Meaning::Kind::block, 1, 0}));
}

TEST(Fault, ofAReductionMarksWhoseVectorIsThereTwice) {
    const DrawableRun subject{
        runOf("if round == 0 then send(1 - rank, all()) combine(1 - rank, all()) end\n"
              "if round == 1 then send(1 - rank, all()) combine(1 - rank, all()) end",
              2, "allreduce")};
    EXPECT_FALSE(subject.fault()) << "one round alone is right";
    const DrawableRun twice{runOf("send((rank + 1) % n, all())\ncombine((rank - 1) % n, all())", 4, "allreduce")};
    ASSERT_TRUE(twice.fault()) << twice.report().fault;
    EXPECT_TRUE(twice.fault()->column);
    EXPECT_EQ(tellingMoment(twice), twice.run().duration);
}

/// Three GPUs: 2 sends to 0, then 0 and 1 wait for each other.
Report deadlocked() {
    const std::string waits =
        R"(<step s="%" type="r" srcbuf="o" srcoff="#" dstbuf="o" dstoff="#" cnt="1" depid="-1" deps="-1" hasdep="0"/>)";
    const auto step = [&](int number, const std::string& type, int chunk) {
        std::string line = waits;
        line.replace(line.find('%'), 1, std::to_string(number));
        line.replace(line.find("\"r\"") + 1, 1, type);
        for (auto at = line.find('#'); at != std::string::npos; at = line.find('#'))
            line.replace(at, 1, std::to_string(chunk));
        return line + '\n';
    };
    const auto block = [](int id, int send, int receive, const std::string& steps) {
        return engine::text("<tb id=\"", id, "\" send=\"", send, "\" recv=\"", receive, "\" chan=\"", 0, "\">\n", steps,
                            "</tb>\n");
    };
    const auto gpu = [](int id, const std::string& blocks) {
        return engine::text("<gpu id=\"", id, "\" i_chunks=\"1\" o_chunks=\"3\" s_chunks=\"0\">\n", blocks, "</gpu>\n");
    };
    const std::string xml =
        "<algo name=\"mine\" proto=\"Simple\" nchannels=\"1\" nchunksperloop=\"3\" ngpus=\"3\" coll=\"allgather\" "
        "inplace=\"1\">\n" +
        gpu(0, block(0, -1, 2, step(0, "r", 2)) + block(1, 1, 1, step(0, "r", 1) + step(1, "s", 0))) +
        gpu(1, block(0, 0, 0, step(0, "r", 0) + step(1, "s", 1))) + gpu(2, block(0, 0, -1, step(0, "s", 2))) +
        "</algo>\n";
    const std::filesystem::path file = std::filesystem::path{testing::TempDir()} / "fault-deadlocked.xml";
    std::ofstream{file} << xml;
    RunWish wish;
    wish.algorithm = file.string();
    const Report report = execute(wish);
    std::filesystem::remove(file);
    return report;
}

TEST(Fault, ofADeadlockMarksWhoWaitsForWhomAndInWhichStep) {
    const Report report = deadlocked();
    EXPECT_TRUE(report.fault.ends_with(": a deadlock")) << report.fault;
    EXPECT_EQ(report.run->messageCount, 1) << "what could be done is shown";
    const DrawableRun subject{report};
    ASSERT_TRUE(subject.fault());
    const ViewState state{.time = tellingMoment(subject)};
    EXPECT_EQ(state.time, subject.run().duration);
    for (const Scene& scene : {networkScene(subject, state, sheet), runTimelineScene(subject, state, sheet)}) {
        std::set<std::int64_t> marked;
        int arrows = 0;
        for (const Shape& shape : scene.shapes) {
            if (!shape.tip.contains("waits for a message from gpu")) continue;
            if (shape.kind == Shape::Kind::ellipse) marked.insert(shape.meaning.index);
            arrows += shape.kind == Shape::Kind::arrow && shape.dashed ? 1 : 0;
        }
        EXPECT_EQ(marked, (std::set<std::int64_t>{0, 1}));
        EXPECT_EQ(arrows, 2);
    }
    EXPECT_TRUE(says(runTimelineScene(subject, state, sheet), QStringLiteral("thread block 1, step 0")));
    EXPECT_TRUE(says(posterScene(subject, state, {1600, 1000}), QStringLiteral("a deadlock")));
}

/// Two ranks that wait for each other from the very begin, in each of which two operations wait.
Report neverBegun() {
    const std::filesystem::path file = std::filesystem::path{testing::TempDir()} / "fault-never-begun.goal";
    std::ofstream{file} << "// problem: allgatherv n=2 sizes=2x8\nnum_ranks 2\n"
                           "rank 0 {\na: recv 8b from 1 tag 0\nb: send 8b to 1 tag 0\nb requires a\n}\n"
                           "rank 1 {\na: recv 8b from 0 tag 0\nb: send 8b to 0 tag 0\nb requires a\n}\n";
    RunWish wish;
    wish.algorithm = file.string();
    const Report report = execute(wish);
    std::filesystem::remove(file);
    return report;
}

TEST(Fault, ofADeadlockSaysItsStepsAlsoWhereNothingRan) {
    const DrawableRun subject{neverBegun()};
    ASSERT_TRUE(subject.fault());
    ASSERT_FALSE(subject.fault()->circle.empty());
    const Scene scene = runTimelineScene(subject, {.time = tellingMoment(subject)}, sheet);
    for (const engine::Waiter& one : subject.fault()->circle)
        EXPECT_TRUE(says(scene, QString::fromStdString(one.where))) << one.where;
}

TEST(Fault, keepsItsWordsWithinEveryPicture) {
    for (const DrawableRun& subject :
         {DrawableRun{hastyRing(6)}, DrawableRun{deafRing()}, DrawableRun{hastyRing(40)}, DrawableRun{deadlocked()}})
        for (const QSizeF size : {QSizeF{300, 200}, QSizeF{700, 500}, QSizeF{1600, 1000}})
            for (const std::string view : {"network", "timeline", "holdings", "poster"}) {
                if (view == "poster" && size.width() < 700) continue;
                EXPECT_EQ(quarrelsIn(viewScene(view, subject, {.time = subject.fault()->time}, size), size), "")
                    << view << " " << size.width();
            }
}

TEST(Fault, isThereForNoScheduleThatIsProved) {
    const DrawableRun subject = ringSubject();
    EXPECT_FALSE(subject.fault());
    EXPECT_EQ(subject.faultInWords(), QString{});
}

}  // namespace
}  // namespace app::gui
