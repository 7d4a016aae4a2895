// SPDX-License-Identifier: BSD-3-Clause
// What libcollscope-pmpi.so needs of the rooms that this one may not see. Knows no mpi.h.
#pragma once

#include "engine/live/records/collective_records.hpp"

namespace engine::mpi::pmpi {

/// Makes an archive in `folder` of what all processes recorded, and says in a sentence what it holds. Defined where
/// archives can be written (app/mpi). Throws Error.
std::string writeRecordedArchive(const live::Calls& calls, const std::filesystem::path& folder);

}  // namespace engine::mpi::pmpi
