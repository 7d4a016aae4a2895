// SPDX-License-Identifier: BSD-3-Clause
// The upper layer of the network view: what every rank does, and the messages on their way.
#include "app/analysis/messages/messages_in_flight.hpp"
#include "app/gui/scenes/common/annotation_notes.hpp"
#include "app/gui/scenes/common/block_highlight.hpp"
#include "app/gui/scenes/layout/dependency_highlight.hpp"
#include "app/gui/scenes/network/binding_cut.hpp"
#include "app/gui/scenes/network/grid_slice.hpp"
#include "app/gui/scenes/network/network_frame.hpp"
#include "app/gui/scenes/text/rank_glyphs.hpp"
#include "app/gui/scenes/text/run_text.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace app::gui {
namespace {

constexpr std::size_t mostMarkers = 2000;  // above: flows
constexpr std::size_t mostCargoes = 48;    // above: dots without words
constexpr std::size_t mostTrails = 300;    // lines behind messages of a full network
constexpr std::size_t mostHops = 2000;     // of a followed block
constexpr double inLine = 0.07;            // of the way, between messages that wait for one receiver

std::vector<RankState> statesAt(const DrawableRun& subject, engine::Picoseconds time,
                                const std::vector<std::size_t>& moving) {
    const engine::Messages& messages = subject.run().messages;
    const RankState still = betweenState(subject);
    std::vector<RankState> states(static_cast<std::size_t>(subject.run().ranks), still);
    for (std::size_t number = 0; number < states.size(); ++number) {
        const engine::Rank rank{static_cast<std::int32_t>(number)};
        if (time < subject.thereAt(rank)) states[number] = RankState::absent;
        else if (subject.doneAt(rank) <= time) states[number] = RankState::done;
        else if (subject.combines(rank, time)) states[number] = RankState::combining;
        else if (subject.computes(rank, time)) states[number] = RankState::computing;
    }
    for (const std::size_t i : moving) {
        RankState& sender = states[messages.from()[i].index()];
        if (analysis::sendsFrom(subject.run(), i) <= time && time < messages.sendEnd()[i])
            sender = sender == RankState::receiving || sender == RankState::both ? RankState::both : RankState::sending;
        RankState& receiver = states[messages.to()[i].index()];
        if (analysis::receivesFrom(subject.run(), i) <= time && time < messages.receiveEnd()[i])
            receiver =
                receiver == RankState::sending || receiver == RankState::both ? RankState::both : RankState::receiving;
    }
    return states;
}

/// How much of a message has left its sender, and how much of it its receiver has, 0..1.
struct Way {
    double sent = 0;
    double received = 0;
    bool queues = false;  ///< the receiver begins later than the sender
};

Way wayOf(const DrawableRun& subject, std::size_t message, engine::Picoseconds time) {
    const engine::MessageRecord record = subject.run().messages[message];
    const auto shareOf = [time](engine::Picoseconds begin, engine::Picoseconds end) {
        if (end <= begin) return time < begin ? 0.0 : 1.0;
        return std::clamp(static_cast<double>((time - begin).count()) / static_cast<double>((end - begin).count()), 0.0,
                          1.0);
    };
    if (!subject.queued(message)) return {1, shareOf(record.sendBegin, record.receiveEnd), false};
    return {shareOf(record.sendBegin, record.sendEnd + subject.latency()),
            shareOf(record.receiveBegin, record.receiveEnd), true};
}

/// What ranks that share a mark do: who is busy says more than who is not.
RankState together(RankState a, RankState b) {
    for (const RankState less : {RankState::done, RankState::absent, RankState::outside, RankState::waiting}) {
        if (a == less) return b;
        if (b == less) return a;
    }
    return a == b ? a : RankState::both;
}

void shareStates(const NetworkShape& print, std::vector<RankState>& states) {
    if (print.marks.empty()) return;
    for (std::int32_t rank = 0; rank < print.ranks; ++rank) {
        RankState& mark = states[static_cast<std::size_t>(print.markOf(rank))];
        mark = together(mark, states[static_cast<std::size_t>(rank)]);
    }
}

void drawRanks(SceneBuilder& pencil, const DrawableRun& subject, const ViewState& state, const NetworkLayout& layout,
               const std::vector<RankState>& states) {
    // All ranks carry their number, or none.
    const QSizeF widest = sizeOf(QString::number(subject.run().ranks - 1), points::tiny, true);
    const bool numbers = layout.radius() >= smallestNumbered && widest.width() <= 2 * layout.radius() - 3;
    for (std::int32_t rank = 0; rank < subject.run().ranks; ++rank) {
        if (subject.blueprint().markOf(rank) != rank) continue;
        const QPointF middle = layout.middleOf(rank);
        const double radius = layout.radius();
        drawRank(pencil, middle, radius, subject.sideOf(engine::Rank{rank}), states[static_cast<std::size_t>(rank)],
                 numbers ? QString::number(rank) : QString{}, {Meaning::Kind::rank, rank, -1});
        if (holdsFollowed(subject, state, engine::Rank{rank}, state.time)) {
            drawRing(pencil, middle, radius + 2.5, subject.sideOf(engine::Rank{rank}),
                     subject.colourOf(*state.block, pencil.dark()), 3);
        }
        if (state.rank && subject.blueprint().markOf(state.rank->value) == rank) {
            drawRing(pencil, middle, radius + 4, subject.sideOf(engine::Rank{rank}), pencil.palette().accent, 2);
        }
    }
}

/// The way of the followed block: where it has been, and dashed where it is still to go.
void drawRoute(SceneBuilder& pencil, const DrawableRun& subject, const ViewState& state, const NetworkLayout& layout) {
    const std::vector<analysis::Hop> hops = followedHops(subject, state);
    if (hops.empty() || hops.size() > mostHops) return;
    const emulation::Network* network = subject.report().network.get();
    const engine::Messages& messages = subject.run().messages;
    const QColor colour = subject.colourOf(*state.block, pencil.dark());
    const double width = std::clamp(layout.radius() * 0.3, 1.0, 4.0);
    for (const analysis::Hop& hop : hops) {
        const bool been = messages.receiveEnd()[hop.message] <= state.time;
        for (const Track& track : layout.tracks(network, messages.from()[hop.message], messages.to()[hop.message]))
            for (int leg = 0; leg < track.count; ++leg) {
                const QLineF line = track.legs[static_cast<std::size_t>(leg)];
                Shape& shape =
                    pencil.line(line.p1(), line.p2(), been ? colour : mixed(pencil.palette().paper, colour, 0.6),
                                been ? width : std::max(1.0, width / 2));
                shape.dashed = !been;
                shape.meaning = {Meaning::Kind::message, static_cast<std::int64_t>(hop.message), -1};
            }
    }
}

void drawMarkers(SceneBuilder& pencil, const DrawableRun& subject, const ViewState& state, const NetworkLayout& layout,
                 const std::vector<std::size_t>& moving) {
    const emulation::Network* network = subject.report().network.get();
    const engine::Messages& messages = subject.run().messages;
    const bool links = network != nullptr && network->links() > 0;
    const double largest = std::clamp(layout.radius() * 0.55, 2.0, 8.0);
    if (!links && moving.size() <= mostTrails)
        for (const std::size_t i : moving) {
            const Track way = layout.between(messages.from()[i].value, messages.to()[i].value);
            const QColor colour = mixed(pencil.palette().paper, messageColour(subject, state, i, pencil.dark()), 0.6);
            for (int leg = 0; leg < way.count; ++leg) {
                const QLineF line = way.legs[static_cast<std::size_t>(leg)];
                const bool arrow = leg + 1 == way.count && moving.size() <= mostCargoes;
                Shape& trail = arrow
                                   ? pencil.arrow(line.p1(), line.p2(), colour, 1.4)
                                   : pencil.line(line.p1(), line.p2(), colour, moving.size() <= mostCargoes ? 1.4 : 1);
                trail.meaning = {Meaning::Kind::message, static_cast<std::int64_t>(i), -1};
            }
        }
    if (state.message && *state.message < messages.size())
        for (const Track& track :
             layout.tracks(network, messages.from()[*state.message], messages.to()[*state.message]))
            for (int leg = 0; leg < track.count; ++leg)
                pencil.line(track.legs[static_cast<std::size_t>(leg)].p1(),
                            track.legs[static_cast<std::size_t>(leg)].p2(), pencil.palette().accent, 2);
    struct Marker {
        std::size_t message = 0;
        QPointF at;
        QString cargo;
        bool waits = false;
    };
    std::vector<Marker> dots;
    std::vector<Marker> pills;
    std::vector<QRectF> taken;
    std::vector<engine::LinkId> route;
    std::map<engine::Rank, int> queues;  // messages that wait, by receiver
    // A pill must not cover words: of a rank, nor of another pill. Where it would, the message is a dot below the
    // pills.
    const auto boxOf = [](const QString& cargo, QPointF at) {
        const QSizeF room = sizeOf(cargo, points::tiny, true) + QSizeF{8, 2};
        return QRectF{at - QPointF{room.width() / 2, room.height() / 2}, room};
    };
    std::map<std::pair<int, int>, std::size_t> pillAt;  // pixel, number in `pills`
    std::vector<int> together;                          // messages, by pill
    for (const std::size_t i : moving) {
        const bool waits = !state.reduceMotion && waitsAtDoor(subject, i, state.time);
        // One behind the other.
        const double share =
            waits ? std::max(door - inLine * queues[messages.to()[i]]++, 0.3) : shareOfWay(subject, i, state);
        const QPointF at = layout.along(network, messages.from()[i], messages.to()[i], share, route);
        const QString cargo = moving.size() <= mostCargoes && layout.radius() >= 7 ? subject.cargoOf(i) : QString{};
        const std::pair pixel{qRound(at.x()), qRound(at.y())};
        if (const auto pill = pillAt.find(pixel); !cargo.isEmpty() && pill != pillAt.end()) ++together[pill->second];
        const QRectF box = boxOf(cargo, at);
        const bool free =
            !cargo.isEmpty() && pencil.freeOfText(box) &&
            std::none_of(taken.begin(), taken.end(), [&](const QRectF& other) { return other.intersects(box); });
        if (free) {
            taken.push_back(box);
            pillAt.emplace(pixel, pills.size());
            together.push_back(1);
        }
        (free ? pills : dots).push_back({i, at, free ? cargo : QString{}, waits});
    }
    const auto draw = [&](const Marker& marker) {
        const double share = subject.largestMessage() == 0 ? 1
                                                           : static_cast<double>(messages.bytes()[marker.message]) /
                                                                 static_cast<double>(subject.largestMessage());
        const QRectF box = drawMessage(pencil, marker.at, largest * (0.55 + 0.45 * std::sqrt(share)),
                                       messageColour(subject, state, marker.message, pencil.dark()), marker.cargo,
                                       {Meaning::Kind::message, static_cast<std::int64_t>(marker.message), -1});
        if (marker.waits) drawWaiting(pencil, box);
        if (state.message != marker.message) return;
        Shape& ring = pencil.rectangle(box.adjusted(-3, -3, 3, 3), {}, pencil.palette().accent);
        ring.radius = box.height() / 2 + 3;
        ring.width = 2;
    };
    // Of messages in one place only one can be seen.
    for (std::size_t i = 0; i < pills.size(); ++i) {
        if (together[i] == 1) continue;
        const QString words = QStringLiteral("%1 messages").arg(together[i]);
        const QRectF box = boxOf(words, pills[i].at);
        const bool free = pencil.freeOfText(box) && std::ranges::none_of(taken, [&](const QRectF& other) {
                              return &other != &taken[i] && other.intersects(box);
                          });
        if (!free) continue;
        taken[i] = box;
        pills[i].cargo = words;
    }
    std::for_each(dots.begin(), dots.end(), draw);
    std::for_each(pills.begin(), pills.end(), draw);
}

/// Marks the ranks and the message that a refuted schedule is refuted by, at the moments it is about.
void drawFault(SceneBuilder& pencil, const DrawableRun& subject, const ViewState& state, const NetworkLayout& layout) {
    const std::optional<Fault>& fault = subject.fault();
    if (!fault || !fault->seenAt(state.time)) return;
    const QString words = subject.faultInWords();
    const auto arrow = [&](engine::Rank from, engine::Rank to, const QString& tip) {
        const Track way = layout.between(from.value, to.value);
        for (int leg = 0; leg < way.count; ++leg) {
            const QLineF line = way.legs[static_cast<std::size_t>(leg)];
            Shape& missing = pencil.arrow(line.p1(), line.p2(), pencil.palette().accent, 2);
            missing.dashed = true;
            missing.tip = tip;
        }
    };
    const auto mark = [&](engine::Rank rank, const QString& tip) {
        const QPointF corner{layout.radius() * 0.7, -layout.radius() * 0.7};
        drawFaultMark(pencil, layout.middleOf(subject.blueprint().markOf(rank.value)) + corner,
                      std::clamp(layout.radius() * 0.45, 4.0, 8.0), tip, {Meaning::Kind::rank, rank.value, -1});
    };
    for (const engine::Waiter& one : fault->circle) {
        if (one.rank != one.awaited) arrow(one.rank, one.awaited, waiterInWords(one));
        mark(one.rank, waiterInWords(one));
    }
    if (!fault->circle.empty()) return;
    if (fault->from && fault->to) arrow(*fault->from, *fault->to, words);
    if (fault->rank) mark(*fault->rank, words);
}

std::optional<QPointF> placeOf(const Mark& mark, const DrawableRun& subject, const NetworkLayout& layout) {
    if (mark.rank) {
        if (mark.rank->value >= subject.run().ranks) return std::nullopt;
        return layout.middleOf(subject.blueprint().markOf(mark.rank->value)) +
               QPointF{layout.radius() * 0.7, -layout.radius() * 0.7};
    }
    const emulation::Network* network = subject.report().network.get();
    if (!mark.link || network == nullptr || mark.link->value >= network->links()) return std::nullopt;
    const emulation::LinkEnds ends = network->ends(*mark.link);
    const std::int32_t from = subject.blueprint().markOf(ends.from);
    const std::int32_t to = subject.blueprint().markOf(ends.to);
    return from == to ? std::nullopt : std::optional{layout.between(from, to).at(0.5)};
}

/// Notes of the round in progress.
void drawNetworkSlips(SceneBuilder& pencil, const DrawableRun& subject, const ViewState& state,
                      const NetworkLayout& layout, const QRectF& within) {
    drawSlips(pencil, state, Mark::On::network, within, [&](const Mark& mark) -> std::optional<QPointF> {
        if (subject.roundAt(mark.time) != subject.roundAt(state.time)) return std::nullopt;
        const std::optional<QPointF> place = placeOf(mark, subject, layout);
        return place && within.contains(*place) ? place : std::nullopt;
    });
}

}  // namespace

