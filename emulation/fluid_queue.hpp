// SPDX-License-Identifier: BSD-3-Clause
// Events in the order of time: a radix heap (Ahuja et al. 1990). What comes is never earlier than what was taken last,
// so an event waits in the bucket of the highest bit in which its time differs from that, and all events of one moment
// are taken together.
#pragma once

#include "engine/types.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace emulation {

class FluidQueue {
public:
    struct Event {
        std::int32_t who = 0;     ///< a flow; ~rank where it is a rank
        std::uint32_t stamp = 0;  ///< tells a flow's valid event from outdated ones
    };

    [[nodiscard]] bool empty() const { return size_ == 0; }

    /// `time`: not before the events that were taken last, >= 0.
    void push(engine::Picoseconds time, Event event) {
        bucketOf(time.count()).push_back({time.count(), event});
        ++size_;
    }

    /// Takes all events of the earliest moment into `out`; that moment. There must be one.
    engine::Picoseconds pop(std::vector<Event>& out) {
        if (buckets_[0].empty()) refill();
        out.clear();
        for (const Entry& entry : buckets_[0]) out.push_back(entry.event);
        size_ -= buckets_[0].size();
        buckets_[0].clear();
        return engine::Picoseconds{last_};
    }

private:
    struct Entry {
        std::int64_t time;
        Event event;
    };

    std::vector<Entry>& bucketOf(std::int64_t time) {
        return buckets_[static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(time ^ last_)))];
    }

    /// Deals the first bucket that has any out to those before it.
    void refill() {
        const auto first = std::find_if(buckets_.begin(), buckets_.end(), [](const auto& each) { return !each.empty(); });
        last_ = std::min_element(first->begin(), first->end(), [](const Entry& a, const Entry& b) {
                    return a.time < b.time;
                })->time;
        for (const Entry& entry : *first) bucketOf(entry.time).push_back(entry);
        first->clear();
    }

    std::array<std::vector<Entry>, 65> buckets_;
    std::int64_t last_ = 0;  // time of the events that were taken last
    std::size_t size_ = 0;
};

}  // namespace emulation
