// SPDX-License-Identifier: BSD-3-Clause
// A schedule that somebody wrote down message by message: what the readers of files make.
#pragma once

#include "engine/problem/problem.hpp"
#include "engine/schedule/schedule.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace engine::schedules {

/// Bounds of what a file may ask for, so that no file can make a proof last for hours or fill the memory.
inline constexpr std::int32_t mostRanks = 1 << 20;
inline constexpr std::int64_t mostTurns = std::int64_t{1} << 28;
inline constexpr std::int64_t mostFileBytes = std::int64_t{1} << 28;

/// One message, known to both of its ends.
struct StoredMessage {
    Round round{};
    Rank from{};
    Rank to{};
    Bytes bytes = 0;
    std::uint64_t firstRange = 0;  ///< into the ranges of all messages
    std::uint32_t rangeCount = 0;
    std::int32_t place = 0;  ///< among the receives of `to` in this round; those of one place in the order of the file
    std::int32_t turn = 0;   ///< among the sends of `from` in this round; likewise
    Slots slot = 0;          ///< the one slot read; 0: gather-like
    Slots into = 0;          ///< the slots changed
    Action action = Action::keep;
    bool whole = false;
};

/// A problem and the messages that are to solve it. Messages of a rank and round are sent in the order of their
/// `turn`, then in the order they are given in.
struct Stored {
    Problem problem{};
    Facts facts{};
    std::vector<StoredMessage> messages{};
    std::vector<Range> ranges{};
    /// Into how many chunks each contribution is cut, where the file says no bytes and any size that they share evenly
    /// will do; 0: the sizes are those of the problem.
    std::int64_t chunks = 0;
};

/// The same with `each` bytes a contribution (of reductions a vector), which its chunks share evenly.
Stored inBytes(Stored stored, Bytes each);

/// The same `times` times, each over another piece of every range, as executors repeat it over
/// large messages. A piece begins as many rounds after the one before it as it takes until no rank has more messages
/// in a round than before. Where no chunk has so many bytes (of reductions elements), there are as many pieces as the
/// largest one has. Throws Error where there would be too many rounds.
SchedulePtr inPieces(const Stored& stored, std::int64_t times);

/// Throws Error, which begins with `file`, where ranks and rounds make more turns than are read.
void requireTurns(const Facts& facts, std::string_view file);

/// Sets the rounds and ports of `facts` to those of `messages`, each with a round and two ends. Throws Error as
/// requireTurns does.
template <class Message>
void countRounds(Facts& facts, const std::vector<Message>& messages, std::string_view file) {
    std::map<std::tuple<Round, Rank, bool>, int> ports;
    for (const Message& one : messages) {
        facts.rounds = std::max(facts.rounds, one.round.value + 1);
        facts.ports =
            std::max({facts.ports, ++ports[{one.round, one.from, true}], ++ports[{one.round, one.to, false}]});
    }
    requireTurns(facts, file);
}

/// The schedule; needs memory for the messages alone. Every rank and round must be within the facts.
SchedulePtr scheduleOf(const Stored& stored);

}  // namespace engine::schedules
