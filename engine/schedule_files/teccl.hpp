// SPDX-License-Identifier: BSD-3-Clause
// Results of TE-CCL (microsoft/TE-CCL, Liu et al., SIGCOMM 2024) as schedules. A result is a JSON object; read are
//   "7-Flows", in older files "6-Flows": words such as "Chunk 0 from 4 traveled over 4->3 in epoch 0 via switches 17",
//     with "with volume 1.0" in them for an alltoall;
//   "8-Chunk paths", in older files "7-chunk paths": members such as "Demand at 1 for chunk 0 from 10 met by epoch 2".
// Nodes that flows name only as switches are no ranks; all others from 0 to the largest are, renumbered without gaps.
// If all of a node's chunks are wanted by several nodes the collective is an allgather, else an alltoall.
#pragma once

#include "engine/schedule_files/stored_schedule.hpp"

#include <string_view>

namespace engine::schedules::teccl {

/// Whether json is such a result.
bool isResult(std::string_view content);

/// Epochs in which nothing is sent are no rounds. Throws Error, which begins with `file`, for what is no such result,
/// and for chunks that travel in parts, since which parts is not stated.
Stored storedFrom(std::string_view content, std::string_view file);

}  // namespace engine::schedules::teccl
