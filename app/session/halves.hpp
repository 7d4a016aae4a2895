// SPDX-License-Identifier: BSD-3-Clause
// Collectives in two halves in virtual time.
#pragma once

#include "app/session/live.hpp"

namespace app {

struct SplitReport {
    Report report;  ///< without bounds on time: those do not speak of ranks that compute
    Overlap overlap;
};

/// Runs as specified, in virtual time: both halves with the computation, and the communication alone. Throws Error,
/// Cancelled.
SplitReport executeInHalves(const Specification& wish, const engine::Progress& progress = {});

}  // namespace app