bool waitsAtDoor(const DrawableRun& subject, std::size_t message, engine::Picoseconds time) {
    const Way way = wayOf(subject, message, time);
    return way.queues && way.sent >= door && way.received <= 0;
}

double shareOfWay(const DrawableRun& subject, std::size_t message, const ViewState& state) {
    if (state.reduceMotion) return 0.5;
    const Way way = wayOf(subject, message, state.time);
    return way.queues ? std::max(std::min(way.sent, door), way.received) : way.received;
}

namespace {

/// Of those over which no message lies.
void drawSwitchNames(SceneBuilder& pencil, const DrawableRun& subject, const NetworkLayout& layout,
                     const Scene& scene) {
    const NetworkShape& print = subject.blueprint();
    if (!namesSwitches(print, layout)) return;
    std::vector<QRectF> messages;
    for (const Shape& shape : scene.shapes)
        if (shape.meaning.kind == Meaning::Kind::message && !shape.box.isNull()) messages.push_back(shape.box);
    for (std::int32_t node = print.hosts; node < print.nodes; ++node) {
        const QString name = nameOfSwitch(print, node);
        const QSizeF room = sizeOf(name, points::tiny, true);
        const QPointF middle = layout.middleOf(node);
        const QRectF box{middle - QPointF{room.width() / 2, room.height() / 2}, room};
        if (std::ranges::none_of(messages, [&](const QRectF& message) { return message.intersects(box); }))
            drawSwitchName(pencil, middle, name);
    }
}

}  // namespace

