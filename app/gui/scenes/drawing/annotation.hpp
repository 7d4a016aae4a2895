// SPDX-License-Identifier: BSD-3-Clause
// What the user noted: a moment, and where there is one the place in a picture that the note stands at. Without any Qt
// type, as pictures that are written have them too.
#pragma once

#include "engine/base/types.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace app::gui {

struct Mark {
    /// `moment`: across all pictures over time; `network`: beside `rank` or `link` of the network, while the round of
    /// `time` is in flight; `ranks`: beside `rank` at `time`, in timelines.
    enum class On : std::uint8_t { moment, network, ranks };

    engine::Picoseconds time{};
    std::string note{};
    On on = On::moment;
    std::optional<engine::Rank> rank{};
    std::optional<engine::LinkId> link{};

    friend bool operator==(const Mark&, const Mark&) = default;
};

}  // namespace app::gui
