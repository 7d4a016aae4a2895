// SPDX-License-Identifier: BSD-3-Clause
// An item of a paper, made: its charts, its numbers, and the verdict that follows from them.
#pragma once

#include "app/cli/figures/figure_runs.hpp"
#include "app/cli/figures/item.hpp"
#include "app/cli/output/console.hpp"
#include "app/cli/output/text_layout.hpp"
#include "app/session/sweep/chart.hpp"

#include <span>

namespace app::cli {

struct MadePanel {
    std::string command;  ///< that draws the same chart
    Chart chart;
    std::string joined{};    ///< title of the chart that it shares with others; empty: none
    std::string measured{};  ///< how times over MPI are to those in virtual time, as a sentence
};

/// The verdict on a number or on two curves, in order of increasing severity.
enum class State : std::uint8_t { holds, fitted, explained, notHere, contradicted, differs };

struct MadeNumber {
    const figures::Number* number = nullptr;
    std::vector<std::string> commands{};  ///< one, or the two whose quotient it is; none: of printed numbers alone
    double value = 0;
    double least = 0;  ///< limits of the printed statement
    double most = 0;
    std::optional<double> term{};  ///< value of the term that accounts for the difference
    double tolerance = 0;          ///< relative, of the value against the expected one
};

struct MadeCurves {
    const figures::Curves* curves = nullptr;
    std::string panel{};  ///< its title, where there are several
    Unit across = Unit::number;
    std::string first{};
    std::string second{};
    std::vector<Chart::Point> quotients{};  ///< over the first number across to the last that is judged
    double offTerm = 0;                     ///< of the second curve from its term, the largest relative difference

    [[nodiscard]] double low() const;
    [[nodiscard]] double high() const;
    [[nodiscard]] double off() const;  ///< of the two curves, the largest relative difference
};

struct FigureResult {
    const figures::Paper* paper = nullptr;
    const figures::Item* item = nullptr;
    std::vector<MadePanel> panels{};
    std::vector<MadeNumber> numbers{};
    std::vector<MadeCurves> curves{};
    /// Of other runs than the paper's: nothing of it is judged.
    bool elsewhere = false;

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

    [[nodiscard]] bool elsewhere() const { return !instead.empty() || !live.empty(); }
};

/// What `act` returns. An Error in it names `where` first, the line of a paper's file; empty: no line.
template <class Act>
auto at(const std::string& where, const Act& act) {
    try {
        return act();
    } catch (const engine::Error& error) {
        if (where.empty()) throw;
        throw engine::Error{where + ": " + error.words()};
    }
}

/// All runs and numbers of schedules that the item needs, to be prepared before it is made.
std::vector<Wanted> wantedFor(const figures::Item& item, const Way& way);
std::vector<Wanted> wantedFor(const figures::Number& number);

/// Makes the item of `runs`; what they lack is run. Throws Error, Cancelled.
FigureResult make(const figures::Paper& paper, const figures::Item& item, const Way& way, KnownRuns& runs,
                  const engine::Progress& progress = {});

/// The number alone; also for `claims`. Formulas and quotients may be off by `tolerance`.
MadeNumber make(const figures::Number& number, double tolerance, KnownRuns& runs,
                const engine::Progress& progress = {});

/// A number other than the expected one differs. Otherwise it holds where it satisfies the printed statement or print
/// has none. Where it does not satisfy it, it is explained if its term yields the number of the run or the printed one,
/// not available if it is declared so, and contradicted if the expected value follows from the paper's own statements.
/// A fitted number must meet the printed one as well as its fit is said to.
State stateOf(const MadeNumber& made);
/// The same of two curves, whose quotient is the number.
State stateOf(const MadeCurves& made);

/// "holds", "fitted", "explained", "not available", "contradicted" or "does not hold".
std::string_view stateName(State state);

/// The most severe state of all numbers and curves, as the verdict on their item.
figures::Verdict verdictOf(const FigureResult& made);
/// The same as a word; "not judged" of other runs than the paper's.
std::string verdictInWords(const FigureResult& made);
/// Why, in one or two sentences.
std::string reasonOf(const FigureResult& made);

/// All differences from expected values, each with both numbers and the tolerance: "rounds: 12, expected 11 (exact)".
std::vector<std::string> differencesOf(const FigureResult& made);

/// The printed statement as numbers: "13.5 to 16.5", "above 1"; empty without one.
std::string saidOf(const MadeNumber& made);
std::string saidOf(const figures::Says& says);
/// The state of a number: "holds", or "as expected" where print has none.
std::string_view stateInWords(const MadeNumber& made);

/// The long formulas of an item's numbers, each once and with a letter: "(A)". Short ones stand where they are needed.
class Equations {
public:
    explicit Equations(const std::vector<MadeNumber>& numbers);

    /// The letter of a long formula, a short one as people read it.
    [[nodiscard]] std::string named(std::string_view formula) const;
    /// "(A): 2 (p - 1)/p size", in the order of letters.
    [[nodiscard]] std::vector<std::string> lines() const;

private:
    std::vector<std::string_view> long_;
};

/// The formula as people read it: "2 (p - 1)/p size" for "2*(p-1)/p*size".
std::string spelled(std::string_view formula);

/// The equation or the counterexample behind the state, with numbers; empty where it holds.
std::string evidenceOf(const MadeNumber& made, const Equations& equations);
/// "equation (1) equals allgatherv/linear-ring at every point (6)", with the printed statement and the difference.
std::string inWords(const MadeCurves& made);
/// The tolerances of the numbers and curves of the item.
std::string toleranceOf(const FigureResult& made);
/// How much of the item is in print: "2 values or curves and 1 direction or range; 1 number here is not in print".
std::string basisOf(const FigureResult& made);

/// Its charts on one paper, with title and words. Throws Error for an item without charts.
Sheet sheetOf(const FigureResult& made);

/// What the axes are, and who says so.
std::string axesOf(const FigureResult& made);

/// A number as people read it beside one in print: four figures, below 1 three decimals.
std::string inDigits(double number);
/// A value of a number likewise; "yes" or "no" where it is whether a schedule is proved.
std::string valueInWords(const figures::Number& number, double value);

/// Numbers for people: verdict, the printed statement as a number, the expected value, ours, and what it is of.
Table tableOfNumbers(const std::vector<MadeNumber>& numbers, const Console& console);
/// What the number is of and its value, then indented: commands, formula, cause and evidence.
std::string inDetail(const MadeNumber& made, const Equations& equations);

}  // namespace app::cli
