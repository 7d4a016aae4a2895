// SPDX-License-Identifier: BSD-3-Clause
// Charts of many that have as much, of ranks taken together, of more rows than there is room for: what their sentences
// and axes say of single ones.
#include "app/gui/scenes/common/gap_bar.hpp"
#include "app/gui/scenes/drawing/legend.hpp"
#include "app/gui/scenes/text/activity_shares.hpp"
#include "app/gui/scenes/text/maximum_with_ties.hpp"
#include "app/gui/scenes/text/program_text.hpp"
#include "app/gui/scenes/text/run_text.hpp"
#include "engine/base/text.hpp"
#include "tests/app/gui/program_support.hpp"
#include "tests/app/gui/scenes/scenes_support.hpp"
#include "tests/app/gui/shown_table.hpp"
#include "tests/support/programs/stepping_program.hpp"

#include <gtest/gtest.h>

#include <set>

namespace app::gui {
namespace {

using engine::Picoseconds;

constexpr QSizeF paper{1600, 1000};

TEST(Ties, areToldWithTheirNumber) {
    EXPECT_EQ(ranksInWords(leadersOf(std::vector{1, 4, 2, 3})), "rank 1");
    EXPECT_EQ(ranksInWords(leadersOf(std::vector{1, 4, 2, 4})), "ranks 1 and 3");
    EXPECT_EQ(ranksInWords(leadersOf(std::vector{4, 4, 2, 4, 4})), "ranks 0, 1, 3 and 4");
    EXPECT_EQ(ranksInWords(leadersOf(std::vector{1, 4, 4, 4, 4, 4})), "5 ranks (such as rank 1)");
    EXPECT_EQ(ranksInWords(leadersOf(std::vector<int>(1500, 1))), "1,500 ranks (such as rank 0)");
    EXPECT_EQ(leadersOf(std::vector{1, 4, 2, 4}).first, 1U);
    EXPECT_EQ(leadersOf(std::vector{1, 4, 2, 4}).count, 2);
    EXPECT_EQ(leadersOf(std::vector<int>{}).count, 0);
}

/// All ranks but one wait until the late one has sent, 1 ms less the round of 27.2144 us that they had before.
TEST(Ties, ofRanksThatWaitNameWhoCameLate) {
    RunWish wish = wishFor("allgatherv/pipelined-ring", 16, "torus:4x4");
    wish.perturbation = emulation::perturbationFromText("arrival=late:3,1ms");
    const QString each = timeInWords(Picoseconds{972'785'600}) + " each";
    EXPECT_EQ(waitsScene(subjectOf(wish), {}, paper).description,
              "15 ranks (such as rank 0) wait longest, " + each +
                  ". The others waited longest for 15 ranks (such as rank 0), " + each +
                  ". A rank that others wait for may be waiting itself" +
                  ". Rank 3 entered last, 1 ms after the first.");
}

TEST(Ties, ofRanksThatStandStill) {
    const QString still =
        idleScene(subjectOf(groupsFor("halfduplex-allgather/ring-streams", 4, 6)), {}, paper).description;
    EXPECT_TRUE(still.contains("6 ranks (such as rank 0) are idle longest")) << still.toStdString();
    EXPECT_TRUE(still.contains(" each (")) << still.toStdString();
    const QString equal = idleScene(programSubject(support::steppingProgram(6, 12)), {}, paper).description;
    EXPECT_TRUE(equal.startsWith("Waiting time: ")) << equal.toStdString();
    EXPECT_EQ(idleScene(subjectOf(wishFor("allreduce/bruck", 8)), {}, paper).description, "No idle time.");
}

/// The chart of a program and the bar below its headline are of one whole.
TEST(Spent, isWhatTheBarBelowTheHeadlineSays) {
    const DrawableRun subject = programSubject(support::steppingProgram(6, 12));
    const analysis::TracedProgram* program = programOf(subject);
    ASSERT_NE(program, nullptr);
    const ShownTable table{idleTable(subject, {})};
    const std::vector<GapPart> parts = spentPartsOf(subject, program, false);
    ASSERT_EQ(table.columns.size(), static_cast<qsizetype>(parts.size()) + 1);
    Picoseconds whole{};
    for (std::size_t i = 0; i < parts.size(); ++i) {
        EXPECT_TRUE(parts[i].name.endsWith(table.columns[static_cast<qsizetype>(i) + 1], Qt::CaseInsensitive));
        double sum = 0;
        for (const QStringList& row : table.rows) {
            QString words = row[static_cast<qsizetype>(i) + 1];
            sum +=
                engine::seconds(engine::readTime(words.replace(QStringLiteral("\u00b5"), "u").toStdString(), "time"));
        }
        const double mean = engine::seconds(parts[i].time);
        EXPECT_NEAR(sum / static_cast<double>(table.rows.size()), mean, mean * 2e-3);
        whole += parts[i].time;
    }
    EXPECT_NEAR(engine::seconds(whole), engine::seconds(summedTime(*program)), 1e-9);
    const auto waiting = std::ranges::find_if(parts, [](const GapPart& part) { return part.waits; });
    ASSERT_NE(waiting, parts.end());
    const QString words = idleScene(subject, {}, paper).description;
    EXPECT_TRUE(words.contains(waiting->size + ' ' + baseOfShares(program))) << words.toStdString();
}

TEST(Ties, ofLinks) {
    const DrawableRun subject = subjectOf(wishFor("allgatherv/pipelined-ring", 16, "ring"));
    const std::vector<engine::Bytes>& totals = subject.report().congestion->perLink;
    const auto most = std::count(totals.begin(), totals.end(), *std::max_element(totals.begin(), totals.end()));
    ASSERT_EQ(most, 16) << "one way around";
    const QString words = linksScene(subject, {}, paper).description;
    EXPECT_TRUE(words.contains("16 links (such as 0 \u2192 1) carry most, 960 KiB each in the whole run"))
        << words.toStdString();
}

/// 1024 ranks on 1600 pixels: a bar is of 4. What the sentence names must be within the axis, and drawn.
TEST(Bundles, reachTheRankThatTheSentenceNames) {
    const DrawableRun subject = subjectOf(wishFor("bcast/binomial-tree", 1024));
    const analysis::WaitSums& sums = subject.tallies().waits;
    const Picoseconds caused = *std::max_element(sums.caused.begin(), sums.caused.end());
    const Scene scene = waitsScene(subject, {}, paper);
    EXPECT_TRUE(scene.description.contains(timeInWords(caused))) << scene.description.toStdString();
    EXPECT_TRUE(scene.description.endsWith("A bar is the average of 4 neighbouring ranks."))
        << scene.description.toStdString();
    double lowest = 0;
    std::int64_t whose = -1;
    for (const Shape& shape : shapesOf(scene, Meaning::Kind::rank, Shape::Kind::rectangle))
        if (shape.box.bottom() > lowest) {
            lowest = shape.box.bottom();
            whose = shape.meaning.index;
        }
    EXPECT_EQ(whose, leadersOf(sums.caused).first) << "the longest downwards";
    const bool axis = std::any_of(scene.shapes.begin(), scene.shapes.end(), [&](const Shape& shape) {
        return shape.text == timeInWords(caused) && std::abs(shape.box.center().y() - lowest) < 1;
    });
    EXPECT_TRUE(axis) << "its end says so";
    EXPECT_TRUE(idleScene(subject, {}, paper).description.endsWith("A bar is the average of 4 neighbouring ranks."));
}

TEST(Bundles, areOfTwoFourEightNeighbours) {
    for (const std::int64_t most : {1, 3, 100, 390})
        for (const std::int64_t count : {1, 2, 7, 390, 1023, 100'000})
            EXPECT_LE(analysis::evenBins(count, most).shown, most) << count;
    for (const auto& [most, each] : {std::pair{1024, 1}, {1023, 2}, {390, 4}, {256, 4}, {255, 8}}) {
        const analysis::Bins bins = analysis::evenBins(1024, most);
        EXPECT_EQ(bins.each(), each) << most;
        for (std::int32_t bin = 0; bin < bins.shown; ++bin) EXPECT_EQ(bins.first(bin), bin * each);
    }
}

/// A broadcast has one message to each rank but the root.
TEST(Bundles, ofTheMatrixCountPairsOfRanks) {
    EXPECT_EQ(
        trafficScene(subjectOf(wishFor("bcast/binomial-tree", 1024)), {}, paper).description,
        QStringLiteral(
            "1,023 of 1,047,552 directed pairs of ranks (sender, receiver) have messages, at most 64 KiB per pair. Rows send, "
            "columns receive. A cell is 4 "
            "\u00d7 4 ranks."));
}

TEST(Rows, thatHaveNoRoomAreSaidToBeLeftOut) {
    const DrawableRun subject = subjectOf(wishFor("allreduce/swing", 256, "torus:16x16"));
    for (const double height : {200.0, 500.0, 1000.0}) {
        const Scene scene = linksScene(subject, {}, {900, height});
        std::set<std::int64_t> rows;
        for (const Shape& cell : shapesOf(scene, Meaning::Kind::link, Shape::Kind::rectangle))
            rows.insert(cell.meaning.index);
        ASSERT_LT(static_cast<std::int64_t>(rows.size()), subject.tallies().linkRounds.used);
        EXPECT_TRUE(
            scene.description.endsWith(QStringLiteral("Drawn are %1 of them, the busiest first.").arg(rows.size())))
            << rows.size() << ": " << scene.description.toStdString();
    }
    EXPECT_FALSE(linksScene(subjectOf(wishFor("allreduce/swing", 16, "torus:4x4")), {}, {900, 700})
                     .description.contains("Drawn are"));
}

TEST(Axes, nameTheirFirstAndLast) {
    for (const double width : {320.0, 640.0, 1366.0}) {
        const DrawableRun subject = subjectOf(wishFor("bcast/binomial-tree", 100));
        for (const Scene& scene : {idleScene(subject, {}, {width, 500}), waitsScene(subject, {}, {width, 500}),
                                   trafficScene(subject, {}, {width, 500})})
            for (const char* number : {"0", "99"})
                EXPECT_TRUE(std::ranges::any_of(scene.shapes, [&](const Shape& shape) { return shape.text == number; }))
                    << number << " at " << width << ": " << scene.description.toStdString();
    }
}

TEST(Idle, hatchesInTheLegendWhatItHatchesInBars) {
    for (const std::int64_t ranks : {16, 1024}) {
        const Scene scene = idleScene(subjectOf(wishFor("bcast/binomial-tree", ranks)), {}, {1200, 600});
        std::array<bool, 2> hatched{};  // in the legend, in bars
        for (const Shape& shape : scene.shapes)
            hatched[shape.meaning.kind == Meaning::Kind::rank ? 1 : 0] |= shape.hatched;
        EXPECT_EQ(hatched[0], hatched[1]) << ranks;
        EXPECT_EQ(hatched[1], ranks == 16);
    }
}

}  // namespace
}  // namespace app::gui
