// SPDX-License-Identifier: BSD-3-Clause
// Which processes of a run began and which of them are gone, as far as this machine can tell: launchers do not always
// notice. Each process leaves a file in the folder of the run before it does anything else.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include <sys/types.h>

namespace engine::live {

/// Leaves the file of this process. Does nothing if the folder cannot be written, as on another machine.
void registerProcess(const std::filesystem::path& folder) noexcept;

struct RegisteredProcesses {
    std::int32_t began = 0;     ///< also on other machines
    std::vector<pid_t> here{};  ///< those of them that are still there, on this machine
    std::int32_t gone = 0;      ///< those that were on this machine and are not any more
};

RegisteredProcesses registeredProcesses(const std::filesystem::path& folder);

/// Ends the processes of a run that are still there on this machine.
void terminateProcesses(const std::filesystem::path& folder) noexcept;

}  // namespace engine::live
