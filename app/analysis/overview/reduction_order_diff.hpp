// SPDX-License-Identifier: BSD-3-Clause
// The same input and another result: whether two reductions bracket their elements alike, and where they do not.
#pragma once

#include "app/analysis/overview/run_diff.hpp"

namespace app::analysis {

/// The first element that the two combine in different orders, with both brackets, and in remarks what follows.
/// Elements are compared rank by rank; where a rank has a result in one of them alone, with a rank that has it in the
/// other, of the same contributions. Nothing where one of the two reduces nothing, or its schedule is not known. Throws
/// Cancelled.
std::optional<engine::Table> bracketChanges(const Contestant& first, const Contestant& second,
                                            const engine::Progress& progress = {});

}  // namespace app::analysis
