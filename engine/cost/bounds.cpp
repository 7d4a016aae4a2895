// SPDX-License-Identifier: BSD-3-Clause
#include "engine/cost/bounds.hpp"

#include "engine/cost/attained.hpp"
#include "engine/cost/reach.hpp"

#include <algorithm>
#include <queue>

namespace engine {
namespace {

std::int64_t ceilDiv(std::int64_t a, std::int64_t b) { return a / b + (a % b > 0 ? 1 : 0); }

/// The contributions first .. first + count-1 that have bytes, by the ranks that bring them: nobody needs the others.
std::vector<Rank> holders(const Layout& layout, std::int32_t first, std::int32_t count) {
    std::vector<Rank> found;
    for (std::int32_t block = first; block < first + count; ++block)
        if (layout.size(block) > 0) found.emplace_back(block);
    return found;
}

/// Some of many, the first and the last among them: each gives a bound, and to look at all would take long.
std::vector<Rank> someOf(const std::vector<Rank>& ranks) {
    constexpr std::size_t most = 32;
    if (ranks.size() <= most) return ranks;
    std::vector<Rank> some;
    for (std::size_t i = 0; i < most; ++i) some.push_back(ranks[i * (ranks.size() - 1) / (most - 1)]);
    return some;
}

bool contains(RankSpan span, Rank rank) { return span.first <= rank.value && rank.value < span.first + span.count; }

std::int64_t inside(RankSpan span, const std::vector<Rank>& ranks) {
    return std::count_if(ranks.begin(), ranks.end(), [&](Rank rank) { return contains(span, rank); });
}

/// The bounds of one problem in the making.
struct Making {
    const Problem& problem;
    Reach reach;
    Sends sends;
    Bounds bounds{};

    /// Some word of each of `from` must come to all of `to`.
    void tell(const std::vector<Rank>& from, RankSpan to) {
        for (const Rank rank : someOf(from)) {
            const std::vector<Rank> one{rank};
            LeastRounds least = reach.toTell(one, to);
            if (sends == Sends::areFree) least = {reach.hops(one, to), Limit::hops};
            else bounds.spread.front().known = std::max(bounds.spread.front().known, 1 + to.count - inside(to, one));
            const bool far = least.limit == Limit::hops && least.rounds > 1;
            startups(least.rounds,
                     far ? "the farthest rank is that many hops away"
                         : "after t rounds at most (k+1)^t ranks can know a datum",
                     far ? "distance" : "reach argument");
        }
    }
    /// One rank must hear of so many others.
    void hear(std::int64_t others) {
        bounds.spread.front().known = std::max(bounds.spread.front().known, others + 1);
        startups(reach.toHearOf(others), "after t rounds a rank can have heard of at most (k+1)^t ranks",
                 "reach argument, backwards");
    }
    /// `from` bring what all of `to` take in: `bytes`, and `blocks` contributions.
    void takeIn(const std::vector<Rank>& from, RankSpan to, Bytes bytes, std::int64_t blocks) {
        if (blocks == 0 || to.count == 0) return;
        const std::int64_t told = to.count - inside(to, from);
        const std::int64_t rounds = sends == Sends::areFree ? reach.hops(from, to) : reach.toTell(from, to).rounds;
        const std::int64_t first = std::max<std::int64_t>(1, rounds);
        const Bytes through = ceilDiv(bytes, problem.ports);
        bounds.atWill.push_back({.startups = first, .volume = through});
        const std::int64_t knew = sends == Sends::areFree ? 1 : static_cast<std::int64_t>(from.size());
        const std::int64_t others = sends == Sends::areFree ? 1 : std::max<std::int64_t>(1, told);
        bounds.spread.push_back({knew, knew + others, bytes, blocks});
        if (through > bounds.volume.value || (through == bounds.volume.value && first > bounds.firstByte)) {
            bounds.volume.value = through;
            bounds.perRank = bytes;
            bounds.firstByte = first;
        }
        takeWhole(first, bytes, blocks);
    }

