// SPDX-License-Identifier: BSD-3-Clause
#include "engine/partials.hpp"

#include "engine/error.hpp"
#include "engine/pairing.hpp"

#include <algorithm>
#include <cstdlib>

namespace engine {

std::vector<std::int32_t> Partial::terms() const {
    std::vector<std::int32_t> all;
    for (const Stretch& stretch : stretches_) {
        const std::int32_t step = stretch.first <= stretch.last ? 1 : -1;
        for (std::int32_t term = stretch.first; term != stretch.last; term += step) all.push_back(term);
        all.push_back(stretch.last);
    }
    return all;
}

void Partial::push(Stretch next) {
    if (!stretches_.empty()) {
        Stretch& back = stretches_.back();
        const std::int32_t step = next.first - back.last;
        const auto allows = [&](const Stretch& stretch) {
            return stretch.first == stretch.last || (stretch.first < stretch.last) == (step > 0);
        };
        if (std::abs(step) == 1 && allows(back) && allows(next)) {
            back.last = next.last;
            return;
        }
    }
    stretches_.push_back(next);
}

void Partial::append(const Partial& other) {
    const std::size_t count = other.stretches_.size();  // `other` may be this one
    for (std::size_t i = 0; i < count; ++i) push(Stretch{other.stretches_[i]});
}

void Partial::prepend(const Partial& other) {
    Partial joined = other;
    joined.append(*this);
    *this = std::move(joined);
}

std::vector<Partial::Stretch> Partial::sorted() const {
    std::vector<Stretch> rising;
    for (const Stretch& stretch : stretches_)
        rising.push_back({std::min(stretch.first, stretch.last), std::max(stretch.first, stretch.last)});
    std::sort(rising.begin(), rising.end(), [](const Stretch& a, const Stretch& b) { return a.first < b.first; });
    return rising;
}

std::optional<std::int32_t> Partial::missing(std::int32_t count) const {
    std::int32_t next = 0;
    for (const Stretch& stretch : sorted()) {
        if (stretch.first > next) break;
        next = std::max(next, stretch.last + 1);
    }
    return next < count ? std::optional{next} : std::nullopt;
}

std::optional<std::pair<std::int32_t, std::int64_t>> Partial::repeated() const {
    const std::vector<Stretch> rising = sorted();
    std::int32_t end = -1;  // the last contribution covered so far
    for (const Stretch& stretch : rising) {
        if (stretch.first <= end) {
            const auto times = std::count_if(rising.begin(), rising.end(), [&](const Stretch& other) {
                return other.first <= stretch.first && stretch.first <= other.last;
            });
            return std::pair{stretch.first, static_cast<std::int64_t>(times)};
        }
        end = stretch.last;
    }
    return std::nullopt;
}

Partials::Partials(const Facts& facts, std::int32_t contributors)
    : slots_{facts.slots}, result_{facts.result}, held_(asSize(facts.ranks) * asSize(facts.slots)) {
    for (Rank rank{0}; rank.value < std::min(facts.ranks, contributors); ++rank)
        for (int slot = 0; slot < slots_; ++slot)
            if ((facts.own >> slot & 1U) != 0) held_[place(rank, slot)] = Partial{rank.value};
}

Bytes Partials::apply(std::span<const Turn> turns) {
    // What was sent is read before anything is changed.
    std::vector<Partial> arrivals;
    for (std::size_t r = 0; r < turns.size(); ++r)
        for (std::size_t i = 0; i < turns[r].receives().size(); ++i) {
            const Message* send = sendFor(turns, Rank{static_cast<std::int32_t>(r)}, i);
            ENSURE(send != nullptr, "a receive without its send");
            arrivals.push_back(carried(turns[r].receives()[i].peer, *send));
        }
    Bytes most = 0;
    std::span<const Partial> left{arrivals};
    for (std::size_t r = 0; r < turns.size(); ++r) {
        const auto receives = turns[r].receives();
        most = std::max(most, receive(Rank{static_cast<std::int32_t>(r)}, receives, left.first(receives.size())));
        left = left.subspan(receives.size());
    }
    return most;
}

Bytes Partials::receive(Rank rank, std::span<const Message> receives, std::span<const Partial> arrivals) {
    Bytes combined = 0;
    for (std::size_t i = 0; i < receives.size(); ++i) {
        combined += combinedBytes(receives[i].slots, receives[i].action, receives[i].bytes);
        for (int slot = 0; slot < slots_; ++slot) {
            if ((receives[i].slots >> slot & 1U) == 0) continue;
            Partial& target = held_[place(rank, slot)];
            switch (receives[i].action) {
                case Action::keep: target = arrivals[i]; break;
                case Action::append: target.append(arrivals[i]); break;
                case Action::prepend: target.prepend(arrivals[i]); break;
            }
        }
    }
    return combined;
}

}  // namespace engine
