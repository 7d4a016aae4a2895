// SPDX-License-Identifier: BSD-3-Clause
// What a rank does between the two halves of a collective: it computes, and looks after the messages now and then.
#pragma once

#include "engine/live/splitphase/allreduce.hpp"

#include <array>
#include <stop_token>
#include <string>
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

/// One way to run an allreduce, or a barrier, split-phase.
struct Settings {
    By by = By::oneSided;
    Nanoseconds compute{};          ///< between start and wait, on every rank
    std::int32_t tests = 16;        ///< looks while it computes, evenly spread; 0: none
    std::vector<Nanoseconds> at{};  ///< looks after so much of the computation, rising, in place of those spread evenly
    Nanoseconds timeout{};          ///< how long each of these looks waits for messages; 0: it tests
    bool communicate = true;        ///< false: only the computation, to know how long it takes by itself
    // In virtual time only:
    bool background = false;  ///< messages go on while no rank looks
    Nanoseconds looking{};    ///< how long a look itself keeps the processor

    [[nodiscard]] std::int64_t looks() const { return at.empty() ? tests : static_cast<std::int64_t>(at.size()); }

    friend bool operator==(const Settings&, const Settings&) = default;
};

/// The computation in stretches, with a look behind each of them but the last. Looks behind the end of the computation
/// stand at its end.
std::vector<Nanoseconds> stretchesOf(const Settings& settings);

/// "with 16 tests", "with looks of 2 us after 1 us and 5 us", "without progress calls": how the messages move on
/// meanwhile.
std::string looksOf(const Settings& settings);

/// Events that `execute` and the allreduce tell a witness of in one call.
std::int64_t eventsOf(const Route& route);

/// Starts, keeps the processor busy, waits; tells the witness (which may be null) of all three. Throws Cancelled when
/// asked to stop.
void execute(Allreduce& call, std::span<const std::byte> vector, const Settings& settings, Witness* witness,
             const std::stop_token& stop = {});

}  // namespace engine::splitphase
