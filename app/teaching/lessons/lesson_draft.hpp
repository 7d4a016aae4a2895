// SPDX-License-Identifier: BSD-3-Clause
// A lesson that is being written: what stands in its text, and whether its runs bear that out.
#pragma once

#include "app/teaching/lessons/lesson.hpp"

#include <set>
#include <string_view>

namespace app::gui {

struct LessonDraft {
    Lesson lesson;
    /// Stops whose run is not made while somebody writes: a large one, or one of real processes.
    std::set<std::size_t> held;
};

/// Whether a file of that name is a lesson.
bool isLesson(std::string_view path);

/// What stands in `text`, each run planned. Throws Error{"path:line: reason"}, or Cancelled.
LessonDraft draftFrom(const std::string& path, const std::string& text, const engine::Progress& progress);

/// Makes the runs of `draft`, and holds to them what it says and asks. A sentence of what holds; throws
/// Error{"path:line: reason"} at the first that does not, or Cancelled.
QString borneOut(const LessonDraft& draft, const std::string& path, const engine::Progress& progress);

/// The stop that the line (from 1) of its text belongs to.
std::size_t stopAtLine(const Lesson& lesson, int line);
/// The stop from which on its run is shown.
std::size_t stopOfRun(const Lesson& lesson, std::size_t stop);

/// A lesson to begin with, which is right.
QString lessonTemplate();

}  // namespace app::gui
