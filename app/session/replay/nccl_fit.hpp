// SPDX-License-Identifier: BSD-3-Clause
// α and β of a training job, fitted to its own collectives.
#pragma once

#include "engine/cost/model.hpp"
#include "traces/recording/recording.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace app {

struct NcclFit {
    /// Of the collectives that take the most time among those with a fit; nothing where there is no fit.
    std::optional<engine::Model> model;
    /// By instance: the fit of its protocol and of the shape of its process group; null where these have none.
    std::vector<std::shared_ptr<const engine::Model>> ofInstance;
    std::string words;  ///< alpha and beta of each protocol, or why there are none
};

/// Of collectives in which every rank needs every other one, all of whose ranks were recorded: the shortest duration
/// over ranks is what a ring takes. Those that NCCL ran by another algorithm are left out of the fit, but follow the
/// fit of their protocol. Protocols differ in both parameters, which takes several sizes of each. A parameter that the
/// durations do not show, as alpha of large messages, is 0.
NcclFit fittedToCollectives(const traces::Recording& recording);

}  // namespace app
