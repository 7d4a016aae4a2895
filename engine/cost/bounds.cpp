// SPDX-License-Identifier: BSD-3-Clause
#include "engine/cost/bounds.hpp"

#include "engine/base/text.hpp"
#include "engine/cost/attained_bounds.hpp"
#include "engine/cost/bound_parts.hpp"

#include <algorithm>

namespace engine {
namespace {

void boundOf(Making& making) {
    const Problem& problem = making.problem;
    // Vectors without bytes have no results that anybody needs.
    if (combinesVectors(problem.collective) && problem.layout.largest() == 0) return;
    switch (problem.collective) {
        case Collective::bcast: ofBroadcast(making); break;
        case Collective::allgatherv: ofAllgather(making); break;
        case Collective::halfduplexAllgather:
        case Collective::intergroupAllgatherv: ofTwoGroups(making); break;
        case Collective::allreduce:
        case Collective::barrier: ofAllreduce(making); break;
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
}

/// Few startups cost volume: told where no rank has any to spare.
bool putAgainst(Bounds& bounds, const Cost& both) {
    if (!bounds.exchange || bounds.exchange->meant.size() != 1) return false;
    const Meant& meant = bounds.exchange->meant.front();
    if (meant.ranks != bounds.exchange->ranks || bounds.perRank != meant.blocks * meant.bytes) return false;
    const std::optional<Bytes> inFew = volumeIn(*bounds.exchange, both.startups);
    if (!inFew || *inFew <= both.volume) return false;
    // With the least volume everything goes straight.
    bounds.together = {
        {.startups = ceilDiv(meant.blocks, bounds.exchange->ports), .volume = both.volume},
        text("with ", both.startups, " startups at least ", showBytes(*inFew), " go through one port of some rank"),
        "Bruck et al. 1997, section 2"};
    return true;
}

/// Whether, and how, the bounds on startups and on volume hold at once.
void putTogether(Bounds& bounds) {
    const Cost both{.startups = bounds.startups.value, .volume = bounds.volume.value};
    if (both.startups == 0 || both.volume == 0 || putAgainst(bounds, both)) return;
    const bool atOnce = std::ranges::any_of(bounds.anyMessages, [&](const Cost& cost) {
        return cost.startups >= both.startups && cost.volume >= both.volume;
    });
    if (atOnce)
        bounds.together = {both, "the rank with the most bytes through a port also needs all of these startups",
                           "counting argument"};
}

}  // namespace

std::string_view name(Blocks blocks) { return blocks == Blocks::whole ? "one-block messages" : "any messages"; }

Bounds boundsOf(const Problem& problem, const Wiring& wiring, Sends sends) {
    Making making{problem, wiring, sends};
    boundOf(making);
    Bounds& bounds = making.bounds;
    if (bounds.startups.why.empty()) bounds.startups.why = bounds.volume.why = "no rank needs a block of another rank";
    // A schedule with one-block messages is a special case.
    if (bounds.unitRounds && bounds.unitRounds->value < bounds.startups.value) {
        bounds.unitRounds = bounds.startups;
        bounds.whole.push_back({.startups = bounds.startups.value});
    }
    bounds.anyMessages.push_back({.startups = bounds.startups.value});
    if (bounds.unitRounds && problem.layout.smallest() == problem.layout.largest())
        bounds.block = problem.layout.largest();
    putTogether(bounds);
    if (sends == Sends::takePorts) nameAttained(bounds, problem, wiring);
    return std::move(making.bounds);
}

}  // namespace engine
