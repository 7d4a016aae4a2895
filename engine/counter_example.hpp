// SPDX-License-Identifier: BSD-3-Clause
// What ends a proof: a sentence, and the place in the schedule that it is about.
#pragma once

#include "engine/text.hpp"
#include "engine/types.hpp"

#include <optional>
#include <string>

namespace engine {

/// Where a schedule breaks its promise; what a counter-example is not about is absent.
struct Place {
    std::optional<Round> round{};        ///< nothing: after the last one
    std::optional<Rank> rank{};          ///< who does, or lacks, something
    std::optional<Rank> from{};          ///< the message's sender
    std::optional<Rank> to{};            ///< and its receiver, which need not exist
    std::optional<Bytes> byte{};         ///< of the line, or of a vector that is reduced by range
    std::optional<std::int32_t> term{};  ///< of reductions, whose contribution it is about

    friend bool operator==(const Place&, const Place&) = default;
};

/// The first counter-example ends a proof.
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
