// SPDX-License-Identifier: BSD-3-Clause
// The door of the part of teaching that needs no window: tasks, their grading, and schedules that are played by hand.
// Nothing else of app/teaching is included by the command line. No Qt type.
#pragma once

#include "app/teaching/exercises/grading.hpp"
#include "app/teaching/exercises/hand_play.hpp"
