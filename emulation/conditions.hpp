// SPDX-License-Identifier: BSD-3-Clause
// The conditions of a run in virtual time: the model of a message, how messages that meet on a link share it, which
// rank waits for which, and what perturbs an even machine.
#pragma once

#include "emulation/perturbation.hpp"
#include "engine/cost/model.hpp"
#include "engine/run/run.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace emulation {

enum class Sharing : std::uint8_t {
    none,          ///< links never slow anyone down
    bottleneck,    ///< a message moves as if it were as large as the load of its busiest link in the round
    fair,          ///< messages in flight flow at rates that are max-min fair at every moment (fair/fair_clock.hpp)
    fairWeighted,  ///< the same, but messages on one link get shares in inverse proportion to their latency
};

/// Every kind of sharing with its name, as --sharing takes it.
inline constexpr std::array<std::pair<Sharing, std::string_view>, 4> sharingNames{{
    {Sharing::bottleneck, "bottleneck"},
    {Sharing::fair, "fair"},
    {Sharing::fairWeighted, "fair-weighted"},
    {Sharing::none, "none"},
}};

constexpr bool isFair(Sharing sharing) { return sharing == Sharing::fair || sharing == Sharing::fairWeighted; }

/// What the message layer adds to a message, and when it lets go of it; fair sharing only.
struct Protocol {
    engine::Bytes header = 0;    ///< bytes that every message has beyond its own, >= 0
    engine::Bytes detached = 0;  ///< smaller messages, header not counted, are off their sender's hands at once

    friend bool operator==(const Protocol&, const Protocol&) = default;
};

/// Which rank waits for which between two rounds; the rules stand in clocks/virtual_clock.hpp.
enum class Stepping : std::uint8_t {
    free,      ///< a rank goes on when its own round is done
    lockstep,  ///< all go on together
};

/// Everything that a run in virtual time depends on beside plan and network.
struct Conditions {
    engine::Model model{};
    Stepping stepping = Stepping::free;
    Sharing sharing = Sharing::bottleneck;
    Protocol protocol{};
    Perturbation perturbation{};
    /// Messages a rank can send, and receive, at one time; those of a round beyond them go one after the other. 0: as
    /// many as the schedule asks for. LogGP has one port, whatever stands here.
    int ports = 0;
    std::int64_t budget = engine::RunBuilder::defaultBudget;  ///< most messages kept in the Run; 0 = summaries only
    int threads = 1;  ///< most that work side by side, >= 1; no answer depends on it
};

/// "fair-weighted header=16B detached=65536B"; what is 0 is left out.
std::string toText(Sharing sharing, const Protocol& protocol);

struct SharingWords {
    Sharing sharing = Sharing::bottleneck;
    Protocol protocol{};
};

/// What toText wrote; empty words are bottleneck sharing. Throws Error.
SharingWords sharingFromText(std::string_view words);

}  // namespace emulation
