// SPDX-License-Identifier: BSD-3-Clause
// Collectives, ranks and sizes of the library's own calls, as words of the command line.
#pragma once

#include "engine/base/types.hpp"
#include "engine/live/records/collective_records.hpp"

#include <string>
#include <vector>

namespace app::cli {

/// A blocking call by its name: "allreduce". Throws Error with the names that there are.
engine::live::Called calledOf(const std::string& word);
/// "bcast,allreduce": each once.
std::vector<engine::live::Called> callsFrom(const std::string& words);
/// --sizes, rising; a range without a step goes in steps of four, as sizes of interest do.
std::vector<engine::Bytes> sizesFrom(std::string words);
/// --ranks, rising; two at least.
std::vector<std::int64_t> ranksFrom(const std::string& words);

}  // namespace app::cli
