// SPDX-License-Identifier: BSD-3-Clause
// The chain of messages that led to the one under the pointer, in all pictures that
// show messages or what they brought.
#pragma once

#include "app/gui/scenes/layout/layout.hpp"
#include "app/gui/scenes/time/space_time_frame.hpp"

namespace app::gui {

/// Its messages, and between them the time that ranks let pass.
void drawLitChain(Pencil& pencil, const Subject& subject, const ViewState& state, const SpaceTimeFrame& frame);
/// The ways of its messages: whole of those that have arrived, dashed of those that have not.
void drawLitChain(Pencil& pencil, const Subject& subject, const ViewState& state, const NetworkLayout& layout);

/// Nothing where none is lit, or a question is open that it could answer.
std::shared_ptr<const analysis::Chain> litChain(const Subject& subject, const ViewState& state);

}  // namespace app::gui
