// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/layout/dependency_highlight.hpp"

#include <algorithm>

namespace app::gui {
std::shared_ptr<const analysis::Chain> litChain(const DrawableRun& subject, const ViewState& state) {
    return state.lit && !state.veil ? subject.chainTo(*state.lit) : nullptr;
}

void drawLitChain(SceneBuilder& pencil, const DrawableRun& subject, const ViewState& state,
                  const NetworkLayout& layout) {
    const auto chain = litChain(subject, state);
    if (!chain) return;
    const emulation::Network* network = subject.report().network.get();
    const engine::Messages& messages = subject.run().messages;
    for (const std::uint32_t message : chain->messages) {
        const bool hasCome = messages.receiveEnd()[message] <= state.time;
        for (const Track& track : layout.tracks(network, messages.from()[message], messages.to()[message]))
            for (int leg = 0; leg < track.count; ++leg) {
                const QLineF line = track.legs[static_cast<std::size_t>(leg)];
                Shape& shape = pencil.line(line.p1(), line.p2(), pencil.palette().accent, litChainWidth);
                shape.dashed = !hasCome;
                shape.meaning = {Meaning::Kind::message, static_cast<std::int64_t>(message), -1};
            }
    }
}

}  // namespace app::gui
