// SPDX-License-Identifier: BSD-3-Clause
// The command line: one function that main and the tests call. It prints; nothing below it does.
#pragma once

#include "app/gui/gui.hpp"
#include "app/session/options/launch.hpp"
#include "app/session/session.hpp"
#include "engine/base/table.hpp"
#include "engine/live/worker_processes.hpp"

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace app::cli {

/// What the command line finds around it. The default is a pipe without a window: what tests and scripts see.
struct Surroundings {
    /// Opens the window and returns its exit code.
    std::function<int(gui::Beginning)> window{};
    /// Writes a picture; as app::gui::writePicture.
    std::function<void(const Trace&, const std::filesystem::path&, const gui::Picture&, const engine::Progress&)>
        picture{};
    /// Lessons, and how they are written as a page; as app::gui::lessonNames and app::gui::writeCourse.
    std::function<std::vector<gui::LessonName>()> lessons{};
    std::function<void(const std::vector<std::string>&, const std::filesystem::path&, const gui::Picture&,
                       const engine::Progress&)>
        course{};
    /// Writes charts; as app::gui::writeSheet.
    std::function<void(const Sheet&, const std::filesystem::path&, const gui::Picture&)> chart{};
    /// Throws Error for a file that no chart can be written to; as app::gui::requireChart.
    std::function<void(const std::filesystem::path&)> requireChart{};
    /// The same as words of SVG for a page; as app::gui::sheetInSvg.
    std::function<std::string(const Sheet&, const gui::Picture&)> drawing{};
    /// The map of a tuning likewise; as app::gui::writeTuningMap and app::gui::tuningMapInSvg.
    std::function<void(const std::vector<tune::Tuned>&, const std::filesystem::path&, const gui::Picture&)> tuningMap{};
    std::function<std::string(const std::vector<tune::Tuned>&, const gui::Picture&)> tuningDrawing{};
    /// The efficiencies of a program by its number of ranks; as app::gui::writeScaling.
    std::function<void(const engine::Table&, const std::filesystem::path&, const gui::Picture&)> scaling{};
    /// Views of runs likewise; as app::gui::writePanels and app::gui::panelsInSvg.
    std::function<void(const gui::Panels&, const std::filesystem::path&, const gui::Picture&)> panels{};
    std::function<std::string(const gui::Panels&, const gui::Picture&)> panelsDrawing{};
    /// Carries out runs over MPI; empty: mpirun is started for each.
    Launch live{};
    /// Processes that share the work of sweep, open and replay; null: this one is alone.
    engine::live::WorkerProcesses* crew = nullptr;
    std::stop_token stop{};  ///< stops long works: the command then ends with exit code 130
    bool colour = false;     ///< colour the text on stdout
    bool terminal = false;   ///< stderr is a terminal: show progress there while it changes
    bool screen = false;     ///< stdout is a terminal
};

/// Exit codes.
inline constexpr int done = 0;
inline constexpr int checkFailed = 1;  ///< not proved, wrong data, a bound violated, or a defect of this program
inline constexpr int userMistake = 2;
inline constexpr int interrupted = 130;

/// Does what `arguments` (without the program's name) ask for and returns the exit code. Data go to `out`, progress
/// and messages to `err`. Throws nothing.
int run(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err,
        const Surroundings& surroundings = {});

}  // namespace app::cli
