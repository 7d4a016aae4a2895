// SPDX-License-Identifier: BSD-3-Clause
// Runs a kernel written for members 0..size-1 on ranks that are no plain `Group` (see kernel.hpp).
#pragma once

#include "engine/kernel.hpp"

#include <string>
#include <utility>

namespace engine::stages {

/// Runs `kernel` for `rank`, which is member `local`; `toGlobal` names the rank of a member.
template <class Kernel, class ToGlobal, class Out>
void runAsMember(Rank local, const ToGlobal& toGlobal, const Kernel& kernel, Round round, Out& out) {
    PeersMapped<Out, ToGlobal> mapped{out, toGlobal};
    kernel(local, round, mapped);
}

/// All ranks 0..ranks-1, counted from `root` on: member 0 is the root, member 1 the rank after it, going round.
template <class Kernel>
auto fromRoot(std::int32_t ranks, Rank root, Kernel kernel) {
    return [=, kernel = std::move(kernel)](Rank rank, Round round, auto& out) {
        const auto toGlobal = [&](Rank local) { return Rank{(local.value + root.value) % ranks}; };
        const Rank local{(rank.value - root.value + ranks) % ranks};
        runAsMember(local, toGlobal, kernel, round, out);
    };
}

/// A kernel of this folder on a group as one part of a schedule.
template <class Kernel>
auto on(Group group, std::string name, Kernel kernel) {
    const std::int64_t rounds = kernel.rounds();
    return Part{std::move(name), rounds, onGroup(group, std::move(kernel))};
}

/// A kernel of this folder on all ranks, counted from `root` on, as one part of a schedule.
template <class Kernel>
auto onAllFrom(std::int32_t ranks, Rank root, std::string name, Kernel kernel) {
    const std::int64_t rounds = kernel.rounds();
    return Part{std::move(name), rounds, fromRoot(ranks, root, std::move(kernel))};
}

}  // namespace engine::stages
