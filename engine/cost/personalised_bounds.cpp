// SPDX-License-Identifier: BSD-3-Clause
// Bounds of collectives whose contributions have one receiver each: gather, scatter, alltoall, also between groups.
#include "engine/cost/bound_parts.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace engine {
namespace {

constexpr std::int64_t mostLookedAt = std::int64_t{1} << 18;  // contributions: one by one

/// One contribution that one rank hands out, or takes in: from, or to, how far away.
struct Parcel {
    std::int32_t hops = 1;
    Bytes bytes = 0;
};
using Parcels = std::vector<Parcel>;

constexpr const char* oneByOne = "the busiest rank receives or sends its contributions one at a time through each port";
constexpr const char* farFirst =
    "contributions for the farthest ranks leave, or arrive, one at a time through each port and then travel hop by hop";
constexpr const char* byAll = "each contribution is sent once per hop, and that many messages can be sent at a time";
constexpr const char* ofBusiest = "the busiest rank receives all bytes for it, or sends all bytes from it";

/// All that one rank hands out, or takes in, and the parts of it that are at least so far away.
void ofOneRank(Making& making, Parcels parcels) {
    if (parcels.empty()) return;
    std::ranges::sort(parcels, std::greater{}, &Parcel::hops);
    making.hear(static_cast<std::int64_t>(parcels.size()));
    if (parcels.front().hops > 1)
        making.startups(parcels.front().hops, "the farthest rank is that many hops away", "distance");
    Bytes bytes = 0;
    Bytes largest = 0;
    Bytes least = parcels.front().bytes;
    for (std::size_t i = 0; i < parcels.size(); ++i) {
        bytes += parcels[i].bytes;
        largest = std::max(largest, parcels[i].bytes);
        least = std::min(least, parcels[i].bytes);
        const bool lastSoFar = i + 1 == parcels.size() || parcels[i + 1].hops < parcels[i].hops;
        if (!lastSoFar) continue;
        const std::int64_t on = parcels[i].hops - 1;  // hops to go behind the port
        making.scatter(bytes, largest, on + 1);
        const std::int64_t rounds = on + ceilDiv(static_cast<std::int64_t>(i) + 1, making.problem.ports);
        making.whole(rounds, {.startups = rounds, .volume = bytes + on * least}, on > 0 ? farFirst : oneByOne,
                     "counting argument");
    }
    making.exchange(bytes, 1, ofBusiest, "counting argument");
}

/// Everything, looked at one by one.
class Everything {
public:
    explicit Everything(Making& making) : making_{making}, problem_{making.problem} {
        const auto ranks = asSize(problem_.ranks());
        handedOut_.resize(ranks);
        takenIn_.resize(ranks);
        hops_.resize(ranks);
        const bool oneEnd = hasRoot(problem_.collective);
        areFar_ = making.reach.isQuickFor(oneEnd ? 1 : problem_.ranks());
        if (areFar_ && problem_.collective == Collective::gatherv) toRoot_ = making.reach.hopsTo(problem_.root);
        for (Block block{0}; block.value < problem_.layout.count(); ++block) {
            const Rank from = ownerOf(problem_, block);
            const Rank to = *receiverOf(problem_, block);
            const Bytes size = problem_.layout.size(block.value);
            if (from == to || size == 0) continue;
            const Parcel parcel{hopsBetween(from, to), size};
            handedOut_[from.index()].push_back(parcel);
            takenIn_[to.index()].push_back(parcel);
        }
    }

