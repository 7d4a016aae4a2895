// SPDX-License-Identifier: BSD-3-Clause
// What the papers show and say, item by item, as the commands that make it again. Data alone: who runs and draws them
// stands in app/cli/figure_*. One file is one paper, in the paper's order.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace app::figures {

enum class Kind : std::uint8_t { figure, table, equation, definition, theorem, algorithm, claim, observation };

/// The verdict on an item, computed from its numbers and curves; see `verdictOf` in app/cli/figures.
enum class Verdict : std::uint8_t {
    reproduced,  ///< all numbers and curves equal their expected values and satisfy the printed statements
    fitted,      ///< likewise, but under a model that was fitted to printed numbers, of this item or of others
    explained,   ///< something differs from print by a given term, and the equation holds
    /// The paper's own statements yield a number other than the printed one: a counterexample. Never a measurement that
    /// is printed in words alone: a model cannot refute what was measured.
    contradicted,
    notHere,  ///< it needs something that is not available here
    differs,  ///< a number or a curve differs from its expected value
};

/// The printed statement about a number or a quotient of curves, as numbers. By default none.
struct Says {
    double least = -std::numeric_limits<double>::infinity();
    double most = std::numeric_limits<double>::infinity();
    /// In place of both: the printed formula, in the symbols of the first run (see `sweep --line`).
    std::string_view formula{};
    bool open = false;  ///< the ends do not belong to it
};

constexpr double roundly = 0.1;    ///< "about", "similar", "almost identical": within 10%
constexpr double strictly = 1e-6;  ///< above or below, not equal
constexpr Says exactly(double number) { return {number, number}; }
constexpr Says about(double number) { return {number * (1 - roundly), number * (1 + roundly)}; }
constexpr Says moreThan(double number) { return {.least = number * (1 + strictly), .open = true}; }
constexpr Says lessThan(double number) { return {.most = number * (1 - strictly), .open = true}; }
constexpr Says atLeast(double number) { return {.least = number}; }
constexpr Says atMost(double number) { return {.most = number}; }
constexpr Says between(double least, double most) { return {least, most}; }
constexpr Says byFormula(std::string_view formula) { return {.formula = formula}; }

/// A number in print, where its chart has a place for it.
struct Mark {
    double x = 0;
    double y = 0;
    std::string_view words;  ///< the number as printed, and where
};

/// One chart: the words behind `collscope sweep`.
struct Panel {
    std::string title;
    std::string sweep;
    /// The same on fewer or smaller runs, for a quick look; empty: `sweep` is quick.
    std::string small{};
    std::vector<Mark> marks{};
    /// Panels of one such title are drawn as one chart: a curve for each, with its marks and without its dashed lines.
    std::string joined{};
};

/// Two curves of a panel: the quotient of the first over the second, at every number across that both have.
struct Curves {
    std::size_t panel = 0;
    std::string_view first;     ///< a dashed line or a series
    std::string_view second{};  ///< likewise; empty: the first series
    std::string_view what{};    ///< what the quotient is, where it has a name: "gain"
    Says says = exactly(1);     ///< of the quotient, at every number from `from` to `to`, to a millionth
    double from = -std::numeric_limits<double>::infinity();
    double to = std::numeric_limits<double>::infinity();
    /// Where it differs from print: the lowest and the highest quotient, derived apart from this program.
    double low = 0;
    double high = 0;
    /// A dashed line with the term that accounts for the difference: it equals the second curve, to a millionth.
    std::string_view term{};
    bool refutes = false;    ///< the second curve follows from the paper's own statements
    std::string_view why{};  ///< the cause of the difference
    bool notHere = false;    ///< the difference from print is of something that is not available
    bool large = false;      ///< not judged in the small form
    bool ours = false;       ///< what `says` has is not in print: it follows from the model of the runs
};

/// What of a run is a number.
enum class Of : std::uint8_t {
    time,
    rounds,
    messages,
    bytes,
    still,
    proved,   ///< 1 where its schedule keeps its promise, else 0
    peer,     ///< the rank at the other end of `Number::message`
    carried,  ///< bytes of `Number::message`
    opposed,  ///< messages of the schedule that cross another one: back and forth between two ranks in one round
    links,    ///< pairs of ranks that exchange messages in the schedule
};

/// A message of a schedule, as one of its ends sees it.
struct Message {
    int rank = 0;
    bool sent = true;  ///< else received
    int round = 1;     ///< from 1
    int place = 1;     ///< among those that the rank sends, or receives, in that round, from 1
};

