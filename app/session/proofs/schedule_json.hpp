// SPDX-License-Identifier: BSD-3-Clause
// A schedule as json: what `show` writes, and an algorithm file.
#pragma once

#include "app/session/proofs/listing.hpp"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <iosfwd>
#include <string>

namespace app {

/// A number where it is a whole one, else a string.
nlohmann::ordered_json valueJson(const std::string& value);
/// Each option's value by its name.
nlohmann::ordered_json optionsJson(const engine::Options& options);

/// Writes while it enumerates; `written` is called after each message and may be empty. Throws Cancelled.
void writeScheduleJson(const engine::Plan& plan, const Cut& cut, std::ostream& out,
                       const std::function<void()>& written = {}, const engine::Progress& progress = {});

}  // namespace app
