// SPDX-License-Identifier: BSD-3-Clause
// The bytes in front of the ports of one rank, counted by the time that one port needs for them.
#pragma once

#include "engine/base/types.hpp"

#include <algorithm>
#include <cstdint>

namespace emulation {

class InQueue {
public:
    /// From `now` on the bytes of one more message come, at the speed of a port.
    void begins(engine::Picoseconds now, int ports) {
        advance(now, ports);
        ++coming_;
    }

    /// The last byte of a message comes: when it has gone through one of `ports`; 0: as many as there need be.
    engine::Picoseconds ends(engine::Picoseconds now, int ports) {
        advance(now, ports);
        --coming_;
        return ports == 0 ? now : now + engine::Picoseconds{(waiting_ + ports - 1) / ports};
    }

private:
    void advance(engine::Picoseconds now, int ports) {
        const __int128 more = static_cast<__int128>(coming_ - ports) * (now - latest_).count();
        waiting_ = ports == 0 ? 0 : static_cast<std::int64_t>(std::max<__int128>(0, waiting_ + more));
        latest_ = now;
    }

    engine::Picoseconds latest_{};
    std::int64_t waiting_ = 0;  // picoseconds of one port
    std::int32_t coming_ = 0;   // messages
};

}  // namespace emulation
