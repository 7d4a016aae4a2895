// SPDX-License-Identifier: BSD-3-Clause
// A number in print, compared with the runs that give ours.
#include "app/cli/arguments/option_parser.hpp"
#include "app/cli/figures/figure_result.hpp"
#include "app/cli/sweep/sweep_chart.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
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

/// The run of which a number is asked for.
Wanted runOf(const Specification& wish, Of of) {
    return {.wish = wish, .timeOnly = of == Of::time || of == Of::rounds};
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

Formula formulaOf(std::string_view words, const figures::Number& number) { return {words, number.what}; }

/// The formulas of the number that use the parameters of its first run.
std::vector<std::string_view> formulasOf(const figures::Number& number) {
    std::vector<std::string_view> formulas;
    for (const std::string* words : {&number.formula, &number.says.formula, &number.term})
        if (!words->empty()) formulas.push_back(*words);
    return formulas;
}

/// Whether a formula has parameters whose values only a run gives.
bool needsRun(const figures::Number& number, const ParameterValues& values) {
    for (const std::string_view words : formulasOf(number))
        if (!formulaOf(words, number).fits(values)) return true;
    return false;
}

ParameterValues parameterValuesOf(const Specification& wish, const SweepResult* result) {
    return parameterValuesOf(Point{wish.run, wish.split, {}}, result);
}

}  // namespace

std::vector<Wanted> wantedFor(const figures::Number& number) {
    std::vector<Wanted> wanted;
    if (number.run.empty()) return wanted;
    const Specification slow = specified(number.run);
    const bool formula = !number.formula.empty();
    if (!formula && isOfSchedule(number.of))
        wanted.push_back({.wish = slow, .ofSchedule = number.of, .message = number.message});
    if (!formulasOf(number).empty() && needsRun(number, parameterValuesOf(slow, nullptr)))
        wanted.push_back({.wish = slow});
    if (!formula && !isOfSchedule(number.of)) wanted.push_back(runOf(slow, number.of));
    if (!formula && !number.over.empty()) wanted.push_back(runOf(specified(number.over), number.of));
    return wanted;
}

MadeNumber make(const figures::Number& number, double tolerance, KnownRuns& runs, const engine::Progress& progress) {
    MadeNumber made{.number = &number,
                    .least = number.says.least,
                    .most = number.says.most,
                    .tolerance = figures::isCount(number) ? 0 : tolerance};
    if (number.run.empty()) {
        made.value = formulaOf(number.formula, number).at({});
        return made;
    }
    made.commands.push_back(commandOf(number, number.run));
    const Specification slow = specified(number.run);
    ParameterValues values;
    if (!formulasOf(number).empty()) {
        values = parameterValuesOf(slow, nullptr);
        if (needsRun(number, values)) {
            const SweepResult result = runs.of(Wanted{.wish = slow}, progress);
            values = parameterValuesOf(slow, &result);
        }
    }
    if (!number.formula.empty()) {
        made.value = formulaOf(number.formula, number).at(values);
    } else if (isOfSchedule(number.of)) {
        made.value = runs.ofSchedule({.wish = slow, .ofSchedule = number.of, .message = number.message}, progress);
    } else {
        made.value = figureOf(runs.of(runOf(slow, number.of), progress), number.of);
        if (!number.over.empty()) {
            made.commands.push_back(commandOf(number, number.over));
            made.value /= figureOf(runs.of(runOf(specified(number.over), number.of), progress), number.of);
        }
    }
    if (!number.says.formula.empty()) made.least = made.most = formulaOf(number.says.formula, number).at(values);
    if (!number.term.empty()) made.term = formulaOf(number.term, number).at(values);
    return made;
}

std::string inDigits(double number) {
    constexpr int figures = 4;
    constexpr double thousandth = 1000;  // below 1 four figures are more than print has
    return engine::showNumber(std::abs(number) < 1 ? std::round(number * thousandth) / thousandth : number, figures);
}

std::string spelled(std::string_view formula) {
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    const auto isLetter = [](char c) { return c >= 'a' && c <= 'z'; };
    std::string words;
    // "1.9 x rounds": a number of several figures in front of a letter would read as one with a unit.
    const auto readsAsUnit = [&](char next) {
        return isLetter(next) && words.size() > 1 && isDigit(words.back()) &&
               (isDigit(words[words.size() - 2]) || words[words.size() - 2] == '.');
    };
    for (std::size_t i = 0; i < formula.size(); ++i) {
        const char c = formula[i];
        const bool behindOperand = !words.empty() && words.back() != '(' && words.back() != ' ';
        if (c == '*' && i + 1 < formula.size())
            words += (isDigit(words.back()) && isDigit(formula[i + 1])) || readsAsUnit(formula[i + 1]) ? " x " : " ";
        else if ((c == '+' || c == '-') && behindOperand) words += text(' ', c, ' ');
        else if (c == ',') words += ", ";
        else if (c != ' ') words += c;
    }
    return words;
}

Equations::Equations(const std::vector<MadeNumber>& numbers) {
    constexpr std::size_t shortest = 40;
    for (const MadeNumber& one : numbers)
        for (const std::string* formula : {&one.number->formula, &one.number->term})
            if (formula->size() >= shortest && std::ranges::find(long_, *formula) == long_.end())
                long_.push_back(*formula);
}

std::string Equations::named(std::string_view formula) const {
    const auto found = std::ranges::find(long_, formula);
    return found == long_.end() ? spelled(formula) : text('(', static_cast<char>('A' + (found - long_.begin())), ')');
}

std::vector<std::string> Equations::lines() const {
    std::vector<std::string> all;
    for (const std::string_view formula : long_) all.push_back(text(named(formula), ": ", spelled(formula)));
    return all;
}

Table tableOfNumbers(const std::vector<MadeNumber>& numbers, const Console& console) {
    Table table{{Align::left, Align::right, Align::right, Align::right, Align::left}};
    table.row({"verdict", "in the paper", "expected", "here", "statement"});
    for (const MadeNumber& one : numbers) {
        const figures::Number& number = *one.number;
        const std::string said = saidOf(one);
        std::string what{number.what};
        if (number.print.starts_with('(')) what += text(' ', number.print);  // words of ours
        else if (!number.print.empty() && number.print != said) what += text("; in the paper: ", number.print);
        table.row({console.paint(stateOf(one) == State::differs ? Tone::bad : Tone::good, stateInWords(one)),
                   said.empty() ? "-" : said, valueInWords(number, number.expected), valueInWords(number, one.value),
                   std::move(what)});
    }
    return table;
}

std::string inDetail(const MadeNumber& made, const Equations& equations) {
    const figures::Number& number = *made.number;
    std::string words = text(number.what, ": ", valueInWords(number, made.value), '\n');
    for (const std::string& command : made.commands) words += text("  ", command, '\n');
    if (!number.formula.empty()) words += text("  formula: ", equations.named(number.formula), '\n');
    for (const std::string& more : {number.why, evidenceOf(made, equations)})
        if (!more.empty())
            for (const std::string& line : wrapped(more, lineWidth - 2)) words += text("  ", line, '\n');
    return words;
}

std::string valueInWords(const figures::Number& number, double value) {
    if (number.of != Of::proved || !number.formula.empty()) return inDigits(value);
    return value == 0 ? "no" : "yes";
}

}  // namespace app::cli
