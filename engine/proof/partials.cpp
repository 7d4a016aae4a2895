// SPDX-License-Identifier: BSD-3-Clause
#include "engine/proof/partials.hpp"

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

std::vector<Partial::Stretch> Partial::sorted() const {
    std::vector<Stretch> rising;
    for (const Stretch& stretch : stretches_)
        rising.push_back({std::min(stretch.first, stretch.last), std::max(stretch.first, stretch.last)});
    std::sort(rising.begin(), rising.end(), [](const Stretch& a, const Stretch& b) { return a.first < b.first; });
    return rising;
}

std::optional<std::int32_t> Partial::missing(std::int32_t first, std::int32_t end) const {
    std::int32_t next = first;
    for (const Stretch& stretch : sorted()) {
        if (stretch.first > next) break;
        next = std::max(next, stretch.last + 1);
    }
    return next < end ? std::optional{next} : std::nullopt;
}

std::optional<std::int32_t> Partial::foreign(std::int32_t first, std::int32_t end) const {
    for (const Stretch& stretch : sorted()) {
        if (stretch.first < first) return stretch.first;
        if (stretch.last >= end) return std::max(stretch.first, end);
    }
    return std::nullopt;
}

bool Partial::rises() const {
    std::int64_t before = -1;
    for (const Stretch& stretch : stretches_) {
        if (stretch.last < stretch.first || stretch.first <= before) return false;
        before = stretch.last;
    }
    return true;
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

Bytes Partials::apply(std::span<const Turn> turns) {
    return SlotContents::apply(turns, [](Rank, const Partial& left, const Partial& right) {
        Partial both = left;
        both.append(right);
        return both;
    });
}

}  // namespace engine
