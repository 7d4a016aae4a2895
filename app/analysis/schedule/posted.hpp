// SPDX-License-Identifier: BSD-3-Clause
// The messages of a run in the order in which ranks posted them, beside a schedule. Inside of a library nothing but
// this order is known to follow the algorithm: whether a message was already there when its receive was posted depends
// on who came first, and the rounds that follow from times depend on it, too.
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

/// How much both have in common, 0..1: twice the ends of messages that both have, of all their ends. The ends of one
/// rank that send, and those that receive, must come in the order of the schedule's rounds; within a round any order
/// will do. 0 where it is less than `least`. `looked` grows by the turns and messages that were looked at. Throws
/// Cancelled.
double likeness(const PostingOrder& seen, const engine::Schedule& schedule, double least, std::int64_t& looked,
                const engine::Progress& progress = {});

}  // namespace app::analysis
