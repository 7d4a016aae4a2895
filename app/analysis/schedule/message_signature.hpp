// SPDX-License-Identifier: BSD-3-Clause
// What each rank sends and receives in order, as numbers: lets traces and schedules be compared without their times.
#pragma once

#include "app/analysis/schedule/logical_rounds.hpp"
#include "engine/algorithm/algorithm.hpp"
#include "engine/run/executor.hpp"
#include "engine/run/run.hpp"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace app::analysis {

/// Stands for one end of a message: its peer, its bytes and which end it is.
using Token = std::uint64_t;

/// Per rank its tokens in the order of its rounds; within a round sends before receives, peers rising.
struct Sequences {
    std::vector<std::vector<Token>> perRank;
    std::int64_t messages = 0;
    std::vector<std::vector<Token>> rising{};  ///< the same sorted, where it is needed more than once: sortTokens()
};

/// Of the kept messages of a run, by its rounds.
Sequences sequencesOf(const engine::Run& run);

/// For messages that are compared with many schedules.
void sortTokens(Sequences& sequences);

/// A number for what messages with these ends and sizes look like in these rounds: the same where they have the same
/// ends, bytes and order.
std::uint64_t lookOf(const traces::BusyEnds& ends, std::span<const engine::Bytes> bytes, const InRounds& messages,
                     std::int32_t ranks);

/// The tokens of a schedule's ranks, worked out when they are asked for.
class PlannedTokens {
public:
    explicit PlannedTokens(const engine::Schedule& schedule, engine::Progress progress = {})
        : schedule_{schedule}, progress_{std::move(progress)} {}

    /// Of a rank, until the next one is asked for; none of ranks that the schedule has not. Throws Cancelled.
    std::span<const Token> of(std::size_t rank);
    [[nodiscard]] std::size_t ranks() const { return engine::asSize(schedule_.facts().ranks); }
    /// Turns, or messages where those were more, that were looked at so far.
    [[nodiscard]] std::int64_t looked() const { return looked_; }

private:
    const engine::Schedule& schedule_;
    engine::Progress progress_;
    std::vector<Token> tokens_;
    std::int64_t looked_ = 0;
};

/// Places in which two sequences may differ to be aligned exactly.
inline constexpr std::size_t alignedApart = 400;

/// Pairs (place in a, place in b) of a longest common subsequence, rising. Exact while the two differ in at most `most`
/// places (Myers 1986); beyond it a common subsequence of what both begin and end with.
std::vector<std::pair<std::size_t, std::size_t>> aligned(std::span<const Token> a, std::span<const Token> b,
                                                         std::size_t most = alignedApart);

/// How much `seen` and a schedule have in common, 0..1: twice the ends of messages that both have in the same order, of
/// all their ends. 1 = the same messages in the same order on every rank. 0 where it is less than `least`, which is
/// mostly known before all was looked at: ranks that have seen most come first. `inAnyOrder`, if given, becomes true
/// where it is less than `least` in whatever order each rank has its tokens. Throws Cancelled.
double likeness(const Sequences& seen, PlannedTokens& planned, double least = 0, bool* inAnyOrder = nullptr);

/// A number for how many of which tokens each rank has, in whatever order.
std::uint64_t amountsOfTokens(const Sequences& sequences);

}  // namespace app::analysis
