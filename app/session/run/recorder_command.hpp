// SPDX-License-Identifier: BSD-3-Clause
// A user's command with the recorder before the MPI library of the processes that it starts.
#pragma once

#include "engine/live/child_process.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace app {

struct RecordWish {
    std::vector<std::string> command;     ///< {"mpirun", "-n", "4", "./program"}
    std::filesystem::path archive;        ///< a folder that does not exist yet; absolute
    std::filesystem::path rules{};        ///< absolute; empty: none
    std::optional<std::int64_t> calls{};  ///< that each process has room for
};

struct RecordCommand {
    std::vector<std::string> words;       ///< to be started
    std::string unrecorded{};             ///< what they start that is not recorded; a sentence
    engine::live::Variables variables{};  ///< in their environment
    std::string whyNothing{};             ///< why nothing was recorded, if nothing was; a clause
};

/// Finds the MPI of the launcher by its --version, and that of the program by ldd. The launcher may be behind a program
/// that starts it, such as nice or timeout, and its options. Throws Error if the program cannot be recorded: it is
/// statically linked or linked with another MPI library than the launcher's, the launcher belongs to another MPI, or
/// the recorder was not built.
RecordCommand underRecorder(const RecordWish& wish);

}  // namespace app
