// SPDX-License-Identifier: BSD-3-Clause
// What libcollscope-pmpi.so needs of the rooms that this one may not see. Knows no mpi.h.
#pragma once

#include "engine/live/records/collective_records.hpp"

namespace engine::mpi::dropin {

struct Delivered {
    std::int64_t calls = 0;
    std::int64_t replaced = 0;
    std::int64_t dropped = 0;
};

/// Makes an archive in `folder` of what all processes recorded. Defined where archives can be written (app/mpi). Throws
/// Error.
Delivered deliver(const live::Calls& calls, const std::filesystem::path& folder);

}  // namespace engine::mpi::dropin
