// SPDX-License-Identifier: BSD-3-Clause
// What stands behind the colon of --topology: sizes, then options, then whether they fit the ranks.
#pragma once

#include "emulation/networks/network.hpp"

#include <initializer_list>
#include <map>

namespace emulation {

/// "16x16,taper=4" taken apart.
struct Arguments {
    std::string where;               ///< "topology fat-tree:16x16,taper=4" with the field's mark, for errors
    std::string example;             ///< "fat-tree:16x16": what could be written instead
    std::vector<std::string> sizes;  ///< what has no '=', in its order
    std::map<std::string, std::string> options;

    /// The value of an option, or nothing.
    [[nodiscard]] std::optional<std::string> option(const std::string& name) const;
    /// A whole number within [low, high].
    [[nodiscard]] std::int32_t number(const std::string& words, std::int64_t low = 1,
                                      std::int64_t high = (std::int64_t{1} << 31) - 1) const;
};

/// For readArguments: any number of sizes, but at least one.
inline constexpr std::size_t atLeastOne = std::size_t{0} - 1;

/// Takes `words` apart. Throws Error for an option that is not `known`, one given twice, and unless there are `sizes`
/// sizes; `example` is what to write instead.
Arguments readArguments(std::string_view kind, std::string_view words, std::size_t sizes, std::string_view example,
                        std::initializer_list<std::string_view> known = {});

/// How many ranks a network's places are for.
enum class Fill : std::uint8_t {
    exactly,  ///< one rank on every place
    atMost,   ///< places may stay free
};

/// `ranks`, or for everyPlace `places`. Throws Error, naming `fitting`, unless `ranks` ranks fill `places` places; of a
/// kind with one size only nothing else would fit, and `fitting` is empty.
std::int32_t requirePlaces(const std::string& where, std::int64_t places, std::int32_t ranks, Fill fill,
                           const std::string& fitting);

/// Throws Error unless `links` can be counted by a LinkId.
void requireLinks(const std::string& where, __int128 links);

/// `count` factors of `product`, as equal as they can be made, the largest first.
std::vector<int> balanced(std::int32_t product, std::size_t count);

/// "torus:4x3", "torus:7": a kind of two lengths, as equal as they can be made, or of one where there are no two.
std::string squarest(std::string_view kind, std::int32_t ranks);

/// "1us+0.8ns/B": startup and time per byte.
LinkQuality readQuality(std::string_view words, std::string_view what);

/// `network` with links of this quality, wherever it does not say what a link is like; `words` is how the user wrote
/// it.
NetworkPtr withLinks(NetworkPtr network, LinkQuality quality, const std::string& words);

}  // namespace emulation
