// SPDX-License-Identifier: BSD-3-Clause
#include "engine/cost/attained.hpp"

namespace engine {
namespace {

bool allHaveBytes(const Layout& layout) { return layout.smallest() > 0; }

bool areEqual(const Layout& layout) { return layout.smallest() == layout.largest(); }

}  // namespace

void nameAttained(Bounds& bounds, const Problem& problem, const Wiring& wiring) {
    const bool full = wiring.kind() == Wiring::Kind::any;
    const bool onePort = problem.ports == 1;
    const auto rounds = [&](const char* id) {
        if (bounds.unitRounds) bounds.unitRounds->attained = id;
    };
    switch (problem.collective) {
        case Collective::bcast:
            if (full && onePort) bounds.startups.attained = "bcast/binomial-tree", rounds("bcast/binomial-tree");
            return;
        case Collective::allgatherv:
            if (!onePort || !allHaveBytes(problem.layout)) return;
            if (full) bounds.startups.attained = "allgatherv/bruck";
            if (full) rounds("allgatherv/linear-ring");
            if (full && areEqual(problem.layout)) bounds.volume.attained = "allgatherv/linear-ring";
            return;
        case Collective::halfduplexAllgather:
            if (onePort && wiring.kind() == Wiring::Kind::ring && areEqual(problem.layout) && problem.groupA > 1)
                rounds("halfduplex-allgather/ring-belts");
            return;
        case Collective::intergroupAllgatherv: return;
        case Collective::allreduce:
            if (full && problem.ports <= 8) bounds.startups.attained = "allreduce/bruck";
            if (onePort && (full || wiring.kind() == Wiring::Kind::ring) &&
                blocksOf(problem).smallest() == blocksOf(problem).largest())
                bounds.volume.attained = "allreduce/ring";
            return;
        case Collective::barrier:
            if (full && problem.ports <= 8) bounds.startups.attained = "barrier/dissemination";
            return;
        case Collective::reduce:
            if (full && onePort) bounds.startups.attained = "reduce/binomial-tree";
            return;
        case Collective::gatherv:
        case Collective::scatterv: {
            const char* tree =
                problem.collective == Collective::gatherv ? "gatherv/binomial-tree" : "scatterv/binomial-tree";
            if (!full || !onePort || !allHaveBytes(problem.layout)) return;
            bounds.startups.attained = tree;
            if (areEqual(problem.layout)) bounds.volume.attained = tree;
            rounds(problem.collective == Collective::gatherv ? "gatherv/flat" : "scatterv/flat");
            return;
        }
        case Collective::reduceScatter:
            if (!full || !onePort) return;
            bounds.startups.attained = "reduce-scatter/circulant";
            if (blocksOf(problem).smallest() == blocksOf(problem).largest())
                bounds.volume.attained = "reduce-scatter/circulant";
            return;
        case Collective::alltoallv:
            if (!full || !onePort || !allHaveBytes(problem.layout)) return;
            bounds.startups.attained = "alltoallv/bruck";
            if (areEqual(problem.layout)) bounds.volume.attained = "alltoallv/pairwise-exchange";
            rounds("alltoallv/pairwise-exchange");
            return;
        case Collective::scan:
            if (full && onePort && !problem.exclusive) bounds.startups.attained = "scan/recursive-doubling";
            return;
        default: return;
    }
}

}  // namespace engine
