// SPDX-License-Identifier: BSD-3-Clause
// Events in the order of time. Many happen at the same moment, so moments are queued, not events.
#pragma once

#include "engine/types.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace emulation {

class FluidQueue {
public:
    struct Event {
        std::int32_t who = 0;     ///< a flow; ~rank where it is a rank
        std::uint32_t stamp = 0;  ///< tells a flow's valid event from outdated ones
    };

    [[nodiscard]] bool empty() const { return moments_.empty(); }
    /// Of the earliest events.
    [[nodiscard]] engine::Picoseconds time() const { return moments_.front().time; }

    void push(engine::Picoseconds time, Event event) {
        for (const Moment& recent : recent_)
            if (recent.time == time) return events_[recent.events].push_back(event);
        std::size_t events = events_.size();
        if (spare_.empty()) {
            events_.emplace_back();
        } else {
            events = spare_.back();
            spare_.pop_back();
        }
        events_[events].push_back(event);
        moments_.push_back({time, events});
        std::push_heap(moments_.begin(), moments_.end(), later);
        recent_[oldest_] = {time, events};
        oldest_ = (oldest_ + 1) % recent_.size();
    }

    /// Takes all events of the earliest moment into `out`.
    void pop(std::vector<Event>& out) {
        out.clear();
        const engine::Picoseconds now = time();
        while (!moments_.empty() && moments_.front().time == now) {
            std::pop_heap(moments_.begin(), moments_.end(), later);
            const std::size_t events = moments_.back().events;
            moments_.pop_back();
            if (out.empty()) out.swap(events_[events]);
            else out.insert(out.end(), events_[events].begin(), events_[events].end());
            events_[events].clear();
            spare_.push_back(events);
        }
        for (Moment& recent : recent_)
            if (recent.time == now) recent.time = never;
    }

private:
    /// A list of events; a moment may have several.
    struct Moment {
        engine::Picoseconds time;
        std::size_t events;
    };
    static constexpr engine::Picoseconds never{-1};
    static bool later(const Moment& a, const Moment& b) { return a.time > b.time; }

    std::vector<Moment> moments_;  // a heap, the earliest on top
    std::vector<std::vector<Event>> events_;
    std::vector<std::size_t> spare_;
    std::array<Moment, 4> recent_{{{never, 0}, {never, 0}, {never, 0}, {never, 0}}};
    std::size_t oldest_ = 0;
};

}  // namespace emulation
