// SPDX-License-Identifier: BSD-3-Clause
// A block that is followed keeps its colour in every picture, and all else goes grey.
#pragma once

#include "app/gui/scenes/drawing/legend.hpp"
#include "app/gui/scenes/run/drawable_run.hpp"

namespace app::gui {

/// The column of a block (segment, contribution) by its number. Throws Error for one that the run has not.
std::int32_t columnOfBlock(const DrawableRun& subject, std::int64_t number);

/// Colour of a message and its lines: of what it carries; while a block is followed, that of the block where some of it
/// is carried, else grey.
QColor messageColour(const DrawableRun& subject, const ViewState& state, std::size_t message, bool dark);

/// Of messages without the followed block.
QColor otherMessages(bool dark);

/// Of the messages that brought a followed block to the last rank that got it, over time; others of it are thinner.
constexpr double chainWidth = 3.2;

/// Says in `legend` which block is followed, and that it wears its colour.
void addFollowedTo(Legend& legend, const DrawableRun& subject, std::int32_t column);

/// What the colours of messages mean, after `words`: "message (colour: its first block)". While a block is followed, or
/// where all carry the same, `words` alone.
void addMessagesTo(Legend& legend, const DrawableRun& subject, const ViewState& state, const QString& words);

/// The hops of the followed block that a veil does not hide, by when they arrive; none where no block is followed.
std::vector<analysis::Hop> followedHops(const DrawableRun& subject, const ViewState& state);

/// Whether `rank` holds some of the followed block at `time`.
bool holdsFollowed(const DrawableRun& subject, const ViewState& state, engine::Rank rank, engine::Picoseconds time);

}  // namespace app::gui
