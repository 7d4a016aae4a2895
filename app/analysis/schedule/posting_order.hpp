// SPDX-License-Identifier: BSD-3-Clause
// Messages of a run in the order in which ranks posted them, compared with a schedule. Within a library only this order
// follows the algorithm: times, and rounds derived from times, also depend on which rank entered first.
#pragma once

#include "engine/algorithm/algorithm.hpp"
#include "engine/run/executor.hpp"
#include "engine/run/run.hpp"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace app::analysis {

/// What each rank sent, and what it received.
struct PostingOrder {
    using Message = std::pair<engine::Rank, engine::Bytes>;  ///< the peer, and its bytes

    /// Of the kept messages of `run`.
    explicit PostingOrder(const engine::Run& run);
    explicit PostingOrder(std::size_t ranks) : sends(ranks), receives(ranks) {}

    std::vector<std::vector<Message>> sends, receives;  ///< by rank
};

/// Share of message ends that both have in common, 0..1. The ends of one rank that send, and those that receive, must
/// come in the order of the schedule's rounds; within a round any order will do, and of receives between which the rank
/// sends nothing, since a library may receive from any source. At least sameInAnotherOrder where only
/// the order differs. 0 where it is less than `least`. `looked` grows by the turns and messages that were examined.
/// Throws Cancelled.
inline constexpr double sameInAnotherOrder = 0.75;
/// At least this where only sizes differ: those of single messages as isAlmostAsLarge() has it, or those of segments,
/// of which each pair of ranks exchanges as many with as many bytes.
inline constexpr double sameWithOtherSizes = 0.99;
double likeness(const PostingOrder& seen, const engine::Schedule& schedule, double least, std::int64_t& looked,
                const engine::Progress& progress = {});

/// Whether one message of `ranks` blocks at most may have the size of another where blocks are cut in another way: they
/// differ by at most a byte for each rank, and by a sixteenth.
bool isAlmostAsLarge(engine::Bytes one, engine::Bytes other, std::int32_t ranks);

/// The messages of each rank up to as many as `schedule` has there, and the rest; nothing where a rank has fewer.
std::optional<std::pair<PostingOrder, PostingOrder>> cutBehind(const PostingOrder& seen,
                                                               const engine::Schedule& schedule);

}  // namespace app::analysis
