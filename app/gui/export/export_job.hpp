// SPDX-License-Identifier: BSD-3-Clause
// What the window writes of a run, thought through apart from the dialog that asks for it.
#pragma once

#include "app/gui/scenes/picture/file_kinds.hpp"
#include "app/gui/scenes/picture/picture_options.hpp"
#include "app/gui/scenes/run/drawable_run.hpp"

#include <QCoreApplication>
#include <QImage>

#include <filesystem>
#include <string>

namespace app::gui {

/// A usual size of pictures, in pixels: 96 to the inch where it is printed.
struct PictureSize {
    const char* title;
    int width;
    int height;
};

inline constexpr auto pictureSizes = std::to_array<PictureSize>({
    {QT_TRANSLATE_NOOP("PictureSize", "Screen"), Picture{}.width, Picture{}.height},
    {QT_TRANSLATE_NOOP("PictureSize", "Slide, 16:9"), 1920, 1080},
    {QT_TRANSLATE_NOOP("PictureSize", "A4 across"), 1123, 794},
    {QT_TRANSLATE_NOOP("PictureSize", "A4 upright"), 794, 1123},
    {QT_TRANSLATE_NOOP("PictureSize", "Paper, both columns"), 687, 430},
    {QT_TRANSLATE_NOOP("PictureSize", "Paper, one column"), 336, 252},
});

/// The pixels that a side of a picture may have.
inline constexpr int leastPixels = 200;
inline constexpr int mostPixels = 8192;

/// The command that writes the same to `file`. `source`: the archive that is shown; empty: a run that was made. Empty
/// where the run has no archive and cannot be reproduced from its settings.
std::string exportCommand(const DrawableRun& subject, const std::filesystem::path& source, const Picture& picture,
                          const std::filesystem::path& file);

/// Why nothing of that kind can be written, as a sentence; empty: it can.
QString whyNot(const DrawableRun& subject, FileKind::What what);

/// What has to be known of a file of that kind beforehand; empty: nothing.
QString remarkOn(const DrawableRun& subject, FileKind::What what);

/// The picture as it will be, made smaller to fit into `room`, of which a pixel of the screen is 1 / `ratio`. Throws
/// Error.
QImage previewOf(const DrawableRun& subject, const Picture& picture, QSize room, double ratio);

}  // namespace app::gui
