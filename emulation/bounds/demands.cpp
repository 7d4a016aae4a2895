// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/bounds/demands.hpp"

#include "engine/problem/contract.hpp"

#include <algorithm>

namespace emulation::bounds {
namespace {

using engine::Bytes;
using engine::Collective;
using engine::Problem;
using Kind = Demand::Kind;

/// Membership of ranks first .. end - 1.
std::vector<bool> members(const Problem& problem, std::int32_t first, std::int32_t end) {
    std::vector<bool> all(engine::asSize(problem.ranks()));
    std::fill(all.begin() + first, all.begin() + end, true);
    return all;
}
std::vector<bool> everybody(const Problem& problem) { return members(problem, 0, problem.ranks()); }
std::vector<bool> groupA(const Problem& problem) { return members(problem, 0, problem.groupA); }
std::vector<bool> groupB(const Problem& problem) { return members(problem, problem.groupA, problem.ranks()); }
std::vector<bool> only(const Problem& problem, Rank rank) { return members(problem, rank.value, rank.value + 1); }
/// The group that the rank is not of.
std::vector<bool> otherGroup(const Problem& problem, Rank rank) {
    return rank.value < problem.groupA ? groupB(problem) : groupA(problem);
}

/// Bytes of contributions first .. end - 1, by rank.
std::vector<Bytes> contributions(const Problem& problem, std::int32_t first, std::int32_t end) {
    std::vector<Bytes> bytes(engine::asSize(problem.ranks()));
    for (std::int32_t block = first; block < end; ++block) bytes[engine::asSize(block)] = problem.layout.size(block);
    return bytes;
}

/// Bytes of each rank's part of the combined vector.
std::vector<Bytes> resultParts(const Problem& problem) {
    const engine::Contract contract{problem};
    std::vector<Bytes> bytes(engine::asSize(problem.ranks()));
    for (Rank rank{0}; rank.value < problem.ranks(); ++rank)
        if (const auto result = contract.result(rank)) bytes[rank.index()] = result->size();
    return bytes;
}

Demand spread(std::vector<Bytes> bytes, std::vector<bool> takes) {
    return {.kind = Kind::spread, .takes = std::move(takes), .bytes = std::move(bytes)};
}
Demand collect(std::vector<bool> brings, std::vector<Bytes> bytes) {
    return {.kind = Kind::collect, .brings = std::move(brings), .bytes = std::move(bytes)};
}
Demand vector(std::vector<bool> brings, std::vector<bool> takes, Bytes size) {
    return {.kind = Kind::vector, .brings = std::move(brings), .takes = std::move(takes), .size = size};
}

std::vector<Demand> demandsOf(const Problem& problem) {
    const std::int32_t p = problem.groupA, all = problem.ranks();
    const Bytes size = problem.layout.count() > 0 ? problem.layout.largest() : 0;  // of a vector
    switch (problem.collective) {
        case Collective::bcast: return {vector(only(problem, problem.root), everybody(problem), size)};
        case Collective::reduce: return {vector(everybody(problem), only(problem, problem.root), size)};
        case Collective::allreduce: return {vector(everybody(problem), everybody(problem), size)};
        case Collective::reduceScatter: return {collect(everybody(problem), resultParts(problem))};
        case Collective::allgatherv: return {spread(contributions(problem, 0, all), everybody(problem))};
        case Collective::gatherv: return {spread(contributions(problem, 0, all), only(problem, problem.root))};
        case Collective::scatterv: return {collect(only(problem, problem.root), contributions(problem, 0, all))};
        case Collective::scan: return {{.kind = Kind::chain, .size = size}};
        case Collective::intergroupAllgatherv:
            return {spread(contributions(problem, 0, p), groupB(problem)),
                    spread(contributions(problem, p, all), groupA(problem))};
        case Collective::halfduplexAllgather: return {spread(contributions(problem, 0, p), groupB(problem))};
        case Collective::intergroupBcast:
            return {vector(only(problem, problem.root), otherGroup(problem, problem.root), size)};
        case Collective::intergroupReduce:
            return {vector(otherGroup(problem, problem.root), only(problem, problem.root), size)};
        case Collective::intergroupAllreduce:
            return {vector(groupA(problem), groupB(problem), size), vector(groupB(problem), groupA(problem), size)};
        case Collective::alltoallv:
        case Collective::intergroupAlltoallv:
        case Collective::barrier: break;
    }
    return {};
}

/// How many of the members each group has.
std::vector<std::int32_t> countsOf(const std::vector<bool>& members, const std::vector<std::int32_t>& groupOf,
                                   std::int32_t groups) {
    std::vector<std::int32_t> counts(engine::asSize(groups));
    for (std::size_t rank = 0; rank < members.size(); ++rank)
        if (members[rank]) ++counts[engine::asSize(groupOf[rank])];
    return counts;
}

/// Adds what crosses the borders of each group because of one demand.
void addCrossing(const Demand& demand, const std::vector<std::int32_t>& groupOf, std::vector<Demands::Crossing>& all) {
    const auto groups = static_cast<std::int32_t>(all.size());
    if (demand.kind == Kind::chain) {
        std::vector<bool> leaves(all.size()), enters(all.size());
        for (std::size_t rank = 0; rank + 1 < groupOf.size(); ++rank)
            if (groupOf[rank] != groupOf[rank + 1])
                leaves[engine::asSize(groupOf[rank])] = enters[engine::asSize(groupOf[rank + 1])] = true;
        for (std::size_t group = 0; group < all.size(); ++group) {
            all[group].leaving += leaves[group] ? demand.size : 0;
            all[group].entering += enters[group] ? demand.size : 0;
        }
        return;
    }
    const std::vector<std::int32_t> brings = countsOf(demand.brings, groupOf, groups);
    const std::vector<std::int32_t> takes = countsOf(demand.takes, groupOf, groups);
    const auto bringers = std::count(demand.brings.begin(), demand.brings.end(), true);
    const auto takers = std::count(demand.takes.begin(), demand.takes.end(), true);
    std::vector<Bytes> within(all.size());
    Bytes total = 0;
    for (std::size_t rank = 0; rank < demand.bytes.size(); ++rank) {
        within[engine::asSize(groupOf[rank])] += demand.bytes[rank];
        total += demand.bytes[rank];
    }
    for (std::size_t group = 0; group < all.size(); ++group) {
        Demands::Crossing& of = all[group];
        switch (demand.kind) {
            case Kind::spread:
                of.leaving += takes[group] < takers ? within[group] : 0;
                of.entering += takes[group] > 0 ? total - within[group] : 0;
                break;
            case Kind::collect:
                of.leaving += brings[group] > 0 ? total - within[group] : 0;
                of.entering += brings[group] < bringers ? within[group] : 0;
                break;
            case Kind::vector:
                of.leaving += brings[group] > 0 && takes[group] < takers ? demand.size : 0;
                of.entering += brings[group] < bringers && takes[group] > 0 ? demand.size : 0;
                break;
            case Kind::chain: break;
        }
    }
}

}  // namespace

Demands::Demands(const Problem& problem)
    : problem_{problem},
      personal_{problem.collective == Collective::alltoallv || problem.collective == Collective::intergroupAlltoallv},
      regular_{problem.collective == Collective::alltoallv && problem.layout.isRegular()},
      list_{demandsOf(problem)} {}

bool Demands::isAllreduce() const { return problem_.collective == Collective::allreduce; }

Bytes Demands::between(Rank from, Rank to) const {
    if (from == to) return 0;
    if (problem_.collective == Collective::intergroupAlltoallv &&
        (from.value < problem_.groupA) == (to.value < problem_.groupA))
        return 0;
    return problem_.layout.size(blockBetween(problem_, from, to).value);
}

std::vector<Demands::Crossing> Demands::crossing(const std::vector<std::int32_t>& groupOf, std::int32_t groups) const {
    std::vector<Crossing> all(engine::asSize(groups));
    for (const Demand& demand : list_) addCrossing(demand, groupOf, all);
    if (regular_) {
        std::vector<std::int64_t> members(all.size());
        for (const std::int32_t group : groupOf) ++members[engine::asSize(group)];
        for (std::size_t group = 0; group < all.size(); ++group)
            all[group].leaving = all[group].entering =
                problem_.layout.largest() * members[group] * (ranks() - members[group]);
    } else if (personal_) {
        for (Rank from{0}; from.value < ranks(); ++from)
            for (Rank to{0}; to.value < ranks(); ++to)
                if (groupOf[from.index()] != groupOf[to.index()]) {
                    all[engine::asSize(groupOf[from.index()])].leaving += between(from, to);
                    all[engine::asSize(groupOf[to.index()])].entering += between(from, to);
                }
    }
    return all;
}

std::int64_t Demands::work() const {
    const std::int64_t all = ranks();
    return personal_ && !regular_ ? all * all : all;
}

}  // namespace emulation::bounds
