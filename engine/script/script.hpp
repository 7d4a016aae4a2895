// SPDX-License-Identifier: BSD-3-Clause
// An algorithm that a user wrote in Lua. Whoever includes this knows nothing of Lua.
#pragma once

#include "engine/algorithm/algorithm.hpp"

#include <string>

namespace engine::script {

/// The algorithm that the script at `path` describes; `path` becomes its id. Throws Error, which names file and line.
Algorithm algorithmFrom(const std::string& path, const std::string& content);

}  // namespace engine::script
