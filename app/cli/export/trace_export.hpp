// SPDX-License-Identifier: BSD-3-Clause
// What leaves a trace beside pictures and tables: OTF2 again, and Perfetto's slices and flows.
#pragma once

#include "app/cli/arguments/arguments.hpp"
#include "app/cli/output/console.hpp"

#include <filesystem>
#include <string>

namespace app::cli {

/// Writes what `trace` recorded, or the part of it that --from, --to and --ranks choose, to `file` as its ending says:
/// .otf2 (an archive with this anchor), or .pftrace or .json of another tool's trace. False when there is no such trace
/// or the ending asks for something else.
bool exportRecording(const Arguments& arguments, const std::string& trace, const std::filesystem::path& file,
                     const Console& console);

}  // namespace app::cli
