// SPDX-License-Identifier: BSD-3-Clause
// Iterations and phases that a trace tells itself: by its markers, or by a parameter that calls are given.
//
//   markers     those of one kind, two or more: of spans the spans, of moments from each to the next, and from the last
//               to the end of what ranks do together. Of several kinds the one with most.
//   parameters  values that all ranks' own threads tell alike, three or more, that rise from each to the next, or
//   words,
//               two or more, of which none comes twice; over at least half of the time in which ranks communicate. A
//               turn is the call that a value is recorded in, or, where one call records several, from each to the
//               next.
#pragma once

#include "traces/recording/recording.hpp"

#include <string>
#include <vector>

namespace app::analysis {

struct MarkedIterations {
    std::string by;                  ///< "the marker steps", "the parameter step"; empty: the trace tells none
    std::vector<std::string> names;  ///< of the turns: "step 7"; may be empty
    std::vector<std::vector<traces::TimeSpan>> spans;  ///< by rank, in the order of `ranks`, then by turn
    bool alike = false;  ///< names differ in their numbers alone: they are turns of one loop
};

/// Markers before parameters. `ranks` have locations of their own.
MarkedIterations markedIterations(const traces::Recording& recording, const std::vector<engine::Rank>& ranks);

}  // namespace app::analysis
