// SPDX-License-Identifier: BSD-3-Clause
// Runs a kernel written for members 0..size-1 on ranks that are no plain `Group` (see kernel.hpp).
#pragma once

#include "engine/schedule/kernel.hpp"

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
class NowFromRoot {
public:
    NowFromRoot(std::int32_t ranks, std::int32_t root, const Now& ofMembers)
        : ranks_{ranks}, root_{root}, now_{ofMembers} {}

    template <class Out>
    void operator()(Rank rank, Out& out) const {
        const auto toGlobal = [this](Rank member) {
            const std::int32_t place = member.value - (ranks_ - root_);
            return Rank{place < 0 ? place + ranks_ : place};
        };
        const std::int32_t member = rank.value - root_;
        PeersMapped<Out, decltype(toGlobal)> mapped{out, toGlobal};
        now_(Rank{member < 0 ? member + ranks_ : member}, mapped);
    }
    template <class Call>
    void each(Rank first, Rank last, const Call& call) const {
        inTwoParts(first, last, [&](Rank from, Rank to, std::int32_t shift) {
            eachActing(now_, from, to, [&](Rank member) { call(Rank{member.value - shift}); });
        });
    }
    std::int32_t columns(Rank first, Rank last, const Columns& out) const requires Columnar<Now> {
        std::int32_t written = 0;
        inTwoParts(first, last, [&](Rank from, Rank to, std::int32_t shift) {
            const Columns part = out.behind(written);
            const std::int32_t count = now_.columns(from, to, part);
            written += count;
            if (root_ == 0) return;
            for (std::int32_t i = 0; i < count; ++i) part.from[i] -= shift;
            for (std::int32_t i = 0; i < count; ++i) {
                const std::int32_t place = part.to[i] - (ranks_ - root_);
                part.to[i] = place < 0 ? place + ranks_ : place;
            }
        });
        return written;
    }

private:
    /// The last members stand on the first ranks: calls call(member, member, member - rank) for both parts.
    template <class Call>
    void inTwoParts(Rank first, Rank last, const Call& call) const {
        const auto part = [&](std::int32_t from, std::int32_t to, std::int32_t shift) {
            if (from < to) call(Rank{from + shift}, Rank{to + shift}, shift);
        };
        part(first.value, std::min(last.value, root_), ranks_ - root_);
        part(std::max(first.value, root_), last.value, -root_);
    }

    std::int32_t ranks_;
    std::int32_t root_;
    Held<Now> now_;
};

/// All ranks 0..ranks-1, counted from `root` on: member 0 is the root, member 1 the rank after it, going round.
template <class Kernel>
class FromRoot : public ByRound<FromRoot<Kernel>> {
public:
    FromRoot(std::int32_t ranks, Rank root, Kernel kernel)
        : ranks_{ranks}, root_{root.value}, kernel_{std::move(kernel)} {}

    template <class Use>
    void prepare(Round round, const Use& use) const {
        inRound(kernel_, round, [&](const auto& now) {
            use(NowFromRoot<std::remove_cvref_t<decltype(now)>>{ranks_, root_, now});
        });
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
