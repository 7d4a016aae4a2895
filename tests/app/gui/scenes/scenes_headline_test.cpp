// SPDX-License-Identifier: BSD-3-Clause
// The result in one sentence: true of the report, and whole at every size.
#include "app/gui/scenes/common/gap_bar.hpp"
#include "app/gui/scenes/text/headline.hpp"
#include "app/gui/scenes/text/run_text.hpp"
#include "tests/app/gui/scenes/scenes_support.hpp"

#include <gtest/gtest.h>

namespace app::gui {
namespace {

QString saidOf(const RunWish& wish) { return headlineOf(execute(wish)).words(); }

TEST(Headline, saysHowFarARunIsAboveTheBoundOfItsClass) {
    EXPECT_EQ(
        saidOf(groupsFor("halfduplex-allgather/ring-streams", 4, 6)).toStdString(),
        "191 \u00b5s, 1.17 times the one-block lower bound, 163 \u00b5s; "
        "fewest rounds possible: 6 (Ring belts); for any messages the lower bound is 108 \u00b5s, 33.9% below the one-block bound");
    EXPECT_EQ(saidOf(wishFor("allgatherv/linear-ring", 8)).toStdString(),
              "191 \u00b5s, as fast as the one-block lower bound; for any messages the lower bound is 187 "
              "\u00b5s, 2.1% below the one-block bound");
}

/// The two bounds say what cutting saves, and only of a run that does not cut.
TEST(Headline, tellsNobodyWhoCutsBlocksToCutThem) {
    const QString words = saidOf(wishFor("alltoallv/bruck", 16));
    EXPECT_FALSE(words.contains("for any messages")) << words.toStdString();
    EXPECT_TRUE(saidOf(wishFor("allgatherv/linear-ring", 16)).contains("for any messages")) << words.toStdString();
}

TEST(Headline, holdsNoClockOfAMachineToAModel) {
    RunWish wish = wishFor("bcast/flat", 4);
    wish.on = "threads";
    const QString words = saidOf(wish);
    EXPECT_FALSE(words.contains("lower bound")) << words.toStdString();
    EXPECT_TRUE(words.contains("fewest rounds possible: 2")) << words.toStdString();
    EXPECT_TRUE(words.contains(", measured with threads: 3 messages among 4 ranks in 3 rounds")) << words.toStdString();
}

TEST(Headline, saysWhatIsWrongBeforeAllElse) {
    Report report = execute(wishFor("bcast/chain", 4));
    report.fault = "rank 3 lacks the message";
    EXPECT_TRUE(headlineOf(report).words().endsWith(", and wrong: rank 3 lacks the message"));
    engine::Run game = *report.run;
    game.setting.algorithm = DrawableRun::playedByHand;
    report.run = std::make_shared<const engine::Run>(std::move(game));
    EXPECT_TRUE(headlineOf(report).words().endsWith(", unfinished: rank 3 lacks the message"));
}

TEST(Headline, knowsNoBoundOfMessagesWithoutAnAlgorithm) {
    EXPECT_EQ(headlineOf(analysis::reportOn(std::make_shared<const engine::Run>(strangeRun()))).words(),
              "9 ps: 1 message among 2 ranks; the algorithm behind them is unknown, and so is the lower bound");
}

TEST(Headline, keepsBothEndsWhereItIsTooLong) {
    const QString title = QStringLiteral("91 ms of waiting caused by rank 2, partly in ") +
                          QStringLiteral("lib::Function()/").repeated(20) + QStringLiteral("MPI_Send");
    const QString shorter = elidedInside(title, points::normal, 600, true);
    EXPECT_LE(sizeOf(shorter, points::normal, true).width(), 600);
    EXPECT_GT(sizeOf(shorter, points::normal, true).width(), 500);
    EXPECT_TRUE(shorter.startsWith("91 ms of waiting caused by rank 2")) << shorter.toStdString();
    EXPECT_TRUE(shorter.endsWith("/MPI_Send")) << shorter.toStdString();
    EXPECT_EQ(elidedInside("MPI_Send", points::normal, 600, true), "MPI_Send");
}

/// Against the report, and the pieces of the bar against each other.
TEST(Headline, cutsItsBarAsTheTimeWasSpent) {
    for (const char* topology : {"full", "torus:4x4"})
        for (const char* id : {"allgatherv/recursive-doubling", "bcast/chain", "allreduce/ring"}) {
            RunWish wish = wishFor(id, 16, topology);
            wish.perturbation.arrival = {.pattern = emulation::Arrival::Pattern::ramp,
                                         .most = engine::Picoseconds{50'000'000}};
            const DrawableRun subject = subjectOf(wish);
            const analysis::Gap& gap = subject.report().gap.value();
            const std::vector<Shape> pieces =
                shapesOf(headlineScene(subject, {}, {900, 62}), Meaning::Kind::cause, Shape::Kind::rectangle);
            ASSERT_FALSE(pieces.empty());
            EXPECT_EQ(pieces.front().meaning.index, -1);
            double whole = static_cast<double>(subject.report().timeBound()->count());
            for (const analysis::GapCause& cause : analysis::gapCauses)
                whole += std::max(0.0, static_cast<double>((gap.*cause.time).count()));
            for (const Shape& piece : pieces) {
                const engine::Picoseconds time =
                    piece.meaning.index < 0
                        ? *subject.report().timeBound()
                        : gap.*analysis::gapCauses[static_cast<std::size_t>(piece.meaning.index)].time;
                EXPECT_NEAR(piece.box.width(), 884 * static_cast<double>(time.count()) / whole, 1.01) << id;
                EXPECT_TRUE(piece.tip.endsWith(timeInWords(time)));
            }
        }
}

/// Against the attendance of its ranks: a message from 0 to 1 in 9 ps, and nothing else.
TEST(Headline, cutsItsBarByWhatRanksDidWhereNoBoundIsKnown) {
    const DrawableRun subject{analysis::reportOn(std::make_shared<const engine::Run>(strangeRun()))};
    ASSERT_TRUE(gapPartsOf(subject.report(), false).empty());
    const std::vector<GapPart> parts = spentPartsOf(subject, nullptr, false);
    ASSERT_FALSE(parts.empty());
    engine::Picoseconds whole{};
    for (const GapPart& part : parts) whole += part.time;
    EXPECT_EQ(whole, subject.run().duration);
    EXPECT_EQ(parts.front().base, "of total rank time");
    EXPECT_EQ(parts.front().name, "busy");
    const std::vector<Shape> pieces =
        shapesOf(headlineScene(subject, {}, {900, 78}), Meaning::Kind::cause, Shape::Kind::rectangle);
    ASSERT_EQ(pieces.size(), parts.size());
    EXPECT_EQ(pieces.front().meaning.second, static_cast<std::int64_t>(SpentIn::idleChart));
}

/// Rounds overlap and save time: parts of the bar take more than the time, whose end is where the hatch begins.
TEST(Headline, hatchesInItsBarTheTimeThatWasSaved) {
    RunWish wish = groupsFor("halfduplex-allgather/fully-connected", 4, 6);
    wish.network.topology = "ring";
    wish.stepping = emulation::Stepping::free;
    const DrawableRun subject = subjectOf(wish);
    const std::vector<GapPart> parts = gapPartsOf(subject.report(), false);
    EXPECT_TRUE(std::ranges::any_of(parts, [](const GapPart& part) { return part.time.count() < 0; }));
    engine::Picoseconds longest{};
    for (const GapPart& part : parts) longest += std::max(part.time, engine::Picoseconds{});
    ASSERT_GT(longest, subject.run().duration);
    const std::vector<Shape> pieces =
        shapesOf(headlineScene(subject, {}, {900, 78}), Meaning::Kind::cause, Shape::Kind::rectangle);
    const auto saved = std::ranges::find_if(pieces, [](const Shape& shape) { return shape.hatched; });
    ASSERT_NE(saved, pieces.end());
    EXPECT_TRUE(saved->tip.startsWith("overlap of rounds: \u2212")) << saved->tip.toStdString();
    const double left = pieces.front().box.left(), right = saved->box.right();
    EXPECT_NEAR((saved->box.left() - left) / (right - left),
                engine::seconds(subject.run().duration) / engine::seconds(longest), 1e-6);
}

TEST(Headline, explainsNoPartsThatNobodySees) {
    const DrawableRun subject = subjectOf(wishFor("reduce-scatter/circulant", 7));
    const std::vector<GapPart> parts = gapPartsOf(subject.report(), false);
    ASSERT_EQ(parts.size(), 2U);
    EXPECT_LT(1'000 * parts[1].time, parts[0].time);
    const Scene scene = headlineScene(subject, {}, {900, 78});
    EXPECT_TRUE(std::ranges::any_of(scene.shapes, [](const Shape& one) { return one.text.startsWith("bound "); }));
    EXPECT_FALSE(
        std::ranges::any_of(scene.shapes, [](const Shape& one) { return one.text.startsWith("extra bytes"); }));
}

TEST(Headline, staysWithinItsStripAtEveryWidth) {
    for (const DrawableRun& subject :
         {subjectOf(groupsFor("halfduplex-allgather/ring-streams", 4, 6)),
          subjectOf(wishFor("allgatherv/recursive-doubling", 16, "torus:4x4")),
          DrawableRun{analysis::reportOn(std::make_shared<const engine::Run>(strangeRun()))}})
        for (const QSizeF size : {QSizeF{120, 24}, QSizeF{240, 62}, QSizeF{420, 62}, QSizeF{900, 62}, QSizeF{1800, 62}})
            EXPECT_EQ(quarrelsIn(headlineScene(subject, {}, size), size), "") << size.width();
}

}  // namespace
}  // namespace app::gui
