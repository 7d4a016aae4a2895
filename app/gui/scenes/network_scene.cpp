// SPDX-License-Identifier: BSD-3-Clause
// The upper layer of the network view: what every rank does, and the messages on their way.
#include "app/gui/scenes/marks.hpp"
#include "app/gui/scenes/network_frame.hpp"
#include "app/gui/scenes/words.hpp"

#include <algorithm>
#include <cmath>

namespace app::gui {
namespace {

constexpr std::size_t mostMarkers = 2000;  // above: flows
constexpr std::size_t mostCargoes = 48;    // above: dots without words
constexpr std::size_t mostTrails = 300;    // lines behind messages of a full network

std::vector<RankState> statesAt(const Subject& subject, engine::Picoseconds time, const std::vector<std::size_t>& moving) {
    const engine::Messages& messages = subject.run().messages;
    std::vector<RankState> states(static_cast<std::size_t>(subject.run().ranks), RankState::waiting);
    for (std::size_t rank = 0; rank < states.size(); ++rank)
        if (subject.doneAt(engine::Rank{static_cast<std::int32_t>(rank)}) <= time) states[rank] = RankState::done;
    for (const std::size_t i : moving) {
        RankState& sender = states[static_cast<std::size_t>(messages.from()[i].value)];
        if (messages.sendBegin()[i] <= time && time < messages.sendEnd()[i])
            sender = sender == RankState::receiving || sender == RankState::both ? RankState::both : RankState::sending;
        RankState& receiver = states[static_cast<std::size_t>(messages.to()[i].value)];
        if (messages.receiveBegin()[i] <= time && time < messages.receiveEnd()[i])
            receiver = receiver == RankState::sending || receiver == RankState::both ? RankState::both : RankState::receiving;
    }
    return states;
}

void drawRanks(Pencil& pencil, const Subject& subject, const ViewState& state, const NetworkLayout& layout,
               const std::vector<RankState>& states) {
    const bool numbers = layout.radius() >= smallestNumbered;
    for (std::int32_t rank = 0; rank < subject.run().ranks; rank += subject.blueprint().stride) {
        const QPointF middle = layout.middleOf(rank);
        const double radius = layout.radius();
        drawRank(pencil, middle, radius, subject.sideOf(engine::Rank{rank}), states[static_cast<std::size_t>(rank)],
                 numbers ? QString::number(rank) : QString{}, {Meaning::Kind::rank, rank, -1});
        if (state.rank && state.rank->value == rank) {
            const double ring = radius + 4;
            pencil.ellipse({middle.x() - ring, middle.y() - ring, 2 * ring, 2 * ring}, {}, pencil.palette().accent).width = 2;
        }
    }
}

void drawMarkers(Pencil& pencil, const Subject& subject, const ViewState& state, const NetworkLayout& layout,
                 const std::vector<std::size_t>& moving) {
    const emulation::Network* network = subject.report().network.get();
    const engine::Messages& messages = subject.run().messages;
    const bool links = network != nullptr && network->links() > 0;
    const double largest = std::clamp(layout.radius() * 0.55, 2.0, 8.0);
    if (!links && moving.size() <= mostTrails)
        for (const std::size_t i : moving) {
            const QLineF way = layout.between(messages.from()[i].value, messages.to()[i].value).legs[0];
            const QColor colour = subject.colourOf(subject.columnOf(i), pencil.dark());
            Shape& trail = moving.size() <= mostCargoes
                               ? pencil.arrow(way.p1(), way.p2(), mixed(pencil.palette().paper, colour, 0.6), 1.4)
                               : pencil.line(way.p1(), way.p2(), mixed(pencil.palette().paper, colour, 0.5));
            trail.meaning = {Meaning::Kind::message, static_cast<std::int64_t>(i), -1};
        }
    if (state.message && *state.message < messages.size())
        for (const Track& track : layout.tracks(network, messages.from()[*state.message], messages.to()[*state.message]))
            for (int leg = 0; leg < track.count; ++leg)
                pencil.line(track.legs[static_cast<std::size_t>(leg)].p1(), track.legs[static_cast<std::size_t>(leg)].p2(),
                            pencil.palette().accent, 2);
    std::vector<engine::LinkId> route;
    for (const std::size_t i : moving) {
        const QPointF at = layout.along(network, messages.from()[i], messages.to()[i], shareOfWay(subject, i, state), route);
        const double size = subject.largestMessage() == 0
                                ? 1
                                : std::sqrt(static_cast<double>(messages.bytes()[i]) / static_cast<double>(subject.largestMessage()));
        const double radius = largest * (0.55 + 0.45 * size);
        QString cargo;
        if (moving.size() <= mostCargoes && layout.radius() >= 7) cargo = subject.cargoOf(i);
        const QSizeF room = sizeOf(cargo, points::tiny, true);
        if (!cargo.isEmpty() && !pencil.freeOfText({at - QPointF{room.width() / 2, room.height() / 2}, room})) cargo.clear();
        const Meaning meaning{Meaning::Kind::message, static_cast<std::int64_t>(i), -1};
        const QRectF box = drawMessage(pencil, at, radius, subject.colourOf(subject.columnOf(i), pencil.dark()), cargo, meaning);
        if (state.message == i) {
            Shape& ring = pencil.rectangle(box.adjusted(-3, -3, 3, 3), {}, pencil.palette().accent);
            ring.radius = box.height() / 2 + 3;
            ring.width = 2;
        }
    }
}

}  // namespace

double shareOfWay(const Subject& subject, std::size_t message, const ViewState& state) {
    if (state.reduceMotion) return 0.5;
    const engine::MessageRecord record = subject.run().messages[message];
    const auto way = (record.receiveEnd - record.sendBegin).count();
    if (way <= 0) return 0.5;
    return std::clamp(static_cast<double>((state.time - record.sendBegin).count()) / static_cast<double>(way), 0.0, 1.0);
}

Scene networkForeground(const Subject& subject, const ViewState& state, QSizeF size) {
    Scene scene;
    Pencil pencil{scene, state.dark};
    const NetworkLayout layout = layoutIn(subject, networkFrame(subject, size));
    const std::vector<std::size_t> moving = subject.messagesAt(state.time);
    if (moving.size() > mostMarkers) drawFlows(pencil, subject, state, layout, moving);
    drawRanks(pencil, subject, state, layout, statesAt(subject, state.time, moving));
    if (moving.size() <= mostMarkers) drawMarkers(pencil, subject, state, layout, moving);
    scene.description = momentOf(subject, state.time) + QStringLiteral(". ") + eventsOf(subject, state.time);
    return scene;
}

Scene networkScene(const Subject& subject, const ViewState& state, QSizeF size) {
    Scene scene = networkBackground(subject, state, size);
    Scene above = networkForeground(subject, state, size);
    scene.shapes.insert(scene.shapes.end(), std::make_move_iterator(above.shapes.begin()),
                        std::make_move_iterator(above.shapes.end()));
    scene.description = titleOf(subject) + QStringLiteral(". ") + above.description;
    return scene;
}

}  // namespace app::gui
