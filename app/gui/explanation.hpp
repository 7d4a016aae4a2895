// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "app/gui/scenes/subject.hpp"

namespace app::gui {

/// The round in progress in sentences, then what the algorithm is about: rich text. Messages are links "message:INDEX",
/// ranks "rank:NUMBER". With a rank selected, its part comes first.
QString explain(const Subject& subject, const ViewState& state);

/// What a message carries, in a few words: "block 3", "blocks 2 to 5", "contributions 0, 1"; empty when not known.
QString contentOf(const Subject& subject, std::size_t message);

}  // namespace app::gui
