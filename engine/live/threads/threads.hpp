// SPDX-License-Identifier: BSD-3-Clause
// Runs a plan with real bytes: one thread per rank, buffers with recognisable contents, every byte compared.
#pragma once

#include "engine/run/executor.hpp"

namespace engine {

/// Most ranks and most bytes of buffers that a run on threads will take.
struct ThreadLimits {
    std::int32_t ranks = 1024;
    Bytes memory = Bytes{4} << 30;
};

/// Executes `plan`. Throws Error when the limits are exceeded, Cancelled when asked to stop, Defect when a schedule's
/// two ends disagree (which `verify` would have named).
Execution runOnThreads(const Plan& plan, const Progress& progress = {}, const ThreadLimits& limits = {});

}  // namespace engine