    void bound() {
        for (std::size_t r = 0; r < takenIn_.size(); ++r) {
            if (making_.takesPorts()) ofOneRank(making_, handedOut_[r]);
            ofOneRank(making_, takenIn_[r]);
            if (areAlike()) break;
        }
        ofAllTogether();
        if (making_.takesPorts()) making_.bounds.exchange = exchange();
    }

private:
    /// 1 where hops are not known, or no way leads.
    [[nodiscard]] std::int32_t hopsBetween(Rank from, Rank to) {
        if (!areFar_) return 1;
        if (!toRoot_.empty()) return std::max(1, toRoot_[from.index()]);
        std::vector<std::int32_t>& of = hops_[from.index()];
        if (of.empty()) of = making_.reach.hopsFrom(from);
        return of.empty() ? 1 : std::max(1, of[to.index()]);
    }
    /// Whether what is so of one rank is so of all: on a full network, a ring and a torus.
    [[nodiscard]] bool areAlike() const {
        return problem_.collective == Collective::alltoallv && problem_.layout.isRegular() &&
               making_.reach.isAlikeEverywhere();
    }
    /// Every contribution goes over so many hops, and takes a port of some rank at each.
    void ofAllTogether() {
        std::int64_t messages = 0;
        Bytes bytes = 0;
        bool far = false;
        for (const Parcels& parcels : handedOut_)
            for (const Parcel& parcel : parcels) {
                messages += parcel.hops;
                bytes += parcel.hops * parcel.bytes;
                far = far || parcel.hops > 1;
            }
        if (!far) return;
        const std::int64_t places = making_.reach.places();
        const std::int64_t rounds = ceilDiv(messages, places * problem_.ports);
        making_.exchange(ceilDiv(bytes, places), 1, byAll, "sum of distances");
        making_.whole(rounds, {.startups = messages / places, .volume = bytes / places}, byAll, "sum of distances");
    }
    /// Ranks with equally many contributions, the smallest of which is equal, are handled together.
    [[nodiscard]] Exchange exchange() const {
        Exchange all{.ports = problem_.ports, .ranks = problem_.ranks()};
        std::map<std::pair<std::int64_t, Bytes>, std::int32_t> alike;
        for (const Parcels& parcels : handedOut_)
            if (!parcels.empty())
                ++alike[{static_cast<std::int64_t>(parcels.size()),
                         std::ranges::min(parcels, {}, &Parcel::bytes).bytes}];
        for (const auto& [what, ranks] : alike) all.meant.push_back({ranks, what.first, what.second});
        return all;
    }

    Making& making_;
    const Problem& problem_;
    bool areFar_ = false;             // hops are looked at
    std::vector<Parcels> handedOut_;  // by rank
    std::vector<Parcels> takenIn_;
    std::vector<std::vector<std::int32_t>> hops_;  // by rank that sends; empty until they are asked for
    std::vector<std::int32_t> toRoot_;             // of a gather
};

/// Equal contributions of very many ranks, as if all were neighbours.
void ofMany(Making& making) {
    const Problem& problem = making.problem;
    const bool between = isIntergroup(problem.collective);
    const bool gathers = problem.collective == Collective::gatherv;
    const bool scatters = problem.collective == Collective::scatterv;
    const std::int64_t peers = between                            ? std::max(problem.groupA, problem.groupB)
                               : scatters && !making.takesPorts() ? 1
                                                                  : problem.groupA - 1;
    const Bytes each = problem.layout.largest();
    making.hear(peers);
    making.scatter(peers * each, each, 1);
    making.exchange(peers * each, 1, ofBusiest, "counting argument");
    making.whole(ceilDiv(peers, problem.ports), {}, oneByOne, "counting argument");
    if (gathers || scatters || !making.takesPorts()) return;
    Exchange& all = making.bounds.exchange.emplace(Exchange{.ports = problem.ports, .ranks = problem.ranks()});
    if (!between) all.meant = {{problem.groupA, peers, each}};
    else all.meant = {{problem.groupA, problem.groupB, each}, {problem.groupB, problem.groupA, each}};
}

}  // namespace

void ofPersonal(Making& making) {
    const Problem& problem = making.problem;
    if (problem.layout.largest() == 0 || problem.ranks() == 1) return;
    if (!problem.layout.isRegular() || problem.layout.count() <= mostLookedAt) Everything{making}.bound();
    else ofMany(making);
}

}  // namespace engine
