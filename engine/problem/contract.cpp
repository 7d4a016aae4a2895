// SPDX-License-Identifier: BSD-3-Clause
#include "engine/problem/contract.hpp"

namespace engine {

Demand Contract::demand() const {
    if (!isReduction(problem_->collective)) return Demand::bytes;
    if (!combinesVectors(problem_->collective)) return Demand::atLeastOnce;
    switch (problem_->operation) {
        case Operation::min:
        case Operation::max: return Demand::atLeastOnce;
        case Operation::ordered: return Demand::inOrder;
        case Operation::sum:
        case Operation::user: return Demand::exactlyOnce;
    }
    return Demand::exactlyOnce;
}

Range Contract::before(Rank rank) const {
    const Layout& layout = problem_->layout;
    const std::int32_t p = problem_->groupA;
    const std::int32_t q = problem_->groupB;
    if (rank.value >= problem_->ranks()) return {};
    switch (problem_->collective) {
        case Collective::bcast:
        case Collective::scatterv:
        case Collective::intergroupBcast: return rank == problem_->root ? layout.whole() : Range{};
        case Collective::gatherv:
        case Collective::allgatherv:
        case Collective::intergroupAllgatherv:
        case Collective::halfduplexAllgather: return rank.value < layout.count() ? layout.block(rank.value) : Range{};
        case Collective::alltoallv: return layout.blocks(rank.value * p, p);
        case Collective::intergroupAlltoallv:
            return rank.value < p ? layout.blocks(rank.value * q, q) : layout.blocks(p * q + (rank.value - p) * p, p);
        default: return {};
    }
}

std::vector<Range> Contract::after(Rank rank) const {
    const Layout& layout = problem_->layout;
    const std::int32_t p = problem_->groupA;
    const std::int32_t q = problem_->groupB;
    const bool inA = rank.value < p;
    std::vector<Range> wanted;
    const auto want = [&](Range range) {
        if (range.empty()) return;
        if (!wanted.empty() && wanted.back().end == range.begin) wanted.back().end = range.end;
        else wanted.push_back(range);
    };
    const auto wantFrom = [&](std::int32_t first, std::int32_t end) {
        for (Rank from{first}; from.value < end; ++from) want(layout.block(blockBetween(*problem_, from, rank).value));
    };
    if (rank.value >= problem_->ranks()) return wanted;
    switch (problem_->collective) {
        case Collective::bcast:
        case Collective::allgatherv: want(layout.whole()); break;
        case Collective::gatherv:
            if (rank == problem_->root) want(layout.whole());
            break;
        case Collective::scatterv: want(layout.block(rank.value)); break;
        case Collective::alltoallv: wantFrom(0, p); break;
        case Collective::intergroupBcast:
            if (inA != (problem_->root.value < p)) want(layout.whole());
            break;
        case Collective::intergroupAllgatherv: want(inA ? layout.blocks(p, q) : layout.blocks(0, p)); break;
        case Collective::intergroupAlltoallv: inA ? wantFrom(p, p + q) : wantFrom(0, p); break;
        case Collective::halfduplexAllgather:
            if (!inA) want(layout.whole());
            break;
        default: break;
    }
    return wanted;
}

std::optional<Range> Contract::result(Rank rank) const {
    const Range vector{0, problem_->layout.largest()};
    if (rank.value >= problem_->ranks()) return std::nullopt;
    switch (problem_->collective) {
        case Collective::allreduce:
        case Collective::intergroupAllreduce:
        case Collective::barrier: return vector;
        case Collective::reduce:
        case Collective::intergroupReduce: return rank == problem_->root ? std::optional{vector} : std::nullopt;
        case Collective::reduceScatter: return blocksOf(*problem_)[rank.value];
        case Collective::scan: return problem_->exclusive && rank == Rank{0} ? std::nullopt : std::optional{vector};
        default: return std::nullopt;
    }
}

Contributors Contract::contributors(Rank rank) const {
    const std::int32_t p = problem_->groupA;
    switch (problem_->collective) {
        case Collective::scan: return {0, rank.value + (problem_->exclusive ? 0 : 1)};
        case Collective::intergroupReduce:
        case Collective::intergroupAllreduce:
            return rank.value < p ? Contributors{p, problem_->ranks()} : Contributors{0, p};
        default: return {0, problem_->ranks()};
    }
}

}  // namespace engine
