// SPDX-License-Identifier: BSD-3-Clause
// A text that the user put at a place of a picture; without any Qt type, as pictures that are written have them too.
#pragma once

#include "engine/types.hpp"

#include <optional>
#include <string>

namespace app::gui {

/// Its place is a rank at a time, among the ranks over time; or a rank, or a link, of the network.
struct PinnedNote {
    std::string text{};
    std::optional<engine::Picoseconds> time{};
    std::optional<engine::Rank> rank{};
    std::optional<engine::LinkId> link{};

    /// Whether both stand at one place: of ranks over time at the same rank, whenever.
    [[nodiscard]] bool beside(const PinnedNote& other) const {
        return time.has_value() == other.time.has_value() && rank == other.rank && link == other.link;
    }
    friend bool operator==(const PinnedNote&, const PinnedNote&) = default;
};

}  // namespace app::gui
