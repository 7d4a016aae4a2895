// SPDX-License-Identifier: BSD-3-Clause
// Charts: the sums behind them, and that the pictures say them.
#include "app/analysis/wait_states/wait_state_sums.hpp"
#include "app/gui/scenes/charts/sweep_scene.hpp"
#include "app/gui/scenes/picture/picture.hpp"
#include "app/gui/scenes/run/search.hpp"
#include "app/gui/scenes/text/run_text.hpp"
#include "app/gui/scenes/time/overview.hpp"
#include "app/session/compare/run_differences.hpp"
#include "engine/base/error.hpp"
#include "tests/app/gui/scenes/scenes_support.hpp"
#include "tests/app/gui/shown_table.hpp"

#include <gtest/gtest.h>

namespace app::gui {
namespace {

using engine::Picoseconds;

std::vector<DrawableRun> charted() {
    std::vector<DrawableRun> subjects;
    subjects.push_back(ringSubject());
    subjects.push_back(subjectOf(groupsFor("intergroup-allgatherv/segmented", 6, 5)));
    subjects.push_back(subjectOf(wishFor("bcast/pipelined-chain", 27, "torus:3x3x3")));
    subjects.push_back(subjectOf(wishFor("allgatherv/bruck", 300)));
    subjects.emplace_back(analysis::reportOn(std::make_shared<const engine::Run>(strangeRun())));
    return subjects;
}

TEST(Tallies, trafficAddsUpToAllBytesAndMessages) {
    for (const DrawableRun& subject : charted()) {
        engine::Bytes bytes = 0;
        std::int64_t messages = 0;
        for (const analysis::Traffic::Cell& cell : subject.tallies().traffic.cells) {
            bytes += cell.bytes;
            messages += cell.messages;
        }
        EXPECT_EQ(bytes, subject.run().byteCount);
        EXPECT_EQ(messages, subject.run().messageCount);
    }
}

/// Chart, window and `open --tables waits` have one definition of a wait.
TEST(Tallies, waitsAreThoseOfTheQuestion) {
    for (const DrawableRun& subject : charted()) {
        const engine::Run& run = subject.run();
        const auto ranks = static_cast<std::size_t>(run.ranks);
        std::vector<Picoseconds> forSender(ranks), forReceiver(ranks), caused(ranks);
        const std::vector<analysis::Wait> all = analysis::waits(run);
        for (const analysis::WaitRow& row : analysis::waitsPerRank(all))
            (row.kind == analysis::WaitKind::lateReceiver ? forReceiver : forSender)[row.rank.index()] += row.time;
        for (const analysis::Wait& wait : all) caused[wait.late.index()] += wait.time;
        EXPECT_EQ(subject.tallies().waits.of(analysis::WaitGroup::senders), forSender)
            << titleOf(subject).toStdString();
        EXPECT_EQ(subject.tallies().waits.of(analysis::WaitGroup::receivers), forReceiver)
            << titleOf(subject).toStdString();
        EXPECT_EQ(subject.tallies().waits.caused, caused) << titleOf(subject).toStdString();
    }
}

TEST(Tallies, linksCarryPerRoundWhatTheCongestionSays) {
    const DrawableRun subject = ringSubject();
    const analysis::LinkRounds& found = subject.tallies().linkRounds;
    ASSERT_EQ(found.unknown, "");
    ASSERT_EQ(found.rounds.shown, subject.run().rounds);
    for (std::int32_t round = 0; round < found.rounds.shown; ++round) {
        engine::Bytes most = 0;
        for (std::size_t link = 0; link < found.links.size(); ++link) most = std::max(most, found.at(link, round));
        EXPECT_EQ(most, subject.report().congestion->perRound[static_cast<std::size_t>(round)].bytes);
    }
    const auto& totals = subject.report().congestion->perLink;
    for (std::size_t i = 1; i < found.links.size(); ++i)
        EXPECT_GE(totals[found.links[i - 1].index()], totals[found.links[i].index()]);
}

TEST(Bins, divideEvenlyAndBackAgain) {
    for (const std::int64_t count : {1, 5, 16, 17, 1000})
        for (const std::int64_t most : {1, 4, 16, 999}) {
            const analysis::Bins bins{count, most};
            EXPECT_EQ(bins.first(0), 0);
            EXPECT_EQ(bins.first(bins.shown), count);
            for (std::int32_t bin = 0; bin < bins.shown; ++bin)
                for (std::int64_t thing = bins.first(bin); thing < bins.first(bin + 1); ++thing)
                    EXPECT_EQ(bins.binOf(thing), bin) << thing << " of " << count << " in " << bins.shown;
        }
}

TEST(Charts, keepTheirWordsApartAtAnySize) {
    for (const DrawableRun& subject : charted())
        for (const char* view : {"idle", "waits", "links", "matrix"})
            for (const QSizeF size : {QSizeF{200, 200}, QSizeF{320, 240}, QSizeF{640, 480}, QSizeF{1280, 800}})
                for (const bool dark : {false, true})
                    EXPECT_EQ(
                        quarrelsIn(viewScene(view, subject, {.time = subject.run().duration / 3, .dark = dark}, size),
                                   size),
                        "")
                        << view << " of " << titleOf(subject).toStdString() << " at " << size.width() << 'x'
                        << size.height();
}

TEST(Charts, speakOfTheRun) {
    const DrawableRun subject = ringSubject();
    EXPECT_TRUE(idleScene(subject, {}, {400, 300}).description.contains("Idle time"));
    EXPECT_TRUE(waitsScene(subject, {}, {400, 300}).description.contains("The others waited longest for"));
    EXPECT_TRUE(linksScene(subject, {}, {400, 300}).description.contains(" most, "));
    EXPECT_TRUE(trafficScene(subject, {}, {400, 300}).description.contains("10 of 90 directed pairs"))
        << trafficScene(subject, {}, {400, 300}).description.toStdString();
    const DrawableRun full = subjectOf(groupsFor("halfduplex-allgather/fully-connected", 6, 9));
    EXPECT_TRUE(linksScene(full, {}, {400, 300}).description.contains("fully connected"));
}

TEST(Charts, blameTheRankThatCameLate) {
    RunWish wish = wishFor("bcast/flat", 4);
    wish.perturbation = emulation::perturbationFromText("arrival=late:0,1ms");
    const DrawableRun subject = subjectOf(wish);
    const Scene scene = waitsScene(subject, {}, {600, 400});
    EXPECT_TRUE(scene.description.contains("The others waited longest for rank 0,")) << scene.description.toStdString();
    const ShownTable table{waitsTable(subject, {})};
    ASSERT_EQ(table.columns, (QStringList{"rank", "waited for senders", "made others wait"}));
    EXPECT_EQ(table.rows[0][1], timeInWords({})) << "nobody kept the root waiting";
    EXPECT_NE(table.rows[0][2], timeInWords({}));
    for (std::size_t rank = 1; rank < 4; ++rank) EXPECT_EQ(table.rows[rank][2], timeInWords({})) << rank;
}

TEST(Charts, nameSomeLinksWhereRowsAreLow) {
    const DrawableRun subject = subjectOf(wishFor("allreduce/butterfly", 16, "fat-tree:4x4"));
    for (const double height : {160.0, 300.0, 1400.0}) {
        std::vector<Shape> names = textsOf(linksScene(subject, {}, {700, height}));
        std::erase_if(names,
                      [](const Shape& shape) { return !(shape.align & Qt::AlignRight) || shape.text == "round"; });
        ASSERT_GE(names.size(), 3U) << height;
        for (std::size_t i = 1; i < names.size(); ++i)
            EXPECT_FALSE(names[i].box.adjusted(0, 2, 0, -2).intersects(names[i - 1].box)) << height;
    }
}

TEST(Charts, showTheSelection) {
    const DrawableRun subject = ringSubject();
    const auto shapes = [&](const ViewState& state, const char* view) {
        return viewScene(view, subject, state, {400, 300}).shapes.size();
    };
    for (const char* view : {"idle", "waits", "matrix"})
        EXPECT_GT(shapes({.rank = engine::Rank{2}}, view), shapes({}, view)) << view;
    EXPECT_GT(shapes({.link = subject.tallies().linkRounds.links[0]}, "links"), shapes({}, "links"));
    EXPECT_GT(shapes({.link = engine::LinkId{0}}, "network"), shapes({}, "network"));
}

TEST(Charts, hideWhatAQuestionIsAbout) {
    const DrawableRun subject = ringSubject();
    const ViewState state{.time = subject.stops()[1] - Picoseconds{1}, .veil = subject.stops()[1]};
    EXPECT_EQ(linksScene(subject, state, {400, 300}).description, hiddenWords());
    EXPECT_EQ(trafficScene(subject, state, {400, 300}).description, hiddenWords());
    const TimeAxis axis = runTimelineAxis(subject, state, {600, 300});
    const Scene scene = runTimelineScene(subject, state, {600, 300});
    EXPECT_EQ(tipAt(subject, scene, {axis.pixel(subject.stops()[3]), 150}), hiddenWords());
}

TEST(Tables, haveARowForEverythingThatIsDrawn) {
    const DrawableRun subject = ringSubject();
    const ViewState state{.time = subject.run().duration};
    EXPECT_EQ(networkTable(subject, state).rows.size(), 10U);
    EXPECT_EQ(runTimelineTable(subject, state).rows.size(), subject.run().messages.size());
    EXPECT_EQ(idleTable(subject, state).rows.size(), 10U);
    EXPECT_EQ(waitsTable(subject, state).rows.size(), 10U);
    EXPECT_EQ(linksTable(subject, state).rows.size(), static_cast<std::size_t>(subject.tallies().linkRounds.used));
    EXPECT_EQ(trafficTable(subject, state).rows.size(), 10U);
    EXPECT_EQ(overviewTable(subject, state).rows.size(), 9U);
    EXPECT_EQ(boundsTable(subject, state).rows.size(), 6U);
    for (const QStringList& row : ShownTable{holdingsTable(subject, state)}.rows)
        EXPECT_TRUE(row[2] == "0%" || row[3] == "100%") << row.join(' ').toStdString();
}

TEST(Search, findsByEveryCondition) {
    const DrawableRun subject = ringSubject();
    const engine::Messages& messages = subject.run().messages;
    const auto count = [&](const char* words) { return search(subject, QString::fromUtf8(words)).size(); };
    EXPECT_EQ(count(""), 0U);
    EXPECT_EQ(count("round 1"), static_cast<std::size_t>(subject.run().perRound[0].messages));
    EXPECT_EQ(count("from 3") + count("to 3"), count("rank 3"));
    EXPECT_EQ(count("> 1KiB"), messages.size());
    EXPECT_EQ(count("< 1KiB"), 0U);
    EXPECT_EQ(count("3 > 4 round 1"), 1U);
    EXPECT_EQ(count("3->4"), count("from 3 to 4"));
    for (const std::size_t i : search(subject, "block 2")) EXPECT_EQ(subject.cargoOf(i), "2");
    EXPECT_GT(count("block 2"), 0U);
    EXPECT_THROW(static_cast<void>(search(subject, "nonsense")), engine::Error);
}

TEST(Search, tellsBlocksApartThatShareAColumn) {
    const DrawableRun subject = subjectOf(wishFor("allgatherv/bruck", 600));
    ASSERT_LT(subject.columns().count(), 600);
    EXPECT_EQ(subject.cargoInWords(0).left(6), "block ") << subject.cargoInWords(0).toStdString();
    EXPECT_EQ(search(subject, "block 599 round 1").size(), 1U) << "what rank 599 sends";
}

TEST(Differences, compareNumberByNumberAndRoundByRound) {
    const DrawableRun streams = subjectOf(groupsFor("halfduplex-allgather/ring-streams", 4, 6));
    const DrawableRun belts = subjectOf(groupsFor("halfduplex-allgather/ring-belts", 4, 6));
    const ShownTable table{runDifferences(streams.report(), belts.report(), {"streams", "belts"}, true)};
    const auto row = [&](const QString& what) {
        for (const QStringList& each : table.rows)
            if (each[0] == what) return each;
        return QStringList{};
    };
    EXPECT_EQ(row("Rounds"), (QStringList{"Rounds", "7", "6", QStringLiteral("0.857\u00d7")}));
    EXPECT_EQ(row("Algorithm"), (QStringList{"Algorithm", "Ring streams", "Ring belts", "-"}));
    // A number a row, and no row in which both are equal.
    for (const char* const equal : {"Ranks", "Network", "Round 1"})
        EXPECT_TRUE(row(equal).isEmpty()) << row(equal).join('|').toStdString();
    EXPECT_EQ(row("Round 1, messages"), (QStringList{"Round 1, messages", "4", "2", QStringLiteral("0.5\u00d7")}));
    EXPECT_EQ(row("Round 1, bytes")[3], QStringLiteral("0.5\u00d7"));
    EXPECT_TRUE(row("Round 4, messages").isEmpty()) << row("Round 4, messages").join('|').toStdString();
    EXPECT_EQ(row("Round 7")[2], "-");
    EXPECT_EQ(table.rows.back()[0], "Round 7");
    // The reasons that the headline of a comparison names.
    EXPECT_EQ(row("Serialized bytes"),
              (QStringList{"Serialized bytes", "448 KiB", "384 KiB", QStringLiteral("0.857\u00d7")}));
    EXPECT_EQ(row("Messages within group A").mid(1, 2), (QStringList{"12", "6"}));
    EXPECT_EQ(row("Blocks received twice").mid(1, 2), (QStringList{"1", "0"}));
}

/// A run with one-block messages beside one without is compared with the bound that holds for both, which is then
/// equal.
TEST(Differences, compareBothRunsWithTheSameBound) {
    const DrawableRun streams = subjectOf(groupsFor("halfduplex-allgather/ring-streams", 4, 6));
    const auto boundsBeside = [&](const DrawableRun& other) {
        QStringList all;
        for (const Compared& row : numberByNumber(streams.report(), other.report()))
            if (toQt(row.what).endsWith("ower bound on time"))
                all << toQt(row.what) << (row.first == row.second ? "equal" : "differ");
        return all;
    };
    EXPECT_EQ(boundsBeside(subjectOf(groupsFor("halfduplex-allgather/ring-belts", 4, 6))),
              (QStringList{"One-block lower bound on time", "equal"}));
    EXPECT_EQ(boundsBeside(subjectOf(groupsFor("halfduplex-allgather/fully-connected", 4, 6))),
              (QStringList{"Lower bound on time", "equal"}));
}

TEST(Overview, showsTheSpanOfTheDiagram) {
    const DrawableRun subject = ringSubject();
    const ViewState state{.spanBegin = subject.stops()[2], .spanEnd = subject.stops()[4]};
    const Scene scene = overviewForeground(subject, state, {500, 26});
    const TimeAxis axis = overviewAxis(subject, state, {500, 26});
    const QRectF window = scene.shapes.front().box;
    EXPECT_NEAR(window.left(), axis.pixel(subject.stops()[2]), 0.5);
    EXPECT_NEAR(window.right(), axis.pixel(subject.stops()[4]), 0.5);
    const TimeAxis diagram = runTimelineAxis(subject, {}, {500, 400});
    EXPECT_EQ(axis.left(), diagram.left());
    EXPECT_EQ(axis.right(), diagram.right());
}

TEST(SweepScene, setsWhatWasMeasuredBesideWhatWasComputed) {
    Chart chart{.across = {.name = "size", .unit = Unit::bytes}};
    chart.lines = {{"ring", {{1024, 1e-3}, {2048, 2e-3}}}, {"chain", {{1024, 4e-3}, {2048, 4e-3}}}};
    const auto rings = [](const Scene& scene) {
        return std::ranges::count_if(scene.shapes,
                                     [](const Shape& shape) { return shape.tip.contains("measured over MPI"); });
    };
    const Scene without = sweepScene(chart, false, {900, 500});
    EXPECT_EQ(rings(without), 0);
    EXPECT_FALSE(without.description.contains("Measured"));
    chart.measured = {{"chain", {{1024, 5e-3, 4.5e-3, 6e-3}, {2048, 3e-3}}}};
    const Scene with = sweepScene(chart, false, {900, 500});
    EXPECT_EQ(rings(with), 2);
    EXPECT_TRUE(with.description.contains("Measured over MPI: 0.75 to 1.25 times as long as in virtual time; "))
        << with.description.toStdString();
    const ShownTable table{sweepTable(chart)};
    ASSERT_EQ(table.columns.back(), QStringLiteral("chain, measured"));
    EXPECT_EQ(table.rows[1].back(), QStringLiteral("3 ms"));
}

TEST(SweepScene, namesWhatGoesUpAboveItsNumbers) {
    Chart chart{.across = {.name = "size", .unit = Unit::bytes}, .up = {.name = "time", .unit = Unit::seconds}};
    chart.lines = {{"ring", {{1024, 1e-3}, {2048, 2e-3}}}};
    const Scene scene = sweepScene(chart, false, {500, 300});
    const auto title = std::ranges::find(scene.shapes, QStringLiteral("time"), &Shape::text);
    ASSERT_NE(title, scene.shapes.end());
    for (const Shape& shape : scene.shapes)
        if (shape.kind == Shape::Kind::text && shape.text.endsWith(QStringLiteral("ms"))) {
            EXPECT_GT(shape.box.top(), title->box.top());
        }
    EXPECT_EQ(quarrelsIn(scene, {500, 300}), "");
}

// However narrow it is, as long as it is as high as it asks for.
TEST(SweepScene, namesEveryLineOnce) {
    Chart chart{.across = {.name = "size", .unit = Unit::bytes}};
    const char* names[] = {"Ring streams", "Ring belts",  "Torus belts",     "Recursive doubling, halves exchanged",
                           "Bruck",        "Linear ring", "Pipelined chain", "Butterfly with reordered blocks"};
    for (std::size_t i = 0; const char* name : names) {
        const double factor = 1 + 0.1 * static_cast<double>(i++);
        chart.lines.push_back({name, {{1, 1e-5 * factor}, {65536, 2e-4 * factor}, {1 << 24, 1e-1 * factor}}});
    }
    chart.bounds = {{"lower bound", {{1, 1e-6}, {1 << 24, 5e-2}}}};
    chart.here = Chart::Mark{65536, 2e-4, "200 us"};
    for (const bool dark : {false, true})
        for (const double width : {240.0, 320.0, 340.0, 500.0, 900.0}) {
            const Scene scene = sweepScene(chart, dark, {width, sweepHeight(chart, width)});
            std::vector<const Shape*> texts;
            for (const Shape& shape : scene.shapes)
                if (shape.kind == Shape::Kind::text) texts.push_back(&shape);
            for (const Chart::Line& line : chart.lines)
                EXPECT_EQ(std::ranges::count_if(texts,
                                                [&](const Shape* text) {  // a long one may end in an ellipsis
                                                    return text->text.startsWith(
                                                        QString::fromStdString(line.name.substr(0, 20)));
                                                }),
                          1)
                    << line.name << " at " << width;
            for (std::size_t i = 0; i < texts.size(); ++i) {
                EXPECT_LE(texts[i]->box.bottom(), sweepHeight(chart, width)) << texts[i]->text.toStdString();
                for (std::size_t j = 0; j < i; ++j)
                    EXPECT_FALSE(texts[i]->box.adjusted(0.5, 0.5, -0.5, -0.5).intersects(texts[j]->box))
                        << texts[i]->text.toStdString() << " and " << texts[j]->text.toStdString() << " at " << width;
            }
        }
}

// The collective that all lines have, and who is as fast as all others, would fill lines without saying more.
TEST(SweepScene, namesTheFastestBriefly) {
    Chart chart{.across = {.name = "size", .unit = Unit::bytes}};
    chart.lines = {{"bcast/chain", {{1024, 1e-3}, {2048, 3e-3}}},
                   {"bcast/flat", {{1024, 1e-3}, {2048, 4e-3}}},
                   {"bcast/binomial-tree", {{1024, 1e-3}, {2048, 2e-3}}}};
    EXPECT_EQ(sweepScene(chart, false, {900, 500}).description,
              QStringLiteral("Fastest: all alike to 1 KiB; binomial-tree from 2 KiB."));
    // A bound that is known at one number has no line, and no entry of the legend.
    chart.bounds = {{"lower bound", {{1024, 5e-4}, {2048, 6e-4}}}, {"lower bound, one-block messages", {{1024, 5e-4}}}};
    int entries = 0;
    for (const Shape& shape : sweepScene(chart, false, {900, 500}).shapes)
        if (shape.kind == Shape::Kind::text && shape.text.startsWith("lower bound")) ++entries;
    EXPECT_EQ(entries, 1);
}

/// A line over a number at which the formula does not hold would show a value that the formula does not have.
TEST(SweepScene, drawsFormulasOnlyWhereTheyHold) {
    Chart chart{.across = {.name = "ranks"}};
    chart.lines = {{"allreduce/ring", {{2, 1e-3}, {3, 2e-3}, {4, 3e-3}, {5, 4e-3}, {6, 5e-3}}},
                   {"allreduce/bruck", {{2, 1e-3}, {4, 2e-3}, {6, 3e-3}}}};
    chart.formulas = {{"formula of allreduce/ring", {{2, 1e-3}, {5, 4e-3}, {6, 5e-3}}},
                      {"formula of allreduce/bruck", {{2, 1e-3}, {4, 2e-3}, {6, 3e-3}}}};
    const Scene scene = sweepScene(chart, false, {900, 500});
    EXPECT_TRUE(scene.description.endsWith(" The formula of allreduce/ring holds at 2, 5 and 6 only."))
        << scene.description.toStdString();
    const auto dashes = std::ranges::count_if(scene.shapes, [](const Shape& shape) { return shape.dashed; });
    EXPECT_EQ(dashes, 1 + 2 + 2) << "one piece, two pieces, and the legend";
}

TEST(SheetScene, breaksATitleThatIsWiderThanThePaper) {
    Chart chart{.across = {.name = "size", .unit = Unit::bytes}};
    chart.lines = {{"ring", {{1024, 1e-3}, {2048, 2e-3}}}};
    std::string title;
    for (int i = 0; i < 30; ++i) title += "a long title ";
    for (const Shape& shape : sheetScene({.title = title, .charts = {chart}}, false, {700, 500}).shapes)
        if (shape.kind == Shape::Kind::text && shape.text.contains("title")) {
            EXPECT_LT(shape.text.size(), 80);
        }
}

TEST(SweepScene, saysWhereATimeThatFallsAndRisesIsLeast) {
    Chart chart{.across = {.name = "block", .unit = Unit::bytes}};
    chart.lines = {{"ring", {{1024, 3e-3}, {2048, 1e-3}, {4096, 2e-3}}}};
    chart.bounds = {{"lower bound", {{1024, 1e-4}, {4096, 1e-4}}}, {"lower bound, one-block messages", {{1024, 1e-3}}}};
    EXPECT_EQ(sweepScene(chart, false, {900, 500}).description, QStringLiteral("ring. Least: 1 ms at 2 KiB."));
    EXPECT_EQ(sweepTable(chart).columns.back().name, "lower bound, one-block messages");
    chart.lines[0].points.back().y = 1e-3;
    EXPECT_EQ(sweepScene(chart, false, {900, 500}).description, QStringLiteral("ring."));
}

}  // namespace
}  // namespace app::gui
