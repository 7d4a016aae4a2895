// SPDX-License-Identifier: BSD-3-Clause
// Which algorithm of an MPI library is the fastest, by collective, ranks and bytes.
#pragma once

#include "app/gui/scenes/drawing/scene.hpp"
#include "app/session/tune/autotuner.hpp"

namespace app::gui {

/// A cell for each case: its colour is the algorithm, its number the speed-up over the library's choice; hatched where
/// no rule was written. The meaning of a cell is a collective with the case's index.
Scene tuningMapScene(const std::vector<tune::Tuned>& cases, bool dark, QSizeF size);
/// The measurements behind a case: one row per algorithm.
Table tuningTable(const tune::Tuned& one);

}  // namespace app::gui
