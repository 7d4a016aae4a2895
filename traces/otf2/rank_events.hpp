// SPDX-License-Identifier: BSD-3-Clause
// The events of a run rank by rank, in the order of time.
#pragma once

#include "engine/run/run.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace traces::otf2 {

enum class EventKind : std::uint8_t { enter, send, receive, leave };

struct Event {
    engine::Picoseconds time{};
    /// Of the span, or the one the message's round lies in, -1 when in none; as many as there are for combining.
    std::int32_t stage = 0;
    EventKind kind = EventKind::enter;
    std::size_t index = 0;  ///< of the message in Run::messages
};

/// Finds what a rank did without looking at the messages of the others. Keeps a reference to the run.
class RankEvents {
public:
    explicit RankEvents(const engine::Run& run);

    /// All events of `rank`; valid until the next call. Throws Defect when a time lies before the start of the run.
    std::span<const Event> of(std::int32_t rank);

    /// Place of message `index` among its sender's messages of the round.
    [[nodiscard]] std::uint64_t place(std::size_t index) const { return index - firstOfTurn_[index]; }
    /// Whether the order of send (or receive) times is not the order of places, which must then be written.
    [[nodiscard]] bool sendNeedsPlace(std::size_t index) const { return (needsPlace_[index] & 1) != 0; }
    [[nodiscard]] bool receiveNeedsPlace(std::size_t index) const { return (needsPlace_[index] & 2) != 0; }

private:
    /// Indices by rank: those of rank r are order[start[r]..start[r+1]).
    struct ByRank {
        std::vector<std::size_t> start;
        std::vector<std::size_t> order;

        [[nodiscard]] std::span<const std::size_t> of(std::int32_t rank) const;
    };
    template <class RankAt>
    [[nodiscard]] ByRank sorted(std::size_t count, RankAt rankAt) const;
    void findPlaces();
    [[nodiscard]] std::int32_t stageOf(engine::Round round) const;

    const engine::Run& run_;
    ByRank sends_;
    ByRank receives_;
    ByRank spans_;
    ByRank combining_;
    std::vector<std::size_t> firstOfTurn_;
    std::vector<std::uint8_t> needsPlace_;
    std::vector<Event> events_;
};

}  // namespace traces::otf2
