// SPDX-License-Identifier: BSD-3-Clause
#include "engine/partials.hpp"

#include "engine/error.hpp"
#include "engine/pairing.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace engine {
namespace {

constexpr Bytes never = std::numeric_limits<Bytes>::max();

}  // namespace

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

PartialVector::PartialVector(Range vector, std::int32_t contribution) {
    if (!vector.empty()) pieces_.push_back({vector, Partial{contribution}});
}

const Partial& PartialVector::whole() const {
    static const Partial none;
    return pieces_.empty() ? none : pieces_.front().partial;
}

void PartialVector::push(Range range, const Partial& partial) {
    if (!pieces_.empty() && pieces_.back().range.end == range.begin && pieces_.back().partial == partial)
        pieces_.back().range.end = range.end;
    else pieces_.push_back({range, partial});
}

PartialVector PartialVector::in(std::span<const Range> ranges) const {
    std::vector<Range> rising{ranges.begin(), ranges.end()};
    std::sort(rising.begin(), rising.end());
    PartialVector parts;
    for (const Range range : rising) {
        const auto first = std::partition_point(pieces_.begin(), pieces_.end(),
                                                [&](const Piece& piece) { return piece.range.end <= range.begin; });
        for (auto piece = first; piece != pieces_.end() && piece->range.begin < range.end; ++piece)
            parts.push({std::max(range.begin, piece->range.begin), std::min(range.end, piece->range.end)},
                       piece->partial);
    }
    return parts;
}

std::optional<Bytes> PartialVector::missing(Range range) const {
    Bytes next = range.begin;
    for (const Piece& piece : pieces_) {
        if (piece.range.end <= next) continue;
        if (piece.range.begin > next || next >= range.end) break;
        next = piece.range.end;
    }
    return next < range.end ? std::optional{next} : std::nullopt;
}

void PartialVector::receive(const PartialVector& arrived, Action action) {
    const auto combined = [&](const Partial& own, const Partial& other) {
        if (action == Action::keep) return other;
        Partial both = action == Action::append ? own : other;
        both.append(action == Action::append ? other : own);
        return both;
    };
    PartialVector result;
    auto own = pieces_.begin();
    auto other = arrived.pieces_.begin();
    Bytes at = std::numeric_limits<Bytes>::min();  // all before it is in `result`
    while (own != pieces_.end() || other != arrived.pieces_.end()) {
        const Bytes ownBegin = own == pieces_.end() ? never : std::max(at, own->range.begin);
        const Bytes otherBegin = other == arrived.pieces_.end() ? never : std::max(at, other->range.begin);
        const Bytes begin = std::min(ownBegin, otherBegin);
        Bytes end = never;
        if (own != pieces_.end()) end = std::min(end, ownBegin > begin ? ownBegin : own->range.end);
        if (other != arrived.pieces_.end()) end = std::min(end, otherBegin > begin ? otherBegin : other->range.end);
        if (ownBegin > begin) result.push({begin, end}, other->partial);
        else if (otherBegin > begin) result.push({begin, end}, own->partial);
        else result.push({begin, end}, combined(own->partial, other->partial));
        at = end;
        if (own != pieces_.end() && own->range.end <= at) ++own;
        if (other != arrived.pieces_.end() && other->range.end <= at) ++other;
    }
    pieces_ = std::move(result.pieces_);
}

Partials::Partials(const Facts& facts, const Problem& problem)
    : slots_{facts.slots}, result_{facts.result}, held_(asSize(facts.ranks) * asSize(facts.slots)) {
    const Range vector{0, facts.pieces ? problem.layout.largest() : 1};
    for (Rank rank{0}; rank.value < std::min(facts.ranks, problem.ranks()); ++rank)
        for (int slot = 0; slot < slots_; ++slot)
            if ((facts.own >> slot & 1U) != 0) held_[place(rank, slot)] = {vector, rank.value};
}

Bytes Partials::apply(std::span<const Turn> turns) {
    // What was sent is read before anything is changed.
    std::vector<PartialVector> arrivals;
    for (std::size_t r = 0; r < turns.size(); ++r)
        for (std::size_t i = 0; i < turns[r].receives().size(); ++i) {
            const Message* send = sendFor(turns, Rank{static_cast<std::int32_t>(r)}, i);
            ENSURE(send != nullptr, "a receive without its send");
            const Rank from = turns[r].receives()[i].peer;
            arrivals.push_back(carried(from, turns[from.index()], *send));
        }
    Bytes most = 0;
    std::span<const PartialVector> left{arrivals};
    for (std::size_t r = 0; r < turns.size(); ++r) {
        const auto receives = turns[r].receives();
        most = std::max(most, receive(Rank{static_cast<std::int32_t>(r)}, receives, left.first(receives.size())));
        left = left.subspan(receives.size());
    }
    return most;
}

Bytes Partials::receive(Rank rank, std::span<const Message> receives, std::span<const PartialVector> arrivals) {
    Bytes combined = 0;
    for (std::size_t i = 0; i < receives.size(); ++i) {
        combined += combinedBytes(receives[i].slots, receives[i].action, receives[i].bytes);
        for (int slot = 0; slot < slots_; ++slot) {
            if ((receives[i].slots >> slot & 1U) == 0) continue;
            PartialVector& target = held_[place(rank, slot)];
            // A whole slot is replaced also by an empty one.
            if (receives[i].whole && receives[i].action == Action::keep) target = arrivals[i];
            else target.receive(arrivals[i], receives[i].action);
        }
    }
    return combined;
}

}  // namespace engine
