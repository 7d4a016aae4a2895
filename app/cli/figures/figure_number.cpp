// SPDX-License-Identifier: BSD-3-Clause
// A number in print, compared with the runs that give ours.
#include "app/cli/arguments/definitions.hpp"
#include "app/cli/figures/figure_made.hpp"
#include "app/cli/sweep/sweep_chart.hpp"
#include "engine/base/text.hpp"

#include <cmath>

namespace app::cli {
namespace {

using engine::text;
using figures::Of;

/// Of what was run.
double figureOf(const SweepResult& result, Of of) {
    switch (of) {
        case Of::time: return engine::seconds(result.time);
        case Of::rounds: return static_cast<double>(result.rounds);
        case Of::messages: return static_cast<double>(result.messages);
        case Of::bytes: return static_cast<double>(result.bytes);
        case Of::still: return result.idle;
        case Of::proved:
        case Of::peer:
        case Of::carried:
        case Of::opposed:
        case Of::links: break;
    }
    ENSURE(false, "a number of a schedule is none of its run");
    return 0;
}

bool isOfSchedule(Of of) {
    return of == Of::proved || of == Of::peer || of == Of::carried || of == Of::opposed || of == Of::links;
}

/// The command that shows what the number is of.
std::string commandOf(const figures::Number& number, std::string_view words) {
    switch (number.of) {
        case Of::proved: return text("collscope verify ", words);
        case Of::peer:
        case Of::carried:
            return text("collscope show ", words, " --rounds ", number.message.round, " --rank ", number.message.rank);
        case Of::opposed: return text("collscope show ", words);
        default: return text("collscope run ", words);
    }
}

Formula formulaOf(std::string_view words, const figures::Number& number) { return {words, std::string{number.what}}; }

/// The formulas of the number that stand in the letters of its first run.
std::vector<std::string_view> formulasOf(const figures::Number& number) {
    std::vector<std::string_view> formulas;
    for (const std::string_view words : {number.formula, number.says.formula, number.term})
        if (!words.empty()) formulas.push_back(words);
    return formulas;
}

/// Whether a formula has letters that only a result gives a value.
bool asksForTheRun(const figures::Number& number, const Letters& letters) {
    for (const std::string_view words : formulasOf(number))
        if (!formulaOf(words, number).fits(letters)) return true;
    return false;
}

Letters lettersOf(const Specification& wish, const SweepResult* result) {
    return lettersOf(Point{wish.run, wish.split, {}}, result);
}

}  // namespace

std::vector<Wanted> wantedFor(const figures::Number& number) {
    std::vector<Wanted> wanted;
    if (number.slow.empty()) return wanted;
    const Specification slow = specified(std::string{number.slow});
    const bool formula = !number.formula.empty();
    if (!formula && isOfSchedule(number.of))
        wanted.push_back({.wish = slow, .ofSchedule = number.of, .message = number.message});
    if ((!formula && !isOfSchedule(number.of)) ||
        (!formulasOf(number).empty() && asksForTheRun(number, lettersOf(slow, nullptr))))
        wanted.push_back({.wish = slow});
    if (!formula && !number.fast.empty()) wanted.push_back({.wish = specified(std::string{number.fast})});
    return wanted;
}

MadeNumber make(const figures::Number& number, double tolerance, KnownRuns& runs, const engine::Progress& progress) {
    MadeNumber made{.number = &number,
                    .least = number.says.least,
                    .most = number.says.most,
                    .tolerance = figures::isCount(number) ? 0 : tolerance};
    if (number.slow.empty()) {
        made.value = formulaOf(number.formula, number).at({});
        return made;
    }
    made.commands.push_back(commandOf(number, number.slow));
    const Specification slow = specified(std::string{number.slow});
    Letters letters;
    if (!formulasOf(number).empty()) {
        letters = lettersOf(slow, nullptr);
        if (asksForTheRun(number, letters)) {
            const SweepResult result = runs.of(slow, progress);
            letters = lettersOf(slow, &result);
        }
    }
    if (!number.formula.empty()) {
        made.value = formulaOf(number.formula, number).at(letters);
    } else if (isOfSchedule(number.of)) {
        made.value = runs.ofSchedule({.wish = slow, .ofSchedule = number.of, .message = number.message}, progress);
    } else {
        made.value = figureOf(runs.of(slow, progress), number.of);
        if (!number.fast.empty()) {
            made.commands.push_back(commandOf(number, number.fast));
            made.value /= figureOf(runs.of(specified(std::string{number.fast}), progress), number.of);
        }
    }
    if (!number.says.formula.empty()) made.least = made.most = formulaOf(number.says.formula, number).at(letters);
    if (!number.term.empty()) made.term = formulaOf(number.term, number).at(letters);
    return made;
}

std::string inDigits(double number) {
    constexpr int figures = 4;
    constexpr double thousandth = 1000;  // below 1 four figures are more than print has
    return engine::showNumber(std::abs(number) < 1 ? std::round(number * thousandth) / thousandth : number, figures);
}

std::string valueInWords(const figures::Number& number, double value) {
    if (number.of != Of::proved || !number.formula.empty()) return inDigits(value);
    return value == 0 ? "no" : "yes";
}

}  // namespace app::cli
