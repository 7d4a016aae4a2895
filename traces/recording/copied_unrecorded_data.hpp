// SPDX-License-Identifier: BSD-3-Clause
// What an archive did not record, which its copy or part can no longer show: locations that paused, files that were cut
// off, records that nothing looked at. A copy says so in properties, and readers report it.
#pragma once

#include "traces/recording/recording.hpp"

#include <map>
#include <string>

namespace traces {

/// The properties of a copy of `recording` that say what it lacks.
std::map<std::string, std::string> lackingOf(const Recording& recording);

/// Adds what the properties of `recording`, read from a copy, say that it lacks.
void recallLacking(Recording& recording);

}  // namespace traces
