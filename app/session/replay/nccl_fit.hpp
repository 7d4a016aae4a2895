// SPDX-License-Identifier: BSD-3-Clause
// α and β of a training job, fitted to its own collectives.
#pragma once

#include "engine/cost/model.hpp"
#include "traces/recording/recording.hpp"

#include <optional>
#include <string>

namespace app {

struct NcclFit {
    std::optional<engine::Model> model;  ///< of the protocol whose collectives take most time among those with a fit
    std::string words;                   ///< alpha and beta of each protocol, or why there are none
};

/// Of collectives in which every rank needs every other one, all of whose ranks were recorded: the shortest duration
/// over ranks is what a ring takes. Those that NCCL ran by another algorithm are left out. Protocols differ in both
/// parameters, which takes several sizes of each.
NcclFit fittedToCollectives(const traces::Recording& recording);

}  // namespace app
