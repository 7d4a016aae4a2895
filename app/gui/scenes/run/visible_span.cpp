// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/run/visible_span.hpp"

namespace app::gui {

using engine::Picoseconds;

Picoseconds firstShown(const DrawableRun& subject) {
    return subject.isProgram() ? subject.communication().begin : subject.firstBegin();
}

traces::TimeSpan visibleSpan(const DrawableRun& subject, const ViewState& state) {
    if (state.spanEnd > state.spanBegin) return {state.spanBegin, state.spanEnd};
    const Picoseconds end = std::max({subject.run().duration, state.horizon, state.before});
    const bool beside = state.horizon > Picoseconds{};
    const Picoseconds first = beside ? std::min(state.firstBeside, firstShown(subject)) : firstShown(subject);
    if (first * 5 < end || first >= end) return {Picoseconds{}, end};
    return {first - (end - first) / 50, end};
}

}  // namespace app::gui
