// SPDX-License-Identifier: BSD-3-Clause
// What the command line draws with, for all programs that have both heads.
#pragma once

#include "app/cli/cli.hpp"
#include "app/gui/gui.hpp"

namespace app::cli {

/// Pictures of runs and charts of sweeps come from the window's room.
inline void drawWithTheWindow(Surroundings& around) {
    around.picture = [](const app::Trace& trace, const auto& file, const auto& picture, const auto& progress) {
        if (picture.view == "window") gui::writeWindowPicture(trace, file, picture);
        else gui::writePicture(trace, file, picture, progress);
    };
    around.lessons = gui::lessonNames;
    around.course = gui::writeCourse;
    around.chart = gui::writeSheet;
    around.requireChart = gui::requireChart;
    around.drawing = gui::sheetInSvg;
    around.tuningMap = gui::writeTuningMap;
    around.tuningDrawing = gui::tuningMapInSvg;
    around.scaling = gui::writeScaling;
    around.panels = gui::writePanels;
    around.panelsDrawing = gui::panelsInSvg;
}

}  // namespace app::cli
