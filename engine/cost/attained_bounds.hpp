// SPDX-License-Identifier: BSD-3-Clause
// Which algorithm of the catalogue needs no more than a bound says.
#pragma once

#include "engine/cost/bounds.hpp"

namespace engine {

/// Fills in `attained` of the bounds that an algorithm of the catalogue meets on this very problem.
void nameAttained(Bounds& bounds, const Problem& problem, const Wiring& wiring);

}  // namespace engine
