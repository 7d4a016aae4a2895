// SPDX-License-Identifier: BSD-3-Clause
// How far a work has come that consists of several.
#pragma once

#include "engine/run/executor.hpp"

namespace app::analysis {

/// The part from..to (shares, 0..1) of a longer work.
inline engine::Progress within(const engine::Progress& whole, double from, double to) {
    engine::Progress part;
    part.stop = whole.stop;
    if (whole.report)
        part.report = [report = whole.report, from, to](double share) { report(from + (to - from) * share); };
    return part;
}

}  // namespace app::analysis
