// SPDX-License-Identifier: BSD-3-Clause
// Who starts the processes of a live run.
#pragma once

#include "engine/executor.hpp"

#include <filesystem>
#include <functional>
#include <string>

namespace app {

struct LiveOrder;

/// Has `order` carried out by `processes` processes that leave their records in `folder`. Returns how it was started.
/// Throws Error when it cannot be started, Cancelled; a process that dies is seen from its record.
using Launch = std::function<std::string(const LiveOrder& order, const std::filesystem::path& folder,
                                         std::int32_t processes, const engine::Progress& progress)>;

/// How processes are started.
struct Launcher {
    std::string
        command{};  ///< one word: the program, which gets the arguments it needs here; several: taken as they are
    std::string hostfile{};
    bool lab = false;  ///< on the hosts of the lab that stands

    friend bool operator==(const Launcher&, const Launcher&) = default;
};
Launch startedBy(const Launcher& launcher);

}  // namespace app
