// SPDX-License-Identifier: BSD-3-Clause
// Bounds of collectives that combine. Partial results may be joined on the way, so that a rank need not take in each
// vector; what it has to hear of, and what comes to it at least, is that of broadcasts, forwards or backwards.
#include "engine/cost/bound_parts.hpp"

#include <algorithm>

namespace engine {
namespace {

/// The average rank's share of what happens to every element `times` (n - 1) times: rounded up if nothing else is of
/// the same rank.
Bytes shareOf(const Problem& problem, int times, bool up = false) {
    const std::int64_t n = problem.ranks();
    const __int128 all = static_cast<__int128>(times) * problem.layout.largest() * (n - 1);
    return static_cast<Bytes>((all + (up ? n - 1 : 0)) / n);
}

/// Every element is received and combined n - 1 times: some rank takes at least its share of the time of both.
void combinesItsShare(Making& making) {
    const Bytes share = shareOf(making.problem, 1);
    making.bounds.anyMessages.push_back({.startups = 1, .volume = share / making.problem.ports, .combined = share});
}

std::vector<Rank> someRanks(std::int32_t n) { return {Rank{0}, Rank{n / 2}, Rank{n - 1}}; }

}  // namespace

/// Every element is sent 2 (n - 1) times, whichever rank combines it, and combined n - 1 times: some rank has its share
/// of both, and combines when nothing comes in. And every rank takes in partial results with the vector of each other.
void ofAllreduce(Making& making) {
    const Problem& problem = making.problem;
    const std::int32_t n = problem.ranks();
    if (n == 1) return;
    making.tell(someRanks(n), {0, n});
    making.hear(n - 1);
    Bounds& bounds = making.bounds;
    bounds.firstByte = 1;
    if (problem.collective == Collective::barrier) {
        bounds.volume = {0, "a barrier moves no bytes", "counting argument"};
        return;
    }
    const Bytes both = shareOf(problem, 2, true);
    bounds.volume = {ceilDiv(both, problem.ports), "every element is combined and spread, if vectors may be cut",
                     "Patarasuk and Yuan 2009"};
    bounds.perRank = both;
    bounds.anyMessages.push_back({.startups = 1, .volume = bounds.volume.value});
    bounds.anyMessages.push_back(
        {.startups = 1, .volume = shareOf(problem, 2) / problem.ports, .combined = shareOf(problem, 1)});
    if (making.takesPorts())
        bounds.anyMessages.push_back(
            {.startups = bounds.startups.value, .volume = ceilDiv(problem.layout.largest(), problem.ports)});
    bounds.spread.push_back({1, 2, shareOf(problem, 2), 0, shareOf(problem, 1)});
    making.hurry(problem.layout.largest(), n - 1);
}

/// One partial result of every element ends at the root: each element's way there, backwards, is a broadcast.
void ofReduce(Making& making) {
    const Problem& problem = making.problem;
    const std::int32_t n = problem.ranks();
    if (n == 1) return;
    making.hear(n - 1);
    making.isFar(problem.root, {0, n}, true);
    const std::int64_t first = making.takesPorts() ? making.bounds.startups.value : 1;
    making.exchange(problem.layout.largest(), first, "the root receives a partial result of every element",
                    "counting argument; a reduction is a broadcast in reverse");
    combinesItsShare(making);
    making.hurry(problem.layout.largest(), n - 1);
}

/// What a rank's vector has for others is scattered, joined with what others have for them.
void ofReduceScatter(Making& making) {
    const Problem& problem = making.problem;
    const std::int32_t n = problem.ranks();
    if (n == 1 || problem.layout.largest() == 0) return;
    const VectorCut cut = blocksOf(problem);
    making.hear(n - 1);
    std::vector<Rank> owners;
    for (Rank rank{0}; rank.value < n; ++rank)
        if (!cut[rank.value].empty()) owners.push_back(rank);
    for (const Rank rank : someOf(owners)) making.isFar(rank, {0, n}, true);
    making.exchange(problem.layout.largest() - cut.smallest(), 1,
                    "the rank with the smallest block sends partial results of all others", "counting argument");
    making.scatter(problem.layout.largest() - cut.smallest(), cut.largest(), 1);
    combinesItsShare(making);
}

/// The vector of rank 0 is in everybody's result.
void ofScan(Making& making) {
    const Problem& problem = making.problem;
    const std::int32_t n = problem.ranks();
    if (n == 1) return;
    making.tell({Rank{0}}, {0, n});
    making.hear(n - 1);
    for (const Rank rank : {Rank{n / 2}, Rank{n - 1}}) making.isFar(rank, {0, rank.value}, true);
    const std::int64_t first = making.takesPorts() ? making.reach.toTell(std::vector{Rank{0}}, {0, n}).rounds : 1;
    making.exchange(problem.layout.largest(), std::max<std::int64_t>(1, first),
                    "the last rank receives a partial result of every element", "counting argument");
    if (!problem.exclusive) combinesItsShare(making);
    making.hurry(problem.layout.largest(), n - 1);
}

void ofOtherGroup(Making& making) {
    const Problem& problem = making.problem;
    const bool rootInA = problem.root.value < problem.groupA;
    const RankSpan a{0, problem.groupA};
    const RankSpan b{problem.groupA, problem.groupB};
    const RankSpan others = rootInA ? b : a;
    const Bytes bytes = problem.layout.largest();
    if (problem.collective == Collective::intergroupBcast) {
        if (problem.layout.total() == 0) return;
        making.tell({problem.root}, others);
        making.takeIn({problem.root}, others, bytes, 1);
        making.hurry(bytes, others.count);
        making.bounds.volume.why = "every rank of the other group receives the whole message";
        making.bounds.volume.source = "counting argument";
        return;
    }
    const char* why = "a rank receives a partial result of every element";
    if (problem.collective == Collective::intergroupReduce) {
        making.hear(others.count);
        making.isFar(problem.root, others, true);
        making.exchange(bytes, making.takesPorts() ? making.bounds.startups.value : 1, why,
                        "counting argument; a reduction is a broadcast in reverse");
        making.hurry(bytes, others.count);
        return;
    }
    const auto oneWay = [&](RankSpan from, RankSpan to) {
        const std::vector<Rank> ends{Rank{from.first}, Rank{from.first + from.count - 1}};
        making.tell(ends, to);
        making.hear(from.count);
        std::int64_t first = 1;
        for (const Rank rank : ends)
            if (making.takesPorts()) first = std::max(first, making.reach.toTell(std::vector{rank}, to).rounds);
        making.exchange(bytes, first, why, "counting argument");
    };
    oneWay(a, b);
    oneWay(b, a);
    making.hurry(bytes, std::max(a.count, b.count));
}

}  // namespace engine
