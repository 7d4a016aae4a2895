// SPDX-License-Identifier: BSD-3-Clause
// How far above its lower bound one instance was, and why.
#pragma once

#include "app/analysis/inquiry.hpp"

#include <optional>

namespace app::analysis {

struct InstanceGap {
    engine::Picoseconds bound{};
    /// Adds up to duration - bound. Late and slow parts count as waiting.
    Gap parts;
};

/// Bounds of what an instance is known to have solved: on the recorded network, for our own runs.
engine::Bounds boundsOf(Inquiry& inquiry, const Identified& known);

/// Nothing without a problem, or without a model that gives bounds a time.
std::optional<InstanceGap> gapOf(Inquiry& inquiry, std::size_t instance);

}  // namespace app::analysis
