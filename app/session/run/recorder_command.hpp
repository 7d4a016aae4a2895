// SPDX-License-Identifier: BSD-3-Clause
// A user's command with the recorder before the MPI library of the processes that it starts.
#pragma once

#include "engine/live/child.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace app {

struct RecordWish {
    std::vector<std::string> command;     ///< {"mpirun", "-n", "4", "./program"}
    std::filesystem::path archive;        ///< a folder that is not there yet; absolute
    std::filesystem::path rules{};        ///< absolute; empty: none
    std::optional<std::int64_t> calls{};  ///< that each process has room for
};

struct RecordCommand {
    std::vector<std::string> words;       ///< to be started
    engine::live::Variables variables{};  ///< in their environment
    std::string expects{};                ///< what has to be so for anything to be recorded, as a sentence
};

/// Asks the launcher whose it is, and the dynamic linker which MPI library the program needs. Throws Error, in one
/// sentence, for what cannot be recorded: a program that is linked statically or with another MPI library than the
/// launcher's, a launcher of another MPI, a recorder that was not built.
RecordCommand underRecorder(const RecordWish& wish);

}  // namespace app
