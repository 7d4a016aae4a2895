// SPDX-License-Identifier: BSD-3-Clause
// A recording as an OTF2 archive: mostly a selected part, or one with fitted clocks.
#pragma once

#include "traces/recording/archive.hpp"

namespace traces {

/// Writes calls, messages, those of the library, halves, collectives, communicators, topologies and the system tree;
/// ticks are those of the archive that was read. What was inferred is not written as if it had been recorded. The
/// creator stays named, since it says how bytes were counted; of the archive's properties those of replays go along.
/// Reading it back gives the same messages and collectives. `target` ends in .otf2: it becomes the anchor, with its
/// other files beside it. Else it is a folder, as `write` takes it. Throws Error when it is there already or cannot be
/// written; an archive in a folder may be replaced.
void writeCopy(const Recording& recording, const std::filesystem::path& target, const engine::Progress& progress = {},
               Overwrite overwrite = Overwrite::refuse);

}  // namespace traces
