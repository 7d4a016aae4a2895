// SPDX-License-Identifier: BSD-3-Clause
// The ends of messages, rank by rank in time: what came right before something.
#pragma once

#include "engine/run/run.hpp"

#include <optional>
#include <vector>

namespace app::analysis {

/// One end of a message on its rank.
struct MessageEnd {
    engine::Picoseconds begin{};
    engine::Picoseconds end{};
    std::uint32_t message = 0;  ///< index into Run::messages
    bool isSend = false;
};

/// All ends of all ranks by when they are over: 8 bytes a message. `run` must outlive it.
class OverEnds {
public:
    explicit OverEnds(const engine::Run& run);

    /// The latest end on `rank` that is over at `time`, other than those of `message`. Quick where `time` lies near the
    /// one asked about that rank before.
    [[nodiscard]] std::optional<MessageEnd> before(engine::Rank rank, engine::Picoseconds time, std::uint32_t message);
    /// The first end on `rank` that is over after `time`: what it is in then, or does next.
    [[nodiscard]] std::optional<MessageEnd> after(engine::Rank rank, engine::Picoseconds time);

private:
    using Key = std::uint32_t;  ///< twice the message, and 1 for its send
    /// How many ends of `rank` are over at `time`.
    std::size_t countOver(engine::Rank rank, engine::Picoseconds time);
    [[nodiscard]] MessageEnd endOf(Key end) const { return {beginOf(end), overOf(end), end >> 1, (end & 1) != 0}; }
    [[nodiscard]] engine::Picoseconds beginOf(Key end) const {
        return (end & 1) != 0 ? messages_.sendBegin()[end >> 1] : messages_.receiveBegin()[end >> 1];
    }
    [[nodiscard]] engine::Picoseconds overOf(Key end) const {
        return (end & 1) != 0 ? messages_.sendEnd()[end >> 1] : messages_.receiveEnd()[end >> 1];
    }

    const engine::Messages& messages_;
    struct OfRank {
        std::vector<Key> ends;
        std::size_t last = 0;  ///< how many were over at the time asked about before
    };
    std::vector<OfRank> ranks_;
};

/// Until when messages and combining keep each rank busy: their ends, ordered by their begins.
class BusyUntil {
public:
    explicit BusyUntil(const engine::Run& run);

    /// The latest end of all activity that begins on `rank` before `time`, the ends of `message` excluded; zero if
    /// there is none.
    [[nodiscard]] engine::Picoseconds operator()(engine::Rank rank, engine::Picoseconds time,
                                                 std::uint32_t message) const;

private:
    /// A place in the order of begins: the largest end up to there, and the largest one of any other message.
    struct Latest {
        engine::Picoseconds begin{};
        engine::Picoseconds end{};
        engine::Picoseconds other{};
        std::uint32_t message = 0;
    };
    std::vector<std::vector<Latest>> ranks_;
};

}  // namespace app::analysis
