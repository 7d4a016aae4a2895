// SPDX-License-Identifier: BSD-3-Clause
// Whether both ends of every message know of it: what real ranks need so as not to wait for ever.
#pragma once

#include "engine/executor.hpp"
#include "engine/schedule.hpp"
#include "engine/text.hpp"

#include <span>
#include <string>
#include <vector>

namespace engine {

/// The first counter-example ends a proof.
struct CounterExample {
    std::string sentence;  ///< "round 3: rank 2 ..."; rounds are counted from 1
};

template <class... Words>
[[noreturn]] void refute(Round round, const Words&... words) {
    throw CounterExample{text("round ", round.value + 1, ": ", words...)};
}

/// All turns of one round, and whether both ends of every message agree.
class Pairing {
public:
    /// `schedule` must outlive this.
    explicit Pairing(const Schedule& schedule);

    [[nodiscard]] std::size_t ranks() const { return turns_.size(); }
    [[nodiscard]] std::span<const Turn> turns() const { return turns_; }
    [[nodiscard]] const Turn& turnOf(Rank rank) const { return turns_[rank.index()]; }

    /// What `rank` does in `round`; every rank is to be asked before the ends are compared.
    const Turn& ask(Rank rank, Round round);

    /// Throws CounterExample at the first message that only one end knows, or that the ends disagree about.
    void checkBothEnds(Round round);

private:
    [[nodiscard]] bool exists(Rank rank) const { return rank.value >= 0 && rank.value < facts_.ranks; }
    [[nodiscard]] std::string instead(Rank sender) const;
    void checkReceives(Round round, Rank rank);
    [[noreturn]] void refuteUnreceived(Round round, Rank rank) const;

    const Schedule& schedule_;
    const Facts& facts_;
    std::vector<Turn> turns_;
    std::vector<std::size_t> matched_;  // per sender: its sends of this round that were received
};

/// The first message that only one of its ends knows, or that the ends disagree about, as a sentence; empty when all
/// are agreed. Throws Cancelled.
std::string firstUnpaired(const Schedule& schedule, const Progress& progress = {});

}  // namespace engine
