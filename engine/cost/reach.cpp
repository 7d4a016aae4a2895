// SPDX-License-Identifier: BSD-3-Clause
#include "engine/cost/reach.hpp"

#include <algorithm>
#include <deque>
#include <functional>
#include <numeric>

namespace engine {
namespace {

// Larger networks are taken for full ones: a bound may be lower than it could be, but must not take seconds.
constexpr std::int32_t mostNamed = 2048;  // adjacency is asked pair by pair
constexpr std::int32_t mostPlaces = std::int32_t{1} << 20;

/// Most neighbours of any place, where links lead both ways; 0 where some lead one way only.
std::int64_t neighboursOfNamed(const Wiring& wiring, std::int32_t places) {
    std::int64_t most = 0;
    for (Rank a{0}; a.value < places; ++a) {
        std::int64_t neighbours = 0;
        for (Rank b{0}; b.value < places; ++b) {
            if (wiring.adjacent(a, b) != wiring.adjacent(b, a)) return 0;
            neighbours += wiring.adjacent(a, b) ? 1 : 0;
        }
        most = std::max(most, neighbours);
    }
    return most;
}

}  // namespace

std::int64_t roundsToKnow(std::int64_t holders, std::int64_t wanted, int ports, std::int64_t neighbours) {
    std::int64_t rounds = 0;
    if (neighbours == 0) {
        for (__int128 know = holders; know < wanted; know *= ports + 1) ++rounds;
        return rounds;
    }
    // A rank that learns of it tells `ports` others in each of the next rounds, until it has told all its neighbours.
    std::deque<std::int64_t> learned;  // in each of the latest rounds, the last one first
    std::int64_t know = holders;
    const std::int64_t others = neighbours - 1;
    const auto told = [&](std::int64_t all, std::int64_t age) {
        return std::clamp<std::int64_t>(all - (age - 1) * ports, 0, ports);
    };
    while (know < wanted) {
        ++rounds;
        std::int64_t fresh = holders * told(neighbours, rounds);
        for (std::size_t age = 1; age <= learned.size(); ++age)
            fresh += learned[age - 1] * told(others, static_cast<std::int64_t>(age));
        if (fresh == 0) return rounds - 1;  // no more can be known; the hops say why
        know += fresh;
        learned.push_front(std::min(fresh, wanted));
        if (static_cast<std::int64_t>(learned.size()) * ports > others + ports) learned.pop_back();
    }
    return rounds;
}

Reach::Reach(const Wiring& wiring, std::int32_t ranks, int ports) : wiring_{wiring}, places_{ranks}, ports_{ports} {
    switch (wiring_.kind()) {
        case Wiring::Kind::any: return;
        case Wiring::Kind::ring: wiring_ = Wiring::ring(ranks); break;
        case Wiring::Kind::torus: {
            const std::vector<int>& lengths = wiring_.dimensions();
            places_ = std::accumulate(lengths.begin(), lengths.end(), 1, std::multiplies{});
            break;
        }
        case Wiring::Kind::named:
            if (places_ > mostNamed) wiring_ = Wiring::any();
            else neighbours_ = neighboursOfNamed(wiring_, places_);
            return;
    }
    for (const int length : wiring_.dimensions()) neighbours_ += std::min(length - 1, 2);
}

template <class Use>
void Reach::eachNeighbour(std::int32_t place, const Use& use) const {
    if (wiring_.kind() == Wiring::Kind::named) {
        for (Rank other{0}; other.value < places_; ++other)
            if (wiring_.adjacent(Rank{place}, other)) use(other.value);
        return;
    }
    std::int32_t stride = 1;
    const std::vector<int>& lengths = wiring_.dimensions();
    for (auto length = lengths.rbegin(); length != lengths.rend(); ++length) {
        const std::int32_t digit = place / stride % *length;
        use(place + ((digit + 1) % *length - digit) * stride);
        use(place + ((digit + *length - 1) % *length - digit) * stride);
        stride *= *length;
    }
}

std::int64_t Reach::hops(std::span<const Rank> from, RankSpan to) const {
    const auto inside = [&](Rank rank) { return to.first <= rank.value && rank.value < to.first + to.count; };
    const auto there = std::count_if(from.begin(), from.end(), inside);
    if (from.empty() || there == to.count) return 0;
    if (wiring_.kind() == Wiring::Kind::any || places_ > mostPlaces) return 1;
    std::vector<std::int32_t> far(asSize(places_), -1);
    std::vector<std::int32_t> line;
    for (const Rank rank : from) far[rank.index()] = 0, line.push_back(rank.value);
    std::int32_t farthest = 0;
    std::int64_t missing = to.count - there;
    for (std::size_t next = 0; next < line.size() && missing > 0; ++next)
        eachNeighbour(line[next], [&](std::int32_t other) {
            if (far[asSize(other)] >= 0) return;
            far[asSize(other)] = far[asSize(line[next])] + 1;
            line.push_back(other);
            if (!inside(Rank{other})) return;
            farthest = far[asSize(other)];
            --missing;
        });
    return missing == 0 ? farthest : 1;
}

LeastRounds Reach::toTell(std::span<const Rank> from, RankSpan to) const {
    std::int64_t told = to.count;
    for (const Rank rank : from) told -= to.first <= rank.value && rank.value < to.first + to.count ? 1 : 0;
    if (from.empty() || told == 0) return {};
    const auto holders = static_cast<std::int64_t>(from.size());
    const std::int64_t counted = roundsToKnow(holders, holders + told, ports_, neighbours_);
    const std::int64_t far = hops(from, to);
    return far > counted ? LeastRounds{far, Limit::hops} : LeastRounds{counted, Limit::counting};
}

}  // namespace engine
