// SPDX-License-Identifier: BSD-3-Clause
// Several numbers in one word.
//
//   5          5                      2..24/2    2, 4, ..., 24
//   1..70      1, 2, ..., 70          16..256*2  16, 32, 64, 128, 256
//   1,4,8..10  1, 4, 8, 9, 10
#pragma once

#include "engine/algorithm/algorithm.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace app {

/// Reads one number; throws Error that names `what`.
using ReadNumber = std::function<std::int64_t(std::string_view words, std::string_view what)>;

/// All numbers of a range or list, at most a million. Throws Error that names `what`.
std::vector<std::int64_t> readRange(std::string_view words, std::string_view what, const ReadNumber& read);

/// Every combination of the values that `settings` of the algorithm's options hold: numbers may be ranges, choices may
/// be listed. What is no option of it stays as it is. Throws Error.
std::vector<std::map<std::string, std::string>> combinations(const engine::Algorithm& algorithm,
                                                             const std::map<std::string, std::string>& settings);

}  // namespace app
