// SPDX-License-Identifier: BSD-3-Clause
// Why a message began when it did, and what ends a stretch of time in which a rank moves nothing.
//
// A message begins when both of its ends are ready: a rank is ready when what it had begun before is over and it has
// arrived. What the sender sends has to have come first. Every answer looks at all messages once.
#pragma once

#include "engine/run/run.hpp"

#include <optional>
#include <vector>

namespace app::analysis {

/// One end of a message: since when its rank was ready for it.
struct Ready {
    engine::Rank rank;
    engine::Picoseconds since{};           ///< 0, or when it arrived, where it had done nothing before
    std::optional<std::uint32_t> after{};  ///< the message that kept it busy until then

    friend bool operator==(const Ready&, const Ready&) = default;
};

/// Why a message began when it did.
struct Start {
    Ready sender;
    Ready receiver;
    /// What brought the sender something of what it sends, last of all before; nothing where it had all at first, or
    /// where contents are not known.
    std::optional<std::uint32_t> brought{};
    bool inStep = false;  ///< it began with its round, for which all ranks wait

    /// The end that was ready later; the sender where both were at once.
    [[nodiscard]] const Ready& later() const { return receiver.since > sender.since ? receiver : sender; }
};

Start startOf(const engine::Run& run, std::uint32_t message);

/// The messages that forward data received with this message, ordered by their begins.
std::vector<std::uint32_t> forwardedMessages(const engine::Run& run, std::uint32_t message);

/// A stretch of time in which a rank neither moves anything nor works by itself.
struct IdleInterval {
    engine::Rank rank;
    engine::Picoseconds begin{};
    engine::Picoseconds end{};
    std::optional<std::uint32_t> former{};  ///< the message that was over last;
                                            ///< nothing at the start of the run
    std::optional<std::uint32_t> next{};    ///< the message that ends it; nothing: the rank is done
    bool notYetEntered = false;             ///< the rank had not entered yet; neither message then

    [[nodiscard]] engine::Picoseconds time() const { return end - begin; }
    friend bool operator==(const IdleInterval&, const IdleInterval&) = default;
};

/// All of a rank, from the start of the run to its end.
std::vector<IdleInterval> idleIntervals(const engine::Run& run, engine::Rank rank);

}  // namespace app::analysis
