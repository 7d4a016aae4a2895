// SPDX-License-Identifier: BSD-3-Clause
// Runs as OTF2 archives: what Vampir, ViTE, otf2-print and Python's otf2 read too.
//
// How a Run lies in an archive (one location per rank, timer of 1e12 ticks a second):
//   Setting, groups, rounds, remarks   archive properties COLLSCOPE::<KEY>
//   a stage a rank took part in        region, ENTER and LEAVE
//   a message                          MPI_SEND at sendBegin, MPI_RECV at receiveEnd, tag = round mod 2^31, with attributes:
//                                      round; port_time (how long the port was busy); begin, end (the bytes of the line
//                                      it carried) or ranges (text, where it carried several)
//   ring, torus                        CART_TOPOLOGY over the world communicator
//   group A, group B                   GROUP and COMM of their own
#pragma once

#include "engine/executor.hpp"
#include "engine/run.hpp"

#include <filesystem>

namespace traces {

enum class Overwrite : std::uint8_t { refuse, replace };

/// Writes `run` as the archive `folder`/traces.otf2. The archive appears whole or not at all. Throws Error when the
/// folder cannot be written or holds something already (unless told to replace an archive: other files are never
/// removed).
void write(const engine::Run& run, const std::filesystem::path& folder, Overwrite overwrite = Overwrite::refuse,
           const engine::Progress& progress = {});

/// Reads an archive: its anchor file (any name ending in .otf2) or a folder with exactly one. For an archive written by
/// `write` the result equals the run that was written. Throws Error when it is no OTF2 archive.
engine::Run read(const std::filesystem::path& path, const engine::Progress& progress = {});

}  // namespace traces
