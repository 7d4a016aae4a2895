// SPDX-License-Identifier: BSD-3-Clause
#include "engine/cost/bounds.hpp"

#include <algorithm>
#include <vector>

namespace engine {
namespace {

std::int64_t ceilDiv(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// Least t with base^t >= x: rounds until one datum can be known to x ranks when every holder tells base - 1 others.
std::int64_t logarithm(std::int64_t base, std::int64_t x) {
    std::int64_t rounds = 0;
    for (__int128 reach = 1; reach < x; reach *= base) ++rounds;
    return rounds;
}

/// Hops from any rank of a ring or torus to the one farthest from it.
std::int64_t eccentricity(const Wiring& wiring) {
    std::int64_t farthest = 0;
    for (const int length : wiring.dimensions()) farthest += length / 2;
    return farthest;
}

/// Largest distance from a rank of B to the nearest rank of A on a ring or a torus whose A is a slab; 1 where everyone
/// is everyone's neighbour or the shape is not known.
std::int64_t distanceToSenders(const Problem& problem, const Wiring& wiring) {
    const std::int64_t p = problem.groupA;
    if (wiring.kind() == Wiring::Kind::ring) return ceilDiv(problem.groupB, 2);
    if (wiring.kind() == Wiring::Kind::torus) {
        const std::int64_t layer = (p + problem.groupB) / wiring.dimensions()[0];
        if (p % layer == 0) return ceilDiv(problem.groupB / layer, 2);
    }
    return 1;
}

/// The least whole number of bytes that has to pass the busiest port when `bytes` must enter through k ports.
Bytes perPort(Bytes bytes, int ports) { return ceilDiv(bytes, ports); }

/// Contributions first .. first + count-1 that have bytes; all of them where none has: they are signals then.
std::int64_t heardOf(const Layout& layout, std::int32_t first, std::int32_t count) {
    if (layout.isRegular() || layout.blocks(first, count).empty()) return count;
    std::int64_t heard = 0;
    for (std::int32_t block = first; block < first + count; ++block) heard += layout.size(block) > 0 ? 1 : 0;
    return heard;
}

Bounds ofBroadcast(const Problem& problem, const Wiring& wiring) {
    const std::int64_t n = problem.ranks();
    const std::int64_t base = problem.ports + 1;
    const Bytes m = n > 1 ? problem.layout.total() : 0;
    Bounds bounds;
    bounds.startups = {logarithm(base, n), "after t rounds at most (k+1)^t ranks can know a datum", "reach argument"};
    if (wiring.kind() != Wiring::Kind::any) {
        // On a wiring the root reaches only its neighbours; a torus looks the same from every rank.
        const std::int64_t far = eccentricity(wiring);
        if (far > bounds.startups.value)
            bounds.startups = {far, "the farthest rank is that many hops away", "distance"};
    }
    bounds.firstByte = bounds.startups.value;
    bounds.volume = {perPort(m, problem.ports), "every rank but the root takes in the whole message",
                     "receive argument; Johnsson and Ho 1989"};
    bounds.unitRounds = {bounds.startups.value, bounds.startups.why, bounds.startups.source};
    return bounds;
}

Bounds ofAllgather(const Problem& problem, const Wiring& wiring) {
    const std::int64_t n = problem.ranks();
    Bounds bounds;
    bounds.startups = {logarithm(problem.ports + 1, n), "after t rounds at most (k+1)^t ranks can know a datum",
                       "Bruck et al. 1997 for equal sizes"};
    if (wiring.kind() != Wiring::Kind::any && eccentricity(wiring) > bounds.startups.value)
        bounds.startups = {eccentricity(wiring), "the farthest rank is that many hops away", "distance"};
    bounds.firstByte = n > 1 ? 1 : 0;
    bounds.volume = {perPort(problem.layout.total() - problem.layout.smallest(), problem.ports),
                     "the rank with the least of its own takes in all the rest", "receive argument"};
    if (problem.layout.isRegular())
        bounds.unitRounds = {ceilDiv(n - 1, problem.ports), "every rank takes in n - 1 contributions, k at a time",
                             "receive argument"};
    return bounds;
}

Bounds ofHalfDuplex(const Problem& problem, const Wiring& wiring) {
    const std::int64_t p = problem.groupA;
    const std::int64_t q = problem.groupB;
    const std::int64_t base = problem.ports + 1;
    Bounds bounds;
    const std::int64_t gather = logarithm(base, heardOf(problem.layout, 0, problem.groupA) + 1);
    const std::int64_t spread = logarithm(base, q + 1);
    bounds.startups = {std::max(gather, spread), "one receiver hears of p senders, one sender reaches q receivers",
                       "kang-half-duplex, section III"};
    bounds.firstByte = logarithm(base, ceilDiv(q, p) + 1);
    bounds.volume = {perPort(problem.layout.total(), problem.ports), "every receiver takes in all of A's bytes",
                     "kang-half-duplex, section III"};
    const std::int64_t distance = distanceToSenders(problem, wiring);
    if (distance > bounds.startups.value)
        bounds.startups = {distance, "the farthest receiver is that many hops from the nearest sender", "distance"};
    bounds.firstByte = std::max(bounds.firstByte, distance);
    if (problem.ports == 1 && problem.layout.isRegular()) {
        // The only sender of a ring with two farthest receivers can start towards one of them only.
        const bool oneWay = wiring.kind() == Wiring::Kind::ring && p == 1 && q % 2 == 0;
        const std::int64_t first = std::max(bounds.firstByte, distance + (oneWay ? 1 : 0));
        const std::string wait = first > distance + (oneWay ? 1 : 0) || wiring.kind() == Wiring::Kind::any
                                     ? "the receiver served last waits lg(ceil(q/p) + 1) rounds for its first message"
                                 : oneWay
                                     ? "the only sender can start one way only, so the farthest receiver waits one "
                                       "round more than it is hops away"
                                     : "the farthest receiver waits as many rounds as it is hops away for its first";
        bounds.unitRounds = {p - 1 + first, wait + ", then takes the other p - 1 one by one",
                             "corrected from kang-half-duplex, section IV.D"};
    }
    return bounds;
}

Bounds ofIntergroup(const Problem& problem) {
    const std::int64_t p = problem.groupA;
    const std::int64_t q = problem.groupB;
    const Bytes fromA = problem.layout.blocks(0, problem.groupA).size();
    const Bytes fromB = problem.layout.total() - fromA;
    Bounds bounds;
    // Contributions without bytes need no messages, unless there are no others.
    const bool anyBytes = !problem.layout.whole().empty();
    std::int64_t others = 0;
    if (fromA > 0 || !anyBytes) others = std::max({others, q, heardOf(problem.layout, 0, problem.groupA)});
    if (fromB > 0 || !anyBytes) others = std::max({others, p, heardOf(problem.layout, problem.groupA, problem.groupB)});
    bounds.startups = {logarithm(problem.ports + 1, others + 1), "one rank hears of max(p, q) others",
                       "kang2019, section 2"};
    bounds.firstByte = 1;
    bounds.volume = {perPort(std::max(fromA, fromB), problem.ports), "a rank takes in all bytes of the other group",
                     "kang2019, section 2"};
    return bounds;
}

Bounds ofReduction(const Problem& problem) {
    const std::int64_t n = problem.ranks();
    const Bytes m = problem.collective == Collective::allreduce ? problem.layout.largest() : 0;
    Bounds bounds;
    bounds.startups = {logarithm(problem.ports + 1, n), "after t rounds at most (k+1)^t ranks can know a datum",
                       "reach argument; end2016"};
    bounds.firstByte = n > 1 ? 1 : 0;
    bounds.volume = {n > 1 ? ceilDiv(2 * m * (n - 1) / n, problem.ports) : 0,
                     "every element is combined and spread, if vectors may be cut", "Patarasuk and Yuan 2009"};
    return bounds;
}

/// A broadcast run backwards is a reduce, and the other way round.
Bounds ofReduce(const Problem& problem, const Wiring& wiring) {
    Problem reversed = problem;
    reversed.collective = Collective::bcast;
    reversed.layout = Layout::regular(1, problem.layout.largest());
    Bounds bounds = ofBroadcast(reversed, wiring);
    bounds.startups.why = wiring.kind() == Wiring::Kind::any || bounds.startups.source != "distance"
                              ? "after t rounds a rank can have combined at most (k+1)^t vectors"
                              : "the farthest vector is that many hops away";
    bounds.volume.why = "the root takes in a partial result of every element";
    bounds.volume.source = "receive argument";
    bounds.unitRounds.reset();
    return bounds;
}

Bounds ofReduceScatter(const Problem& problem) {
    const std::int64_t n = problem.ranks();
    const VectorCut blocks = blocksOf(problem);
    Bounds bounds;
    bounds.startups = {logarithm(problem.ports + 1, n), "every block combines the vectors of all", "reach argument"};
    bounds.firstByte = n > 1 ? 1 : 0;
    bounds.volume = {perPort(n > 1 ? problem.layout.largest() - blocks.smallest() : 0, problem.ports),
                     "the rank with the smallest block hands out all the rest", "send argument"};
    return bounds;
}

Bounds ofScan(const Problem& problem) {
    const std::int64_t n = problem.ranks();
    Bounds bounds;
    bounds.startups = {logarithm(problem.ports + 1, n), "the last rank combines the vectors of all before it",
                       "reach argument"};
    bounds.firstByte = n > 1 ? 1 : 0;
    bounds.volume = {perPort(n > 1 ? problem.layout.largest() : 0, problem.ports),
                     "the last rank takes in a partial result of every element", "receive argument"};
    return bounds;
}

/// What the busiest rank hands out, or takes in.
struct Busiest {
    std::int64_t peers = 0;
    Bytes bytes = 0;
};

/// Contributions without bytes need no messages, unless there are no others.
Busiest busiestOf(const Problem& problem) {
    const Layout& layout = problem.layout;
    if (layout.isRegular()) {
        const std::int64_t peers =
            isIntergroup(problem.collective) ? std::max(problem.groupA, problem.groupB) : problem.groupA - 1;
        return {peers, peers * layout.largest()};
    }
    const auto ranks = asSize(problem.ranks());
    std::vector<Busiest> sends(ranks);
    std::vector<Busiest> receives(ranks);
    for (Block block{0}; block.value < layout.count(); ++block) {
        const Rank from = ownerOf(problem, block);
        const Rank to = *receiverOf(problem, block);
        const Bytes size = layout.size(block.value);
        if (from == to || size == 0) continue;
        for (Busiest* one : {&sends[from.index()], &receives[to.index()]}) {
            ++one->peers;
            one->bytes += size;
        }
    }
    Busiest most;
    for (const auto* side : {&sends, &receives})
        for (const Busiest& one : *side) most = {std::max(most.peers, one.peers), std::max(most.bytes, one.bytes)};
    return most;
}

/// Contributions from one rank to one other: gather, scatter, alltoall.
Bounds ofPersonal(const Problem& problem) {
    const auto [peers, bytes] = busiestOf(problem);
    Bounds bounds;
    bounds.startups = {logarithm(problem.ports + 1, peers + 1),
                       "one rank hears of, or reaches, so many others: k+1 times as many each round", "reach argument"};
    bounds.firstByte = peers > 0 ? 1 : 0;
    bounds.volume = {perPort(bytes, problem.ports),
                     "the busiest rank takes in, or hands out, all that is meant for it or from it",
                     "receive and send argument"};
    if (problem.layout.isRegular())
        bounds.unitRounds = {ceilDiv(peers, problem.ports),
                             "the busiest rank takes in, or hands out, its contributions, k at a time",
                             "receive and send argument"};
    return bounds;
}

/// Broadcast, reduce and allreduce from one group to the other.
Bounds ofOtherGroup(const Problem& problem) {
    const std::int64_t p = problem.groupA;
    const std::int64_t q = problem.groupB;
    const bool rootInA = problem.root.value < problem.groupA;
    const std::int64_t others = !hasRoot(problem.collective) ? std::max(p, q) : rootInA ? q : p;
    Bounds bounds;
    bounds.startups = {logarithm(problem.ports + 1, others + 1),
                       problem.collective == Collective::intergroupBcast
                           ? "the root reaches all of the other group: k+1 times as many each round"
                           : "one rank hears of all of the other group: k+1 times as many each round",
                       "reach argument"};
    bounds.firstByte = hasRoot(problem.collective) ? bounds.startups.value : 1;
    bounds.volume = {perPort(problem.layout.largest(), problem.ports),
                     problem.collective == Collective::intergroupBcast
                         ? "every rank of the other group takes in the whole message"
                         : "a rank takes in a partial result of every element",
                     "receive argument"};
    return bounds;
}

}  // namespace

Bounds boundsOf(const Problem& problem, const Wiring& wiring) {
    switch (problem.collective) {
        case Collective::bcast: return ofBroadcast(problem, wiring);
        case Collective::allgatherv: return ofAllgather(problem, wiring);
        case Collective::halfduplexAllgather: return ofHalfDuplex(problem, wiring);
        case Collective::intergroupAllgatherv: return ofIntergroup(problem);
        case Collective::allreduce:
        case Collective::barrier: return ofReduction(problem);
        case Collective::reduce: return ofReduce(problem, wiring);
        case Collective::reduceScatter: return ofReduceScatter(problem);
        case Collective::scan: return ofScan(problem);
        case Collective::gatherv:
        case Collective::scatterv:
        case Collective::alltoallv:
        case Collective::intergroupAlltoallv: return ofPersonal(problem);
        case Collective::intergroupBcast:
        case Collective::intergroupReduce:
        case Collective::intergroupAllreduce: return ofOtherGroup(problem);
    }
    return {};
}

Picoseconds timeBound(const Bounds& bounds, const Model& model) {
    return std::max(model.alpha * bounds.startups.value,
                    model.alpha * bounds.firstByte + model.beta * bounds.volume.value);
}

}  // namespace engine
