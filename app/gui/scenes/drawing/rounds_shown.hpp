// SPDX-License-Identifier: BSD-3-Clause
// Which rounds the view Round by round shows, and how. No Qt type.
#pragma once

#include <cstdint>

namespace app::gui {

struct RoundsShown {
    enum class Senders : std::uint8_t { all, groupA, groupB };

    std::int64_t first = 0;          ///< round, from 0
    std::int64_t count = 0;          ///< of rounds; 0: all from `first` on
    bool together = false;           ///< in one picture, instead of one for each
    Senders senders = Senders::all;  ///< whose messages are drawn
    bool held = false;               ///< beside each rank stands what it holds when the round begins

    friend bool operator==(const RoundsShown&, const RoundsShown&) = default;
};

}  // namespace app::gui
