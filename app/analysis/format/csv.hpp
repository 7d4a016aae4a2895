// SPDX-License-Identifier: BSD-3-Clause
// What stands between the commas of a csv file.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace app::analysis {

/// The shortest decimal that reads back as `number`.
std::string csvNumber(double number);

/// `words`, in quotation marks where a comma, a mark or a line break would end or break them.
std::string csvCell(std::string_view words);

/// The cells of a line; nothing when a quotation does not end.
std::optional<std::vector<std::string>> csvCells(std::string_view line);

}  // namespace app::analysis
