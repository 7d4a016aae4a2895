// SPDX-License-Identifier: BSD-3-Clause
// Spanning trees of ForestColl (liangyuRain/ForestColl, Zhao et al., arXiv:2402.06787) as an allgather:
//   <Algo nchunkspernode="K"> <tree root="R" index="I" nchunks="N"> <send src="A" dst="B" path="A,S,B"/> ...
// Each root has K chunks; a tree carries N of them, in the order of the trees, from its root to all others. A send of a
// tree is made in the round that is the distance of its source from the root. Names of nodes are any words; ranks are
// numbered in their order, with numbers in names compared as numbers. Ways through switches are not looked at.
#pragma once

#include "engine/schedule_files/stored_schedule.hpp"

#include <string_view>

namespace engine::schedules::forestcoll {

/// Whether XML is such a file.
bool isForest(std::string_view content);

/// Throws Error, which begins with `file`, for what is no such file.
Stored storedFrom(std::string_view content, std::string_view file);

}  // namespace engine::schedules::forestcoll
