// SPDX-License-Identifier: BSD-3-Clause
#include "engine/cost/bound_parts.hpp"

#include <algorithm>

namespace engine {
namespace {

bool contains(RankSpan span, Rank rank) { return span.first <= rank.value && rank.value < span.first + span.count; }

std::int64_t inside(RankSpan span, const std::vector<Rank>& ranks) {
    return std::count_if(ranks.begin(), ranks.end(), [&](Rank rank) { return contains(span, rank); });
}

/// Least t with (ports + 1)^t >= 1 + bytes / largest: startups that follow each other until one has had so much.
std::int64_t startupsFor(Bytes bytes, Bytes largest, int ports) {
    std::int64_t rounds = 0;
    for (__int128 most = largest; most < static_cast<__int128>(largest) + bytes; most *= ports + 1) ++rounds;
    return rounds;
}

}  // namespace

std::vector<Rank> holders(const Layout& layout, std::int32_t first, std::int32_t count) {
    std::vector<Rank> found;
    for (std::int32_t block = first; block < first + count; ++block)
        if (layout.size(block) > 0) found.emplace_back(block);
    return found;
}

std::vector<Rank> someOf(const std::vector<Rank>& ranks) {
    constexpr std::size_t most = 32;
    if (ranks.size() <= most) return ranks;
    std::vector<Rank> some;
    for (std::size_t i = 0; i < most; ++i) some.push_back(ranks[i * (ranks.size() - 1) / (most - 1)]);
    return some;
}

void Making::startups(std::int64_t rounds, const char* why, const char* source) {
    if (rounds > bounds.startups.value || bounds.startups.why.empty()) bounds.startups = {rounds, why, source};
}

void Making::tell(const std::vector<Rank>& from, RankSpan to) {
    for (const Rank rank : someOf(from)) {
        const std::vector<Rank> one{rank};
        LeastRounds least = reach.toTell(one, to);
        if (!takesPorts()) least = {reach.hops(one, to), Limit::hops};
        else bounds.spread.front().known = std::max(bounds.spread.front().known, 1 + to.count - inside(to, one));
        const bool far = least.limit == Limit::hops && least.rounds > 1;
        startups(least.rounds,
                 far ? "the farthest rank is that many hops away"
                     : "after t rounds at most (ports + 1)^t ranks can have a block",
                 far ? "distance" : "counting argument");
    }
}

void Making::hear(std::int64_t others) {
    bounds.spread.front().known = std::max(bounds.spread.front().known, others + 1);
    startups(reach.toHearOf(others), "after t rounds a rank can depend on at most (ports + 1)^t ranks",
             "counting argument, from the results back to the contributions");
}

void Making::isFar(Rank one, RankSpan others, bool hears) {
    const std::vector<std::int32_t> far = hears ? reach.hopsTo(one) : reach.hopsFrom(one);
    std::int64_t most = 0;
    for (std::int32_t rank = others.first; !far.empty() && rank < others.first + others.count; ++rank)
        most = std::max<std::int64_t>(most, far[asSize(rank)]);
    if (most > 1) startups(most, "the farthest rank is that many hops away", "distance");
}

void Making::takeIn(const std::vector<Rank>& from, RankSpan to, Bytes bytes, std::int64_t blocks) {
    if (blocks == 0 || to.count == 0) return;
    const std::int64_t told = to.count - inside(to, from);
    const std::int64_t rounds = takesPorts() ? reach.toTell(from, to).rounds : reach.hops(from, to);
    const std::int64_t first = std::max<std::int64_t>(1, rounds);
    const Bytes through = ceilDiv(bytes, problem.ports);
    bounds.anyMessages.push_back({.startups = first, .volume = through});
    const std::int64_t knew = takesPorts() ? static_cast<std::int64_t>(from.size()) : 1;
    const std::int64_t others = takesPorts() ? std::max<std::int64_t>(1, told) : 1;
    bounds.spread.push_back({knew, knew + others, bytes, blocks});
    if (through > bounds.volume.value || (through == bounds.volume.value && first > bounds.firstByte)) {
        bounds.volume.value = through;
        bounds.perRank = bytes;
        bounds.firstByte = first;
    }
    takeWhole(first, bytes, blocks);
}

void Making::exchange(Bytes bytes, std::int64_t first, const char* why, const char* source) {
    const Bytes through = ceilDiv(bytes, problem.ports);
    bounds.anyMessages.push_back({.startups = first, .volume = through});
    bounds.spread.push_back({1, 2, bytes, 0});
    if (through < bounds.volume.value || (through == bounds.volume.value && first < bounds.firstByte)) return;
    bounds.volume = {through, why, source};
    bounds.perRank = bytes;
    bounds.firstByte = first;
}

void Making::scatter(Bytes bytes, Bytes largest, std::int64_t hops) {
    if (bytes == 0) return;
    const std::int64_t rounds = takesPorts() ? startupsFor(bytes, largest, problem.ports) : 1;
    bounds.anyMessages.push_back({.startups = std::max(hops, rounds), .volume = ceilDiv(bytes, problem.ports)});
}

void Making::hurry(Bytes bytes, std::int64_t others) {
    if (!takesPorts() || bytes == 0) return;
    std::int64_t rounds = 0;
    __int128 known = 1;
    for (; known < others + 1; known *= problem.ports + 1) ++rounds;
    if (known == others + 1) bounds.hurried = Cost{.startups = rounds, .volume = rounds * bytes};
}

void Making::whole(std::int64_t rounds, Cost uneven, const char* why, const char* source) {
    const Layout& layout = problem.layout;
    if (!bounds.unitRounds || rounds > bounds.unitRounds->value) bounds.unitRounds = {rounds, why, source};
    if (layout.smallest() == layout.largest())
        bounds.whole.push_back({.startups = rounds, .volume = rounds * layout.largest()});
    else if (problem.ports == 1) bounds.whole.push_back(uneven);
}

/// The rank that is served last takes in `blocks` contributions, k a round, from round `first` on.
void Making::takeWhole(std::int64_t first, Bytes bytes, std::int64_t blocks) {
    const std::int64_t rounds = first - 1 + ceilDiv(blocks, problem.ports);
    whole(
        rounds, {.startups = rounds, .volume = bytes + (first - 1) * smallestOfBytes()},
        first > 1
            ? "the rank that is served last receives its first contribution after earlier rounds, and then at most one contribution through each port in a round"
            : "a rank receives the contributions of the others one at a time through each port",
        "counting argument");
}

Bytes Making::smallestOfBytes() const {
    Bytes least = problem.layout.largest();
    for (std::int32_t block = 0; block < problem.layout.count(); ++block)
        if (const Bytes size = problem.layout.size(block); size > 0) least = std::min(least, size);
    return least;
}

}  // namespace engine
