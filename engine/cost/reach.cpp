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
constexpr std::int64_t mostSteps = std::int64_t{1} << 22;  // along links, for hops between many

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
            else lookAtNamed();
            return;
    }
    for (const int length : wiring_.dimensions()) neighbours_ += std::min(length - 1, 2);
}

void Reach::lookAtNamed() {
    forth_.resize(asSize(places_));
    back_.resize(asSize(places_));
    for (Rank a{0}; a.value < places_; ++a)
        for (Rank b{0}; b.value < places_; ++b)
            if (wiring_.adjacent(a, b)) forth_[a.index()].push_back(b.value), back_[b.index()].push_back(a.value);
    // Counting takes a link for both ways: who was told by a neighbour does not tell him.
    if (forth_ != back_) return;
    for (const auto& neighbours : forth_)
        neighbours_ = std::max(neighbours_, static_cast<std::int64_t>(neighbours.size()));
}

template <class Use>
void Reach::eachNeighbour(std::int32_t place, const Adjacency& named, const Use& use) const {
    if (wiring_.kind() == Wiring::Kind::named) {
        for (const std::int32_t other : named[asSize(place)]) use(other);
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

bool Reach::isQuickFor(std::int64_t ranks) const {
    if (wiring_.kind() == Wiring::Kind::any) return true;
    std::int64_t links = places_;
    for (const auto& neighbours : forth_) links += static_cast<std::int64_t>(neighbours.size());
    return places_ <= mostPlaces && ranks * links <= mostSteps;
}

std::vector<std::int32_t> Reach::hopsAlong(std::span<const Rank> from, const Adjacency& named) const {
    if (wiring_.kind() == Wiring::Kind::any || places_ > mostPlaces) return {};
    std::vector<std::int32_t> far(asSize(places_), -1);
    std::vector<std::int32_t> line;
    for (const Rank rank : from) far[rank.index()] = 0, line.push_back(rank.value);
    for (std::size_t next = 0; next < line.size(); ++next)
        eachNeighbour(line[next], named, [&](std::int32_t other) {
            if (far[asSize(other)] >= 0) return;
            far[asSize(other)] = far[asSize(line[next])] + 1;
            line.push_back(other);
        });
    return far;
}

std::int64_t Reach::hops(std::span<const Rank> from, RankSpan to) const {
    const auto inside = [&](Rank rank) { return to.first <= rank.value && rank.value < to.first + to.count; };
    if (from.empty() || std::count_if(from.begin(), from.end(), inside) == to.count) return 0;
    const std::vector<std::int32_t> far = hopsAlong(from, forth_);
    if (far.empty()) return 1;
    const auto [nearest, farthest] = std::minmax_element(far.begin() + to.first, far.begin() + to.first + to.count);
    return *nearest < 0 ? 1 : *farthest;
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
