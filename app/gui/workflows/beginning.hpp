// SPDX-License-Identifier: BSD-3-Clause
// What the window is opened on. No Qt type.
#pragma once

#include "app/session/session.hpp"
#include "traces/recording/archive.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <variant>

namespace app::gui {

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

/// A task, and the file of an algorithm that is compared with it; empty: one that is begun with.
struct TaskFile {
    std::filesystem::path task;
    std::filesystem::path algorithm;
};

/// The file of a lesson, to be changed and seen.
struct LessonFile {
    std::filesystem::path file;
};

/// The measurements of a tuning, whose map is shown.
struct TuningFile {
    std::filesystem::path file;
};

/// What the window is opened on: what was looked at last, a run or trace that is there, one to be read, a task, a
/// lesson, or a tuning.
using Beginning = std::variant<std::monostate, Trace, Unread, SavedWindow, TaskFile, LessonFile, TuningFile>;

/// What `collscope open` prints of files without a timeline: Flight Recorder dumps, debug logs of NCCL; nothing where
/// the path is none of them. Throws Error.
using ReadReport = std::function<std::optional<std::string>(const std::filesystem::path&)>;

}  // namespace app::gui
