// SPDX-License-Identifier: BSD-3-Clause
// The door of teaching for the window: lessons with their quizzes, tasks, the game, and the editor of algorithms. The
// window includes nothing else of app/teaching; the command line, which knows no Qt, includes exercises.hpp.
#pragma once

#include "app/teaching/editor/editor_panel.hpp"
#include "app/teaching/editor/quick_verification.hpp"
#include "app/teaching/editor/unsaved_texts.hpp"
#include "app/teaching/exercises.hpp"
#include "app/teaching/lessons/lesson.hpp"
#include "app/teaching/lessons/lesson_draft.hpp"
#include "app/teaching/lessons/lesson_facts.hpp"
#include "app/teaching/lessons/templates.hpp"
#include "app/teaching/panels/game_panel.hpp"
#include "app/teaching/panels/task_panel.hpp"
#include "app/teaching/panels/teach_panel.hpp"
