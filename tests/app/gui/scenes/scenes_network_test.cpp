// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/layout/layout.hpp"
#include "app/gui/scenes/network/network_frame.hpp"
#include "app/gui/scenes/text/run_text.hpp"
#include "app/gui/scenes/text/summary.hpp"
#include "tests/app/gui/scenes/scenes_support.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

namespace app::gui {
namespace {

using engine::Picoseconds;
using engine::Rank;

constexpr QSizeF canvas{800, 500};
constexpr Picoseconds aRound{27'214'400};

DrawableRun torusSubject() { return subjectOf(wishFor("bcast/chain", 16, "torus:4x4")); }

QPointF markerAt(const DrawableRun& subject, Picoseconds time, std::int64_t message, bool reduceMotion = false) {
    const Scene scene = networkForeground(subject, {.time = time, .reduceMotion = reduceMotion}, canvas);
    for (const Shape& shape : scene.shapes)
        if (shape.meaning == Meaning{Meaning::Kind::message, message, -1} && !shape.box.isNull())
            return shape.box.center();
    return {};
}

/// Coordinates of a 2x3x4 torus by hand: rank = (x * 3 + y) * 4 + z.
TEST(NetworkScene, fadesTheOtherLayersOfThreeDimensions) {
    const DrawableRun subject = subjectOf(wishFor("allgatherv/linear-ring", 24, "torus:2x3x4"));
    ASSERT_TRUE(subject.blueprint().hasLayers());
    const Picoseconds time = subject.stops()[1];
    const auto isIn = [](std::int32_t axis, std::int32_t layer, std::int64_t rank) {
        const std::int64_t at[]{rank / 12, rank / 4 % 3, rank % 4};
        return at[axis] == layer;
    };
    const auto coloursOf = [&](const CutPlane& cut) {
        std::map<std::pair<Meaning::Kind, std::int64_t>, std::set<QRgb>> colours;
        for (const Scene& scene : {networkBackground(subject, {.time = time, .cut = cut}, canvas),
                                   networkForeground(subject, {.time = time, .cut = cut}, canvas)})
            for (const Shape& shape : scene.shapes)
                for (const QColor& colour : {shape.fill, shape.pen})
                    if (colour.isValid()) colours[{shape.meaning.kind, shape.meaning.index}].insert(colour.rgb());
        return colours;
    };
    const auto whole = coloursOf({});
    for (const CutPlane cut : {CutPlane{0, 1}, CutPlane{1, 2}, CutPlane{2, 0}}) {
        int seen = 0;
        for (const auto& [what, colours] : coloursOf(cut)) {
            if (what.first == Meaning::Kind::rank) {
                const bool isSeen = isIn(cut.axis, cut.layer, what.second);
                EXPECT_EQ(colours == whole.at(what), isSeen) << "rank " << what.second;
                seen += isSeen ? 1 : 0;
            } else if (what.first == Meaning::Kind::link) {
                const emulation::LinkEnds ends =
                    subject.report().network->ends(engine::LinkId{static_cast<std::int32_t>(what.second)});
                const bool isSeen = isIn(cut.axis, cut.layer, ends.from) && isIn(cut.axis, cut.layer, ends.to);
                EXPECT_EQ(colours == whole.at(what), isSeen) << "link " << what.second;
            }
        }
        EXPECT_EQ(seen, cut.axis == 0 ? 12 : cut.axis == 1 ? 8 : 6);
        EXPECT_TRUE(says(networkBackground(subject, {.time = time, .cut = cut}, canvas), "layer "));
    }
}

TEST(NetworkScene, movesAMessageEvenlyAlongItsLink) {
    const DrawableRun subject = ringSubject();
    const QPointF begin = markerAt(subject, aRound * 3, 12);  // the first message of round 4: 3 to 4
    ASSERT_EQ(subject.run().messages.round()[12], engine::Round{3});
    const QPointF end = markerAt(subject, aRound * 4 - Picoseconds{1}, 12);
    const QPointF half = markerAt(subject, aRound * 7 / 2, 12);
    EXPECT_GT(std::hypot((end - begin).x(), (end - begin).y()), 10);
    EXPECT_NEAR(half.x(), (begin.x() + end.x()) / 2, 0.1);
    EXPECT_NEAR(half.y(), (begin.y() + end.y()) / 2, 0.1);
    EXPECT_EQ(markerAt(subject, aRound * 7 / 2, 12), half) << "a picture depends on nothing but its time";
}

TEST(NetworkScene, letsMessagesJumpWhenMotionIsReduced) {
    const DrawableRun subject = ringSubject();
    const QPointF early = markerAt(subject, aRound * 3, 12, true);
    EXPECT_EQ(markerAt(subject, aRound * 4 - Picoseconds{1}, 12, true), early);
    EXPECT_NEAR(early.x(), markerAt(subject, aRound * 7 / 2, 12).x(), 0.1) << "in the middle of the link";
}

/// All send to rank 0 at once, which takes one message at a time.
TEST(NetworkScene, queuesMessagesAtAReceiverThatIsBusy) {
    const DrawableRun subject = subjectOf(wishFor("gatherv/flat", 6));
    ASSERT_TRUE(subject.anyQueued());
    const engine::Messages& messages = subject.run().messages;
    ASSERT_EQ(messages.size(), 5U);
    const Picoseconds one = messages.receiveEnd()[0];
    const Picoseconds sent = messages.sendEnd()[4];
    ASSERT_LT(sent, one * 2) << "the last one left its sender long before it is taken in";
    const auto waiting = [&](Picoseconds time) {
        std::vector<std::size_t> found;
        for (std::size_t i = 0; i < messages.size(); ++i)
            if (waitsAtDoor(subject, i, time)) found.push_back(i);
        return found;
    };
    EXPECT_EQ(waiting(one * 5 / 2), (std::vector<std::size_t>{3, 4}));
    EXPECT_EQ(waiting(one * 7 / 2), (std::vector<std::size_t>{4}));
    // It stands while it waits, as near as another may be that waits before it, and goes in within its own time.
    const NetworkLayout layout = layoutIn(subject, networkFrame(subject, {}, canvas));
    const auto apart = [&](Picoseconds time, std::int64_t message) {
        const QPointF way = markerAt(subject, time, message) - layout.middleOf(0);
        return std::hypot(way.x(), way.y());
    };
    EXPECT_NEAR(apart(one * 31 / 10, 4), apart(one * 39 / 10, 4), 0.01);
    EXPECT_GT(apart(one * 5 / 2, 4), apart(one * 31 / 10, 4) + 2) << "behind the one before it";
    EXPECT_LT(apart(one * 49 / 10, 4), apart(one * 39 / 10, 4) - 2);
    EXPECT_FALSE(ringSubject().anyQueued());
}

TEST(NetworkScene, showsAMessageOnlyWhileItMoves) {
    const DrawableRun subject = ringSubject();
    EXPECT_TRUE(markerAt(subject, aRound * 3 - Picoseconds{1}, 12).isNull());
    EXPECT_FALSE(markerAt(subject, aRound * 3, 12).isNull());
    EXPECT_TRUE(markerAt(subject, aRound * 4, 12).isNull());
}

TEST(NetworkScene, placesARingClockwiseFromTheTop) {
    const DrawableRun subject = ringSubject();
    const NetworkLayout layout{subject, {0, 0, 400, 400}};
    EXPECT_NEAR(layout.middleOf(0).x(), 200, 0.01);
    EXPECT_LT(layout.middleOf(0).y(), 50);
    EXPECT_GT(layout.middleOf(1).x(), 200);
    EXPECT_GT(layout.middleOf(5).y(), 350);
}

/// Of a point from the line between two others.
double distance(QPointF point, QPointF from, QPointF to) {
    const QPointF way = to - from;
    const double along = std::clamp(QPointF::dotProduct(point - from, way) / QPointF::dotProduct(way, way), 0.0, 1.0);
    const QPointF apart = point - (from + along * way);
    return std::hypot(apart.x(), apart.y());
}

/// Rows of a binomial tree of 8: 1, 1, 2 and 4 ranks; nobody covers another.
TEST(NetworkScene, putsATreeInRowsAndACubeOnAGrid) {
    const DrawableRun tree = subjectOf(wishFor("bcast/binomial-tree", 8));
    const NetworkLayout rows{tree, {0, 0, 400, 400}};
    std::map<int, int> perRow;
    for (std::int32_t rank = 0; rank < 8; ++rank) ++perRow[static_cast<int>(rows.middleOf(rank).y())];
    EXPECT_EQ(perRow, (std::map<int, int>{{50, 1}, {150, 1}, {250, 2}, {350, 4}}));
    const DrawableRun cube = subjectOf(wishFor("allgatherv/recursive-doubling", 16));
    EXPECT_EQ(cube.blueprint().lengths, (std::vector<int>{2, 2, 2, 2}));
    for (const DrawableRun* subject : {&tree, &cube}) {
        const NetworkLayout layout{*subject, {0, 0, 400, 300}};
        for (std::int32_t a = 0; a < subject->run().ranks; ++a)
            for (std::int32_t b = 0; b < a; ++b) {
                const QPointF way = layout.middleOf(a) - layout.middleOf(b);
                EXPECT_GT(std::hypot(way.x(), way.y()), 2 * layout.radius());
            }
        for (const auto& [from, to] : subject->blueprint().bonds)
            for (std::int32_t rank = 0; rank < subject->run().ranks; ++rank) {
                if (rank == from || rank == to) continue;
                EXPECT_GT(distance(layout.middleOf(rank), layout.middleOf(from), layout.middleOf(to)), layout.radius())
                    << "the line from " << from << " to " << to << " meets " << rank;
            }
    }
}

TEST(NetworkScene, setsGroupsApart) {
    RunWish wish = wishFor("bcast/binomial-tree", 24);
    wish.options["groups"] = "4";
    const DrawableRun subject = subjectOf(wish);
    const NetworkLayout layout{subject, {0, 0, 400, 400}};
    ASSERT_EQ(layout.outlines().size(), 4U);
    for (std::int32_t rank = 0; rank < 24; ++rank)
        for (std::size_t group = 0; group < 4; ++group)
            EXPECT_EQ(layout.outlines()[group].contains(layout.middleOf(rank)),
                      group == static_cast<std::size_t>(rank) / 6);
    const auto fromMiddle = [&](std::int32_t rank) { return QLineF{layout.middle(), layout.middleOf(rank)}.length(); };
    for (std::int32_t rank = 1; rank < 6; ++rank) EXPECT_LT(fromMiddle(0), fromMiddle(rank)) << "leaders stand within";
}

TEST(NetworkScene, sendsLinksThatCloseARowOutAndInAgain) {
    const DrawableRun subject = torusSubject();
    const NetworkLayout layout{subject, {0, 0, 400, 400}};
    const Track closing = layout.between(3, 0);
    ASSERT_EQ(closing.count, 2);
    EXPECT_GT(closing.legs[0].x2(), layout.middleOf(3).x()) << "out to the right";
    EXPECT_LT(closing.legs[1].x1(), layout.middleOf(0).x()) << "back from the left";
    EXPECT_EQ(layout.between(2, 3).count, 1);
}

TEST(NetworkScene, followsARouteOverSeveralLinks) {
    const DrawableRun subject = torusSubject();
    const NetworkLayout layout{subject, {0, 0, 400, 400}};
    // From 0 to 5 the last dimension comes first: over 1.
    std::vector<engine::LinkId> route;
    const QPointF half = layout.along(subject.report().network.get(), Rank{0}, Rank{5}, 0.499, route);
    EXPECT_EQ(route.size(), 2U);
    EXPECT_LT(std::hypot((half - layout.middleOf(1)).x(), (half - layout.middleOf(1)).y()), layout.radius() * 1.6);
}

TEST(NetworkScene, keepsRanksApartOnEveryNetwork) {
    for (const auto& [ranks, topology] : std::vector<std::pair<int, std::string>>{{2, "ring"},
                                                                                  {64, "ring"},
                                                                                  {27, "torus:3x3x3"},
                                                                                  {16, "torus:2x2x2x2"},
                                                                                  {12, "mesh:3x4"},
                                                                                  {16, "hypercube:4"},
                                                                                  {16, "fat-tree:4x4"},
                                                                                  {9, "full"},
                                                                                  {1, "ring"}}) {
        const DrawableRun subject = subjectOf(wishFor("bcast/flat", ranks, topology));
        const NetworkLayout layout{subject, {0, 0, 420, 300}};
        for (std::int32_t a = 0; a < subject.blueprint().nodes; ++a) {
            EXPECT_TRUE((QRectF{0, 0, 420, 300}.contains(layout.middleOf(a)))) << topology << " node " << a;
            for (std::int32_t b = 0; b < a; ++b) {
                const QPointF apart = layout.middleOf(a) - layout.middleOf(b);
                EXPECT_GT(std::hypot(apart.x(), apart.y()), 1.5 * layout.switchRadius())
                    << topology << ' ' << a << ' ' << b;
            }
        }
    }
}

TEST(NetworkScene, findsWhatIsUnderTheMouse) {
    const DrawableRun subject = ringSubject();
    const ViewState state{.time = aRound * 7 / 2};
    const Scene scene = networkScene(subject, state, canvas);
    const Shape rank = shapesOf(scene, Meaning::Kind::rank, Shape::Kind::ellipse).front();
    EXPECT_EQ(meaningAt(scene, rank.box.center()), (Meaning{Meaning::Kind::rank, 0, -1}));
    EXPECT_EQ(meaningAt(scene, markerAt(subject, state.time, 13)), (Meaning{Meaning::Kind::message, 13, -1}));
    const Shape link = shapesOf(scene, Meaning::Kind::link, Shape::Kind::line).front();
    EXPECT_EQ(meaningAt(scene, (link.from + link.to) / 2)->kind, Meaning::Kind::link);
    EXPECT_EQ(meaningAt(scene, {1, 1}), std::nullopt);
    EXPECT_TRUE(tipAt(subject, scene, rank.box.center()).startsWith("rank 0 (group A, senders): busy "));
}

TEST(NetworkScene, tellsGroupsAndStatesApartWithoutColour) {
    const DrawableRun subject = ringSubject();
    const Scene scene = networkForeground(subject, {.time = aRound * 7 / 2}, canvas);
    EXPECT_EQ(shapesOf(scene, Meaning::Kind::rank, Shape::Kind::ellipse).size(), 4U);
    const std::vector<Shape> receivers = shapesOf(scene, Meaning::Kind::rank, Shape::Kind::rectangle);
    ASSERT_EQ(receivers.size(), 6U);
    EXPECT_TRUE(receivers[4].hatched) << "rank 8 waits";
    EXPECT_FALSE(receivers[0].hatched);
    EXPECT_GT(receivers[0].width, receivers[4].width) << "rank 4 receives: a thick outline";
}

TEST(NetworkScene, namesTheBusiestLink) {
    const DrawableRun subject = subjectOf(wishFor("bcast/flat", 8, "ring"));
    const Scene scene = networkScene(subject, {.time = Picoseconds{1}}, canvas);
    EXPECT_TRUE(says(scene, QStringLiteral("busiest: 0 \u2192 "))) << scene.description.toStdString();
}

/// In round 4 of the ring's streams six links carry a block each.
TEST(NetworkScene, callsNoLinkBusiestWhereAllCarryAsMuch) {
    const DrawableRun subject = subjectOf(groupsFor("halfduplex-allgather/ring-streams", 4, 6));
    const Scene scene = networkScene(subject, {.time = aRound * 7 / 2}, canvas);
    EXPECT_TRUE(says(scene, "6 links in use, 64 KiB each")) << scene.description.toStdString();
    EXPECT_FALSE(says(scene, "busiest"));
    const Scene few =
        networkScene(subjectOf(wishFor("allgatherv/linear-ring", 3, "ring")), {.time = Picoseconds{1}}, canvas);
    EXPECT_TRUE(says(few, "3 links in use, 64 KiB each")) << few.description.toStdString();
    for (const Shape& shape : few.shapes)
        EXPECT_FALSE(shape.kind == Shape::Kind::line && shape.pen == paletteFor(false).accent) << "none stands out";
}

TEST(NetworkScene, drawsFlowsWithCountsWhenMessagesAreTooMany) {
    // Everybody sends to its third neighbour, ten times at once: 3000 messages on a ring of 300.
    engine::RunBuilder builder{300, 1, {}};
    for (std::int32_t rank = 0; rank < 300; ++rank)
        for (int copy = 0; copy < 10; ++copy)
            builder.message({Rank{rank}, Rank{(rank + 3) % 300}, engine::Round{0}, 8, Picoseconds{}, Picoseconds{900},
                             Picoseconds{}, Picoseconds{900}},
                            {});
    auto run = std::make_shared<engine::Run>(builder.finish());
    run->setting.topology = "ring";
    const DrawableRun subject{analysis::reportOn(run)};
    const Scene scene = networkForeground(subject, {.time = Picoseconds{450}}, canvas);
    EXPECT_TRUE(shapesOf(scene, Meaning::Kind::message, Shape::Kind::ellipse).empty());
    std::int64_t counted = 0;
    for (const Shape& shape : scene.shapes)
        if (shape.tip.endsWith(" messages")) counted += shape.tip.section(' ', 0, 0).toInt();
    EXPECT_EQ(counted, 3000);
}

TEST(NetworkScene, sharesMarksAndLinesAmongVeryManyRanks) {
    RunWish wish = wishFor("bcast/binomial-tree", 65'536);
    wish.network.topology = "torus:256x256";
    const DrawableRun subject = subjectOf(wish);
    const NetworkShape& print = subject.blueprint();
    EXPECT_EQ(print.step, 4);
    EXPECT_EQ(print.bundle, 16);
    EXPECT_EQ(print.markOf(256 * 3 + 7), 4) << "row 3, column 7: the square of rows 0..3, columns 4..7";
    const ViewState state{.time = subject.run().duration / 2};
    const Scene scene = networkScene(subject, state, {1280, 800});
    EXPECT_EQ(shapesOf(scene, Meaning::Kind::rank, Shape::Kind::ellipse).size(), 64U * 64U);
    // Both directions of both dimensions; those that close a row are two stubs.
    EXPECT_EQ(print.lines.size(), 4U * 64U * 64U);
    EXPECT_EQ(shapesOf(scene, Meaning::Kind::link, Shape::Kind::line).size(), 4U * 64U * 64U + 4U * 64U);
    EXPECT_TRUE(says(scene, "One mark for 16 ranks"));
    EXPECT_EQ(subjectOf(wishFor("bcast/binomial-tree", 65'536)).blueprint().markOf(35), 32);
}

/// Ranks 0, 4 and 8 lead groups of four; nobody leads in one level.
TEST(NetworkScene, drawsLeadersOfGroupsAsEllipses) {
    RunWish wish = wishFor("bcast/binomial-tree", 12);
    for (const bool levels : {true, false}) {
        wish.options =
            levels ? std::map<std::string, std::string>{{"groups", "3"}} : std::map<std::string, std::string>{};
        const DrawableRun subject = subjectOf(wish);
        const Scene scene = networkScene(subject, {}, {800, 600});
        EXPECT_EQ(says(scene, "leader of its group"), levels);
        for (const Shape& shape : shapesOf(scene, Meaning::Kind::rank, Shape::Kind::ellipse)) {
            const bool leads = levels && shape.meaning.index % 4 == 0;
            EXPECT_EQ(shape.box.width() > 1.2 * shape.box.height(), leads) << shape.meaning.index;
        }
    }
}

TEST(Network, showsWhoHasNotComeYet) {
    RunWish wish = wishFor("bcast/flat", 4);
    const DrawableRun early = subjectOf(wish);
    wish.perturbation = emulation::perturbationFromText("arrival=late:2,1ms");
    const DrawableRun subject = subjectOf(wish);
    const Picoseconds there{1'000'000'000};
    const auto look = [&](Picoseconds time, std::int32_t rank) {
        const auto ranks =
            shapesOf(networkScene(subject, {.time = time}, {600, 400}), Meaning::Kind::rank, Shape::Kind::ellipse);
        return std::any_of(ranks.begin(), ranks.end(),
                           [&](const Shape& shape) { return shape.meaning.index == rank && shape.dashed; });
    };
    EXPECT_TRUE(look({}, 2));
    EXPECT_TRUE(look(there - Picoseconds{1}, 2));
    EXPECT_FALSE(look(there, 2));
    EXPECT_FALSE(look({}, 3)) << "it only waits";
    for (const auto view : {networkScene, runTimelineScene, idleScene}) {
        EXPECT_TRUE(says(view(subject, {}, {600, 400}), "not yet entered"));
        EXPECT_FALSE(says(view(early, {}, {600, 400}), "not yet entered"));
    }
    const Scene bars = runTimelineScene(subject, {}, {600, 400});
    const TimeAxis axis = runTimelineAxis(subject, {}, {600, 400});
    std::vector<Shape> absent = shapesOf(bars, Meaning::Kind::still, Shape::Kind::rectangle);
    std::erase_if(absent, [](const Shape& shape) { return shape.meaning != Meaning{Meaning::Kind::still, 2, 0}; });
    ASSERT_EQ(absent.size(), 1U);
    EXPECT_TRUE(absent.front().dashed && !absent.front().hatched);
    EXPECT_NEAR(absent.front().box.right(), axis.pixel(there), 1);
}

TEST(Network, namesSwitchesAsLinksDo) {
    for (const char* topology : {"fat-tree:4x4", "dragonfly:4,2,2", "cluster:4"}) {
        const DrawableRun subject = subjectOf(wishFor("allreduce/butterfly", 16, topology));
        const NetworkShape& print = subject.blueprint();
        ASSERT_GT(print.nodes, print.ranks) << topology;
        const Scene scene = networkScene(subject, {}, {700, 600});
        for (std::int32_t node = print.ranks; node < print.nodes; ++node) {
            const QString number = QString::number(node - print.ranks);
            EXPECT_TRUE(std::any_of(scene.shapes.begin(), scene.shapes.end(),
                                    [&](const Shape& shape) { return shape.text == 's' + number; }))
                << topology << ", switch " << number.toStdString();
        }
        for (const int part : {0, 10, 45, 50, 90})
            EXPECT_EQ(quarrelsIn(networkScene(subject, {.time = subject.run().duration * part / 100}, {700, 600}),
                                 {700, 600}),
                      "")
                << topology;
        // Where there is no room for all of them none has a name, but all have words for the mouse.
        const Scene small = networkScene(subject, {}, {60, 60});
        EXPECT_FALSE(says(small, "s1")) << topology;
        EXPECT_TRUE(std::any_of(small.shapes.begin(), small.shapes.end(), [](const Shape& shape) {
            return shape.tip == "switch 1";
        })) << topology;
    }
}

TEST(Network, leavesOutLinesThatWouldBeAMass) {
    const QSizeF size{1280, 800};
    const auto linesIn = [](const Scene& scene) {
        return std::count_if(scene.shapes.begin(), scene.shapes.end(),
                             [](const Shape& shape) { return shape.kind == Shape::Kind::line; });
    };
    // A cube of 2^10 ranks has 5120 edges, of ten lengths; those of one direction are all drawn, or none.
    const DrawableRun cube = subjectOf(wishFor("allreduce/butterfly", 1024));
    const Scene picture = networkBackground(cube, {}, size);
    EXPECT_TRUE(says(picture, "of 5,120 lines"));
    const Scene plain = networkBackground(cube, {.legends = false}, size);
    EXPECT_GT(linesIn(plain), 0);
    EXPECT_LT(linesIn(plain), 5120);
    EXPECT_EQ(linesIn(plain) % 512, 0);
    const DrawableRun small = subjectOf(wishFor("allreduce/butterfly", 64));
    EXPECT_FALSE(says(networkBackground(small, {}, size), "not drawn"));
    EXPECT_EQ(linesIn(networkBackground(small, {.legends = false}, size)), 192);
    // Links under load are drawn, however many they are.
    const DrawableRun tree = subjectOf(wishFor("allreduce/butterfly", 256, "fat-tree:16x16"));
    const Scene loaded = networkBackground(tree, {.time = tree.run().duration - Picoseconds{1}}, size);
    const auto links = shapesOf(loaded, Meaning::Kind::link, Shape::Kind::line);
    EXPECT_GE(links.size(), 512U);
}

TEST(Network, laysCubesOutAsWideAsHighWithRanksApart) {
    for (const std::int32_t ranks : {16, 64, 256, 1024}) {
        const DrawableRun subject = subjectOf(wishFor("allreduce/butterfly", ranks));
        ASSERT_EQ(subject.blueprint().arrangement, NetworkShape::Arrangement::grid);
        const NetworkLayout layout{subject, {0, 0, 1000, 1000}};
        double left = 1000, right = 0, top = 1000, bottom = 0, nearest = 1000;
        for (std::int32_t rank = 0; rank < ranks; ++rank) {
            const QPointF at = layout.middleOf(rank);
            left = std::min(left, at.x()), right = std::max(right, at.x());
            top = std::min(top, at.y()), bottom = std::max(bottom, at.y());
            for (std::int32_t other = 0; other < rank; ++other)
                nearest = std::min(nearest, QLineF{at, layout.middleOf(other)}.length());
        }
        EXPECT_GT(right - left, 700) << ranks;
        EXPECT_GT(bottom - top, 700) << ranks;
        EXPECT_GT(nearest, 2 * layout.radius()) << ranks;
        // A narrow strip from corner to corner is as wide as high, too: the two other corners are not far from a rank.
        double far = 1000;
        for (std::int32_t rank = 0; rank < ranks; ++rank) {
            const QPointF at = layout.middleOf(rank);
            far = std::min(far, std::max(right - at.x(), at.y() - top));
        }
        EXPECT_LT(far, 400) << ranks;
    }
}

/// Two rows of five; in the second one each is linked to the next but one: a Petersen graph.
class Star final : public emulation::Network {
public:
    [[nodiscard]] std::string name() const override { return "star"; }
    [[nodiscard]] std::int32_t ranks() const override { return 10; }
    [[nodiscard]] std::int32_t links() const override { return 15; }
    void route(engine::Rank, engine::Rank, std::vector<engine::LinkId>&) const override {}
    [[nodiscard]] emulation::LinkEnds ends(engine::LinkId link) const override {
        const std::int32_t place = link.value % 5;
        if (link.value < 5) return {place, (place + 1) % 5};
        if (link.value < 10) return {place, place + 5};
        return {place + 5, (place + 2) % 5 + 5};
    }
    [[nodiscard]] engine::Wiring wiring() const override { return engine::Wiring::any(); }
    [[nodiscard]] std::vector<int> shape() const override { return {2, 5}; }
};

TEST(NetworkShape, isNoGridWhereLinksLeadPastNeighbours) {
    engine::Run run;
    run.ranks = 10;
    const Star star;
    EXPECT_EQ(NetworkShape(&star, run, false).arrangement, NetworkShape::Arrangement::drawn);
    const emulation::NetworkPtr torus = emulation::makeNetwork("torus:2x5", 10);
    EXPECT_EQ(NetworkShape(torus.get(), run, false).arrangement, NetworkShape::Arrangement::grid);
    const emulation::NetworkPtr snake = emulation::makeNetwork("mesh:2x5 placement=snake", 10);
    EXPECT_EQ(NetworkShape(snake.get(), run, false).arrangement, NetworkShape::Arrangement::grid);
}

/// The circles of free places by their tips, in the whole picture.
std::map<std::string, QPointF> freePlacesIn(const DrawableRun& subject) {
    std::map<std::string, QPointF> found;
    for (const Shape& shape : networkScene(subject, {.time = subject.stops()[1]}, canvas).shapes)
        if (shape.tip.startsWith(QStringLiteral("free place"))) found[shape.tip.toStdString()] = shape.box.center();
    return found;
}

TEST(Network, showsPlacesWithoutRanksWhereTheyLie) {
    RunWish wish = wishFor("allgatherv/bruck", 4, "torus:4x4");
    wish.network.placement = "spread";  // places 0, 4, 8 and 12: the first column
    const DrawableRun torus = subjectOf(wish);
    EXPECT_EQ(torus.blueprint().arrangement, NetworkShape::Arrangement::grid);
    EXPECT_EQ(torus.blueprint().hosts, 16);
    const auto places = freePlacesIn(torus);
    EXPECT_EQ(places.size(), 12U);
    ASSERT_TRUE(places.contains("free place 1") && places.contains("free place 13"));
    EXPECT_DOUBLE_EQ(places.at("free place 1").x(), places.at("free place 13").x()) << "of one column";
    EXPECT_LT(places.at("free place 1").y(), places.at("free place 13").y());
    wish = wishFor("allgatherv/bruck", 4, "fat-tree:4x2");
    wish.network.placement = "spread";
    const DrawableRun tree = subjectOf(wish);
    EXPECT_EQ(tree.blueprint().arrangement, NetworkShape::Arrangement::levels);
    const auto hosts = freePlacesIn(tree);
    ASSERT_EQ(hosts.size(), 4U);
    EXPECT_DOUBLE_EQ(hosts.at("free place 1").y(), hosts.at("free place 7").y()) << "in the row of the ranks";
    EXPECT_EQ(nameOfSwitch(tree.blueprint(), 8), QStringLiteral("s0"));
    // A torus whose ranks fill its first places is drawn in the same way.
    EXPECT_EQ(freePlacesIn(subjectOf(wishFor("allgatherv/bruck", 4, "torus:4x4"))).size(), 12U);
}

/// A line from a switch of the inner circle to one of the outer leads past all others.
TEST(Network, ofAFatTreeLeadsNoLinkThroughASwitchOfAnother) {
    for (const int leaves : {2, 4, 6, 8}) {
        const DrawableRun subject =
            subjectOf(wishFor("allreduce/ring", 4 * leaves, "fat-tree:4x" + std::to_string(leaves)));
        const NetworkLayout layout{subject, {0, 0, 700, 700}};
        const NetworkShape& print = subject.blueprint();
        for (const NetworkShape::Line& line : print.lines)
            for (std::int32_t node = print.ranks; node < print.nodes; ++node) {
                if (node == line.from || node == line.to) continue;
                const QPointF a = layout.middleOf(line.from);
                const QPointF along = layout.middleOf(line.to) - a;
                const QPointF apart = layout.middleOf(node) - a;
                const double share =
                    std::clamp(QPointF::dotProduct(apart, along) / QPointF::dotProduct(along, along), 0.0, 1.0);
                const QPointF away = apart - share * along;
                EXPECT_GT(std::hypot(away.x(), away.y()), layout.switchRadius()) << leaves << ' ' << node;
            }
    }
}

TEST(Network, isSeenThroughALensThatKeepsWhatIsUnderThePointer) {
    for (const DrawableRun& subject : {torusSubject(), subjectOf(wishFor("bcast/binomial-tree", 32)),
                                       subjectOf(groupsFor("halfduplex-allgather/fully-connected", 6, 9)),
                                       subjectOf(wishFor("allreduce/ring", 16, "fat-tree:4x4"))}) {
        const Picoseconds time = subject.run().duration / 3;
        const auto frameWith = [&](Lens lens) { return networkFrame(subject, {.time = time, .lens = lens}, canvas); };
        const NetworkFrame all = frameWith({});
        const QPointF at = layoutIn(subject, all).middleOf(3);
        Lens lens;
        for (int notch = 0; notch < 6; ++notch) lens = zoomedAt(lens, 1.25, at, frameWith(lens));
        EXPECT_NEAR(lens.zoom, std::pow(1.25, 6), 1e-9);
        const QPointF now = layoutIn(subject, frameWith(lens)).middleOf(3);
        EXPECT_NEAR(now.x(), at.x(), 0.01);
        EXPECT_NEAR(now.y(), at.y(), 0.01);
        // Nothing leaves the card, and there is less to be seen, not more.
        const Scene whole = networkScene(subject, {.time = time}, canvas);
        const Scene part = networkScene(subject, {.time = time, .lens = lens}, canvas);
        EXPECT_LT(part.shapes.size(), whole.shapes.size());
        EXPECT_FALSE(shapesOf(part, Meaning::Kind::rank, Shape::Kind::ellipse).empty());
        const QRectF seen = all.network.adjusted(-1, -1, 1, 1);
        for (const Shape& shape : part.shapes) {
            const bool line = shape.kind == Shape::Kind::line || shape.kind == Shape::Kind::arrow;
            if (shape.meaning.kind == Meaning::Kind::none) continue;
            EXPECT_TRUE(line ? seen.contains(shape.from) && seen.contains(shape.to)
                             : seen.contains(shape.box.center()));
        }
        EXPECT_EQ(zoomedAt(lens, 1e-3, at, frameWith(lens)), Lens{}) << "never smaller than all of it";
        EXPECT_EQ(moved(Lens{2, {0.5, 0.5}}, {9, -9}), (Lens{2, {0.75, 0.25}})) << "nor beyond its edges";
    }
}

/// Dashed are the links that decide the lower bound, tinted the nodes on one side of them; on a full network neither.
TEST(NetworkScene, drawsTheCutThatDecidesTheBound) {
    struct Case {
        const char* algorithm;
        int ranks;
        const char* topology;
        int dashed;
        int tinted;
    };
    for (const Case& one : {Case{"alltoallv/pairwise-exchange", 16, "mesh:4x4", 4, 8},
                            {"alltoallv/pairwise-exchange", 16, "fat-tree:4x4,taper=4", 1, 5},
                            {"allgatherv/bruck", 8, "cluster:4,between=1us+4ns/B", 1, 5},
                            {"allgatherv/bruck", 8, "full", 0, 0}}) {
        const DrawableRun subject = subjectOf(wishFor(one.algorithm, one.ranks, one.topology));
        const Scene scene = networkBackground(subject, {.time = subject.stops()[1]}, {900, 600});
        const Palette palette = paletteFor(false);
        const QColor tint = mixed(palette.paper, palette.accent, 0.22);
        int dashed = 0, tinted = 0;
        bool explained = false;
        for (const Shape& shape : scene.shapes) {
            if (shape.dashed && shape.pen == palette.accent) ++dashed;
            if (shape.fill == tint) ++tinted;
            explained = explained || shape.text.contains(QStringLiteral("links that limit every algorithm"));
        }
        const int inLegend = one.dashed > 0 ? 1 : 0;
        EXPECT_EQ(dashed, one.dashed + inLegend) << one.algorithm << " on " << one.topology;
        EXPECT_EQ(tinted, one.tinted + inLegend) << one.algorithm << " on " << one.topology;
        EXPECT_EQ(explained, one.dashed > 0) << one.algorithm << " on " << one.topology;
        const Scene whole = networkScene(subject, {.time = subject.stops()[1]}, {900, 600});
        EXPECT_EQ(whole.description.contains(QStringLiteral("Shared links raise")), one.dashed > 0);
    }
}

/// In the picture of an all-to-all as in Block ownership; of messages in one place, whose pills would cover each other,
/// the number.
TEST(NetworkScene, namesBlocksOfAnAlltoallByBothEnds) {
    const DrawableRun subject = subjectOf(wishFor("alltoallv/pairwise-exchange", 4, "ring"));
    EXPECT_EQ(subject.cargoOf(0), QStringLiteral("0\u21921"));
    EXPECT_EQ(subject.cargoInWords(0), QStringLiteral("block 0\u21921"));
    EXPECT_EQ(subject.columnName(subject.columnOf(0)), QStringLiteral("block 0\u21921"));
    const Scene ring = networkForeground(subject, {.time = subject.stops()[1] / 2}, canvas);
    EXPECT_TRUE(says(ring, QStringLiteral("0\u21921")) && says(ring, QStringLiteral("2\u21923")));
    const DrawableRun tree = subjectOf(wishFor("alltoallv/pairwise-exchange", 9, "fat-tree:3x3,taper=3"));
    const Scene scene = networkForeground(tree, {.time = tellingMoment(tree)}, {1300, 680});
    EXPECT_EQ(std::ranges::count(scene.shapes, QStringLiteral("3 messages"), &Shape::text), 3);
}

TEST(NetworkScene, marksSlowRanksAndLinks) {
    RunWish wish = wishFor("allreduce/swing", 16, "torus:4x4");
    wish.perturbation = emulation::perturbationFromText("slow-ranks=3:2.5 slow-links=0-1:8");
    const DrawableRun subject = subjectOf(wish);
    const Scene scene = networkBackground(subject, {}, canvas);
    EXPECT_TRUE(says(scene, "takes as many times as long"));
    const auto meaningOf = [&](const QString& words) {
        return std::ranges::find(scene.shapes, words, &Shape::text)->meaning;
    };
    EXPECT_EQ(meaningOf(QStringLiteral("2.5\u00d7")), (Meaning{Meaning::Kind::rank, 3, -1}));
    EXPECT_EQ(meaningOf(QStringLiteral("8\u00d7")).kind, Meaning::Kind::link);
    EXPECT_FALSE(says(networkBackground(torusSubject(), {}, canvas), "takes as many times as long"));
    EXPECT_TRUE(subtitleOf(subject).contains(
        QStringLiteral("rank 3 takes 2.5 times as long, link 0 \u2192 1 takes 8 times as long per byte")));
}

}  // namespace
}  // namespace app::gui
