// SPDX-License-Identifier: BSD-3-Clause
// What replays of a program took, beside what was recorded.
#pragma once

#include "app/session/replaying.hpp"

#include <optional>
#include <string>
#include <vector>

namespace app {

class ReplayTables {
public:
    /// Both outlive the object.
    ReplayTables(const analysis::RecordedProgram& recorded, const Replaying& made) : recorded_{recorded}, made_{made} {}

    /// See Replaying.
    [[nodiscard]] std::optional<double> errorBesideComputing() const;
    /// What ranks spent on average, by cause: rows add up to the whole time.
    [[nodiscard]] engine::Table causes() const;
    [[nodiscard]] engine::Table perRank() const;
    /// Collectives that are alike in one row. `ways`: by replay and collective; null where no algorithm is known.
    [[nodiscard]] engine::Table algorithms(const std::vector<std::vector<const engine::Plan*>>& ways) const;

private:
    const analysis::RecordedProgram& recorded_;
    const Replaying& made_;
};

}  // namespace app
