// SPDX-License-Identifier: BSD-3-Clause
// An item of a paper, made: its charts, its numbers, and whether they are what is recorded of it.
#pragma once

#include "app/cli/figures/figure_runs.hpp"
#include "app/cli/output/console.hpp"
#include "app/figures/item.hpp"
#include "app/session/sweep/chart.hpp"

#include <span>

namespace app::cli {

struct MadePanel {
    std::string command;  ///< that draws the same chart
    Chart chart;
    std::string measured{};  ///< how times over MPI are to those in virtual time, as a sentence
};

struct MadeNumber {
    const figures::Number* number = nullptr;
    std::vector<std::string> commands{};  ///< one, or the two whose quotient it is
    double value = 0;
    bool holds = true;  ///< it is what is expected, to 1 %
};

struct MadeAgreement {
    std::string line;
    std::string series;
    bool expected = true;  ///< that they agree
    double off = 0;        ///< the largest relative difference
    bool holds = true;
};

struct Made {
    const figures::Paper* paper = nullptr;
    const figures::Item* item = nullptr;
    std::vector<MadePanel> panels{};
    std::vector<MadeNumber> numbers{};
    std::vector<MadeAgreement> agreements{};
    /// Of other runs than the paper's: nothing of it is judged.
    bool elsewhere = false;
    double seconds = 0;     ///< it took
    std::size_t ran = 0;    ///< runs made for it
    std::size_t taken = 0;  ///< results that were there already

    [[nodiscard]] bool holds() const;
    [[nodiscard]] std::string name() const;  ///< "traff2010 fig10"
};

enum class Form : std::uint8_t { whole, small };

/// The flags of a sweep that can be given to a figure in place of its own, by the keys of their fields.
std::span<const std::string_view> figureInstead();

/// How an item is made.
struct Way {
    Form form = Form::whole;
    std::vector<std::string> instead{};  ///< flags for its sweeps, in place of theirs: "--size", "64KiB"
    std::vector<std::string> live{};     ///< flags that have them measured: "--on", "mpi", "--lab"
    const Console* console = nullptr;    ///< where processes are started from, if `live` says so
};

/// Runs whatever the item needs. Throws Error, Cancelled.
Made make(const figures::Paper& paper, const figures::Item& item, const Way& way, KnownRuns& runs,
          const engine::Progress& progress = {});

/// The number alone; also for `claims`.
MadeNumber make(const figures::Number& number, KnownRuns& runs, const engine::Progress& progress = {});

/// What became of a number here: "holds", "fitted", "explained", "contradicted" or "does not hold".
std::string stateOf(const MadeNumber& made);

/// Its charts on one paper, with title and words. Throws Error for an item without charts.
Sheet sheetOf(const Made& made);

/// What became of the item here, in one word or some; "does not hold" where it is not what is recorded.
std::string verdictOf(const Made& made);
/// Why, in one or two sentences.
std::string reasonOf(const Made& made);

/// What the axes are, and who says so.
std::string axesOf(const Made& made);

/// A number as people read it beside one in print: four figures, below 1 three decimals.
std::string inDigits(double number);

}  // namespace app::cli
