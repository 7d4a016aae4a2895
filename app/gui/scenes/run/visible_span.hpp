// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "app/gui/scenes/run/drawable_run.hpp"

namespace app::gui {

/// When the first thing happens that pictures show: of a program its first message or collective, else a message.
engine::Picoseconds firstShown(const DrawableRun& subject);

/// The part of the time axis that is seen: what the user chose; at first all of the communication, without a long time
/// before it.
traces::TimeSpan visibleSpan(const DrawableRun& subject, const ViewState& state);

}  // namespace app::gui
