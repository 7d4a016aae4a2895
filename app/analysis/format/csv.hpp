// SPDX-License-Identifier: BSD-3-Clause
// What stands between the commas of a csv file.
#pragma once

#include <string>
#include <string_view>

namespace app::analysis {

/// The shortest decimal that reads back as `number`.
std::string csvNumber(double number);

/// `words`, in quotation marks where a comma, a mark or a line break would end or break them.
std::string csvCell(std::string_view words);

}  // namespace app::analysis
