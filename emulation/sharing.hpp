// SPDX-License-Identifier: BSD-3-Clause
// How messages that meet on a link share it, and what messages are like on the wire.
#pragma once

#include "engine/types.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace emulation {

enum class Sharing : std::uint8_t {
    none,          ///< links never slow anyone down
    bottleneck,    ///< a message moves as if it were as large as the load of its busiest link in the round
    fair,          ///< messages under way flow at rates that are max-min fair at every moment (fair/clock.hpp)
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

/// What the message layer does to messages; fair sharing only.
struct Wire {
    engine::Bytes header = 0;    ///< bytes that every message has beyond its own, >= 0
    engine::Bytes detached = 0;  ///< smaller messages, header not counted, are off their sender's hands at once

    friend bool operator==(const Wire&, const Wire&) = default;
};

/// "fair-weighted header=16B detached=65536B"; what is 0 is left out.
std::string toText(Sharing sharing, const Wire& wire);

struct SharingWords {
    Sharing sharing = Sharing::bottleneck;
    Wire wire{};
};

/// What toText wrote; empty words are bottleneck sharing. Throws Error.
SharingWords sharingFromText(std::string_view words);

}  // namespace emulation
