// SPDX-License-Identifier: BSD-3-Clause
// Measures Open MPI's algorithms, decides which are worth a rule, and checks that the rules help.
#pragma once

#include "app/session/options/launch.hpp"
#include "app/session/run/load.hpp"
#include "app/session/tune/measurements.hpp"
#include "app/session/tune/rule_table.hpp"
#include "engine/run/executor.hpp"

#include <filesystem>

namespace app::tune {

struct TuneWish {
    std::vector<engine::live::Called> calls{};
    std::vector<std::int64_t> ranks{};   ///< rising
    std::vector<engine::Bytes> sizes{};  ///< rising; as Cell counts them
    double seconds = 600;                ///< for everything
    bool commutes = false;               ///< the program's own operations commute
};

/// Earlier samples; each new one is passed to `keep` immediately.
struct Kept {
    std::vector<std::string> lines{};
    std::function<void(const std::string&)> keep{};
};

/// A cell with its decision.
struct Tuned {
    Cell cell{};
    Verdict verdict{};
    std::vector<std::string> faults{};  ///< of candidates that give wrong results, with their names
    std::optional<Gain> checked{};      ///< of the written rules, where the cell has one
    bool kept = false;                  ///< it has a rule, which helps

    [[nodiscard]] const Candidate& chosen() const { return cell.candidates[verdict.best]; }
};

struct TuneReport {
    std::vector<Tuned> cells{};
    Converted openMpi{};
    Converted collscope{};
    std::string command{};  ///< what started the processes of the last measurement
    std::string version{};
    app::Load before{};
    app::Load after{};
    double seconds = 0;  ///< that it took

    [[nodiscard]] std::int64_t rules() const;
    /// Of the rules, with the file; 1 without any.
    [[nodiscard]] double mostGain() const;
};

/// All cells of a wish, with every algorithm of `installed` that may run them.
std::vector<Cell> cellsOf(const TuneWish& wish, const Installed& installed);

/// The rules of cells that have one. They hold from a measured size and number of ranks to the next one, and nowhere
/// beyond those that were measured.
RuleTable tableOf(const std::vector<Tuned>& cells);

/// Throws Error where nothing could be measured, or a process died: what was measured is kept then. Cancelled.
TuneReport tune(const TuneWish& wish, const Installed& installed, const Launch& launch, Kept kept,
                const engine::Progress& progress = {});

/// "2.1x (1.8 to 2.4)".
std::string gainWords(const Gain& gain);

/// A line for each cell, for csv.
std::string mapOf(const TuneReport& report);
/// For people, in Markdown: what was measured, how sure it is, what changes. `file` is that of the rules.
std::string pageOf(const TuneReport& report, const TuneWish& wish, const std::string& file);

}  // namespace app::tune
