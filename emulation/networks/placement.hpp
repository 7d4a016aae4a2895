// SPDX-License-Identifier: BSD-3-Clause
// Which place of a network a rank stands on.
#pragma once

#include "emulation/networks/network.hpp"

#include <array>
#include <string>
#include <string_view>

namespace emulation {

/// What a placement may be or, with a colon at the end, begin with; also @ and a file's name.
inline constexpr std::array<std::string_view, 4> placementNames{"block", "round-robin", "snake", "random:"};

/// `network` with its ranks placed as --placement says:
///   block        rank r on place r
///   round-robin  one rank on the first place of every row (SMP node, leaf switch), then one on every second place, ...
///   snake        along the rows and back, so that on a grid ranks r and r+1 are neighbours
///   random:SEED  anywhere; the same seed gives the same placement on every machine
///   @FILE        the places of ranks 0, 1, ... as numbers from 0 on, apart by blanks or line ends; # begins a remark
/// Names, links and wiring stay those of the ranks. Throws Error for an unknown word or a bad file.
NetworkPtr placed(NetworkPtr network, std::string_view specification);

/// What stands in the name of a network.
struct PlacedName {
    std::string_view network;    ///< "fat-tree:4x4"
    std::string_view placement;  ///< "snake"; empty: rank r on place r
};

/// The name "fat-tree:4x4 placement=snake", or that of the network alone.
std::string toText(const PlacedName& name);
/// Its parts, which live as long as `name`.
PlacedName placedNameFrom(std::string_view name);

/// The place of every rank: a permutation of 0..ranks-1. Throws as placed() does.
std::vector<std::int32_t> placesOf(const Network& network, std::string_view specification);

}  // namespace emulation
