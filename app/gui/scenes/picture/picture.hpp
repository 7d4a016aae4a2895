// SPDX-License-Identifier: BSD-3-Clause
// Scenes as files, without a display.
#pragma once

#include "app/gui/scenes/picture/file_kinds.hpp"
#include "app/gui/scenes/picture/heading.hpp"
#include "app/gui/scenes/picture/panels.hpp"
#include "app/gui/scenes/picture/picture_options.hpp"
#include "app/gui/scenes/run/drawable_run.hpp"

#include <QByteArray>
#include <QImage>

namespace app::gui {

/// The view of that name on its paper. Throws Error for another name.
Scene viewScene(std::string_view view, const DrawableRun& subject, const ViewState& state, QSizeF size);

/// Throws Error where the view has nothing to show of `subject`: the picture would hold a sentence alone.
void requireFor(std::string_view view, const DrawableRun& subject);

/// What a picture shows at `time`. Throws Error for a block that the run has not.
ViewState stateOf(const DrawableRun& subject, const Picture& picture, engine::Picoseconds time);
/// The same of a still, at the moment that `Picture::time` speaks of.
ViewState stateOf(const DrawableRun& subject, const Picture& picture);

/// Each panel below its title.
Scene panelsScene(const Panels& panels, bool dark, QSizeF size);

QImage imageOf(const Scene& scene, QSize size, Strokes strokes = Strokes::smooth);
/// The content of a file: text stays text, lines stay lines. A unit of the scene is 1/96 inch.
QByteArray svgOf(const Scene& scene, QSize size);
QByteArray pdfOf(const Scene& scene, QSize size);

/// Of files that `writeStill` writes.
inline constexpr auto pictureEndings = endingsOf<FileKind::What::picture>();

/// Throws Error when it cannot be written.
void save(const std::filesystem::path& file, const QByteArray& content, engine::Existing existing);

/// Writes a picture of the run to `file`.
void writeStill(const DrawableRun& subject, const std::filesystem::path& file, const Picture& picture,
                const engine::Progress& progress);

/// Why films cannot be written on this machine; empty: they can.
std::string whyNoFilms();

/// Has ffmpeg write a film of the run to `file` (.gif, .mp4 or .webm). Throws Error when it is missing or fails.
void writeFilm(const DrawableRun& subject, const std::filesystem::path& file, const Picture& picture,
               const engine::Progress& progress);

}  // namespace app::gui
