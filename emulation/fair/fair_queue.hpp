// SPDX-License-Identifier: BSD-3-Clause
// Events in the order of time: a radix heap (Ahuja et al. 1990). What comes is never earlier than what was taken last,
// so an event waits where the highest digit stands in which its time differs from that: one bucket for each digit, of
// six bits, and each of its values. The first bucket of the lowest digit that has any holds the next events; when it is
// its turn they are dealt out among lower digits, and all events of one moment are taken together.
#pragma once

#include "engine/base/types.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace emulation {

class FairQueue {
public:
    struct Event {
        std::int32_t who = 0;     ///< a flow; ~rank where it is a rank
        std::uint32_t stamp = 0;  ///< tells a flow's valid event from outdated ones
    };

    [[nodiscard]] bool empty() const { return size_ == 0; }
    /// Whether more happens at the moment of the events that were taken last.
    [[nodiscard]] bool hasMore() const { return !due_.empty(); }

    /// `time`: not before the events that were taken last, >= 0.
    void push(engine::Picoseconds time, Event event) {
        put({time.count(), event});
        ++size_;
    }

    /// Takes all events of the earliest moment into `out`; that moment. There must be one.
    engine::Picoseconds pop(std::vector<Event>& out) {
        if (due_.empty()) refill();
        out.swap(due_);
        due_.clear();
        size_ -= out.size();
        return engine::Picoseconds{last_};
    }

private:
    struct Entry {
        std::int64_t time;
        Event event;
    };
    static constexpr std::size_t bits = 6;  // of a digit
    static constexpr std::size_t values = std::size_t{1} << bits;
    static constexpr std::size_t digits = (63 + bits - 1) / bits;
    using Digit = std::array<std::vector<Entry>, values>;

    [[gnu::always_inline]] void put(const Entry& entry) {
        const auto apart = static_cast<std::uint64_t>(entry.time ^ last_);
        if (apart == 0) return due_.push_back(entry.event);
        const std::size_t digit = (std::bit_width(apart) - 1) / bits;
        const auto value = engine::asSize(entry.time >> (digit * bits)) % values;
        buckets_[digit][value].push_back(entry);
        filled_[digit] |= std::uint64_t{1} << value;
    }

    /// Deals out the bucket of the next events.
    void refill() {
        std::size_t digit = 0;
        while (filled_[digit] == 0) ++digit;
        std::vector<Entry>& first = buckets_[digit][engine::asSize(std::countr_zero(filled_[digit]))];
        filled_[digit] &= filled_[digit] - 1;
        last_ = std::min_element(first.begin(), first.end(), [](const Entry& a, const Entry& b) {
                    return a.time < b.time;
                })->time;
        for (const Entry& entry : first) put(entry);
        first.clear();
    }

    std::array<Digit, digits> buckets_;
    std::array<std::uint64_t, digits> filled_{};  // by digit: bit v tells whether the bucket of value v has any
    std::vector<Event> due_;                      // of the moment last_
    std::int64_t last_ = 0;                       // time of the events that were taken last
    std::size_t size_ = 0;
};

}  // namespace emulation
