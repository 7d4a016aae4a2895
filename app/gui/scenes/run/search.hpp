// SPDX-License-Identifier: BSD-3-Clause
// Finding messages by words: "rank 3 round 5", "2 > 7", "block 4", "> 64 KiB".
#pragma once

#include "app/gui/scenes/run/drawable_run.hpp"

namespace app::gui {

/// All kept messages that fulfil every condition of `words`, by index, in the order of rounds. Throws Error with what
/// can be searched for when a condition is not understood. Empty words find nothing.
///
/// | condition               | messages                                  |
/// |-------------------------|-------------------------------------------|
/// | rank 3                  | that rank 3 sends or receives             |
/// | from 3, to 3            | that it sends; that it receives           |
/// | 3 > 4                   | from 3 to 4                               |
/// | round 5                 | of round 5, counted from 1                |
/// | block 7                 | that carry some of block (segment, ...) 7 |
/// | > 64KiB, < 1KiB         | larger; smaller                           |
std::vector<std::size_t> search(const DrawableRun& subject, const QString& words);

}  // namespace app::gui
