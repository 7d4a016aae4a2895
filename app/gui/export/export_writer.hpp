// SPDX-License-Identifier: BSD-3-Clause
// Writes runs, charts and lessons as pictures, films and pages, without a display. No Qt type.
#pragma once

#include "app/gui/scenes/picture/panels.hpp"
#include "app/gui/scenes/picture/picture_options.hpp"
#include "app/session/session.hpp"
#include "app/session/sweep/chart.hpp"
#include "app/session/tune/autotuner.hpp"
#include "engine/base/table.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace app::gui {

/// Writes `trace` as what the ending of `file` says, one of fileKinds (file_kinds.hpp).
/// Needs no display. The file appears whole or not at all. Throws Error for an unknown ending or view, when the file
/// cannot be written, or when the program that encodes films is missing.
void writePicture(const Trace& trace, const std::filesystem::path& file, const Picture& picture = {},
                  const engine::Progress& progress = {});

/// Writes lessons, by their names or files, as one page (.html); of `picture` only dark and existing matter. Needs no
/// display. The file appears whole or not at all. Throws Error, also for a lesson that is none.
void writeCourse(const std::vector<std::string>& lessons, const std::filesystem::path& file,
                 const Picture& picture = {}, const engine::Progress& progress = {});

/// Throws Error unless the file's ending is one of a picture, which charts are written as.
void requireChart(const std::filesystem::path& file);

/// Writes the charts of `sheet` as one picture (.png, .svg, .pdf); of `picture` only width, height and dark matter.
/// Needs no display. The file appears whole or not at all. Throws Error.
void writeSheet(const Sheet& sheet, const std::filesystem::path& file, const Picture& picture = {});

/// The same picture as an <svg> element.
std::string sheetInSvg(const Sheet& sheet, const Picture& picture = {});

/// The same two of the map of a tuning.
void writeTuningMap(const std::vector<tune::Tuned>& cases, const std::filesystem::path& file,
                    const Picture& picture = {});
std::string tuningMapInSvg(const std::vector<tune::Tuned>& cases, const Picture& picture = {});

/// The table of analysis::scalingTable() as a heat table, a picture likewise.
void writeScaling(const engine::Table& table, const std::filesystem::path& file, const Picture& picture = {});

/// The same two of views of runs.
void writePanels(const Panels& panels, const std::filesystem::path& file, const Picture& picture = {});
std::string panelsInSvg(const Panels& panels, const Picture& picture = {});

}  // namespace app::gui
