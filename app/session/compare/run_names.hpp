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

/// After what differs: the names they were shown under, without the collective of both; where these are the same, up to
/// two fields of what was asked for ("p 4"); else "the first run" and "the second run".
std::array<std::string, 2> namesOf(const Side& first, const Side& second);

/// Two names of algorithms, without the collective where it is that of both: "ring-streams" and "ring-belts".
std::array<std::string, 2> withoutCollective(const std::string& first, const std::string& second);

}  // namespace app
