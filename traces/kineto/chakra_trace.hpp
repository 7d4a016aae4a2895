// SPDX-License-Identifier: BSD-3-Clause
// Chakra's execution traces as training jobs: what each rank computes and communicates, and what waits for what.
#pragma once

#include "engine/run/executor.hpp"
#include "traces/kineto/rank_trace.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace traces::kineto {

/// Whether the file is an execution trace, NAME.RANK.et, and no schedule of a collective in this format.
bool isExecutionTrace(const std::filesystem::path& path);

/// All files of the job that `path`, NAME.RANK.et, belongs to, by rank from 0 on.
std::vector<std::filesystem::path> executionTracesBeside(const std::filesystem::path& path);

/// The ranks of a job, with times. The traces have durations, and seldom any time: a node starts as soon as those that
/// it waits for have ended and its stream is free. A rank has a stream for computation, one for each process group, and
/// a thread. A collective ends on all ranks of its group once all have entered it and its duration, 0 where none is
/// recorded, has passed. Adds remarks on what the traces lack. Throws Error and Cancelled.
std::vector<RankTrace> executionTraces(const std::vector<std::filesystem::path>& files,
                                       std::vector<std::string>& remarks, const engine::Progress& progress);

}  // namespace traces::kineto
