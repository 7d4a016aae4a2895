// SPDX-License-Identifier: BSD-3-Clause
// Messages of a run in the order in which ranks posted them, compared with a schedule. Within a library only this order
// follows the algorithm: times, and rounds derived from times, also depend on which rank entered first.
#pragma once

#include "engine/algorithm/algorithm.hpp"
#include "engine/run/executor.hpp"
#include "engine/run/run.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace app::analysis {

/// What each rank sent, and what it received.
struct PostingOrder {
    using Message = std::pair<engine::Rank, engine::Bytes>;  ///< the peer, and its bytes

    /// Of the kept messages of `run`.
    explicit PostingOrder(const engine::Run& run);

    std::vector<std::vector<Message>> sends, receives;  ///< by rank
};

/// Share of message ends that both have in common, 0..1. The ends of one rank that send, and those that receive, must
/// come in the order of the schedule's rounds; within a round any order will do. 0 where it is less than `least`.
/// `looked` grows by the turns and messages that were examined. Throws Cancelled.
double likeness(const PostingOrder& seen, const engine::Schedule& schedule, double least, std::int64_t& looked,
                const engine::Progress& progress = {});

}  // namespace app::analysis
