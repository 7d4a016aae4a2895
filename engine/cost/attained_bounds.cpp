// SPDX-License-Identifier: BSD-3-Clause
#include "engine/cost/attained_bounds.hpp"

namespace engine {
namespace {

/// The problem, and what of it decides who attains what.
struct Case {
    Bounds& bounds;
    const Problem& problem;
    bool full;  ///< everyone is everyone's neighbour
    bool ring;
    bool onePort;
    bool equal;    ///< all contributions are of one size
    bool allHave;  ///< and none is empty

    void startups(const char* id) const { bounds.startups.attained = id; }
    void volume(const char* id) const { bounds.volume.attained = id; }
    void rounds(const char* id) const {
        if (bounds.unitRounds) bounds.unitRounds->attained = id;
    }
    /// Startups, volume and both at once.
    void together(const char* id) const {
        if (bounds.together) bounds.together->attained = id;
    }
    [[nodiscard]] bool hasEqualBlocks() const { return blocksOf(problem).smallest() == blocksOf(problem).largest(); }
};

void ofGatherLike(const Case& one, const char* tree, const char* flat) {
    if (!one.full || !one.onePort || !one.allHave) return;
    one.startups(tree);
    one.rounds(flat);
    if (one.equal) one.volume(tree), one.together(tree);
}

void nameWithinOneGroup(const Case& one) {
    switch (one.problem.collective) {
        case Collective::bcast:
            if (!one.full || !one.onePort) return;
            one.startups("bcast/binomial-tree");
            one.rounds("bcast/binomial-tree");
            one.volume("bcast/pipelined-chain");
            return;
        case Collective::reduce:
            if (!one.full || !one.onePort) return;
            one.startups("reduce/binomial-tree");
            one.volume("reduce/pipelined-chain");
            return;
        case Collective::gatherv: return ofGatherLike(one, "gatherv/binomial-tree", "gatherv/flat");
        case Collective::scatterv: return ofGatherLike(one, "scatterv/binomial-tree", "scatterv/flat");
        case Collective::allgatherv:
            if (!one.onePort || !one.allHave || !one.full) return;
            one.startups("allgatherv/bruck");
            one.rounds("allgatherv/linear-ring");
            if (one.equal) one.volume("allgatherv/linear-ring"), one.together("allgatherv/bruck");
            return;
        case Collective::alltoallv:
            if (!one.full || !one.allHave) return;
            if (one.equal && one.problem.ports <= 8) one.rounds("alltoallv/flat");
            if (!one.onePort) return;
            one.startups("alltoallv/bruck");
            one.rounds("alltoallv/pairwise-exchange");
            if (one.equal) one.volume("alltoallv/pairwise-exchange"), one.together("alltoallv/pairwise-exchange");
            return;
        case Collective::allreduce:
            if (one.full && one.problem.ports <= 8) one.startups("allreduce/bruck");
            if (one.onePort && (one.full || one.ring) && one.hasEqualBlocks()) one.volume("allreduce/ring");
            return;
        case Collective::barrier:
            if (one.full && one.problem.ports <= 8) one.startups("barrier/dissemination");
            return;
        case Collective::reduceScatter:
            if (!one.full || !one.onePort) return;
            one.startups("reduce-scatter/circulant");
            if (one.hasEqualBlocks()) one.volume("reduce-scatter/circulant"), one.together("reduce-scatter/circulant");
            return;
        case Collective::scan:
            if (!one.full || !one.onePort) return;
            one.startups("scan/recursive-doubling");
            one.volume("scan/linear");
            return;
        default: return;
    }
}

void nameBetweenGroups(const Case& one) {
    switch (one.problem.collective) {
        case Collective::halfduplexAllgather:
            if (one.onePort && one.ring && one.equal) one.rounds("halfduplex-allgather/ring-belts");
            return;
        case Collective::intergroupBcast:
            if (one.full && one.onePort) one.startups("intergroup-bcast/binomial-tree");
            if (one.full && one.onePort) one.rounds("intergroup-bcast/binomial-tree");
            return;
        case Collective::intergroupReduce:
            if (one.full && one.onePort) one.startups("intergroup-reduce/binomial-tree");
            return;
        case Collective::intergroupAlltoallv:
            if (!one.full || !one.onePort || !one.equal) return;
            one.rounds("intergroup-alltoallv/pairwise-exchange");
            one.volume("intergroup-alltoallv/pairwise-exchange");
            if (one.bounds.together && one.bounds.together->value.startups == one.bounds.unitRounds->value)
                one.together("intergroup-alltoallv/pairwise-exchange");
            return;
        default: return;
    }
}

}  // namespace

void nameAttained(Bounds& bounds, const Problem& problem, const Wiring& wiring) {
    if (bounds.startups.value == 0) return;
    const Case one{bounds,
                   problem,
                   wiring.kind() == Wiring::Kind::any,
                   wiring.kind() == Wiring::Kind::ring,
                   problem.ports == 1,
                   problem.layout.smallest() == problem.layout.largest(),
                   problem.layout.smallest() > 0};
    isIntergroup(problem.collective) ? nameBetweenGroups(one) : nameWithinOneGroup(one);
}

}  // namespace engine
