// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "app/gui/page/document.hpp"
#include "app/teaching/teaching.hpp"
#include "engine/run/executor.hpp"

namespace app::gui::page {

/// Lessons as a page: their stops as steps of the story, their questions with what is true of each wrong answer, and a
/// link from each to the next. Throws Error for a run that cannot be made.
QByteArray pageOfLessons(const std::vector<const Lesson*>& lessons, bool dark, const engine::Progress& progress);

}  // namespace app::gui::page
