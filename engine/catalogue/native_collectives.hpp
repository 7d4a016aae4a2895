// SPDX-License-Identifier: BSD-3-Clause
// The MPI library's own collectives, to measure ours against. They are named and described like algorithms, but nobody
// outside the library knows their messages: they have no schedule, so they cannot be shown or proved, only run with
// --on mpi.
#pragma once

#include "engine/algorithm/algorithm.hpp"

#include <span>
#include <string_view>

namespace engine::live {

struct Native {
    Algorithm about;        ///< id "<collective>/native", words and options; without a plan
    std::string_view call;  ///< "MPI_Bcast"
};

/// One for each collective, sorted by id.
std::span<const Native> natives();

/// The native collective called `id`; null when that is none.
const Native* nativeNamed(std::string_view id);

/// The algorithm called `id`, or the native collective's description, which has no plan. Throws Error.
const Algorithm& methodNamed(std::string_view id);

/// The options `given` to it, checked for `problem`. Throws Error for a mistake of the user or an objection.
Options optionsFor(const Native& native, const Problem& problem, const std::map<std::string, std::string>& given);

}  // namespace engine::live
