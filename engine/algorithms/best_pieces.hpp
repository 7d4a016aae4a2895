// SPDX-License-Identifier: BSD-3-Clause
// Into how many pieces a pipeline cuts its bytes, where it may choose.
#pragma once

#include "engine/cost/model.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace engine::algorithms {

/// The X that makes (filling + X)(alpha + beta m / X) least, sqrt(filling beta m / alpha), at least 1. Ever smaller
/// pieces are ever so little better where a startup costs next to nothing: there are at most so many that 1/256 of the
/// time is left to be gained. `filling` is what the pipeline takes besides one round per piece.
inline double bestPieces(double filling, Bytes m, const Model& model) {
    constexpr double enough = 256;
    constexpr double femtosecondsPerPicosecond = 1000;
    const Model weighed = asAlphaBeta(model);
    const double startup = femtosecondsPerPicosecond * static_cast<double>(weighed.alpha.count());
    const double moving = static_cast<double>(weighed.beta.femtosecondsPerByte) * static_cast<double>(m);
    if (filling <= 0 || moving <= 0) return 1;
    const double best = startup > 0 ? std::sqrt(filling * moving / startup) : std::numeric_limits<double>::infinity();
    return std::max(1.0, std::min({best, enough * filling, static_cast<double>(m)}));
}

}  // namespace engine::algorithms
