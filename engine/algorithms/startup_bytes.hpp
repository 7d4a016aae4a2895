// SPDX-License-Identifier: BSD-3-Clause
// alpha/beta of the default model: what the options called `auto` weigh startups and bytes with.
#pragma once

#include "engine/cost/model.hpp"

namespace engine::algorithms {

/// Bytes that take as long as one startup, alpha/beta, 2500 B under the default model.
inline double startupBytes() {
    constexpr double femtosecondsPerPicosecond = 1000;
    const Model model;
    return femtosecondsPerPicosecond * static_cast<double>(model.alpha.count()) /
           static_cast<double>(model.beta.femtosecondsPerByte);
}

}  // namespace engine::algorithms
