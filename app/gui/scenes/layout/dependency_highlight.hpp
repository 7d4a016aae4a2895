// SPDX-License-Identifier: BSD-3-Clause
// The chain of messages that led to the one under the pointer, in all pictures that
// show messages or what they brought.
#pragma once

#include "app/gui/scenes/layout/layout.hpp"

namespace app::gui {

/// Width of its lines, in pixels.
inline constexpr double litChainWidth = 2.6;

/// The ways of its messages: whole of those that have arrived, dashed of those that have not.
void drawLitChain(SceneBuilder& pencil, const DrawableRun& subject, const ViewState& state,
                  const NetworkLayout& layout);

/// Nothing where none is lit, or a question is open that it could answer.
std::shared_ptr<const analysis::Chain> litChain(const DrawableRun& subject, const ViewState& state);

}  // namespace app::gui
