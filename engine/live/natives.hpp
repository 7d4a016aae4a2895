// SPDX-License-Identifier: BSD-3-Clause
// The MPI library's own collectives, to measure ours against. They are named like algorithms, but nobody outside the
// library knows their messages: they have no schedule, so they cannot be shown or proved, only run with --on mpi.
#pragma once

#include "engine/problem.hpp"

#include <span>
#include <string>
#include <string_view>

namespace engine::live {

struct Native {
    std::string_view id;  ///< "<collective>/native"
    Collective collective = Collective::bcast;
    std::string_view call;     ///< "MPI_Bcast"
    std::string_view meaning;  ///< one clause
};

/// One for each collective, sorted by id.
std::span<const Native> natives();

/// The native collective called `id`; null when that is none.
const Native* nativeNamed(std::string_view id);

}  // namespace engine::live
