// SPDX-License-Identifier: BSD-3-Clause
// What the papers show and say, item by item, as the commands that make it again. They are read from files (see
// paper_file.hpp); app/cli/figures runs and draws them.
#pragma once

#include <cstdint>
#include <limits>
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
    std::string formula{};
    bool open = false;  ///< the ends do not belong to it
};

constexpr double roundly = 0.1;    ///< "about", "similar", "almost identical": within 10%
constexpr double strictly = 1e-6;  ///< above or below, not equal
inline Says exactly(double number) { return {number, number}; }
inline Says about(double number) { return {number * (1 - roundly), number * (1 + roundly)}; }
inline Says moreThan(double number) { return {.least = number * (1 + strictly), .open = true}; }
inline Says lessThan(double number) { return {.most = number * (1 - strictly), .open = true}; }
inline Says atLeast(double number) { return {.least = number}; }
inline Says atMost(double number) { return {.most = number}; }
inline Says between(double least, double most) { return {least, most}; }

/// A number in print, where its chart has a place for it.
struct Mark {
    double x = 0;
    double y = 0;
    std::string words{};  ///< the number as printed, and where
};

/// One chart: the words behind `collscope sweep`.
struct Panel {
    std::string where{};  ///< "my.paper:12", its first line
    std::string title{};
    std::string sweep{};
    /// The same on fewer or smaller runs, for a quick look; empty: `sweep` is quick.
    std::string small{};
    std::vector<Mark> marks{};
    /// Panels of one such title are drawn as one chart: a curve for each, with its marks and without its dashed lines.
    std::string joined{};
};

/// Two curves of a panel: the quotient of the first over the second, at every number across that both have.
struct Curves {
    std::string where{};  ///< "my.paper:12", its first line
    std::size_t panel = 0;
    std::string first{};     ///< a dashed line or a series
    std::string second{};    ///< likewise; empty: the first series
    std::string what{};      ///< what the quotient is, where it has a name: "gain"
    Says says = exactly(1);  ///< of the quotient, at every number from `from` to `to`, to a millionth
    double from = -std::numeric_limits<double>::infinity();
    double to = std::numeric_limits<double>::infinity();
    /// Where it differs from print: the lowest and the highest quotient, derived apart from this program.
    double low = 0;
    double high = 0;
    /// A dashed line with the term that accounts for the difference: it equals the second curve, to a millionth.
    std::string term{};
    bool refutes = false;  ///< the second curve follows from the paper's own statements
    std::string why{};     ///< the cause of the difference
    bool notHere = false;  ///< the difference from print is of something that is not available
    bool large = false;    ///< not judged in the small form
    bool ours = false;     ///< what `says` has is not in print: it follows from the model of the runs
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
    std::string where{};  ///< "my.paper:12", its first line
    std::string what{};   ///< where in the paper, and of what
    std::string print{};  ///< what the paper says; words that it does not have stand in brackets
    Says says{};          ///< the printed statement as numbers
    double expected = 0;  ///< value of the paper's own model, derived apart from this program
    std::string run{};    ///< words behind `collscope run`; empty: `formula` is of printed numbers alone
    std::string over{};   ///< empty: the number is of the first run alone
    Of of = Of::time;
    Message message{};  ///< of which `Of::peer` and `Of::carried` are
    /// In place of `of` where the number is a formula: in the symbols of the first run, if any, and of its results.
    std::string formula{};
    bool headline = false;  ///< one of those by which the paper speaks of its success: a row of `claims`
    /// The gap between `expected` and print is of something that is not available: the run is shown for comparison.
    bool notHere = false;
    std::string why{};  ///< the cause of the difference from print
    /// Then also a formula like `formula`, with the term that `why` states: it yields ours, or the printed number.
    std::string term{};
    bool refutes = false;  ///< `expected` follows from the paper's own statements, and refutes print where they differ
    /// The model of the runs was fitted to the printed number, which it meets within this share of it; 0: not fitted.
    double fitted = 0;
    bool large = false;  ///< left out of the small form
};

/// A run in one of the views of `collscope export`.
struct DrawnPanel {
    std::string where{};  ///< "my.paper:12", its first line
    std::string title{};
    std::string run{};    ///< words behind `collscope export`
    std::string view{};   ///< a name of `--view`
    int afterRound = -1;  ///< the moment shown: the end of this round, from 1, or 0: the start; -1: the view's own
    int rank = -1;        ///< the rank that is selected; -1: none
    // Of the view "strip":
    int first = 1;          ///< round
    int count = 0;          ///< of rounds; 0: all from `first` on
    bool together = false;  ///< in one picture
    char senders = '\0';    ///< 'A', 'B': only the messages of that group
    bool held = false;      ///< beside each rank what it holds
    // Of the view "brackets":
    std::string borders{};  ///< the symbol of data boundaries; empty: none are drawn
    int bordersTo = 0;      ///< the last round of which they are drawn; 0: of all
};

/// What an item shows that is a picture of schedules, placements or the movement of data, in the arrangement of the
/// print.
struct Drawn {
    int columns = 1;
    bool sameTime = false;  ///< timelines have one axis of time
    std::string below{};
    std::vector<DrawnPanel> panels{};  ///< empty: the item is no such picture
};

struct Item {
    std::string name{};  ///< "fig10", "tab1", "eq5", "def1", "thm2", "alg3", "claim3", "obs2"
    Kind kind = Kind::figure;
    std::string shows{};  ///< what it is about, in our own words
    std::string axes{};   ///< what the paper says of the axes; empty: nothing
    std::vector<Panel> panels{};
    std::vector<Number> numbers{};
    std::vector<Curves> curves{};
    Drawn drawn{};
    double tolerance = 0.01;  ///< of quotients and formulas, relative to what is expected; counts are exact
    bool fitted = false;      ///< the model of its runs was fitted to printed numbers, of this item or of others
    bool notHere = false;     ///< it needs something that is not available here
    std::string why{};        ///< one or two sentences
};

struct Paper {
    std::string name{};   ///< "traff2010"
    std::string title{};  ///< authors, year, title
    std::string notes{};  ///< what holds for all of its items: units, models
    std::vector<Item> items{};
};

/// Those of resources/papers, in the order of their files.
const std::vector<Paper>& papers();

std::string_view nameOf(Kind kind);
std::string_view nameOf(Verdict verdict);

/// Whether a number is a count, which is exact.
bool isCount(const Number& number);

}  // namespace app::figures
