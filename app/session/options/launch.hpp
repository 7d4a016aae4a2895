// SPDX-License-Identifier: BSD-3-Clause
// Who starts the processes of a live run.
#pragma once

#include "engine/run/executor.hpp"

#include <filesystem>
#include <functional>
#include <string>

namespace app {

struct LiveOrder;

/// How processes were started, and how that ended.
struct Launched {
    std::string how{};      ///< the command; empty when they were there already
    std::string trouble{};  ///< what happened to all of them; empty when they came to their end as they should
};

/// Has `order` carried out by `processes` processes that leave their records in `folder`. Throws Error when it cannot
/// be started or nothing was done, Cancelled; a process that dies is seen from its record.
using Launch = std::function<Launched(const LiveOrder& order, const std::filesystem::path& folder,
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
