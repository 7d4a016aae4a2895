// SPDX-License-Identifier: BSD-3-Clause
// The visible part of the time axis, and the parts to go back to.
#pragma once

#include "engine/base/types.hpp"

#include <vector>

namespace app::gui {

struct VisibleSpan {
    engine::Picoseconds begin{};
    engine::Picoseconds end{};  ///< equal to begin: the whole run

    friend bool operator==(const VisibleSpan&, const VisibleSpan&) = default;
};

/// What is shown always lies within the run, or a longer one beside it, and is never too short to be seen.
class ZoomHistory final {
public:
    enum class Undo : std::uint8_t {
        own,     ///< a step of its own
        joined,  ///< one step with those of the same kind before it
    };

    /// Begins with the whole of a run of that duration.
    explicit ZoomHistory(engine::Picoseconds duration = {}) : duration_{duration} {}
    /// From now on the whole is so long. What lies beyond is shown no longer.
    void reach(engine::Picoseconds duration);

    [[nodiscard]] const VisibleSpan& span() const { return span_; }
    /// Shows `span` as far as the run goes. False when that is shown already.
    bool show(VisibleSpan span, Undo undo);
    /// Back to the last step. False when there is none.
    bool undo();
    /// Takes the span along when `time` leaves it, page by page; to undo that is no step of the user's.
    void follow(engine::Picoseconds time);

private:
    engine::Picoseconds duration_;
    VisibleSpan span_;
    std::vector<VisibleSpan> earlier_;
    bool joining_ = false;  // the last step takes more of its kind
};

}  // namespace app::gui
