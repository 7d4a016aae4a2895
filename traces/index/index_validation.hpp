// SPDX-License-Identifier: BSD-3-Clause
// Whether what an index says could have been read from an archive: sums only say that nobody changed it by accident.
#pragma once

#include "traces/recording/recording.hpp"

namespace traces::index {

/// Whether every rank, index, kind, size and time of `recording` is one that others may rely on. Looks at all of it.
bool plausible(const Recording& recording);

}  // namespace traces::index
