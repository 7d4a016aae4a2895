// SPDX-License-Identifier: BSD-3-Clause
// What can be said of a replay of one trace: its collectives with the algorithms that solve them, where its ranks
// compute, and the delays that made others wait.
#pragma once

#include "app/analysis/overview/program_view.hpp"
#include "app/analysis/trace/trace.hpp"

#include <string>
#include <vector>

namespace app {

struct ReplayOffer {
    std::string words;  ///< as the change takes them: "rank 3: main/assemble"
    std::string why{};  ///< what speaks for it: "made others wait 1.2 ms"; may be empty
};

/// By the key of the change (replay_changes.hpp).
struct ReplayOffers {
    std::vector<ReplayOffer> with{};     ///< in the order of the trace, the best of the catalogue before its algorithms
    std::vector<ReplayOffer> compute{};  ///< the regions that take longest first
    std::vector<ReplayOffer> without{};  ///< the costliest delay first
    std::vector<ReplayOffer> even{};     ///< the regions that take longest first
};

/// `program`: what is known of the trace; null where it is none of a program.
ReplayOffers replayOffers(const analysis::Trace& trace, const analysis::TracedProgram* program);

/// Networks of so many ranks, as `--topology` takes them, grids as square as can be.
std::vector<std::string> networksFor(std::int32_t ranks);

}  // namespace app
