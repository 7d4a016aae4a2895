// SPDX-License-Identifier: BSD-3-Clause
// What charts are about: sums over a whole run, made once and small enough to be drawn whatever the number of ranks.
#pragma once

#include "app/session/session.hpp"
#include "traces/grouped.hpp"

#include <array>
#include <string>
#include <vector>

namespace app::gui {

/// Kept messages by index, rank by rank in the order of rounds: those that a rank sends, and those it receives.
struct RankMessages {
    traces::Grouped sent;
    traces::Grouped received;
};

/// `count` things in order, shown as at most `shown` bins of neighbours.
struct Bins {
    std::int64_t count = 0;
    std::int32_t shown = 0;

    Bins() = default;
    Bins(std::int64_t things, std::int64_t most)
        : count{things}, shown{static_cast<std::int32_t>(things < most ? things : most)} {}

    [[nodiscard]] bool together() const { return shown < count; }
    /// Bin of a thing, and the first thing of a bin; first(shown) == count.
    [[nodiscard]] std::int32_t binOf(std::int64_t thing) const {
        return static_cast<std::int32_t>(thing * shown / (count > 0 ? count : 1));
    }
    [[nodiscard]] std::int64_t first(std::int32_t bin) const {
        return (bin * count + shown - 1) / (shown > 0 ? shown : 1);
    }
};

/// Who sent how much to whom; of many ranks neighbours are taken together.
struct Traffic {
    struct Cell {
        engine::Bytes bytes = 0;
        std::int64_t messages = 0;
    };
    Bins ranks;
    std::vector<Cell> cells;  ///< sender's bin x receiver's bin
    engine::Bytes largest = 0;

    [[nodiscard]] const Cell& at(std::int32_t from, std::int32_t to) const {
        return cells[static_cast<std::size_t>(from) * static_cast<std::size_t>(ranks.shown) +
                     static_cast<std::size_t>(to)];
    }
};

/// What the busiest links carried, round by round; of many rounds the largest of neighbours.
struct LinkRounds {
    std::string unknown;                ///< why there is nothing, as a sentence; empty when there is
    std::vector<engine::LinkId> links;  ///< the busiest, most bytes first
    std::int64_t used = 0;              ///< links that carried anything
    Bins rounds;
    std::vector<engine::Bytes> loads;  ///< link x bin of rounds
    engine::Bytes largest = 0;

    [[nodiscard]] engine::Bytes at(std::size_t link, std::int32_t bin) const {
        return loads[link * static_cast<std::size_t>(rounds.shown) + static_cast<std::size_t>(bin)];
    }
};

/// Why ranks stood still before their last message ended. The partner of the message that ends a wait was late.
struct Waits {
    std::vector<engine::Picoseconds> forSender;    ///< per rank: waited for somebody to send
    std::vector<engine::Picoseconds> forReceiver;  ///< per rank: waited for somebody to receive
    std::vector<engine::Picoseconds> caused;       ///< per rank: made others wait
};

/// All of them.
struct Tallies {
    Traffic traffic;
    LinkRounds linkRounds;
    Waits waits;

    Tallies() = default;
    /// Throws Cancelled.
    Tallies(const Report& report, const RankMessages& messages, const engine::Progress& progress);
};

}  // namespace app::gui
