// SPDX-License-Identifier: BSD-3-Clause
// All processes of a test program started by mpirun.
#pragma once

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "engine/live/mpi/world.hpp"
#include "engine/live/records/round_records.hpp"
#include "engine/schedule/kernel.hpp"
#include "tests/support/catalogue_grid.hpp"

namespace support {

class Team {
public:
    static engine::mpi::World& world();
    /// The first process judges what all have left.
    static bool isJudge() { return world().process() == 0; }
    /// An empty folder, the same on all processes.
    static std::filesystem::path freshFolder();
};

}  // namespace support
