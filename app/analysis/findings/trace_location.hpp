// SPDX-License-Identifier: BSD-3-Clause
// Location in a trace of a table row or of a finding.
#pragma once

#include "engine/base/types.hpp"

#include <cstdint>
#include <optional>

namespace app::analysis {

/// As far as it is known.
struct Place {
    std::optional<engine::Picoseconds> begin{};
    std::optional<engine::Picoseconds> end{};  ///< only with a begin, and not before it
    std::optional<engine::Rank> rank{};        ///< of the world
    std::optional<engine::Round> round{};      ///< of the run, where its rounds are known
    std::optional<std::int64_t> instance{};    ///< its number, from 1

    friend bool operator==(const Place&, const Place&) = default;
};

}  // namespace app::analysis