Scene networkForeground(const DrawableRun& subject, const ViewState& state, QSizeF size) {
    Scene scene;
    SceneBuilder pencil{scene, state.dark};
    const NetworkFrame frame = networkFrame(subject, state, size);
    const NetworkLayout layout = layoutIn(subject, frame);
    std::vector<std::size_t> moving = subject.messagesAt(state.time);
    scene.description =
        momentOf(subject, state.time) + QStringLiteral(". ") + (state.veil ? hiddenWords() : eventsOf(subject, moving));
    if (const QString cut = cutInWords(subject); !state.veil && !cut.isEmpty())
        scene.description += QStringLiteral(" ") + cut;
    if (!state.veil && subject.fault() && subject.fault()->seenAt(state.time))
        scene.description += (subject.isUnfinished() ? QStringLiteral(" Unfinished: ") : QStringLiteral(" Wrong: ")) +
                             subject.faultInWords();
    if (state.veil)
        std::erase_if(moving, [&](std::size_t i) { return subject.run().messages.sendBegin()[i] >= *state.veil; });
    scene.shapes.reserve(static_cast<std::size_t>(subject.run().ranks) + 2 * std::min(moving.size(), mostMarkers));
    if (moving.size() > mostMarkers) drawFlows(pencil, subject, state, layout, moving);
    std::vector<RankState> states = statesAt(subject, state.time, moving);
    // Behind the veil the states of ranks are not shown yet.
    if (state.veil && state.time >= *state.veil)
        for (RankState& each : states)
            if (each == RankState::waiting || each == RankState::done) each = RankState::outside;
    shareStates(subject.blueprint(), states);
    drawRoute(pencil, subject, state, layout);
    drawLitChain(pencil, subject, state, layout);
    drawRanks(pencil, subject, state, layout, states);
    if (moving.size() <= mostMarkers) drawMarkers(pencil, subject, state, layout, moving);
    drawSwitchNames(pencil, subject, layout, scene);
    if (!state.veil) drawFault(pencil, subject, state, layout);
    fadeOtherLayers(scene, subject, state);
    cutToFrame(scene, 0, frame);
    drawNetworkSlips(pencil, subject, state, layout, frame.network);
    return scene;
}

Scene networkScene(const DrawableRun& subject, const ViewState& state, QSizeF size) {
    Scene scene = networkBackground(subject, state, size);
    const QString moment = putInFront(scene, networkForeground(subject, state, size));
    scene.description = titleOf(subject) + QStringLiteral(". ") + moment;
    return scene;
}

}  // namespace app::gui
