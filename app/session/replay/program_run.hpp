// SPDX-License-Identifier: BSD-3-Clause
// A program of the user's, run as it is under the drop-in library.
#pragma once

#include "engine/run/executor.hpp"

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace app {

struct ProgramWish {
    std::string command;          ///< "mpirun -n 8 ./program", as a shell parts it
    std::string rules{};          ///< for the drop-in library; empty: all stays the library's own
    std::int32_t processes = 0;   ///< that the command starts
    bool lab = false;             ///< on the hosts of the lab that stands
    std::string rankfile{};       ///< which host each rank runs on, for Open MPI's launcher; empty: it decides
    std::string hostList{};       ///< the same for MPICH's
    std::chrono::seconds most{};  ///< that it may take
    std::vector<std::string> environment{};  ///< of its processes: "NAME=VALUE"
};

struct ProgramRun {
    std::string said;     ///< what it wrote to stdout and stderr, up to 64 KiB
    std::string trouble;  ///< why there is nothing to look at, as a sentence; empty: there is an archive
};

/// The words that are started: the launcher of `wish`, what hands the drop-in library to its processes, and the rest.
/// The library records to `archive`, which does not exist yet; `folder` is for files of its own. Throws Error for a
/// command that cannot be started so.
std::vector<std::string> commandUnderRecorder(const ProgramWish& wish, const std::filesystem::path& archive,
                                              const std::filesystem::path& folder);

/// Runs it, and ends it when its time is over. Throws Error when it cannot be started; Cancelled.
ProgramRun runRecorded(const ProgramWish& wish, const std::filesystem::path& archive,
                       const std::filesystem::path& folder, const engine::Progress& progress);

}  // namespace app
