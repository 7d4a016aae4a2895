// SPDX-License-Identifier: BSD-3-Clause
// Runs as OTF2 archives: what Vampir, ViTE, otf2-print and Python's otf2 read too.
//
// How a Run lies in an archive (one location per rank, timer of 1e12 ticks a second, time 0 = start of the run):
//   Setting, groups, rounds, duration, stages, remarks
//                                      archive properties COLLSCOPE::<KEY>; values of more than 4 KiB are properties of
//                                      the machine, since an anchor file holds 256 KiB
//   how a rank spent the run           properties busy, wait, idle [ps] of its location
//   a stage a rank took part in        region, ENTER and LEAVE
//   a message                          MPI_SEND at sendBegin, MPI_RECV at receiveEnd, tag = round mod 2^31; both with
//                                      round, port_time (how long the port was busy) and, where the order of times is
//                                      not the order within the sender's turn, place; the send also with begin, end
//                                      (the bytes of the line it carried) or ranges (text, where it carried several)
//   ring, torus                        CART_TOPOLOGY over the world communicator
//   group A, group B                   GROUP and COMM of their own
//
// Everything else follows from the messages. Where a run counted messages it did not keep, the archive holds those that
// were kept, a remark with the number of the missing ones, and the numbers of rounds and totals as properties.
#pragma once

#include "engine/executor.hpp"
#include "engine/run.hpp"
#include "traces/recording.hpp"

#include <cstdint>
#include <filesystem>

namespace traces {

enum class Overwrite : std::uint8_t { refuse, replace };

/// Throws Error when write() could not put an archive into `folder`: to be asked before long work.
void requireWritable(const std::filesystem::path& folder, Overwrite overwrite = Overwrite::refuse);

/// Writes `run` as the archive `folder`/traces.otf2, making folders as needed. The archive appears whole or not at all;
/// when writing fails or is cancelled, only what was made for it is removed. Throws Error when `folder` is a file,
/// cannot be written, or holds anything already. With `replace` an archive of this name gives way, and other files stay
/// untouched; a folder with an archive of another name is still refused.
void write(const engine::Run& run, const std::filesystem::path& folder, Overwrite overwrite = Overwrite::refuse,
           const engine::Progress& progress = {});

/// How much memory the messages of a trace may take while it is read and afterwards; what is beyond it lies in files
/// without names, in `folder` (the system's for temporary files when empty). Calls take 22 bytes each beside that.
struct MemoryBudget {
    std::uint64_t bytes = std::uint64_t{2} << 30;
    std::filesystem::path folder{};
};

/// Reads what an archive of any tool holds: its anchor file (any name ending in .otf2) or a folder with exactly one.
/// Damaged or missing files of events end their locations early; the Recording says so. Throws Error when it is no OTF2
/// archive, or its anchor or definitions cannot be read.
RecordingPtr readRecording(const std::filesystem::path& path, const engine::Progress& progress = {},
                           const MemoryBudget& memory = {});

/// Reads an archive: its anchor file (any name ending in .otf2) or a folder with exactly one. For an archive written by
/// `write` the result equals the run that was written (with the remark above, if messages were missing). Of archives of
/// other tools the MPI ranks and their point-to-point messages are read, with times since the first event and
/// setting.on = "trace"; remarks say what was not recorded, and rounds never are: all messages then count as one round.
/// Throws Error when it is no OTF2 archive, or not a whole one.
engine::Run read(const std::filesystem::path& path, const engine::Progress& progress = {});

}  // namespace traces