    /// Some rank takes in, or hands out, so many bytes from its round `first` on.
    void exchange(Bytes bytes, std::int64_t first, const char* why, const char* source) {
        const Bytes through = ceilDiv(bytes, problem.ports);
        bounds.volume = {through, why, source};
        bounds.perRank = bytes;
        bounds.firstByte = first;
        bounds.atWill.push_back({.startups = first, .volume = through});
        bounds.spread.push_back({1, 2, bytes, 0});
    }

private:
    void startups(std::int64_t rounds, const char* why, const char* source) {
        if (rounds > bounds.startups.value || bounds.startups.why.empty()) bounds.startups = {rounds, why, source};
    }
    /// The rank that is served last takes in `blocks` contributions, k a round, from round `first` on.
    void takeWhole(std::int64_t first, Bytes bytes, std::int64_t blocks) {
        const std::int64_t rounds = first - 1 + ceilDiv(blocks, problem.ports);
        const Layout& layout = problem.layout;
        if (!bounds.unitRounds || rounds > bounds.unitRounds->value)
            bounds.unitRounds = {rounds,
                                 first > 1 ? "the rank served last waits for its first contribution, then takes in the "
                                             "others, k at a time"
                                           : "a rank takes in the contributions of others, k at a time",
                                 "receive argument"};
        if (layout.smallest() == layout.largest())
            bounds.whole.push_back({.startups = rounds, .volume = rounds * layout.largest()});
        else if (problem.ports == 1)
            bounds.whole.push_back({.startups = rounds, .volume = bytes + (first - 1) * smallestOfBytes()});
    }
    [[nodiscard]] Bytes smallestOfBytes() const {
        Bytes least = problem.layout.largest();
        for (std::int32_t block = 0; block < problem.layout.count(); ++block)
            if (const Bytes size = problem.layout.size(block); size > 0) least = std::min(least, size);
        return least;
    }
};

void ofBroadcast(Making& making) {
    const Problem& problem = making.problem;
    if (problem.layout.total() == 0 || problem.ranks() == 1) return;
    const RankSpan all{0, problem.ranks()};
    making.tell({problem.root}, all);
    making.takeIn({problem.root}, all, problem.layout.total(), 1);
    making.bounds.volume.why = "every rank but the root takes in the whole message";
    making.bounds.volume.source = "receive argument; Johnsson and Ho 1989";
}

void ofAllgather(Making& making) {
    const Layout& layout = making.problem.layout;
    const std::vector<Rank> from = holders(layout, 0, layout.count());
    const auto brought = static_cast<std::int64_t>(from.size());
    const RankSpan all{0, making.problem.ranks()};
    if (from.empty() || all.count == 1) return;
    const bool eachBrings = brought == all.count;
    making.tell(from, all);
    making.hear(eachBrings ? brought - 1 : brought);
    making.takeIn(from, all, layout.total() - layout.smallest(), eachBrings ? brought - 1 : brought);
    making.bounds.volume.why = "the rank with the least of its own takes in all the rest";
    making.bounds.volume.source = "receive argument";
}

/// A's contributions to all of B, or the other way.
void fromGroup(Making& making, RankSpan group, RankSpan other) {
    const Layout& layout = making.problem.layout;
    const std::vector<Rank> from = holders(layout, group.first, group.count);
    if (from.empty()) return;
    making.tell(from, other);
    making.hear(static_cast<std::int64_t>(from.size()));
    making.takeIn(from, other, layout.blocks(group.first, group.count).size(), static_cast<std::int64_t>(from.size()));
}

void ofTwoGroups(Making& making) {
    const RankSpan a{0, making.problem.groupA};
    const RankSpan b{making.problem.groupA, making.problem.groupB};
    fromGroup(making, a, b);
    const bool bothWays = making.problem.collective == Collective::intergroupAllgatherv;
    if (bothWays) fromGroup(making, b, a);
    making.bounds.volume.why =
        bothWays ? "a rank takes in all bytes of the other group" : "every receiver takes in all of A's bytes";
    making.bounds.volume.source = bothWays ? "kang2019, section 2" : "kang-half-duplex, section III";
    if (!bothWays && making.bounds.unitRounds)
        making.bounds.unitRounds->source = "corrected from kang-half-duplex, section IV.D";
}

/// Every element is told of 2 (n - 1) times, whoever combines it, and combined n - 1 times: some rank has its share of
/// both, and combines when nothing comes in.
void ofReduction(Making& making) {
    const Problem& problem = making.problem;
    const std::int32_t n = problem.ranks();
    if (n == 1) return;
    const Bytes m = problem.collective == Collective::allreduce ? problem.layout.largest() : 0;
    const auto share = [&](int times) { return static_cast<Bytes>(static_cast<__int128>(times) * m * (n - 1) / n); };
    making.tell({Rank{0}, Rank{n / 2}, Rank{n - 1}}, {0, n});
    making.hear(n - 1);
    Bounds& bounds = making.bounds;
    bounds.firstByte = 1;
    bounds.volume = {ceilDiv(share(2), problem.ports), "every element is combined and spread, if vectors may be cut",
                     "Patarasuk and Yuan 2009"};
    bounds.perRank = share(2);
    bounds.atWill.push_back({.startups = 1, .volume = bounds.volume.value, .combined = share(1)});
    bounds.spread.push_back({1, 2, share(2), 0, share(1)});
}

/// One partial result of every element ends at the root: each element's way there, backwards, is a broadcast.
void ofReduce(Making& making) {
    const Problem& problem = making.problem;
    if (problem.ranks() == 1) return;
    making.hear(problem.ranks() - 1);
    const std::int64_t first = making.sends == Sends::areFree ? 1 : making.bounds.startups.value;
    making.exchange(problem.layout.largest(), first, "the root takes in a partial result of every element",
                    "receive argument; a broadcast backwards");
}

void ofReduceScatter(Making& making) {
    const Problem& problem = making.problem;
    if (problem.ranks() == 1) return;
    making.hear(problem.ranks() - 1);
    making.exchange(problem.layout.largest() - blocksOf(problem).smallest(), 1,
                    "the rank with the smallest block hands out partial results of all the rest", "send argument");
}

void ofScan(Making& making) {
    const Problem& problem = making.problem;
    if (problem.ranks() == 1) return;
    making.hear(problem.ranks() - 1);
    making.exchange(problem.layout.largest(), 1, "the last rank takes in a partial result of every element",
                    "receive argument");
}

/// What the busiest rank hands out, or takes in.
struct Busiest {
    std::int64_t peers = 0;
    Bytes bytes = 0;
};

Busiest busier(Busiest a, Busiest b) { return {std::max(a.peers, b.peers), std::max(a.bytes, b.bytes)}; }

/// Contributions without bytes need no messages. `in`: only what is taken in counts.
Busiest busiestOf(const Problem& problem, bool in) {
    const Layout& layout = problem.layout;
    if (layout.isRegular()) {
        const bool reaches = problem.collective == Collective::scatterv;
        const std::int64_t peers = isIntergroup(problem.collective) ? std::max(problem.groupA, problem.groupB)
                                   : in && reaches                  ? std::min(1, problem.groupA - 1)
                                                                    : problem.groupA - 1;
        return layout.largest() > 0 ? Busiest{peers, peers * layout.largest()} : Busiest{};
    }
    std::vector<Busiest> sends(asSize(problem.ranks()));
    std::vector<Busiest> receives(sends.size());
    const auto add = [](Busiest& one, Bytes size) { one = {one.peers + 1, one.bytes + size}; };
    for (Block block{0}; block.value < layout.count(); ++block) {
        const Rank from = ownerOf(problem, block);
        const Rank to = *receiverOf(problem, block);
        const Bytes size = layout.size(block.value);
        if (from == to || size == 0) continue;
        add(sends[from.index()], size);
        add(receives[to.index()], size);
    }
    Busiest most;
    for (std::size_t r = 0; r < sends.size(); ++r) {
        most = busier(most, receives[r]);
        if (!in) most = busier(most, sends[r]);
    }
    return most;
}

/// Contributions from one rank to one other: gather, scatter, alltoall.
void ofPersonal(Making& making) {
    const Problem& problem = making.problem;
    const auto [peers, bytes] = busiestOf(problem, making.sends == Sends::areFree);
    if (peers == 0) return;
    making.hear(peers);
    making.exchange(bytes, 1, "the busiest rank takes in, or hands out, all that is meant for it or from it",
                    "receive and send argument");
    if (!problem.layout.isRegular()) return;
    const std::int64_t rounds = ceilDiv(peers, problem.ports);
    making.bounds.unitRounds = {rounds, "the busiest rank takes in, or hands out, its contributions, k at a time",
                                "receive and send argument"};
    making.bounds.whole.push_back({.startups = rounds, .volume = rounds * problem.layout.largest()});
}

/// Broadcast, reduce and allreduce from one group to the other.
void ofOtherGroup(Making& making) {
    const Problem& problem = making.problem;
    const bool rootInA = problem.root.value < problem.groupA;
    const RankSpan a{0, problem.groupA};
    const RankSpan b{problem.groupA, problem.groupB};
    if (problem.collective == Collective::intergroupBcast) {
        if (problem.layout.total() == 0) return;
        making.tell({problem.root}, rootInA ? b : a);
        making.takeIn({problem.root}, rootInA ? b : a, problem.layout.total(), 1);
        making.bounds.volume.why = "every rank of the other group takes in the whole message";
        making.bounds.volume.source = "receive argument";
        return;
    }
    const bool rooted = hasRoot(problem.collective);
    making.hear(!rooted ? std::max(a.count, b.count) : rootInA ? b.count : a.count);
    const bool backwards = rooted && making.sends == Sends::takePorts;
    making.exchange(problem.layout.largest(), backwards ? making.bounds.startups.value : 1,
                    "a rank takes in a partial result of every element", "receive argument");
}

/// What a message is, under LogGP: how long from its begin to its end, and from one to the next at a rank's port or
/// processor.
struct Pace {
    Picoseconds whole{};
    Picoseconds apart{};
};

Pace paceOf(const LogGP& model, Bytes bytes) {
    const Bytes behind = std::max<Bytes>(0, bytes - 1);
    return {model.overhead * 2 + model.latency + model.gapPerByte * behind + model.overheadPerByte * behind,
            std::max(model.gap + model.gapPerByte * behind, model.overhead + model.overheadPerByte * behind)};
}

/// When the last of `known` ranks can have been told what `from` of them knew.
Picoseconds toldAfter(Pace pace, std::int64_t from, std::int64_t known) {
    constexpr std::int64_t most = 1 << 16;  // of more, the first so many are waited for
    std::priority_queue<Picoseconds, std::vector<Picoseconds>, std::greater<>> sends;
    const std::int64_t told = std::min(known - from, most);
    for (std::int64_t i = 0; i < std::min(from, told); ++i) sends.push({});
    Picoseconds last{};
    for (std::int64_t i = 0; i < told; ++i) {
        const Picoseconds begin = sends.top();
        sends.pop();
        last = begin + pace.whole;
        sends.push(begin + pace.apart);
        sends.push(last);
    }
    return last;
}

/// However its bytes are cut into messages, they keep the port, and the processor, of who takes them in busy for so
/// long after the first one.
Picoseconds timeAtWill(const Bounds& bounds, const LogGP& model, Rate gamma) {
    const auto perByte = [](Picoseconds message, Rate byte) {
        return Rate{std::min(byte.femtosecondsPerByte, message.count() * 1000)};
    };
    const Rate rate = std::max(perByte(model.gap, model.gapPerByte), perByte(model.overhead, model.overheadPerByte));
    Picoseconds time{};
    for (const Spread& spread : bounds.spread) {
        const Picoseconds told = toldAfter(paceOf(model, 0), spread.from, spread.known);
        time = std::max({time, told + rate * std::max<Bytes>(0, spread.bytes - 1), told + gamma * spread.combined});
    }
    return time;
}

/// Equal blocks follow each other at the port of who is served last.
Picoseconds timeOfWhole(const Bounds& bounds, const LogGP& model) {
    const Pace pace = paceOf(model, bounds.block);
    Picoseconds time{};
    for (const Spread& spread : bounds.spread)
        time = std::max(time, toldAfter(pace, spread.from, spread.known) +
                                  pace.apart * std::max<std::int64_t>(0, spread.blocks - 1));
    return time;
}

}  // namespace

std::string_view name(Blocks blocks) { return blocks == Blocks::whole ? "whole blocks" : "cut at will"; }

Bounds boundsOf(const Problem& problem, const Wiring& wiring, Sends sends) {
    Making making{problem, Reach{wiring, problem.ranks(), problem.ports}, sends};
    making.bounds.spread.emplace_back();
    switch (problem.collective) {
        case Collective::bcast: ofBroadcast(making); break;
        case Collective::allgatherv: ofAllgather(making); break;
        case Collective::halfduplexAllgather:
        case Collective::intergroupAllgatherv: ofTwoGroups(making); break;
        case Collective::allreduce:
        case Collective::barrier: ofReduction(making); break;
        case Collective::reduce: ofReduce(making); break;
        case Collective::reduceScatter: ofReduceScatter(making); break;
        case Collective::scan: ofScan(making); break;
        case Collective::gatherv:
        case Collective::scatterv:
        case Collective::alltoallv:
        case Collective::intergroupAlltoallv: ofPersonal(making); break;
        case Collective::intergroupBcast:
        case Collective::intergroupReduce:
        case Collective::intergroupAllreduce: ofOtherGroup(making); break;
    }
    Bounds& bounds = making.bounds;
    if (bounds.startups.why.empty()) bounds.startups.why = bounds.volume.why = "nobody needs anything of another rank";
    // What is whole is cut at will, too.
    if (bounds.unitRounds && bounds.unitRounds->value < bounds.startups.value) {
        bounds.unitRounds = bounds.startups;
        bounds.whole.push_back({.startups = bounds.startups.value});
    }
    bounds.atWill.push_back({.startups = bounds.startups.value});
    if (bounds.unitRounds && problem.layout.smallest() == problem.layout.largest())
        bounds.block = problem.layout.largest();
    if (sends == Sends::takePorts) nameAttained(bounds, problem, wiring);
    return std::move(making.bounds);
}

std::optional<Cost> leastCost(const Bounds& bounds, Blocks blocks, const Model& model) {
    const std::vector<Cost>& sums = blocks == Blocks::whole ? bounds.whole : bounds.atWill;
    const auto largest = std::max_element(
        sums.begin(), sums.end(), [&](const Cost& a, const Cost& b) { return a.under(model) < b.under(model); });
    return largest == sums.end() ? std::nullopt : std::optional{*largest};
}

std::optional<Picoseconds> timeBound(const Bounds& bounds, Blocks blocks, const Model& model) {
    if (model.logGP) {
        if (blocks == Blocks::cutAtWill) return timeAtWill(bounds, *model.logGP, model.gamma);
        return bounds.block > 0 ? std::optional{timeOfWhole(bounds, *model.logGP)} : std::nullopt;
    }
    const std::optional<Cost> cost = leastCost(bounds, blocks, model);
    return cost ? std::optional{cost->under(model)} : std::nullopt;
}

Picoseconds timeBound(const Bounds& bounds, const Model& model) {
    return timeBound(bounds, Blocks::cutAtWill, model).value_or(Picoseconds{});
}

}  // namespace engine
