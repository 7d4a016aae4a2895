// SPDX-License-Identifier: BSD-3-Clause
// What choices of bytes and of parts of a vector have in common: messages are filled round by round, each with whole
// pieces of the line or of the vector, and a piece of which only a part goes is cut first.
#pragma once

#include "engine/schedule_files/goal/payload_assignment.hpp"
#include "engine/schedule_files/goal/payload_contents.hpp"
#include "engine/schedule_files/goal/reachable_ranks.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace engine::schedules::goal {

/// Whether weighing so many pieces for each of the `left` messages goes beyond what a choice may take, of which `taken`
/// steps are done; pieces only become more.
constexpr bool isTooMuch(std::int64_t taken, std::size_t left, std::size_t pieces, std::int32_t ranks) {
    const std::int64_t each = static_cast<std::int64_t>(pieces) * (1 + ranks / 64);
    return each > 0 && static_cast<std::int64_t>(left) > (mostChoiceSteps - taken) / each;
}

/// Calls fill(delivery, chances) for each message, which says as a clause why it cannot be filled, and endRound() after
/// each round. Returns what `fill` says first, or `tooMuch` where there is no memory to look ahead; empty: nothing.
template <class Fill, class EndRound>
std::string fillByRound(const Course& course, std::int32_t ranks, const char* tooMuch, Fill fill, EndRound endRound) {
    if (static_cast<std::int64_t>(course.deliveries.size()) > mostChoiceBits / ranks) return tooMuch;
    Chances chances{course.deliveries, ranks};
    std::string why;
    everyRound(course.deliveries, [&](auto first, auto end) {
        chances.enter({first, end});
        for (; first != end; ++first) {
            why = fill(*first, chances);
            if (!why.empty()) return false;
            chances.pass();
        }
        endRound();
        return true;
    });
    return why;
}

/// Adds the message to `stored`. It carries the pieces of `line` at `taken`, each of which has a `range`; where they
/// are more than its bytes, the one taken last is cut. Calls onPiece(piece) for each that goes, in the order of the
/// line.
template <class Piece, class OnPiece>
StoredMessage& carry(Stored& stored, const Delivery& one, std::vector<Piece>& line, std::vector<std::size_t> taken,
                     OnPiece onPiece) {
    Bytes sum = 0;
    for (const std::size_t at : taken) sum += line[at].range.size();
    if (sum > one.bytes) {
        const std::size_t cut = taken.back();
        Piece behind = line[cut];
        line[cut].range.end = behind.range.begin = line[cut].range.end - (sum - one.bytes);
        line.insert(line.begin() + static_cast<std::ptrdiff_t>(cut) + 1, std::move(behind));
        for (std::size_t& each : taken)
            if (each > cut) ++each;
    }
    std::sort(taken.begin(), taken.end());
    StoredMessage message = messageOf(one, stored);
    for (const std::size_t at : taken) {
        onPiece(line[at]);
        const Range range = line[at].range;
        if (message.rangeCount > 0 && stored.ranges.back().end == range.begin) {
            stored.ranges.back().end = range.end;
        } else {
            stored.ranges.push_back(range);
            ++message.rangeCount;
        }
    }
    return stored.messages.emplace_back(message);
}

}  // namespace engine::schedules::goal
