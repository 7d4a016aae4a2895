// SPDX-License-Identifier: BSD-3-Clause
// The part of libcollscope-pmpi.so that writes archives.
#include "engine/live/dropin/dropin.hpp"
#include "engine/live/source_lines.hpp"
#include "traces/recording/calls.hpp"

namespace engine::mpi::dropin {

Delivered deliver(const live::Calls& calls, const std::filesystem::path& folder) {
    live::Calls placed = calls;
    live::addLines(placed.teamFiles);
    const traces::CallsWritten written = traces::writeCalls(placed, folder);
    return {written.calls, written.replaced, written.dropped};
}

}  // namespace engine::mpi::dropin
