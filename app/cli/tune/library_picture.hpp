// SPDX-License-Identifier: BSD-3-Clause
// A map of a library's algorithms: which one runs for which ranks and bytes, with a letter for each.
#pragma once

#include "app/session/tune/library_map.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace app::cli {

/// The cases of one collective as a grid.
struct LibraryGrid {
    std::string collective{};
    std::vector<std::int64_t> ranks{};   ///< rising, downwards
    std::vector<engine::Bytes> sizes{};  ///< rising, to the right
    struct Algorithm {
        std::string name{};
        std::string
            catalogue{};  ///< what has its messages in the catalogue, or what is closest; of several, what they share
        std::int64_t cases = 0;
        std::int64_t differing = 0;   ///< cases whose messages are not those of the catalogue's
        std::int64_t uncompared = 0;  ///< cases whose messages were not compared
    };
    std::vector<Algorithm> algorithms{};                        ///< in the order of their first case
    std::vector<std::vector<std::optional<std::size_t>>> at{};  ///< by row and column: of `algorithms`
};

/// What an algorithm of the catalogue ends with if its options differ between the cases.
inline constexpr std::string_view optionsVary = ", options vary";

/// One for each collective, in the order of the map.
std::vector<LibraryGrid> gridsOf(const tune::LibraryMap& map, tune::Naming naming);
/// "1 KiB"; empty where sizes do not matter, as for a barrier.
std::string sizeHeading(const LibraryGrid& grid, std::size_t column);
/// "A" to "Z", "a" to "z", then "53", ...
std::string letterOf(std::size_t algorithm);

/// The maps side by side, a row for each collective, as a file of SVG. Where there are two, cases in which they differ
/// have a frame.
std::string librarySvg(std::span<const tune::LibraryMap> maps, tune::Naming naming);

}  // namespace app::cli
