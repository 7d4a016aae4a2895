// SPDX-License-Identifier: BSD-3-Clause
// Files that choose the algorithms of MPI libraries: checked, explained and converted.
#pragma once

#include "app/cli/arguments/arguments.hpp"
#include "app/cli/output/console.hpp"

namespace app::cli {

int tune(const Arguments& arguments, const Console& console);

}  // namespace app::cli
