// SPDX-License-Identifier: BSD-3-Clause
// Sums over a whole run that no first picture needs: of many messages they are counted while people already look.
#pragma once

#include "app/analysis/network/communication_matrix.hpp"
#include "app/analysis/network/link_rounds.hpp"
#include "app/analysis/wait_states/wait_state_sums.hpp"
#include "app/gui/scenes/drawing/lazy_value.hpp"
#include "app/session/session.hpp"
#include "traces/recording/recording.hpp"

#include <memory>

namespace app::gui {

/// What charts are about: small enough to be drawn whatever the number of ranks and rounds.
struct Tallies {
    analysis::Traffic traffic;
    analysis::LinkRounds linkRounds;
    analysis::WaitSums waits;

    Tallies() = default;
    /// Throws Cancelled.
    Tallies(const Report& report, const traces::Recording* recording, const engine::Progress& progress);
};

class Counting {
public:
    /// Begins; a few messages are counted at once.
    /// `recording`: what the archive of another tool held that the report is about, else null.
    explicit Counting(std::shared_ptr<const Report> report, traces::RecordingPtr recording = {});

    [[nodiscard]] bool done() const { return tallies_.done(); }
    /// Waits until they are there.
    [[nodiscard]] const Tallies& tallies() const { return tallies_.get(); }

private:
    Later<Tallies> tallies_;
};

}  // namespace app::gui
