// SPDX-License-Identifier: BSD-3-Clause
// The algorithms inside MPI and GPU libraries, and which of ours each of them is: one list, made of what the files of
// the catalogue say and of those that have no counterpart here.
#pragma once

#include "engine/algorithm/algorithm.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

/// An algorithm of a library.
struct LibraryAlgorithm {
    KnownAs known;
    std::string id;   ///< ours that does the same; empty: none
    std::string why;  ///< why there is none; empty where there is one
};

/// All of them, by library, call, number and name. A library's name may stand for several of ours.
const std::vector<LibraryAlgorithm>& libraryAlgorithms();

/// The algorithm that a function of Open MPI's coll/base is, "bcast_intra_bintree", by its number in coll/tuned;
/// nothing where coll/tuned does not choose it.
std::optional<KnownAs> openMpiFunction(std::string_view function);

/// "Open MPI bcast 6 (binomial)".
std::string toText(const KnownAs& known);

}  // namespace engine
