// SPDX-License-Identifier: BSD-3-Clause
// What ends a proof: a sentence, and the place in the schedule that it is about.
#pragma once

#include "engine/base/text.hpp"
#include "engine/base/types.hpp"

#include <optional>
#include <string>
#include <vector>

namespace engine {

/// One of a deadlock: a step that waits for that of another.
struct Waiter {
    Rank rank{};
    Rank awaited{};       ///< of the next one, for which it waits; may be its own
    std::string where{};  ///< which step of `rank` does not come to its end: "thread block 0, step 3", "line 7"
    std::string what{};   ///< what it waits for: "a message from gpu 1 on channel 0"

    friend bool operator==(const Waiter&, const Waiter&) = default;
};

/// Where a schedule breaks its promise; what a counterexample is not about is absent.
struct Place {
    std::optional<Round> round{};        ///< nothing: after the last one
    std::optional<Rank> rank{};          ///< who does, or lacks, something
    std::optional<Rank> from{};          ///< the message's sender
    std::optional<Rank> to{};            ///< and its receiver, which need not exist
    std::optional<Bytes> byte{};         ///< of the line, or of a vector that is reduced by range
    std::optional<std::int32_t> term{};  ///< of reductions, whose contribution it is about
    std::vector<Waiter> circle{};        ///< of a deadlock: each waits for the next one, the last for the first

    friend bool operator==(const Place&, const Place&) = default;
};

/// The first counterexample ends a proof.
struct CounterExample {
    std::string sentence{};  ///< "round 3: rank 2 ..."; rounds are counted from 1
    Place place{};

    friend bool operator==(const CounterExample&, const CounterExample&) = default;
};

/// `place` has a round.
template <class... Words>
[[noreturn]] void refute(const Place& place, const Words&... words) {
    throw CounterExample{text("round ", place.round->value + 1, ": ", words...), place};
}

}  // namespace engine
