// SPDX-License-Identifier: BSD-3-Clause
// What the full-duplex algorithms share: the two groups as lanes of one schedule, and their cost side by side.
//
// A and B work in the same rounds, each among its own ranks, so a round costs as much as its largest message in either
// lane. Papers often add up each lane first and take the larger sum, which may be less.
#pragma once

#include "engine/problem/problem.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/stages/binomial.hpp"
#include "engine/stages/group_allgather.hpp"
#include "engine/stages/member_mapping.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace engine::algorithms {

inline Group groupA(const Problem& problem) { return {0, problem.groupA}; }
inline Group groupB(const Problem& problem) { return {problem.groupA, problem.groupB}; }

/// Contributions of `group` as one range of the byte line.
inline Range contributionsOf(const Problem& problem, Group group) {
    return problem.layout.blocks(group.first, group.size);
}

/// The size that all contributions of `group` have, if it is one.
inline std::optional<Bytes> equalSize(const Problem& problem, Group group) {
    const Bytes size = problem.layout.size(group.first);
    for (std::int32_t i = 1; i < group.size; ++i)
        if (problem.layout.size(group.first + i) != size) return std::nullopt;
    return size;
}

/// A kernel of engine/stages for each group, in the same rounds.
template <class InOne, class InOther>
auto inBoth(std::string name, Group one, InOne inOne, Group other, InOther inOther) {
    return alongside(std::move(name), stages::on(one, {}, std::move(inOne)), stages::on(other, {}, std::move(inOther)));
}

/// Most shares in one message of round t (from 0) of a binomial gather or a Bruck allgather among n members.
inline std::int64_t doublingRun(std::int32_t n, std::int32_t t) {
    const std::int64_t held = std::int64_t{1} << t;
    return held < n ? std::min(held, n - held) : 0;
}

/// One lane of a doubling stage: members and the bytes of each one's share.
struct Doubling {
    std::int32_t members = 1;
    Bytes share = 0;
};

/// Serialized bytes while two lanes gather side by side.
inline Bytes gatherBytes(stages::GatherBy by, Doubling one, Doubling other) {
    Bytes sum = 0;
    for (std::int64_t t = 0; t < stages::gatherRounds(by, std::max(one.members, other.members)); ++t)
        sum += std::max(stages::gatherRun(by, one.members, t) * one.share,
                        stages::gatherRun(by, other.members, t) * other.share);
    return sum;
}

/// The option of how both groups gather after the exchange.
inline Option gatherOption() { return stages::gatherOption("gather", "how each group gathers after the exchange"); }

/// Both groups gather their shares.
template <class InOne, class InOther>
auto gatherInBoth(const Options& options, Group one, InOne inOne, Group other, InOther inOther) {
    const stages::GatherBy by = stages::gatherBy(options, "gather");
    return inBoth("gather", one, stages::GroupAllgather{by, std::move(inOne)}, other,
                  stages::GroupAllgather{by, std::move(inOther)});
}

/// The option of how both groups gather to their roots.
inline Option gatherToRootsOption() {
    return stages::gatherOption("gather",
                                "how the groups gather to their roots: up a binomial tree, or as an allgather, which "
                                "brings all to every rank of the group, as libraries do with a ring",
                                {"binomial"});
}

/// The schedule that `make` makes of the gather to both roots. A binomial gather and a Bruck allgather take messages of
/// the same sizes.
template <class Make>
SchedulePtr withGather(const Problem& problem, const Options& options, Make make) {
    const Group a = groupA(problem);
    const Group b = groupB(problem);
    const auto ofA = stages::blocks(problem.layout, a.first, a.size);
    const auto ofB = stages::blocks(problem.layout, b.first, b.size);
    if (options.is("gather", "binomial"))
        return make(inBoth("gather", a, stages::BinomialGather{ofA}, b, stages::BinomialGather{ofB}));
    return make(gatherInBoth(options, a, ofA, b, ofB));
}

}  // namespace engine::algorithms
