// SPDX-License-Identifier: BSD-3-Clause
// All tokens of a schedule.
#pragma once

#include "app/analysis/schedule/message_signature.hpp"

namespace support {

inline app::analysis::Sequences planned(const engine::Schedule& schedule) {
    app::analysis::PlannedTokens tokens{schedule};
    app::analysis::Sequences all;
    for (std::size_t rank = 0; rank < tokens.ranks(); ++rank) {
        const std::span<const app::analysis::Token> its = tokens.of(rank);
        all.perRank.emplace_back(its.begin(), its.end());
    }
    return all;
}

}  // namespace support
