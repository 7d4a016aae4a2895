// SPDX-License-Identifier: BSD-3-Clause
#include "engine/contract.hpp"

namespace engine {

Demand Contract::demand() const {
    switch (problem_->collective) {
        case Collective::allreduce: {
            const bool idempotent = problem_->operation == Operation::min || problem_->operation == Operation::max;
            return idempotent ? Demand::atLeastOnce : Demand::exactlyOnce;
        }
        case Collective::barrier: return Demand::atLeastOnce;
        default: return Demand::bytes;
    }
}

Range Contract::before(Rank rank) const {
    const Layout& layout = problem_->layout;
    switch (problem_->collective) {
        case Collective::bcast: return rank == problem_->root ? layout.whole() : Range{};
        case Collective::allgatherv:
        case Collective::intergroupAllgatherv:
        case Collective::halfduplexAllgather: return rank.value < layout.count() ? layout.block(rank.value) : Range{};
        case Collective::allreduce:
        case Collective::barrier: return {};
    }
    return {};
}

Range Contract::after(Rank rank) const {
    const Layout& layout = problem_->layout;
    const bool inA = rank.value < problem_->groupA;
    if (rank.value >= problem_->ranks()) return {};
    switch (problem_->collective) {
        case Collective::bcast:
        case Collective::allgatherv: return layout.whole();
        case Collective::intergroupAllgatherv:
            return inA ? layout.blocks(problem_->groupA, problem_->groupB) : layout.blocks(0, problem_->groupA);
        case Collective::halfduplexAllgather: return inA ? Range{} : layout.whole();
        case Collective::allreduce:
        case Collective::barrier: return {};
    }
    return {};
}

}  // namespace engine
