// SPDX-License-Identifier: BSD-3-Clause
// Two runs, number by number and round by round.
#pragma once

#include "app/session/session.hpp"
#include "engine/base/table.hpp"

#include <optional>
#include <string>
#include <vector>

namespace app {

/// One number, or word, of two runs.
struct Compared {
    std::string what;  ///< as people read it: "Bytes sent"
    engine::Content content = engine::Content::words;
    engine::Cell first;  ///< nothing: not known
    engine::Cell second;

    /// The second as a multiple of the first; nothing where one of them is not known or no number, or the first is 0
    /// and the second is not.
    [[nodiscard]] std::optional<double> times() const;
};

/// Time first, then its reasons, as analysis::winnerOf names them, and other results; then algorithm, network and
/// ranks.
std::vector<Compared> numberByNumber(const Report& first, const Report& second);

/// A round of two runs, from when all rounds before it are over: what it adds, however they overlap. Nothing where a
/// run has fewer.
struct ComparedRound {
    engine::Round round;
    std::optional<engine::RoundTimes> first;
    std::optional<engine::RoundTimes> second;

    /// What the second's adds, as a multiple of the first's; nothing as above.
    [[nodiscard]] std::optional<double> times() const;
};

/// As many rounds as the longer one has, but at most `most`.
std::vector<ComparedRound> roundByRound(const engine::Run& first, const engine::Run& second, std::int64_t most);

}  // namespace app
