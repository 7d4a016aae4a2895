// SPDX-License-Identifier: BSD-3-Clause
// Runs a kernel written for members 0..size-1 on ranks that are no plain `Group` (see kernel.hpp).
#pragma once

#include "engine/kernel.hpp"

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>

namespace engine::stages {

/// Runs `kernel` for `rank`, which is member `local`; `toGlobal` names the rank of a member.
template <class Kernel, class ToGlobal, class Out>
void runAsMember(Rank local, const ToGlobal& toGlobal, const Kernel& kernel, Round round, Out& out) {
    PeersMapped<Out, ToGlobal> mapped{out, toGlobal};
    kernel(local, round, mapped);
}

/// What members do in one round, where member 0 is rank `root`.
template <class Now>
struct NowFromRoot {
    static constexpr bool eachSends = engine::eachSends<Now>;
    std::int32_t ranks;
    std::int32_t root;
    Held<Now> now;

    template <class Out>
    void operator()(Rank rank, Out& out) const {
        const auto toGlobal = [this](Rank member) {
            const std::int32_t place = member.value - (ranks - root);
            return Rank{place < 0 ? place + ranks : place};
        };
        const std::int32_t member = rank.value - root;
        PeersMapped<Out, decltype(toGlobal)> mapped{out, toGlobal};
        now(Rank{member < 0 ? member + ranks : member}, mapped);
    }
    /// The last members stand on the first ranks.
    template <class Call>
    void each(Rank first, Rank last, const Call& call) const {
        const auto part = [&](std::int32_t from, std::int32_t to, std::int32_t shift) {
            if (from < to)
                eachActing(now, Rank{from + shift}, Rank{to + shift},
                           [&](Rank member) { call(Rank{member.value - shift}); });
        };
        part(first.value, std::min(last.value, root), ranks - root);
        part(std::max(first.value, root), last.value, -root);
    }
};

/// All ranks 0..ranks-1, counted from `root` on: member 0 is the root, member 1 the rank after it, going round.
template <class Kernel>
class FromRoot : public ByRound<FromRoot<Kernel>> {
public:
    FromRoot(std::int32_t ranks, Rank root, Kernel kernel)
        : ranks_{ranks}, root_{root.value}, kernel_{std::move(kernel)} {}

    template <class Use>
    void prepare(Round round, const Use& use) const {
        inRound(kernel_, round,
                [&](const auto& now) { use(NowFromRoot<std::remove_cvref_t<decltype(now)>>{ranks_, root_, now}); });
    }

private:
    std::int32_t ranks_;
    std::int32_t root_;
    Kernel kernel_;
};

template <class Kernel>
auto fromRoot(std::int32_t ranks, Rank root, Kernel kernel) {
    return FromRoot<Kernel>{ranks, root, std::move(kernel)};
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
