// SPDX-License-Identifier: BSD-3-Clause
// Which place of a network a rank stands on.
#pragma once

#include "emulation/networks/network.hpp"

#include <array>
#include <string>
#include <string_view>

namespace emulation {

/// What a placement may be or, with a colon at the end, begin with; also @ and a file's name.
inline constexpr std::array<std::string_view, 5> placementNames{"block", "round-robin", "snake", "spread", "random:"};

/// Places that a file may name, or as many as there are ranks, where the network's name leaves their number open.
inline constexpr std::int32_t openPlaces = 1 << 20;

/// What stands in the name of a network.
struct PlacedName {
    std::string_view network;    ///< "fat-tree:4x4"
    std::string_view placement;  ///< "snake"; empty: rank r on place r
};

/// The name "fat-tree:4x4 placement=snake", or that of the network alone.
std::string toText(const PlacedName& name);
/// Its parts, which live as long as `name`.
PlacedName placedNameFrom(std::string_view name);

/// The network with its ranks placed as --placement says:
///   block        rank r on place r
///   round-robin  one rank on the first place of every row (SMP node, leaf switch), then one on every second place, ...
///   snake        along the rows and back, so that on a grid ranks r and r+1 are neighbours
///   spread       evenly over the places: rank r on place floor(r * places / ranks)
///   random:SEED  anywhere; the same seed gives the same placement on every machine
///   @FILE        the places of ranks 0, 1, ... as numbers from 0 on, apart by blanks or line ends; # begins a remark
/// Places without a rank stay free. Where the network's name leaves their number open (full, ring, cluster:4) there are
/// as many as ranks, or as the file needs, openPlaces at most. Names, links and wiring stay those of the ranks. Throws
/// Error for an unknown word or a bad file, and where there are fewer places than ranks.
NetworkPtr placed(const PlacedName& name, std::int32_t ranks);

/// The place of each of `ranks` ranks, at most network.ranks(), on a network that has a rank on every place. Throws as
/// placed() does.
std::vector<std::int32_t> placesOf(const Network& network, std::string_view specification, std::int32_t ranks);

}  // namespace emulation
