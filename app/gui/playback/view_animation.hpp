// SPDX-License-Identifier: BSD-3-Clause
// How what is seen gets to what is chosen: another moment or another part of the time is not there at once, but within
// a moment in which the eye can follow. A function of a clock, as playing is: tests move it by hand.
#pragma once

#include "app/gui/playback/zoom_history.hpp"

#include <chrono>
#include <optional>

namespace app::gui {

/// What is seen of the time.
struct SeenTime {
    engine::Picoseconds time{};  ///< the cursor
    VisibleSpan span{};          ///< not empty

    friend bool operator==(const SeenTime&, const SeenTime&) = default;
};

class ViewAnimation {
public:
    static constexpr std::chrono::milliseconds lasts{180};

    /// Begins at `now` with what is seen then.
    void begin(const SeenTime& from, std::chrono::nanoseconds now) { way_ = Way{from, now}; }
    void stop() { way_.reset(); }
    [[nodiscard]] bool going(std::chrono::nanoseconds now) const { return way_ && now - way_->since < lasts; }
    /// On the way to `to`, which may change while it goes; `to` itself when it is over.
    [[nodiscard]] SeenTime at(const SeenTime& to, std::chrono::nanoseconds now) const;

private:
    struct Way {
        SeenTime from;
        std::chrono::nanoseconds since{};
    };
    std::optional<Way> way_;
};

}  // namespace app::gui