/// A number in print, and the runs that give ours: the first one's over the second's.
struct Number {
    std::string_view what;    ///< where in the paper, and of what
    std::string_view print;   ///< what the paper says; words that it does not have stand in brackets
    Says says{};              ///< the printed statement as numbers
    double expected = 0;      ///< value of the paper's own model, derived apart from this program
    std::string_view slow{};  ///< words behind `collscope run`; empty: `formula` is of printed numbers alone
    std::string_view fast{};  ///< empty: the number is of the first run alone
    Of of = Of::time;
    Message message{};  ///< of which `Of::peer` and `Of::carried` are
    /// In place of `of` where the number is a formula: in the symbols of the first run, if any, and of its results.
    std::string_view formula{};
    bool headline = false;  ///< one of those by which the paper speaks of its success: a row of `claims`
    /// The gap between `expected` and print is of something that is not available: the run is shown for comparison.
    bool notHere = false;
    std::string_view why{};  ///< the cause of the difference from print
    /// Then also a formula like `formula`, with the term that `why` states: it yields ours, or the printed number.
    std::string_view term{};
    bool refutes = false;  ///< `expected` follows from the paper's own statements, and refutes print where they differ
    /// The model of the runs was fitted to the printed number, which it meets within this share of it; 0: not fitted.
    double fitted = 0;
    bool large = false;  ///< left out of the small form

    /// The same number with the cause of its value.
    [[nodiscard]] Number because(std::string_view cause) const;
    /// The same with the cause of its difference from print, which it refutes.
    [[nodiscard]] Number refuting(std::string_view cause) const;
    /// The same with the cause of its difference from print, and the term that accounts for it.
    [[nodiscard]] Number explained(std::string_view cause, std::string_view byTerm) const;
    /// The same with what is not available, so that it differs from print.
    [[nodiscard]] Number unavailable(std::string_view cause) const;
    [[nodiscard]] Number fittedWithin(double share) const;
    [[nodiscard]] Number asHeadline() const;
    [[nodiscard]] Number inWholeForm() const;  ///< left out of the small form
};

// Each is a number by what it is of, the paper's words for it, these as numbers, the expected value, and its run.

/// The time of the first run over that of the second, or their rounds.
Number quotient(std::string_view what, std::string_view print, const Says& says, double expected, std::string_view slow,
                std::string_view fast, Of of = Of::time);
/// A count of a run, or its time.
Number counted(std::string_view what, std::string_view print, const Says& says, double expected, Of of,
               std::string_view run);
/// A formula of a run, or of printed numbers alone.
Number computed(std::string_view what, std::string_view print, const Says& says, double expected,
                std::string_view formula, std::string_view run = {});
/// Whether a schedule keeps its promise, as print says, or where print says nothing.
Number proved(std::string_view what, std::string_view print, std::string_view run);
Number refuted(std::string_view what, std::string_view print, std::string_view run);
Number proof(std::string_view what, std::string_view print, const Says& says, double expected, std::string_view run);
/// The rank at the other end of a message of a schedule, or its bytes.
Number peer(std::string_view what, std::string_view print, const Says& says, double expected, const Message& message,
            std::string_view run);
Number carried(std::string_view what, std::string_view print, const Says& says, double expected, const Message& message,
               std::string_view run);

struct Item {
    std::string_view name;  ///< "fig10", "tab1", "eq5", "def1", "thm2", "alg3", "claim3", "obs2"
    Kind kind = Kind::figure;
    std::string_view shows;   ///< what it is about, in our own words
    std::string_view axes{};  ///< what the paper says of the axes; empty: nothing
    std::vector<Panel> panels{};
    std::vector<Number> numbers{};
    std::vector<Curves> curves{};
    double tolerance = 0.01;  ///< of quotients and formulas, relative to what is expected; counts are exact
    bool fitted = false;      ///< the model of its runs was fitted to printed numbers, of this item or of others
    bool notHere = false;     ///< it needs something that is not available here
    std::string_view why;     ///< one or two sentences
};

struct Paper {
    std::string_view name;     ///< "traff2010"
    std::string_view title;    ///< authors, year, title
    std::string_view notes{};  ///< what holds for all of its items: units, models
    std::vector<Item> items;
};

Paper traff2010();
Paper hasanov2014();
Paper kang2019();
Paper kangHalfDuplex();
Paper end2016();

/// All of them, in the order above.
const std::vector<Paper>& papers();

std::string_view nameOf(Kind kind);
std::string_view nameOf(Verdict verdict);

/// Whether a number is a count, which is exact.
bool isCount(const Number& number);

}  // namespace app::figures
