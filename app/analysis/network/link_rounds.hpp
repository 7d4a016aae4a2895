// SPDX-License-Identifier: BSD-3-Clause
// What the busiest links carried, round by round.
#pragma once

#include "app/analysis/containers/bins.hpp"
#include "emulation/networks/congestion.hpp"
#include "engine/run/executor.hpp"
#include "engine/run/run.hpp"

#include <string>
#include <vector>

namespace app::analysis {

/// Of many rounds the largest of neighbours.
struct LinkRounds {
    std::string unknown{};              ///< why there is nothing, as a sentence; empty when there is
    std::vector<engine::LinkId> links;  ///< the busiest, most bytes first
    std::int64_t used = 0;              ///< links that carried anything
    Bins rounds;
    std::vector<engine::Bytes> loads;  ///< link x bin of rounds
    engine::Bytes largest = 0;

    [[nodiscard]] engine::Bytes at(std::size_t link, std::int32_t bin) const {
        return loads[link * static_cast<std::size_t>(rounds.shown) + static_cast<std::size_t>(bin)];
    }
};

/// Routes the kept messages of `run` over `network`, null where it is not known; `congestion`: of the same, likewise.
/// Throws Cancelled.
LinkRounds linkRoundsOf(const engine::Run& run, const emulation::Network* network,
                        const emulation::Congestion* congestion, const engine::Progress& progress = {});

}  // namespace app::analysis
