// SPDX-License-Identifier: BSD-3-Clause
// The points of a sweep: every combination of what its flags say.
#pragma once

#include "app/cli/arguments/arguments.hpp"

namespace app::cli {

/// One run to be made, with its coordinates as the files of a sweep name them.
struct Point {
    RunWish wish;
    std::optional<engine::splitphase::Settings> split;  ///< in two halves
    std::vector<std::string> coordinates;               ///< one word per name of `coordinateNames`

    [[nodiscard]] Specification specification() const { return {.run = wish, .split = split}; }
};

/// Names of the coordinates, in the order of the columns.
const std::vector<std::string>& coordinateNames();

/// What becomes of the MPI library's own collectives, which cannot run in virtual time.
enum class Native : std::uint8_t { refused, taken };

/// The points in the order of the algorithms, then of the ranges that go --together, then of the numbers in the other
/// ranges: --ranks runs slowest, options fastest. `ids` may carry options of their own, ID:KEY=VALUE. A flag that
/// belongs to another collective than an algorithm's is left out for that algorithm; one that belongs to none of them
/// is an Error. `leftOut` becomes a sentence on combinations of numbers that are no problem; empty: none. Throws Error.
std::vector<Point> readPoints(const Arguments& arguments, const std::vector<std::string>& ids,
                              Native native = Native::refused, std::string* leftOut = nullptr);

/// How often each point runs. Throws Error where all runs of it would be the same.
int repeatsOf(const Arguments& arguments, const std::vector<Point>& points);
/// How many points run side by side.
int threadsOf(const Arguments& arguments);

}  // namespace app::cli
