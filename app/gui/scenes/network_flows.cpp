// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/network_frame.hpp"

#include <algorithm>
#include <map>

namespace app::gui {
namespace {

constexpr std::size_t mostCounts = 64;    // numbers beside flows
constexpr std::int32_t mostBundles = 32;  // of ranks, for flows of a full network

}  // namespace

void drawFlows(Pencil& pencil, const Subject& subject, const ViewState& state, const NetworkLayout& layout,
               const std::vector<std::size_t>& moving) {
    struct Flow {
        std::int64_t messages = 0;
        std::int32_t column = -1;
    };
    const emulation::Network* network = subject.report().network.get();
    const engine::Messages& messages = subject.run().messages;
    const std::int32_t bundle = (subject.run().ranks + mostBundles - 1) / mostBundles;
    std::map<std::pair<std::int32_t, std::int32_t>, Flow> flows;
    std::vector<engine::LinkId> route;
    std::vector<Flow> perLink(network == nullptr ? 0 : static_cast<std::size_t>(network->links()));
    for (const std::size_t i : moving) {
        Flow* flow = nullptr;
        if (perLink.empty()) {
            flow = &flows[{messages.from()[i].value / bundle, messages.to()[i].value / bundle}];
        } else {
            route.clear();
            network->route(messages.from()[i], messages.to()[i], route);
            if (route.empty()) continue;
            const double hops = shareOfWay(subject, i, state) * static_cast<double>(route.size());
            const engine::LinkId link = route[std::min(static_cast<std::size_t>(hops), route.size() - 1)];
            flow = &perLink[static_cast<std::size_t>(link.value)];
        }
        if (flow->messages++ == 0) flow->column = subject.columnOf(i);
    }
    const auto middleOf = [&](std::int32_t which) {
        return std::min(which * bundle + bundle / 2, subject.run().ranks - 1);
    };
    for (std::size_t link = 0; link < perLink.size(); ++link)
        if (perLink[link].messages > 0) {
            const emulation::LinkEnds ends = network->ends(engine::LinkId{static_cast<std::int32_t>(link)});
            flows[{ends.from, ends.to}] = perLink[link];
        }
    std::int64_t most = 1;
    for (const auto& [ends, flow] : flows) most = std::max(most, flow.messages);
    for (const auto& [ends, flow] : flows) {
        const bool bundled = perLink.empty();
        const std::int32_t from = bundled ? middleOf(ends.first) : ends.first;
        const std::int32_t to = bundled ? middleOf(ends.second) : ends.second;
        if (from == to) continue;
        const double width = 1 + 5 * static_cast<double>(flow.messages) / static_cast<double>(most);
        const Track track = layout.between(from, to);
        for (int leg = 0; leg < track.count; ++leg) {
            const QLineF way = track.legs[static_cast<std::size_t>(leg)];
            Shape& line = pencil.line(way.p1(), way.p2(), subject.colourOf(flow.column, pencil.dark()), width);
            line.tip = QStringLiteral("%1 messages").arg(flow.messages);
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
