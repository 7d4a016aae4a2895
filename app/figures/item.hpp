// SPDX-License-Identifier: BSD-3-Clause
// What the papers show and say, item by item, as the commands that make it again. Data alone: who runs and draws them
// stands in app/cli/figure_*. One file is one paper, in the paper's order.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace app::figures {

enum class Kind : std::uint8_t { figure, table, equation, definition, theorem, algorithm, claim, observation };

/// What became of an item here.
enum class Verdict : std::uint8_t {
    reproduced,    ///< the paper's model, run here, gives what it prints
    fitted,        ///< a model was fitted to the very numbers: they can be so, which does not say that they must
    explained,     ///< it differs, and what the difference comes from can be shown
    contradicted,  ///< by the paper's own model or statements it cannot be so
    notHere,       ///< it needs something that is not to be had here
};

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
};

/// A dashed line of a panel compared with one of its series, number by number.
struct Agreement {
    std::size_t panel = 0;
    std::string_view line;
    std::string_view series{};  ///< empty: the first one
    bool agrees = true;         ///< whether they are to be the same everywhere, to a millionth
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
    opposed,  ///< messages of the schedule that cross another one: back and forth between two ranks in one round
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
    std::string_view print;   ///< what the paper says
    double expected = 0;      ///< what its own model gives, worked out apart from this program
    std::string_view slow;    ///< words behind `collscope run`
    std::string_view fast{};  ///< empty: the number is of the first run alone
    Of of = Of::time;
    Message message{};  ///< of which `Of::peer` is said
    /// In place of `of` where the number is a formula: in the letters of the first run (see `sweep --line`).
    std::string_view formula{};
    bool headline = false;  ///< one of those by which the paper speaks of its success: a row of `claims`
    /// Why ours is another one than in print, where it is; such a row does not fail.
    std::string_view why{};
    bool contradicted = false;  ///< and that it cannot be what is in print
    bool fitted = false;        ///< the model of the runs was fitted to what is in print
    bool large = false;         ///< left out of the small form
};

struct Item {
    std::string_view name;  ///< "fig10", "tab1", "eq5", "def1", "thm2", "alg3", "claim3", "obs2"
    Kind kind = Kind::figure;
    std::string_view shows;   ///< what it is about, in our own words
    std::string_view axes{};  ///< what the caption says of the axes; empty: it says nothing
    std::vector<Panel> panels{};
    std::vector<Number> numbers{};
    std::vector<Agreement> agreements{};
    Verdict verdict = Verdict::reproduced;
    std::string_view why;  ///< one or two sentences
};

struct Paper {
    std::string_view name;   ///< "traff2010"
    std::string_view title;  ///< authors, year, title
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

}  // namespace app::figures
