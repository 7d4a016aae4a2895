// SPDX-License-Identifier: BSD-3-Clause
// A schedule as a script, where all ranks do the same: what a rank sends depends on its number only by a rotation.
#pragma once

#include "engine/algorithm/algorithm.hpp"

#include <string>

namespace app {

/// The Lua script of an allgather whose contributions have one size and travel in `chunks` parts. Throws Error where
/// the ranks do not do the same.
std::string regularScript(const engine::Plan& plan, std::int32_t chunks);

}  // namespace app
