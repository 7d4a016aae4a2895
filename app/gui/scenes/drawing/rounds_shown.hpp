// SPDX-License-Identifier: BSD-3-Clause
// Which rounds the view Round by round shows, and how; borders in a reduction order. No Qt type.
#pragma once

#include <cstdint>
#include <string>

namespace app::gui {

struct RoundsShown {
    enum class Senders : std::uint8_t { all, groupA, groupB };

    std::int64_t first = 0;          ///< round, from 0
    std::int64_t count = 0;          ///< of rounds; 0: all from `first` on
    bool together = false;           ///< in one picture, instead of one for each
    Senders senders = Senders::all;  ///< whose messages are drawn
    bool held = false;               ///< beside each rank stands what it holds when the round begins
    /// Of a reduction order: the symbol of the borders between what its rank received, "g"; empty: none are drawn.
    std::string borders{};
    std::int64_t bordersTo = 0;  ///< the last round of which borders are drawn, from 1; 0: of all

    friend bool operator==(const RoundsShown&, const RoundsShown&) = default;
};

}  // namespace app::gui
