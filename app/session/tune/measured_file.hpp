// SPDX-License-Identifier: BSD-3-Clause
// The file of a measurement, which grows as times come: a measurement that was stopped continues from it, and the map
// is drawn from it.
//
//   # measurements of collscope tune
//   conditions  MPICH 4.0.2, lab            tabs between words; times are joined under equal conditions only
//   model       alpha=1000000ps ...         by which times were predicted, if any
//   cell        bcast 8 4096 0 | 0 ...      toText(Cell)
//   0  1  0  123000    .                    toText(Sample)
//   check  0  2  1.5  1.4  1.6  12  1  .    the cell and its best candidate, gain of the rules after 12 rounds (0: none
//                                           was checked), and whether its rule is kept; the last line of a cell counts
//   drop-in  0  5  1.5  1.4  1.6  12  1  .  the same of the rules of the drop-in library, where they were checked
#pragma once

#include "app/session/tune/autotuner.hpp"

#include <optional>
#include <string>
#include <vector>

namespace app::tune {

struct MeasuredFile {
    std::string conditions{};
    std::optional<engine::Model> model{};
    std::vector<Cell> cells{};
    std::vector<std::string> samples{};  ///< whole lines
    std::vector<std::string> checks{};

    [[nodiscard]] Library library() const;
    /// Everything in front of the samples.
    [[nodiscard]] std::string head() const;
    /// With the checks of a measurement that came to its end; of one that did not, without rules.
    [[nodiscard]] std::vector<Tuned> decisions() const;
};

/// Throws Error, which begins with `path`, where there is no such file.
MeasuredFile measuredIn(const std::string& path);

/// The measurements that `path` names: itself, or FILE.measured beside a file of rules; nothing where it has none.
std::optional<std::string> measurementsOf(const std::string& path);

/// The check lines of the cell at `index`, also where nothing was checked.
std::string checkLines(std::size_t index, const Tuned& one);

}  // namespace app::tune
