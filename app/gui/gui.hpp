// SPDX-License-Identifier: BSD-3-Clause
// Qt-free entry points of the GUI, used by the command line.
#pragma once

#include "app/gui/export/export_writer.hpp"
#include "app/gui/scenes/picture/picture_options.hpp"
#include "app/gui/workflows/beginning.hpp"
#include "app/session/session.hpp"
#include "app/teaching/exercises.hpp"

#include <filesystem>
#include <optional>

namespace app::gui {

/// Opens the window and returns the program's exit code when it is closed. Throws Error for a SavedWindow or a TaskFile
/// that is none.
/// An archive is read once the window is there: whoever wants to hear of a wrong path from this program asks
/// traces::requireOpenable first.
int runWindow(int& argc, char** argv, Beginning beginning, ReadReport readReport = {});

/// Writes a PNG picture of the whole window, on `trace` or on the first example, as users see it at a telling moment
/// of the run (or at the given time); `seconds` of `picture` does not matter. Needs no display. Throws Error when the
/// file has another ending or cannot be written.
void writeWindowPicture(std::optional<Trace> trace, const std::filesystem::path& file, const Picture& picture);

}  // namespace app::gui
