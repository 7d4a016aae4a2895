// SPDX-License-Identifier: BSD-3-Clause
// The part of libcollscope-pmpi.so that writes archives.
#include "engine/live/pmpi/recorded_archive.hpp"
#include "engine/live/source_lines.hpp"
#include "traces/recording/calls.hpp"

namespace engine::mpi::pmpi {

std::string writeRecordedArchive(const live::Calls& calls, const std::filesystem::path& folder) {
    live::Calls placed = calls;
    live::addLines(placed.teamFiles);
    return traces::inWords(traces::writeCalls(placed, folder), folder);
}

}  // namespace engine::mpi::pmpi
