// SPDX-License-Identifier: BSD-3-Clause
// Collectives in two halves in virtual time.
#pragma once

#include "app/session/run/live.hpp"

namespace app {

struct SplitReport {
    Report report;  ///< without bounds on time: those do not speak of ranks that compute
    Overlap overlap;
};

/// Both halves with the computation between them, and what became of it; no picture.
struct InHalves {
    engine::Run run;  ///< summary alone: no messages are kept
    Overlap overlap;

    /// From its own start until it has computed and has the result, for the rank that takes longest.
    [[nodiscard]] engine::Picoseconds time() const { return overlap.together.value_or(overlap.alone); }
};

/// The same runs as executeInHalves(), for many of them. Throws Error, Cancelled.
InHalves measureInHalves(const Specification& wish, const engine::Progress& progress = {});

/// Runs as specified, in virtual time: both halves with the computation, and the communication alone. Throws Error,
/// Cancelled.
SplitReport executeInHalves(const Specification& wish, const engine::Progress& progress = {});

}  // namespace app
