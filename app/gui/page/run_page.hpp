// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "app/gui/page/document.hpp"
#include "app/gui/scenes/drawing/annotation.hpp"
#include "engine/run/executor.hpp"

namespace app::gui::page {

/// About so many bytes a page of a run has at most: what does not fit is left out, and the page says what.
inline constexpr qsizetype mostBytes = 4 << 20;

/// A run as a page: its rounds as a story, runs with other sizes and startups where it was made in virtual time and
/// they fit, every rank, every block, all messages. `dark`: on dark paper, whatever the reader's machine says.
QByteArray pageOfRun(const Report& report, bool dark, const std::vector<Mark>& notes, const engine::Progress& progress,
                     const traces::RecordingPtr& recording = {});

}  // namespace app::gui::page
