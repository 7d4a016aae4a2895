// SPDX-License-Identifier: BSD-3-Clause
// A schedule told message by message, without storing it: what `show` writes.
#pragma once

#include "app/session/session.hpp"
#include "engine/proof/partials.hpp"

#include <functional>
#include <optional>
#include <span>

namespace app {

/// One message. Spans and pointers hold during the call only.
struct Telling {
    engine::Round round;
    engine::Rank from;
    engine::Rank to;
    engine::Bytes bytes = 0;
    std::span<const engine::Range> ranges;         ///< gather-like: the bytes of the line it carries
    const engine::PartialVector* terms = nullptr;  ///< reductions: the partial results it carries
    bool whole = true;                             ///< reductions: of the vector as a whole
    engine::Action action = engine::Action::keep;  ///< reductions: what the receiver does with it
    engine::Slots slot = 0;                        ///< reductions: the one that is sent
    engine::Slots into = 0;                        ///< reductions: those of the receiver that it changes
    std::size_t place = 0;                         ///< reductions: among all that the receiver gets in this round
};

/// The messages to list: those of rounds first..last-1, and only those that `rank` sends or receives.
struct Cut {
    engine::Round first{0};
    engine::Round last{0};
    std::optional<engine::Rank> rank;
};

/// The whole schedule.
Cut wholeOf(const engine::Schedule& schedule);

/// Tells the messages in the order of their rounds, senders, and places in the sender's turn. Reductions are followed
/// through all rounds, told or not, and what every rank holds in the end comes back; nothing for gather-like
/// collectives. Throws Cancelled.
std::optional<engine::Partials> tell(const engine::Plan& plan, const Cut& cut,
                                     const std::function<void(const Telling&)>& listener,
                                     const engine::Progress& progress = {});

}  // namespace app
