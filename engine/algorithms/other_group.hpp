// SPDX-License-Identifier: BSD-3-Clause
// Rooted collectives between groups: the root works with the group it is not in.
#pragma once

#include "engine/problem/problem.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/stages/member_mapping.hpp"

#include <utility>

namespace engine::algorithms {

/// The group that the root is not in.
inline Group otherGroup(const Problem& problem) {
    return problem.root.value < problem.groupA ? Group{problem.groupA, problem.groupB} : Group{0, problem.groupA};
}

/// A kernel for members 0, 1, ..., where member 0 is the root and the others are the other group's ranks in their
/// order.
template <class Kernel>
auto onRootAndOthers(const Problem& problem, Kernel kernel) {
    return [root = problem.root, others = otherGroup(problem), kernel = std::move(kernel)](Rank rank, Round round,
                                                                                           auto& out) {
        if (rank != root && !others.contains(rank)) return;
        const auto toGlobal = [&](Rank member) { return member.value == 0 ? root : others.global(member - 1); };
        const Rank member = rank == root ? Rank{0} : others.local(rank) + 1;
        stages::runAsMember(member, toGlobal, kernel, round, out);
    };
}

}  // namespace engine::algorithms
