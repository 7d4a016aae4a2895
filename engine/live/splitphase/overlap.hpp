// SPDX-License-Identifier: BSD-3-Clause
// What a rank does between the two halves of an allreduce: it computes, and looks after the messages now and then.
#pragma once

#include "engine/live/splitphase/allreduce.hpp"

#include <array>
#include <stop_token>
#include <string_view>

namespace engine::splitphase {

enum class By : std::uint8_t {
    oneSided,  ///< written into the receiver's slots, with a notification
    twoSided,  ///< sent and received
};

inline constexpr std::array<By, 2> transports{By::oneSided, By::twoSided};

/// "one-sided" or "two-sided".
std::string_view name(By by);
/// Throws Error for any other word.
By byNamed(std::string_view words);

/// One way to run an allreduce split-phase.
struct Settings {
    By by = By::oneSided;
    Nanoseconds compute{};    ///< between start and wait, on every rank
    std::int32_t tests = 16;  ///< calls of `test` while it computes, evenly spread; at least 1
    bool communicate = true;  ///< false: only the computation, to know how long it takes by itself

    friend bool operator==(const Settings&, const Settings&) = default;
};

/// Events that `execute` and the allreduce tell a witness of in one call.
std::int64_t eventsOf(const Route& route);

/// Starts, keeps the processor busy, waits; tells the witness (which may be null) of all three. Throws Cancelled when
/// asked to stop.
void execute(Allreduce& call, std::span<const std::byte> vector, const Settings& settings, Witness* witness,
             const std::stop_token& stop = {});

}  // namespace engine::splitphase
