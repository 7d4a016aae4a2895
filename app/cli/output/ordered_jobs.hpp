// SPDX-License-Identifier: BSD-3-Clause
// Jobs of worker processes, whose results are reported in the order of the jobs.
#pragma once

#include "engine/live/worker_processes.hpp"

#include "engine/run/executor.hpp"

#include <functional>
#include <string>

namespace app::cli {

/// On the process that leads: has jobs `first`..`behind`-1 done by all, and tells `take` of each result in its turn, as
/// soon as all before it are there. Throws what WorkerProcesses::lead throws.
void leadInTurn(engine::live::WorkerProcesses& crew, std::size_t first, std::size_t behind,
                const engine::live::Job& work, const std::function<void(std::string result)>& take,
                const engine::Progress& progress);

}  // namespace app::cli
