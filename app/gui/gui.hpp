// SPDX-License-Identifier: BSD-3-Clause
// The doors of the window's room, without any Qt type: what main.cpp hands to the command line.
#pragma once

#include "app/gui/scenes/drawing/mark.hpp"
#include "app/session/chart.hpp"
#include "app/session/session.hpp"
#include "engine/new_file.hpp"
#include "traces/archive.hpp"

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace app::gui {

/// A view that can be a picture.
struct PictureView {
    std::string_view name;
    std::string_view heading;  ///< what people call it
};

/// X(name, heading, scene) for every view, the one place that lists them; "poster" is four in one. The whole window is
/// the view "window".
#define COLLSCOPE_EACH_VIEW(X)                           \
    X(poster, "All in one", posterScene)                 \
    X(network, "Network", networkScene)                  \
    X(timeline, "Ranks over time", spaceTimeScene)       \
    X(tracks, "Tracks of a program", tracksScene)        \
    X(where, "Where the time went", whereScene)          \
    X(when, "Iterations", whenScene)                     \
    X(strip, "Round by round", stripScene)               \
    X(holdings, "Who holds what", holdingsScene)         \
    X(bounds, "Run and bound", boundsScene)              \
    X(idle, "How each rank spent the run", idleScene)    \
    X(links, "Links by round", linksScene)               \
    X(matrix, "Who sent how much to whom", trafficScene) \
    X(waits, "Who waited for whom", waitsScene)          \
    X(brackets, "Order of reduction", bracketsScene)

#define COLLSCOPE_NAME_VIEW(name, heading, scene) PictureView{#name, heading},
inline constexpr auto pictureViews = std::to_array<PictureView>({COLLSCOPE_EACH_VIEW(COLLSCOPE_NAME_VIEW)});
#undef COLLSCOPE_NAME_VIEW

inline std::vector<std::string> viewNames() {
    std::vector<std::string> names;
    for (const PictureView& view : pictureViews) names.emplace_back(view.name);
    return names;
}

/// How a picture or film is to look.
struct Picture {
    /// One of pictureViews; "window" for writeWindowPicture.
    std::string view = "poster";
    int width = 1600;                         ///< pixels, 200..8192
    int height = 1000;                        ///< pixels, 200..8192
    std::optional<engine::Picoseconds> time;  ///< the moment shown; nothing: the counter-example, of the network a
                                              ///< round near the middle, else the end of the run. Films ignore it
    double seconds = 10;                      ///< length of a film (GIF, MP4, WebM), above 0
    std::optional<std::int64_t> block{};      ///< number of the block that is followed
    std::vector<Mark> marks{};                ///< the user's, on the picture
    bool dark = false;
    engine::Existing existing = engine::Existing::refuse;  ///< of a file that has the name already
};

/// An archive that is still to be read.
struct Unread {
    std::filesystem::path path;
    traces::Opening opening{};
    analysis::Clocks clocks = analysis::Clocks::fittedWhereNeeded;
};

/// A file in which a window kept what it looked at.
struct SavedWindow {
    std::filesystem::path file;
};

/// A task, and the file of an algorithm that is held against it; empty: one that is begun with.
struct TaskFile {
    std::filesystem::path task;
    std::filesystem::path algorithm;
};

/// The file of a lesson, to be changed and seen.
struct LessonFile {
    std::filesystem::path file;
};

/// What the window is opened on: what was looked at last, a run or trace that is there, one to be read, a task, or a
/// lesson.
using Beginning = std::variant<std::monostate, Trace, Unread, SavedWindow, TaskFile, LessonFile>;

/// Opens the window and returns the program's exit code when it is closed. Throws Error for a SavedWindow or a TaskFile
/// that is none.
/// An archive is read once the window is there: whoever wants to hear of a wrong path from this program asks
/// traces::requireOpenable first.
int runWindow(int& argc, char** argv, Beginning beginning);

/// Writes a PNG picture of the whole window, on `trace` or on the first example, as users see it at a telling moment
/// of the run (or at the given time); `seconds` of `picture` does not matter. Needs no display. Throws Error when the
/// file has another ending or cannot be written.
void writeWindowPicture(std::optional<Trace> trace, const std::filesystem::path& file, const Picture& picture);

/// Writes `trace` as what the ending of `file` says, one of fileKinds (file_kinds.hpp).
/// Needs no display. The file appears whole or not at all. Throws Error for an unknown ending or view, when the file
/// cannot be written, or when the program that encodes films is missing.
void writePicture(const Trace& trace, const std::filesystem::path& file, const Picture& picture = {},
                  const engine::Progress& progress = {});

/// A lesson that comes with the program.
struct LessonName {
    std::string name;  ///< "what-a-round-is"
    std::string title;
};
std::vector<LessonName> lessonNames();

/// Files of lessons end so.
inline constexpr std::string_view lessonEnding = ".lesson";

/// Writes lessons, by their names or files, as one page (.html); of `picture` only dark and existing matter. Needs no
/// display. The file appears whole or not at all. Throws Error, also for a lesson that is none.
void writeCourse(const std::vector<std::string>& lessons, const std::filesystem::path& file,
                 const Picture& picture = {}, const engine::Progress& progress = {});

/// Writes the charts of `sheet` as one picture (.png, .svg, .pdf); of `picture` only width, height and dark matter.
/// Needs no display. The file appears whole or not at all. Throws Error.
void writeSheet(const Sheet& sheet, const std::filesystem::path& file, const Picture& picture = {});

/// The same picture as an <svg> element.
std::string sheetInSvg(const Sheet& sheet, const Picture& picture = {});

}  // namespace app::gui
