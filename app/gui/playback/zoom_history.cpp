// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/playback/zoom_history.hpp"

#include <algorithm>

namespace app::gui {
namespace {

using engine::Picoseconds;

constexpr Picoseconds smallestSpan{1000};

}  // namespace

void ZoomHistory::reach(Picoseconds duration) {
    duration_ = duration;
    std::erase_if(earlier_, [&](const VisibleSpan& span) { return span.end > duration; });
    if (span_.end > duration) span_ = {};
}

bool ZoomHistory::show(VisibleSpan span, Undo undo) {
    const Picoseconds length = std::clamp(span.end - span.begin, std::min(duration_, smallestSpan), duration_);
    span.begin = std::clamp(span.begin, Picoseconds{}, duration_ - length);
    span.end = span.begin + length;
    if (length == duration_) span = {};
    if (span == span_) return false;
    if (undo == Undo::own || !joining_) earlier_.push_back(span_);
    joining_ = undo == Undo::joined;
    span_ = span;
    return true;
}

bool ZoomHistory::undo() {
    if (earlier_.empty()) return false;
    span_ = earlier_.back();
    earlier_.pop_back();
    joining_ = false;
    return true;
}

void ZoomHistory::follow(Picoseconds time) {
    if (span_.begin == span_.end || (time >= span_.begin && time <= span_.end)) return;
    const Picoseconds length = span_.end - span_.begin;
    span_.begin = std::clamp(time - length / 20, Picoseconds{}, duration_ - length);
    span_.end = span_.begin + length;
}

}  // namespace app::gui
