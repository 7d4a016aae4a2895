// SPDX-License-Identifier: BSD-3-Clause
// What two runs beside each other are called. Letters would not do: groups of ranks have those.
#pragma once

#include "app/analysis/trace/run_report.hpp"

#include <array>
#include <string>

namespace app {

struct Side {
    const analysis::Report* report;
    std::string name;  ///< that the run was shown under: an algorithm, an archive, a file
};

/// Of an algorithm that was shown under its id the title, "Ring streams"; else the name.
std::string titleOf(const Side& side);

/// After what differs: the titles of algorithms, other names without the collective of both; where these are the same,
/// up to two fields of what was asked for ("p 4"); else "the first run" and "the second run".
std::array<std::string, 2> namesOf(const Side& first, const Side& second);

}  // namespace app
