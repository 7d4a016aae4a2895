// SPDX-License-Identifier: BSD-3-Clause
// Reads back what the writer wrote: everything a Run holds.
#pragma once

#include "engine/run.hpp"
#include "traces/otf2/source.hpp"

namespace traces::otf2 {

/// Whether an archive with these properties is one of ours.
bool isOwn(const std::map<std::string, std::string>& properties);

/// The run in `source`. Throws Error when the archive is newer than this program or contradicts itself.
engine::Run readOwn(Source& source, const std::map<std::string, std::string>& properties,
                    const engine::Progress& progress);

}  // namespace traces::otf2
