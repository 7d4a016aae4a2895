// SPDX-License-Identifier: BSD-3-Clause
// All algorithms. The folder is the registry: the build lists engine/algorithms/*/*.cpp and writes catalogue.inc, so a
// new file appears in the command line, the window, the tests and the README with no further edit. The file
// engine/algorithms/<collective>/<name>.cpp must define `Algorithm algorithm()` in namespace
// engine::algorithms::<collective>_<name> (with _ for -), where its names meet no other's; a misnamed one is a link
// error.
#pragma once

#include "engine/algorithm/algorithm.hpp"

#include <span>
#include <string_view>

namespace engine {

/// Every algorithm, sorted by id.
std::span<const Algorithm* const> catalogue();

/// The algorithm called `id`, or in the file of this path (algorithm_file.hpp); throws Error with the nearest
/// id.
const Algorithm& algorithmNamed(std::string_view id);

/// All algorithms for one collective.
std::vector<const Algorithm*> algorithmsFor(Collective collective);

}  // namespace engine
