// SPDX-License-Identifier: BSD-3-Clause
// grade: many files compared with one task.
#pragma once

#include "app/cli/arguments/arguments.hpp"
#include "app/cli/output/console.hpp"

namespace app::cli {

int gradeFiles(const Arguments& arguments, const Console& console);

}  // namespace app::cli
