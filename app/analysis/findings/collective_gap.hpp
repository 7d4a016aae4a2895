// SPDX-License-Identifier: BSD-3-Clause
// How far above its lower bound one instance was, and why.
#pragma once

#include "app/analysis/trace/trace_analysis.hpp"

#include <optional>

namespace app::analysis {

struct InstanceGap {
    engine::Picoseconds bound{};
    engine::Blocks blocks = engine::Blocks::anyMessages;  ///< the class of schedules that the bound is of
    /// Adds up to duration - bound; nothing where the model does not tell startups from bytes.
    std::optional<Gap> parts;

    /// Whether the parts are shown. Of a program (not `ofCollscope`) the critical path of the messages alone is known:
    /// parts below 0, such as of a call that is faster than the model allows, explain nothing.
    [[nodiscard]] bool isSplit(bool ofCollscope) const;
};

/// Bounds of what an instance is known to have solved: of our own runs on the network and with the costs that were
/// recorded, as `run` tells them. `known` has a problem.
Limits limitsOf(TraceAnalysis& analysis, const Identified& known);

/// "Shared links raise the bound by 859.1 us: ranks 0-3 send 256 KiB over 1 link of 0.25 GB/s."; empty where it forces
/// nothing. `known` has a problem.
std::string networkForcesInWords(TraceAnalysis& analysis, const Identified& known);

/// Nothing without a problem, or without a model that gives bounds a time.
std::optional<InstanceGap> gapOf(TraceAnalysis& analysis, std::size_t instance);

}  // namespace app::analysis
