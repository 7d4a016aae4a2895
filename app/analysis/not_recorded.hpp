// SPDX-License-Identifier: BSD-3-Clause
// What a trace does not say: told by the question of that name, and beside its pictures.
#pragma once

#include "app/analysis/question.hpp"

#include <vector>

namespace app::analysis {

/// Each once; counts where things of the kind were recorded in part.
std::vector<traces::NotRecorded> notRecordedOf(const Trace& trace);

}  // namespace app::analysis
