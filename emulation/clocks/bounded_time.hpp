// SPDX-License-Identifier: BSD-3-Clause
// Arithmetic of uneven virtual time that refuses instead of overflowing.
#pragma once

#include "emulation/perturbation.hpp"
#include "engine/base/bounded.hpp"

namespace emulation {

using engine::endOfTime;
using engine::lasting;
using engine::later;
using engine::refuseTime;

/// factor x time; throws Error as later() does.
inline engine::Picoseconds lasting(Factor factor, engine::Picoseconds time) {
    if (static_cast<__int128>(factor.thousandths) * time.count() >= static_cast<__int128>(endOfTime.count()) * 1000)
        refuseTime();
    return factor * time;
}

}  // namespace emulation
