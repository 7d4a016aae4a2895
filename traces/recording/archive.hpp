// SPDX-License-Identifier: BSD-3-Clause
// Runs as OTF2 archives: what Vampir, ViTE, otf2-print and Python's otf2 read too.
//
// How a Run lies in an archive (one location per rank, timer of 1e12 ticks a second, time 0 = start of the run):
//   Setting, groups, rounds, duration, stages, remarks
//                                      archive properties COLLSCOPE::<KEY>; values of more than 4 KiB are properties of
//                                      the machine, since an anchor file holds 256 KiB
//   how a rank spent the run           properties busy, wait, idle [ps] of its location
//   when a rank of a live run came     property entered [ps] of its location
//   a stage a rank took part in        region, ENTER and LEAVE
//   when it combined what it received  region "combine", ENTER and LEAVE
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

#include "engine/live/worker_processes.hpp"
#include "engine/run/executor.hpp"
#include "engine/run/run.hpp"
#include "traces/recording/reading_estimate.hpp"
#include "traces/recording/recording.hpp"
#include "traces/storage/memory_budget.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>

namespace traces {

enum class Overwrite : std::uint8_t { refuse, replace };

/// Throws Error when write() could not put an archive there: to be asked before long work.
void requireWritable(const std::filesystem::path& target, Overwrite overwrite = Overwrite::refuse);

/// Writes `run` as the archive `target`/traces.otf2, making folders as needed; where `target` ends in .otf2, as the
/// archive of that name, of which nothing may be there. The archive appears whole or not at all; when writing fails or
/// is cancelled, only what was made for it is removed. Throws Error when `folder` is a file, cannot be written, or
/// holds anything already. With `replace` an archive of this name gives way, and other files stay untouched; a folder
/// with an archive of another name is still refused.
void write(const engine::Run& run, const std::filesystem::path& target, Overwrite overwrite = Overwrite::refuse,
           const engine::Progress& progress = {});

/// Throws Error where `path` leads to no archive, or to one whose anchor or definitions cannot be read, as far as that
/// shows in a moment: of files of events nothing is known yet.
void requireReadable(const std::filesystem::path& path);

/// Reads what an archive of any tool holds: its anchor file (any name ending in .otf2) or a folder with exactly one.
/// Damaged or missing files of events end their locations early; the Recording says so. Throws Error when it is no OTF2
/// archive, or its anchor or definitions cannot be read.
/// With a crew, its processes read and decode the locations; this one, which leads, puts together what they send, each
/// within `memory`.
RecordingPtr readRecording(const std::filesystem::path& path, const engine::Progress& progress = {},
                           const MemoryBudget& memory = {}, engine::live::WorkerProcesses* crew = nullptr,
                           const TellExpected& before = {});

/// The part of the others in that: `path` must lead to the same archive. Throws Error as readRecording does.
void helpReading(const std::filesystem::path& path, engine::live::WorkerProcesses& crew,
                 const MemoryBudget& memory = {});

/// Where the columns of a large trace are kept, so that it is read only once.
enum class Keep : std::uint8_t {
    nowhere,
    inCache,     ///< XDG_CACHE_HOME/collscope, or ~/.cache/collscope: at most 8 GiB, what was not used for longest goes
    besideTrace  ///< as ANCHOR.index
};

struct Opening {
    MemoryBudget memory{};
    Keep keep = Keep::inCache;
    /// Traces with fewer bytes of events are read each time: that takes less than a tenth of a second.
    std::uint64_t smallest = std::uint64_t{8} << 20;
    engine::live::WorkerProcesses* crew = nullptr;  ///< as for readRecording, where no index is there
    TellExpected before{};                          ///< told what reading will take, where no index is there
    /// Given what can wait until the trace is on a screen, at most once: to keep its index. Empty: that is done before.
    std::function<void(std::function<void(const engine::Progress&)>)> later{};
};

/// As readRecording, but maps the columns that an earlier opening kept when the archive has not changed since: names,
/// sizes, times of change, and pieces of the contents of its files. An index that is damaged, of another version of the
/// program, or that cannot be written, is as good as none; only with besideTrace a folder that cannot be written is an
/// Error. Whoever asks for an index beside a trace trusts who made it.
RecordingPtr openRecording(const std::filesystem::path& path, const Opening& opening = {},
                           const engine::Progress& progress = {});

/// Whether `path` holds the records of a program under the drop-in library, of which openRecording makes a recording:
/// of one that hangs or was killed.
bool isRecords(const std::filesystem::path& path);

/// Throws the Error that openRecording would throw, as far as requireReadable and a look at where the index goes show
/// it.
void requireOpenable(const std::filesystem::path& path, const Opening& opening = {});

/// Reads an archive: its anchor file (any name ending in .otf2) or a folder with exactly one. For an archive written by
/// `write` the result equals the run that was written (with the remark above, if messages were missing). Of archives of
/// other tools the MPI ranks and their point-to-point messages are read, with times since the first event and
/// setting.on = "trace"; remarks say what was not recorded, and rounds never are: all messages then count as one round.
/// Throws Error when it is no OTF2 archive, or not a whole one.
engine::Run read(const std::filesystem::path& path, const engine::Progress& progress = {});

}  // namespace traces
