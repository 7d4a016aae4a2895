// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/algorithm/algorithm.hpp"
#include "engine/run/executor.hpp"

#include <QString>

namespace app::gui {

/// What came of proving small problems.
struct Proved {
    QString sentence;
    bool right = true;
};

/// Proves an algorithm that is being written for small problems, as many as a writer waits for; the smallest first.
Proved proveSmall(const engine::Algorithm& algorithm, const engine::Progress& progress);

}  // namespace app::gui
