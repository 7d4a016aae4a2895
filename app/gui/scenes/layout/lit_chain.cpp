// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/layout/lit_chain.hpp"

#include <algorithm>

namespace app::gui {
namespace {

constexpr double chainWidth = 2.6;

}  // namespace

std::shared_ptr<const analysis::Chain> litChain(const Subject& subject, const ViewState& state) {
    return state.lit && !state.veil ? subject.chainTo(*state.lit) : nullptr;
}

void drawLitChain(Pencil& pencil, const Subject& subject, const ViewState& state, const SpaceTimeFrame& frame) {
    const auto chain = litChain(subject, state);
    if (!chain) return;
    const QColor colour = pencil.palette().accent;
    for (const analysis::PathStep& step : chain->steps) {
        if (step.isMessage || step.end <= frame.axis.begin() || step.begin >= frame.axis.end()) continue;
        const double y = frame.middleOf(step.rank);
        const QLineF line = partWithin(frame.plot, {frame.axis.pixel(step.begin), y, frame.axis.pixel(step.end), y});
        if (!line.isNull()) pencil.line(line.p1(), line.p2(), colour, chainWidth).dashed = true;
    }
    for (const std::uint32_t message : chain->messages)
        drawMessage(pencil, subject, frame, message, colour, chainWidth, true);
}

void drawLitChain(Pencil& pencil, const Subject& subject, const ViewState& state, const NetworkLayout& layout) {
    const auto chain = litChain(subject, state);
    if (!chain) return;
    const emulation::Network* network = subject.report().network.get();
    const engine::Messages& messages = subject.run().messages;
    for (const std::uint32_t message : chain->messages) {
        const bool hasCome = messages.receiveEnd()[message] <= state.time;
        for (const Track& track : layout.tracks(network, messages.from()[message], messages.to()[message]))
            for (int leg = 0; leg < track.count; ++leg) {
                const QLineF line = track.legs[static_cast<std::size_t>(leg)];
                Shape& shape = pencil.line(line.p1(), line.p2(), pencil.palette().accent, chainWidth);
                shape.dashed = !hasCome;
                shape.meaning = {Meaning::Kind::message, static_cast<std::int64_t>(message), -1};
            }
    }
}

}  // namespace app::gui
