// SPDX-License-Identifier: BSD-3-Clause
// The ends of messages, rank by rank in time: what came right before something.
#pragma once

#include "engine/run.hpp"

#include <optional>
#include <vector>

namespace traces {

/// One end of a message on its rank.
struct MessageEnd {
    engine::Picoseconds begin{};
    engine::Picoseconds end{};
    std::uint32_t message = 0;  ///< index into Run::messages
    bool isSend = false;
};

/// All ends of all ranks; O(messages) memory.
class RankEvents {
public:
    explicit RankEvents(const engine::Run& run);

    /// The latest end on `rank` that is over at `time`, other than those of `message`.
    [[nodiscard]] std::optional<MessageEnd> before(engine::Rank rank, engine::Picoseconds time,
                                                   std::uint32_t message) const;
    /// Until when the ends on `rank` that begin before `time` keep it busy, without those of `message`; zero for none.
    [[nodiscard]] engine::Picoseconds busyUntil(engine::Rank rank, engine::Picoseconds time,
                                                std::uint32_t message) const;
    /// Ends of `rank` by their begin.
    [[nodiscard]] const std::vector<MessageEnd>& of(engine::Rank rank) const {
        return byBegin_[static_cast<std::size_t>(rank.value)];
    }

private:
    std::vector<std::vector<MessageEnd>> byEnd_;
    std::vector<std::vector<MessageEnd>> byBegin_;
    /// The largest end up to a place of byBegin_, and the largest one of any other message.
    struct Latest {
        engine::Picoseconds end{};
        engine::Picoseconds other{};
        std::uint32_t message = 0;
    };
    std::vector<std::vector<Latest>> latest_;
};

}  // namespace traces
