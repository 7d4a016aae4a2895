// SPDX-License-Identifier: BSD-3-Clause
// The door of teaching for everyone without a window: tasks, their grading, schedules that are played by hand, and the
// names of lessons. No Qt type.
#pragma once

#include "app/teaching/exercises/grading.hpp"
#include "app/teaching/exercises/hand_play.hpp"
#include "app/teaching/lessons/lesson_names.hpp"
