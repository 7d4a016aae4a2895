// SPDX-License-Identifier: BSD-3-Clause
// Whole pictures: nothing is cut, nothing overlaps, and what is not known is not guessed.
#include "app/gui/export/export_writer.hpp"
#include "app/gui/scenes/network/network_frame.hpp"
#include "app/gui/scenes/picture/picture.hpp"
#include "app/gui/scenes/text/run_text.hpp"
#include "app/gui/scenes/text/summary.hpp"
#include "engine/base/error.hpp"
#include "tests/app/gui/scenes/scenes_support.hpp"

#include <gtest/gtest.h>

#include <QTemporaryDir>

namespace app::gui {
namespace {

using engine::Picoseconds;

/// Pictures of many kinds: small and large, every arrangement, reductions, much and little to say.
std::vector<DrawableRun> manySubjects() {
    std::vector<DrawableRun> subjects;
    subjects.push_back(ringSubject());
    subjects.push_back(subjectOf(groupsFor("halfduplex-allgather/ring-belts", 24, 40)));
    subjects.push_back(subjectOf(groupsFor("halfduplex-allgather/fully-connected", 6, 9)));
    subjects.push_back(subjectOf(groupsFor("intergroup-allgatherv/segmented", 6, 5)));
    subjects.push_back(subjectOf(wishFor("bcast/pipelined-chain", 27, "torus:3x3x3")));
    subjects.push_back(subjectOf(wishFor("allreduce/butterfly", 16, "fat-tree:4x4")));
    subjects.push_back(subjectOf(wishFor("allgatherv/bruck", 300)));
    subjects.push_back(subjectOf(wishFor("bcast/binomial-tree", 2)));
    subjects.emplace_back(analysis::reportOn(std::make_shared<const engine::Run>(strangeRun())));
    return subjects;
}

TEST(Poster, cutsNoTextAndLetsNoneOverlapAtAnySize) {
    for (const DrawableRun& subject : manySubjects())
        for (const QSizeF size : {QSizeF{900, 600}, QSizeF{1024, 768}, QSizeF{1280, 800}, QSizeF{1600, 1000},
                                  QSizeF{900, 1400}, QSizeF{2400, 600}})
            for (const int part : {0, 3, 7, 10})
                EXPECT_EQ(quarrelsIn(posterScene(subject, {.time = subject.run().duration * part / 10}, size), size),
                          "")
                    << titleOf(subject).toStdString() << " at " << size.width() << 'x' << size.height() << ", " << part;
}

TEST(Poster, hasItsTitleCaptionAndFourViews) {
    const DrawableRun subject = ringSubject();
    const Scene scene = posterScene(subject, {.time = subject.stops()[3]}, {1280, 800});
    EXPECT_TRUE(says(scene, "Half-duplex allgather on a ring: 4 senders, 6 receivers"));
    EXPECT_TRUE(
        says(scene, QStringLiteral("Round 4 of 9, 81.64 \u00b5s of 244.9 \u00b5s. In flight: block 0 from 3 to 4")));
    for (const char* heading : {"Network", "Block ownership", "Timeline", "Bounds"})
        EXPECT_TRUE(says(scene, heading)) << heading;
    EXPECT_TRUE(scene.description.contains("6 of 24 needed blocks are present"));
    EXPECT_FALSE(says(scene, "Round by round")) << "there is no room for it";
    EXPECT_TRUE(says(posterScene(subject, {}, {1600, 1000}), "Round by round"));
}

TEST(Views, stayWithinTheirCanvasAtSmallSizes) {
    for (const DrawableRun& subject : manySubjects())
        for (const char* view : {"network", "timeline", "holdings", "bounds", "strip"})
            for (const QSizeF size : {QSizeF{420, 300}, QSizeF{640, 240}, QSizeF{300, 500}})
                EXPECT_EQ(quarrelsIn(viewScene(view, subject, {.time = subject.run().duration / 3}, size), size), "")
                    << view << " of " << titleOf(subject).toStdString() << " at " << size.width() << 'x'
                    << size.height();
}

TEST(Views, areDrawnAtTheSmallestSize) {
    const DrawableRun subject = ringSubject();
    for (const PictureView& view : pictureViews)
        EXPECT_FALSE(imageOf(viewScene(view.name, subject, {}, {200, 200}), {200, 200}).isNull()) << view.name;
}

TEST(Views, haveLayersThatMakeTheWhole) {
    const DrawableRun subject = ringSubject();
    const ViewState state{.time = subject.stops()[2]};
    const QSizeF size{700, 400};
    EXPECT_EQ(
        networkScene(subject, state, size).shapes.size(),
        networkBackground(subject, state, size).shapes.size() + networkForeground(subject, state, size).shapes.size());
    EXPECT_EQ(runTimelineScene(subject, state, size).shapes.size(),
              runTimelineBackground(subject, state, size).shapes.size() +
                  runTimelineForeground(subject, state, size).shapes.size());
}

TEST(SpaceTime, drawsEveryMessageFromItsSenderToItsReceiver) {
    const DrawableRun subject = ringSubject();
    const Scene scene = runTimelineScene(subject, {}, {900, 500});
    const std::vector<Shape> lines = shapesOf(scene, Meaning::Kind::message, Shape::Kind::arrow);
    ASSERT_EQ(lines.size(), 36U);
    const TimeAxis axis = runTimelineAxis(subject, {}, {900, 500});
    for (const Shape& line : lines) {
        const engine::MessageRecord message = subject.run().messages[static_cast<std::size_t>(line.meaning.index)];
        EXPECT_NEAR(line.from.x(), axis.pixel(message.sendBegin), 0.01);
        EXPECT_NEAR(line.to.x(), axis.pixel(message.receiveEnd), 0.01);
        EXPECT_EQ(line.to.y() > line.from.y(), message.to > message.from);
    }
}

TEST(SpaceTime, showsWhatIsInTheVisibleSpanOnly) {
    const DrawableRun subject = ringSubject();
    const ViewState state{.spanBegin = subject.stops()[2], .spanEnd = subject.stops()[3]};
    const Scene scene = runTimelineScene(subject, state, {900, 500});
    const TimeAxis axis = runTimelineAxis(subject, state, {900, 500});
    EXPECT_EQ(axis.begin(), state.spanBegin);
    EXPECT_EQ(shapesOf(scene, Meaning::Kind::message, Shape::Kind::arrow).size(), 4U) << "the messages of round 3";
    for (const Shape& bar : shapesOf(scene, Meaning::Kind::rank, Shape::Kind::rectangle)) {
        EXPECT_GE(bar.box.left(), axis.left() - 0.1);
        EXPECT_LE(bar.box.right(), axis.right() + 0.1);
    }
}

TEST(SpaceTime, numbersRoundsInEvenStepsWhereTheyCrowd) {
    // Forty rounds at even distances, but for ten that begin nearly at once.
    engine::RunBuilder builder{2, 40, {}};
    for (int round = 0; round < 40; ++round) {
        engine::MessageRecord message{};
        message.from = engine::Rank{round % 2};
        message.to = engine::Rank{1 - round % 2};
        message.round = engine::Round{round};
        message.bytes = 8;
        message.sendBegin = message.receiveBegin =
            Picoseconds{1'000'000} * (round < 20 || round >= 30 ? round : 20) + Picoseconds{1000} * round;
        message.sendEnd = message.receiveEnd = message.sendBegin + Picoseconds{900'000};
        builder.message(message, {});
    }
    const DrawableRun subject{analysis::reportOn(std::make_shared<const engine::Run>(builder.finish()))};
    for (const double width : {500.0, 900.0, 2000.0}) {
        const Scene scene = runTimelineScene(subject, {}, {width, 300});
        std::vector<Shape> numbers = textsOf(scene);
        const double line =
            std::find_if(numbers.begin(), numbers.end(), [](const Shape& shape) { return shape.text == "round"; })
                ->box.center()
                .y();
        std::erase_if(numbers, [&](const Shape& shape) {
            return shape.text == "round" || std::abs(shape.box.center().y() - line) > 1;
        });
        ASSERT_GE(numbers.size(), 2U) << width;
        const int step = numbers[0].text.toInt();
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            EXPECT_EQ(numbers[i].text.toInt(), step * static_cast<int>(i + 1)) << width;
            if (i == 0) continue;
            EXPECT_GT(numbers[i].box.left(), numbers[i - 1].box.right() + 3) << width;
        }
    }
}

TEST(SpaceTime, numbersRoundsOneByOneWhereEachIsTwiceAsLong) {
    const DrawableRun subject = subjectOf(wishFor("allgatherv/bruck", 512));
    const std::vector<Shape> texts = textsOf(runTimelineScene(subject, {}, {600, 300}));
    for (const char* number : {"7", "9"})  // the axis counts 0, 2, 4, ...
        EXPECT_TRUE(std::any_of(texts.begin(), texts.end(), [&](const Shape& text) { return text.text == number; }))
            << number;
}

TEST(SpaceTime, drawsDensityInsteadOfTooManyMessages) {
    const DrawableRun subject = subjectOf(wishFor("allgatherv/linear-ring", 256));
    ASSERT_GT(subject.run().messages.size(), 60'000U);
    const Scene scene = runTimelineScene(subject, {}, {900, 500});
    EXPECT_TRUE(shapesOf(scene, Meaning::Kind::message, Shape::Kind::line).empty());
    EXPECT_LT(scene.shapes.size(), 40'000U);
    EXPECT_TRUE(says(scene, "idle to busy"));
}

TEST(SpaceTime, paintsManyCellsAsOnePicture) {
    const DrawableRun subject = subjectOf(wishFor("allgatherv/linear-ring", 256));
    const Scene scene = runTimelineScene(subject, {}, {1280, 800});
    const auto found = std::find_if(scene.shapes.begin(), scene.shapes.end(),
                                    [](const Shape& shape) { return shape.kind == Shape::Kind::cells; });
    ASSERT_NE(found, scene.shapes.end());
    EXPECT_LT(scene.shapes.size(), 3000U) << "a shape per cell would cost more than a frame";
    // The rows are busy from begin to end, and a click finds their ranks.
    const TimeAxis axis = runTimelineAxis(subject, {}, {1280, 800});
    const QPointF middle{(axis.left() + axis.right()) / 2, found->box.center().y()};
    EXPECT_GT(qAlpha(found->cells->pixel(found->cells->width() / 2, found->cells->height() / 2)), 0);
    const auto meaning = meaningAt(scene, middle);
    ASSERT_TRUE(meaning);
    EXPECT_EQ(meaning->kind, Meaning::Kind::rank);
    EXPECT_NEAR(static_cast<double>(meaning->index), 128, 2);
}

TEST(BoundsScene, setsMeasuredBesideFormulaAndBound) {
    const DrawableRun subject = ringSubject();
    const Scene scene = boundsScene(subject, {}, {500, 480});
    for (const char* words :
         {"576 KiB", "384 KiB", "256 KiB", "The time is 1.5 times the one-block bound", "The schedule is proved"})
        EXPECT_TRUE(says(scene, words)) << words;
    EXPECT_TRUE(says(scene, QStringLiteral("Formula: (p + q \u2212 1)(\u03b1 + \u03b2 k)")));
    EXPECT_TRUE(scene.description.startsWith("rounds: this run 9, formula 9, lower bound 6. "));
}

TEST(BoundsScene, saysNotKnownInsteadOfGuessing) {
    const DrawableRun subject{analysis::reportOn(std::make_shared<const engine::Run>(strangeRun()))};
    const Scene scene = boundsScene(subject, {}, {500, 400});
    EXPECT_TRUE(scene.description.startsWith("rounds: this run 1, formula not known, lower bound not known. "));
    EXPECT_TRUE(says(scene, "The algorithm behind these messages is unknown"));
}

TEST(Stops, riseStrictlyAndEndWithTheRun) {
    for (const DrawableRun& subject : manySubjects()) {
        const auto& stops = subject.stops();
        EXPECT_TRUE(std::is_sorted(stops.begin(), stops.end(), std::less_equal<>{}));
        EXPECT_EQ(stops.back(), subject.run().duration);
        for (std::size_t i = 0; i + 1 < stops.size(); ++i) EXPECT_EQ(subject.roundBegan(stops[i]), stops[i]);
    }
}

TEST(Pictures, areWrittenInEveryKindThatNeedsNoOtherProgram) {
    const Report report = execute(groupsFor("halfduplex-allgather/ring-belts", 4, 6));
    QTemporaryDir folder;
    const std::filesystem::path base{folder.path().toStdString()};
    const auto begin = [&](const char* name) {
        Picture picture;
        picture.width = 900;
        picture.height = 600;
        writePicture({report}, base / name, picture);
        QFile file{QString::fromStdString((base / name).string())};
        EXPECT_TRUE(file.open(QIODevice::ReadOnly));
        return file.readAll();
    };
    EXPECT_TRUE(begin("a.png").startsWith("\x89PNG"));
    EXPECT_TRUE(begin("a.pdf").startsWith("%PDF"));
    const QByteArray svg = begin("a.svg");
    EXPECT_TRUE(svg.contains("<svg"));
    EXPECT_TRUE(svg.contains("Block ownership")) << "text stays text";
    const QByteArray html = begin("a.html");
    EXPECT_TRUE(html.startsWith("<!DOCTYPE html>"));
    EXPECT_EQ(html.count("</script>"), 2) << "the data and the script";
    EXPECT_FALSE(html.contains("http://") || html.contains("https://")) << "it needs no network";
}

TEST(Pictures, refuseWhatTheyCannotBe) {
    const Report report = execute(groupsFor("halfduplex-allgather/ring-belts", 4, 6));
    EXPECT_THROW(writePicture({report}, "a.bmp"), engine::Error);
    EXPECT_THROW(writePicture({report}, "/no/such/folder/a.png"), engine::Error);
    Picture picture;
    picture.view = "netwrok";
    try {
        writePicture({report}, "a.png", picture);
        FAIL();
    } catch (const engine::Error& error) {
        EXPECT_NE(std::string{error.what()}.find("did you mean network?"), std::string::npos) << error.what();
    }
}

TEST(Pictures, refuseViewsOfProgramsForARunOfOneCollective) {
    const Report report = execute(groupsFor("halfduplex-allgather/ring-belts", 4, 6));
    for (const char* view : {"tracks", "where", "when"}) {
        Picture picture;
        picture.view = view;
        try {
            writePicture({report}, "a.png", picture);
            FAIL() << view;
        } catch (const engine::Error& error) {
            EXPECT_EQ(error.what(),
                      std::string{"--view "} + view + ": this view needs the trace of a program with its calls");
        }
        EXPECT_FALSE(std::filesystem::exists("a.png"));
    }
}

TEST(Pictures, ofTheNetworkShowARoundNearTheMiddleAndSayWhich) {
    const Report report = execute(groupsFor("halfduplex-allgather/ring-belts", 4, 6));
    const DrawableRun subject{report};
    const Picoseconds middle = tellingMoment(subject);
    ASSERT_FALSE(subject.messagesAt(middle).empty());
    for (const char* view : {"network", "poster"}) {
        QTemporaryDir folder;
        Picture picture;
        picture.view = view;
        writePicture({report}, folder.filePath("a.svg").toStdString(), picture);
        QFile written{folder.filePath("a.svg")};
        ASSERT_TRUE(written.open(QIODevice::ReadOnly)) << view;
        EXPECT_TRUE(written.readAll().contains(momentOf(subject, middle).toUtf8())) << view;
    }
    // What is given is kept.
    const ViewState end{.time = subject.run().duration};
    EXPECT_TRUE(says(viewScene("network", subject, end, {900, 600}), "End, after 6 rounds"));
}

/// Of small problems on large sheets; every word as large as the others of its kind, and none beyond the sheet.
TEST(Pictures, thatNeedLittleRoomGrowWithTheirSheet) {
    const DrawableRun subject = ringSubject();
    for (const char* view : {"bounds", "holdings"}) {
        const auto lowest = [&](QSizeF size) {
            double bottom = 0;
            const Scene scene = viewScene(view, subject, {.time = subject.stops()[3]}, size);
            EXPECT_EQ(quarrelsIn(scene, size), "") << view << ' ' << size.width();
            for (const Shape& shape : scene.shapes)
                if (shape.kind == Shape::Kind::text) bottom = std::max(bottom, shape.box.bottom());
            return bottom;
        };
        EXPECT_LT(lowest({700, 420}), 420.5) << view;
        EXPECT_GT(lowest({1366, 768}), 0.6 * 768) << view;
        EXPECT_GT(lowest({1366, 768}), lowest({1366, 500})) << view;
    }
    // What fills its sheet anyway keeps the size of its words.
    const auto pointsIn = [&](QSizeF size) {
        const Scene scene = viewScene("idle", subject, {}, size);
        return std::ranges::find(scene.shapes, QStringLiteral("0%"), &Shape::text)->points;
    };
    EXPECT_EQ(pointsIn({1366, 768}), pointsIn({700, 420}));
}

/// On the way to or from a switch, never over one, where messages of many ranks would lie on each other.
TEST(Pictures, ofTheNetworkLeaveSwitchesFree) {
    for (const char* id : {"bcast/binomial-tree", "allreduce/ring", "alltoallv/pairwise-exchange"})
        for (const char* topology : {"fat-tree:4x4", "dragonfly:4,2,2"}) {
            const DrawableRun subject = subjectOf(wishFor(id, 16, topology));
            const ViewState state{.time = tellingMoment(subject)};
            const NetworkLayout layout = layoutIn(subject, networkFrame(subject, state, {1300, 680}));
            std::size_t seen = 0;
            for (const Shape& shape : networkForeground(subject, state, {1300, 680}).shapes) {
                if (shape.meaning.kind != Meaning::Kind::message || shape.box.isNull()) continue;
                ++seen;
                for (std::int32_t node = subject.run().ranks; node < subject.blueprint().nodes; ++node)
                    EXPECT_FALSE(shape.box.contains(layout.middleOf(node))) << id << ' ' << topology << ' ' << node;
            }
            EXPECT_GT(seen, 0U) << id << ' ' << topology;
        }
}

TEST(Pictures, overTimeSayWhatTheyLeaveOutBefore) {
    RunWish wish = wishFor("bcast/flat", 4);
    wish.perturbation = emulation::perturbationFromText("arrival=late:0,1ms");
    const DrawableRun late = subjectOf(wish);
    EXPECT_TRUE(says(viewScene("timeline", late, {}, {900, 600}), "(before the first message) are not shown."));
    EXPECT_FALSE(says(viewScene("timeline", ringSubject(), {}, {900, 600}), "left out"));
}

TEST(Pictures, areTheSameEveryTime) {
    const DrawableRun subject = ringSubject();
    const ViewState state{.time = subject.stops()[4], .dark = true};
    const QImage first = imageOf(viewScene("poster", subject, state, {900, 600}), {900, 600});
    EXPECT_EQ(imageOf(viewScene("poster", subject, state, {900, 600}), {900, 600}), first);
}

TEST(SpaceTime, drawsBarsAloneWhereLinesWouldBeAPattern) {
    const DrawableRun subject = subjectOf(wishFor("allgatherv/linear-ring", 48));
    const QSizeF low{900, 400};
    const Scene scene = runTimelineScene(subject, {}, low);
    EXPECT_TRUE(shapesOf(scene, Meaning::Kind::message, Shape::Kind::line).empty());
    EXPECT_FALSE(shapesOf(scene, Meaning::Kind::rank, Shape::Kind::rectangle).empty());
    EXPECT_TRUE(says(scene, "messages of the selected rank only"));
    EXPECT_EQ(quarrelsIn(scene, low), "");
    // Rank 5 sends 47 and receives 47.
    const Scene chosen = runTimelineScene(subject, {.rank = engine::Rank{5}}, low);
    EXPECT_EQ(shapesOf(chosen, Meaning::Kind::message, Shape::Kind::line).size(), 94U);
    // In high rows, and in a short span, all are told apart.
    for (const auto& [state, size] :
         {std::pair{ViewState{}, QSizeF{900, 700}}, {ViewState{.spanEnd = subject.run().duration / 8}, low}}) {
        const Scene single = runTimelineScene(subject, state, size);
        EXPECT_GT(shapesOf(single, Meaning::Kind::message, Shape::Kind::line).size(), 200U);
        EXPECT_FALSE(says(single, "only of a chosen rank"));
    }
}

TEST(Views, cutNoTextInTinyPanels) {
    for (const DrawableRun& subject : manySubjects())
        for (const char* view : {"network", "timeline", "holdings", "strip"})
            for (const QSizeF size : {QSizeF{112, 260}, QSizeF{160, 200}, QSizeF{240, 130}})
                EXPECT_EQ(quarrelsIn(viewScene(view, subject, {.time = subject.run().duration / 3}, size), size), "")
                    << view << " of " << titleOf(subject).toStdString() << " at " << size.width() << 'x'
                    << size.height();
}

// Beside a bound that only runs of its class cannot beat stands the one of all.
TEST(Bounds, ofOneBlockMessagesNameTheBoundForAnyMessages) {
    const QString tree = boundsScene(subjectOf(wishFor("bcast/binomial-tree", 6)), {}, {900, 600}).description;
    EXPECT_TRUE(tree.contains("For any messages the lower bound is 29.2 \u00b5s, 64.2% below it."))
        << tree.toStdString();
    EXPECT_FALSE(boundsScene(subjectOf(wishFor("allgatherv/bruck", 8)), {}, {900, 600})
                     .description.contains("The one-block bound holds"));
    EXPECT_TRUE(
        boundsScene(subjectOf(wishFor("allreduce/ring", 6)), {}, {900, 600}).description.contains("not evaluated"));
}

// Against runs with twice of either.
TEST(Bounds, sayWhatTwiceTheStartupAndTwiceTheBytesWouldTake) {
    for (const auto& wish : {groupsFor("halfduplex-allgather/ring-streams", 4, 6), wishFor("bcast/binomial-tree", 8),
                             wishFor("allgatherv/linear-ring", 7, "ring")}) {
        RunWish slow = wish;
        slow.model.alpha = 2 * wish.model.alpha;
        RunWish large = wish;
        large.problem.size = 2 * wish.problem.size;
        const QString words =
            QStringLiteral("With twice \u03b1 the run would take %1, with twice the bytes %2.")
                .arg(timeInSentence(execute(slow).run->duration), timeInSentence(execute(large).run->duration));
        const Scene scene = boundsScene(subjectOf(wish), {}, {900, 600});
        EXPECT_TRUE(scene.description.contains(words)) << scene.description.toStdString();
    }
    // Where messages share links, startups and bytes are not all of the time.
    EXPECT_FALSE(boundsScene(subjectOf(wishFor("allgatherv/bruck", 16, "torus:4x4")), {}, {900, 600})
                     .description.contains("twice"));
}

}  // namespace
}  // namespace app::gui
