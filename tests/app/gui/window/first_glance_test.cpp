// SPDX-License-Identifier: BSD-3-Clause
// What strangers stumbled over when they saw nothing but pictures: every mark is told what it means, words say what
// they are about, and what looks as if it could be clicked can be.
#include "app/gui/comparison/differences_panel.hpp"
#include "app/gui/explain/details.hpp"
#include "app/gui/scenes/drawing/number_text.hpp"
#include "app/gui/scenes/drawing/style.hpp"
#include "app/gui/scenes/text/program_text.hpp"
#include "app/gui/scenes/text/run_text.hpp"
#include "app/gui/scenes/time/overview.hpp"
#include "app/gui/style/quiet_style.hpp"
#include "app/gui/style/theme.hpp"
#include "app/session/compare/run_differences.hpp"
#include "tests/app/gui/scenes/scenes_support.hpp"
#include "tests/app/gui/shown_table.hpp"
#include "tests/app/gui/window_fixture.hpp"
#include "tests/support/programs/stepping_program.hpp"
#include "traces/recording/run_from_recording.hpp"

#include <QPainter>
#include <QStyleOptionButton>
#include <QTableView>
#include <QToolButton>

namespace app::gui {
namespace {

constexpr QSizeF sheetOfPaper{900, 600};

DrawableRun ringStreams() { return subjectOf(groupsFor("halfduplex-allgather/ring-streams", 4, 6)); }
DrawableRun ringBelts() { return subjectOf(groupsFor("halfduplex-allgather/ring-belts", 4, 6)); }

DrawableRun steppingSubject() {
    auto kept = std::make_shared<const traces::Recording>(support::steppingProgram(6, 12));
    return DrawableRun{analysis::reportOn(std::make_shared<const engine::Run>(traces::runOf(*kept))), kept};
}

TEST(FirstGlance, tellsEveryMarkOfAFollowedBlock) {
    const DrawableRun subject = ringStreams();
    const ViewState plain{.time = subject.run().duration / 2};
    const ViewState followed{.time = subject.run().duration / 2, .block = 0};
    for (const char* words :
         {"block 0, followed", "remaining route", "rank that has it", "message without the block"}) {
        EXPECT_TRUE(says(networkScene(subject, followed, sheetOfPaper), words)) << words;
        EXPECT_FALSE(says(networkScene(subject, plain, sheetOfPaper), words)) << words;
    }
    for (const char* words : {"another block, present", "another block, present, not needed"}) {
        EXPECT_TRUE(says(ownershipScene(subject, followed, sheetOfPaper), words)) << words;
        EXPECT_FALSE(says(ownershipScene(subject, plain, sheetOfPaper), words)) << words;
    }
    const QString filled = "Filled: the rank has block 0 at the start of the round.";
    EXPECT_TRUE(says(stripScene(subject, followed, sheetOfPaper), filled));
    EXPECT_FALSE(says(stripScene(subject, plain, sheetOfPaper), filled));
    const QString outlined = QString::fromStdString(subject.columns().name(*followed.block)) + ", followed";
    EXPECT_TRUE(says(ownershipScene(subject, followed, sheetOfPaper), outlined)) << "the outline in the legend";
    EXPECT_FALSE(says(ownershipScene(subject, plain, sheetOfPaper), "followed"));
    EXPECT_TRUE(says(stripScene(subject, plain, sheetOfPaper), "round 1"));
    EXPECT_EQ(quarrelsIn(networkScene(subject, followed, sheetOfPaper), sheetOfPaper), "");
    EXPECT_EQ(quarrelsIn(ownershipScene(subject, followed, sheetOfPaper), sheetOfPaper), "");
    EXPECT_EQ(quarrelsIn(stripScene(subject, followed, sheetOfPaper), sheetOfPaper), "");
}

/// Rounds 1 and 2 of ring-belts begin together, and 2 to 4 last twice as long as those of ring-streams beside each
/// other: all rows have the time that a round adds to those before, which comes to the whole run.
TEST(FirstGlance, saysWhatRoundsAddThatLieBesideOthers) {
    RunWish apart = groupsFor("halfduplex-allgather/ring-streams", 4, 6);
    RunWish other = groupsFor("halfduplex-allgather/ring-belts", 4, 6);
    apart.stepping = other.stepping = emulation::Stepping::free;
    other.perturbation = emulation::perturbationFromText("arrival=late:3,20us");
    const DrawableRun first = subjectOf(apart);
    const DrawableRun second = subjectOf(other);
    const auto ends = [&](const DrawableRun& subject, std::size_t round) { return subject.run().perRound[round].end; };
    int rows = 0;
    const auto added = [&](const DrawableRun& subject, std::size_t round) {
        const auto until = [&](std::size_t rounds) {
            engine::Picoseconds last{};
            for (std::size_t each = 0; each < rounds; ++each) last = std::max(last, ends(subject, each));
            return last;
        };
        return until(round + 1) - until(round);
    };
    for (const QStringList& row : ShownTable{runDifferences(first.report(), second.report(), {}, true)}.rows) {
        if (!row[0].startsWith("Round ") || (row[0].contains(',') && !row[0].endsWith(", time added"))) continue;
        const auto round = static_cast<std::size_t>(row[0].section(' ', 1, 1).remove(',').toInt() - 1);
        EXPECT_TRUE(row[0].endsWith(", time added"))
            << "all rounds alike, since some overlap: " << row[0].toStdString();
        ++rows;
        if (round >= std::min(first.run().perRound.size(), second.run().perRound.size())) continue;
        EXPECT_NE(added(first, round), added(second, round)) << "equal rows are left out";
        EXPECT_EQ(row[3].startsWith("0"), added(second, round) < added(first, round)) << row[3].toStdString();
        EXPECT_TRUE(row[2].contains(timeInWords(added(second, round)))) << row[2].toStdString();
    }
    EXPECT_GE(rows, 2);
    for (const QStringList& row :
         ShownTable{runDifferences(ringStreams().report(), ringBelts().report(), {}, true)}.rows)
        EXPECT_FALSE(row[0].endsWith(", time added")) << "in lockstep no round overlaps";
}

TEST(FirstGlance, callsAMessageThatWasNotCutAMessage) {
    const DrawableRun whole = subjectOf(wishFor("bcast/binomial-tree", 8));
    const Scene holdings = ownershipScene(whole, {}, sheetOfPaper);
    EXPECT_TRUE(says(holdings, "rank \\ message"));
    EXPECT_TRUE(says(holdings, "1 of 8 ranks that need the message have it")) << holdings.description.toStdString();
    EXPECT_FALSE(says(networkScene(whole, {}, sheetOfPaper), "segment"));
    RunWish wish = wishFor("bcast/pipelined-chain", 8);
    wish.options["segments"] = "4";
    EXPECT_TRUE(says(ownershipScene(subjectOf(wish), {}, sheetOfPaper), "rank \\ segment"));
}

TEST(FirstGlance, namesBothGroupsOfARingOrNone) {
    const DrawableRun subject = ringStreams();
    bool named = false;
    bool unnamed = false;
    for (double side = 120; side <= 700; side += 10) {
        const Scene scene = networkScene(subject, {.legends = false}, {side * 1.2, side});
        EXPECT_EQ(says(scene, "group A"), says(scene, "group B")) << side;
        EXPECT_EQ(says(scene, "senders"), says(scene, "receivers")) << side;
        (says(scene, "group A") ? named : unnamed) = true;
    }
    EXPECT_TRUE(named && unnamed);
}

TEST(FirstGlance, leadsFromTheSentencesThatHaveNoRoomToAllOfThem) {
    const DrawableRun subject = ringStreams();
    const Scene small = boundsScene(subject, {}, {300, 360});
    const auto more =
        std::ranges::find_if(small.shapes, [](const Shape& shape) { return shape.text == "More about the bounds"; });
    ASSERT_NE(more, small.shapes.end());
    EXPECT_EQ(more->meaning, (Meaning{Meaning::Kind::bound, boundsAtLength, -1}));
    EXPECT_EQ(more->pen, paletteFor(false).link);
    const QString page = detailsOf(subject, {.asked = more->meaning});
    EXPECT_GT(boundsInWords(subject).size(), 5);
    for (const QString& words : boundsInWords(subject))
        EXPECT_TRUE(page.contains(words.toHtmlEscaped())) << words.toStdString();
}

TEST(FirstGlance, saysWhatAMarkedCellOfTheCallTreeMeans) {
    const DrawableRun subject = steppingSubject();
    const Scene scene = whereScene(subject, {}, {600, 300});
    const QColor accent = paletteFor(false).accent;
    EXPECT_TRUE(std::ranges::any_of(scene.shapes, [&](const Shape& shape) { return shape.fill == accent; }));
    EXPECT_TRUE(says(scene, "made others wait"));
    EXPECT_EQ(quarrelsIn(scene, {600, 300}), "");
    // In a trace in which nobody waits there is no such cell, and nothing to be said.
    const DrawableRun calm = [] {
        auto kept = std::make_shared<const traces::Recording>(support::steppingProgram(1, 3));
        return DrawableRun{analysis::reportOn(std::make_shared<const engine::Run>(traces::runOf(*kept))), kept};
    }();
    EXPECT_FALSE(says(whereScene(calm, {}, {600, 300}), "made others wait"));
}

TEST(FirstGlance, saysWhatTheStripBelowTheDiagramIs) {
    EXPECT_TRUE(says(overviewBackground(ringStreams(), {}, {500, 40}),
                     "the whole run: messages in flight, at most 8 at a time"));
    EXPECT_TRUE(says(overviewBackground(steppingSubject(), {}, {500, 40}), "share of ranks by activity"));
    EXPECT_FALSE(says(overviewBackground(ringStreams(), {}, {500, 24}), "the whole run")) << "no room";
    EXPECT_EQ(quarrelsIn(overviewBackground(ringStreams(), {}, {200, 40}), {200, 40}), "");
}

/// The headline, its share and table delays give all that rank 3 caused, by whatever delays.
TEST(FirstGlance, saysOfWhatTheSharesOfTheHeadlineAre) {
    const DrawableRun subject = steppingSubject();
    const analysis::TracedProgram* program = programOf(subject);
    ASSERT_NE(program, nullptr);
    const QString words = QString::fromStdString(program->besides());
    EXPECT_TRUE(words.contains("% of the waiting time")) << words.toStdString();
    EXPECT_TRUE(words.contains("; ranks waited ")) << words.toStdString();
    engine::Picoseconds ofRank{};
    for (const analysis::Cause& cause : program->causes())
        if (cause.rank == engine::Rank{3}) ofRank += cause.time;
    EXPECT_LE(std::chrono::abs(program->headlineTime() - ofRank).count(), 1000) << "but for rounding";
    EXPECT_TRUE(program->headline().find("caused by rank 3") != std::string::npos) << program->headline();
}

TEST(FirstGlance, theSignOfMoreMenusIsSeenInTheDark) {
    const QuietStyle style;
    QToolButton more;
    more.setObjectName("qt_menubar_ext_button");
    for (const Theme theme : {Theme::light, Theme::dark}) {
        QStyleOptionToolButton option;
        option.palette = widgetPalette(theme);
        option.rect = {0, 0, 24, 24};
        QImage image{24, 24, QImage::Format_RGB32};
        const QColor ground = option.palette.color(QPalette::Window);
        image.fill(ground);
        QPainter painter{&image};
        style.drawControl(QStyle::CE_ToolButtonLabel, &option, &painter, &more);
        painter.end();
        int inked = 0;
        for (int y = 0; y < 24; ++y)
            for (int x = 0; x < 24; ++x) inked += contrast(image.pixelColor(x, y), ground) > 3 ? 1 : 0;
        EXPECT_GE(inked, 6) << name(theme).toStdString();
    }
}

TEST(FirstGlance, boxesToTickAreSeenInTheDark) {
    const QuietStyle style;
    for (const Theme theme : {Theme::light, Theme::dark})
        for (const QStyle::PrimitiveElement element :
             {QStyle::PE_IndicatorCheckBox, QStyle::PE_IndicatorItemViewItemCheck, QStyle::PE_IndicatorRadioButton})
            for (const QStyle::StateFlag state : {QStyle::State_Off, QStyle::State_On, QStyle::State_NoChange}) {
                QStyleOptionButton option;
                option.palette = widgetPalette(theme);
                option.rect = {0, 0, 16, 16};
                option.state = QStyle::State_Enabled | state;
                const QColor ground = option.palette.color(QPalette::Window);
                QImage image{16, 16, QImage::Format_RGB32};
                image.fill(ground);
                QPainter painter{&image};
                style.drawPrimitive(element, &option, &painter, nullptr);
                painter.end();
                double best = 0;
                // The outline, at the left edge.
                for (int x = 0; x < 4; ++x) best = std::max(best, contrast(image.pixelColor(x, 8), ground));
                EXPECT_GE(best, 3) << name(theme).toStdString() << ' ' << element << ' ' << state;
                int inked = 0;
                for (int y = 5; y < 11; ++y)
                    for (int x = 5; x < 11; ++x)
                        inked += contrast(image.pixelColor(x, y), option.palette.color(QPalette::Base)) > 3 ? 1 : 0;
                const bool round = element == QStyle::PE_IndicatorRadioButton;
                EXPECT_EQ(inked > 3, state == QStyle::State_On || (state == QStyle::State_NoChange && !round));
            }
}

/// The sentence of a comparison fills the place of the headline, and nothing of it is cut.
TEST(FirstGlance, fitsTheSentenceOfAComparisonIntoTheHeadline) {
    Stage stage;
    stage.begin();
    stage.window.comparison().compareWith("halfduplex-allgather/ring-belts");
    stage.settle();
    auto& panel = *stage.window.findChild<DifferencesPanel*>();
    for (const QSize size : {QSize{480, 360}, QSize{640, 480}, QSize{1024, 640}, QSize{1920, 1080}}) {
        stage.window.resize(size);
        QTest::qWait(30);
        const QLabel& verdict = *panel.verdict();
        ASSERT_TRUE(verdict.isVisible());
        EXPECT_LE(verdict.heightForWidth(verdict.width()), verdict.height() + 2) << size.width();
        EXPECT_EQ(verdict.toolTip(), panel.winner());
    }
    EXPECT_GE(panel.verdict()->heightForWidth(panel.verdict()->width()), 50) << "with room it is large";
}

/// Words for what differs are no reason to squeeze what is compared.
TEST(FirstGlance, leavesTheValuesOfAComparisonTheirWidth) {
    Stage stage;
    stage.begin();
    stage.window.comparison().compareWith("halfduplex-allgather/ring-belts");
    stage.settle();
    stage.window.resize(1280, 800);
    QTest::qWait(30);
    const QTableView& rows = *stage.window.findChild<DifferencesPanel*>()->findChild<QTableView*>();
    const QAbstractItemView& view = rows;
    for (const int column : {1, 2})
        EXPECT_GE(rows.columnWidth(column), std::min(rows.viewport()->width() / 5, view.sizeHintForColumn(column)))
            << "column " << column;
}

}  // namespace
}  // namespace app::gui
