// SPDX-License-Identifier: BSD-3-Clause
// A root that moves one contribution after the other: those of the ranks behind it, in their order.
#pragma once

#include "engine/cost/model.hpp"
#include "engine/problem/problem.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/stages/member_mapping.hpp"

namespace engine::stages {

enum class Towards : std::uint8_t { root, others };

/// In round t (from 0) the contribution of the rank t + 1 behind the root moves, to the root or from it.
class LinearTransfers : public ByRound<LinearTransfers> {
public:
    LinearTransfers(const Problem& problem, Towards towards) : problem_{problem}, towards_{towards} {}

    [[nodiscard]] std::int64_t rounds() const { return problem_.groupA - 1; }

    template <class Use>
    void prepare(Round round, const Use& use) const {
        const auto served = static_cast<std::int32_t>(round.value) + 1;
        const Range block = problem_.layout.block((problem_.root.value + served) % problem_.groupA);
        const bool up = towards_ == Towards::root;
        use(Acting{Strip{0, served + 1, served}, [=](Rank member, auto& out) {
                       const bool sends = member.value == (up ? served : 0);
                       const Rank peer{member.value == 0 ? served : 0};
                       if (sends) out.send(peer, block);
                       else if (member.value == (up ? 0 : served)) out.receive(peer, block);
                   }});
    }

    /// All bytes but the root's in a row.
    [[nodiscard]] Cost cost() const {
        return {.startups = rounds(), .volume = problem_.layout.total() - problem_.layout.size(problem_.root.value)};
    }

private:
    Problem problem_;
    Towards towards_;
};

/// All of it as a schedule.
inline SchedulePtr linearTransfers(const Problem& problem, Towards towards) {
    return then(Facts{.ranks = problem.groupA},
                onAllFrom(problem.groupA, problem.root, "one after the other", LinearTransfers{problem, towards}));
}

}  // namespace engine::stages
