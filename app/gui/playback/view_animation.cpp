// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/playback/view_animation.hpp"

#include <cmath>

namespace app::gui {

using engine::Picoseconds;

SeenTime ViewAnimation::at(const SeenTime& to, std::chrono::nanoseconds now) const {
    if (!going(now)) return to;
    const double passed = std::chrono::duration<double>(now - way_->since) / std::chrono::duration<double>(lasts);
    // Quick at first, slower towards the end: what is chosen is nearly there at once.
    const double share = 1 - std::pow(1 - passed, 3);
    const auto between = [share](Picoseconds a, Picoseconds b) {
        return a + Picoseconds{std::llround(static_cast<double>((b - a).count()) * share)};
    };
    return {between(way_->from.time, to.time),
            {between(way_->from.span.begin, to.span.begin), between(way_->from.span.end, to.span.end)}};
}

}  // namespace app::gui
