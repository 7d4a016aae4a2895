// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/network/network_frame.hpp"

#include <algorithm>
#include <span>

namespace app::gui {
namespace {

constexpr std::size_t mostCounts = 64;     // numbers beside flows
constexpr std::size_t mostTips = 512;      // words for the mouse
constexpr std::int32_t mostFlowEnds = 32;  // of ranks, for flows of a full network

/// Messages that are on the same piece of the picture now.
struct Flow {
    std::int32_t from = 0;  ///< nodes
    std::int32_t to = 0;
    std::int64_t messages = 0;
    std::int32_t column = -1;  ///< of its first message

    void add(const DrawableRun& subject, std::size_t message) {
        if (messages++ == 0) column = subject.columnOf(message);
    }
};

/// By the link each message is on.
std::vector<Flow> onLinks(const DrawableRun& subject, const ViewState& state, const std::vector<std::size_t>& moving) {
    const emulation::Network& network = *subject.report().network;
    const engine::Messages& messages = subject.run().messages;
    const NetworkShape& print = subject.blueprint();
    std::vector<Flow> flows(print.lines.size());
    // Ranks mostly send to one receiver for a while: its way is looked up once.
    struct Way {
        engine::Rank to{-1};
        std::size_t first = 0;  // of its links in `links`
        std::size_t count = 0;
    };
    std::vector<Way> ways(static_cast<std::size_t>(subject.run().ranks));
    std::vector<engine::LinkId> links;
    links.reserve(2 * ways.size());
    for (const std::size_t i : moving) {
        Way& way = ways[messages.from()[i].index()];
        if (way.to != messages.to()[i]) {
            way = {messages.to()[i], links.size(), 0};
            network.route(messages.from()[i], way.to, links);
            way.count = links.size() - way.first;
        }
        if (way.count == 0) continue;
        const std::span<const engine::LinkId> route = std::span{links}.subspan(way.first, way.count);
        std::size_t hop = 0;
        if (route.size() > 1) {
            const double hops = shareOfWay(subject, i, state) * static_cast<double>(route.size());
            hop = std::min(static_cast<std::size_t>(hops), route.size() - 1);
        }
        const std::int32_t line = print.lineOfLink(route[hop].value);
        if (line >= 0) flows[static_cast<std::size_t>(line)].add(subject, i);
    }
    for (std::size_t line = 0; line < flows.size(); ++line) {
        flows[line].from = print.lines[line].from;
        flows[line].to = print.lines[line].to;
    }
    return flows;
}

/// By bundles of neighbouring ranks, each drawn at its middle one.
std::vector<Flow> betweenBundles(const DrawableRun& subject, const std::vector<std::size_t>& moving) {
    const engine::Messages& messages = subject.run().messages;
    const std::int32_t ranks = subject.run().ranks;
    const std::int32_t size = (ranks + mostFlowEnds - 1) / mostFlowEnds;
    const auto middleOf = [&](std::int32_t bundle) { return std::min(bundle * size + size / 2, ranks - 1); };
    std::vector<Flow> flows(mostFlowEnds * mostFlowEnds);
    for (const std::size_t i : moving) {
        const std::int32_t from = messages.from()[i].value / size;
        const std::int32_t to = messages.to()[i].value / size;
        Flow& flow = flows[static_cast<std::size_t>(from * mostFlowEnds + to)];
        flow.from = middleOf(from);
        flow.to = middleOf(to);
        flow.add(subject, i);
    }
    return flows;
}

}  // namespace

void drawFlows(SceneBuilder& pencil, const DrawableRun& subject, const ViewState& state, const NetworkLayout& layout,
               const std::vector<std::size_t>& moving) {
    const emulation::Network* network = subject.report().network.get();
    const bool links = network != nullptr && network->links() > 0;
    std::vector<Flow> flows = links ? onLinks(subject, state, moving) : betweenBundles(subject, moving);
    std::erase_if(flows, [](const Flow& flow) { return flow.messages == 0 || flow.from == flow.to; });
    std::int64_t most = 1;
    for (const Flow& flow : flows) most = std::max(most, flow.messages);
    for (const Flow& flow : flows) {
        const double width = 1 + 5 * static_cast<double>(flow.messages) / static_cast<double>(most);
        const QColor colour = subject.colourOf(flow.column, pencil.dark());
        const Track track = layout.between(flow.from, flow.to);
        for (int leg = 0; leg < track.count; ++leg) {
            const QLineF way = track.legs[static_cast<std::size_t>(leg)];
            Shape& line = pencil.line(way.p1(), way.p2(), colour, width);
            if (flows.size() <= mostTips) line.tip = QStringLiteral("%1 messages").arg(flow.messages);
        }
        if (flows.size() > mostCounts) continue;
        const QString count = QString::number(flow.messages);
        const QSizeF room = sizeOf(count, points::tiny);
        const QPointF at = track.at(0.4);
        if (pencil.freeOfText({at - QPointF{room.width() / 2, room.height() / 2}, room}))
            pencil.text(at, Qt::AlignCenter, count, points::tiny, pencil.palette().ink);
    }
}

}  // namespace app::gui
