// SPDX-License-Identifier: BSD-3-Clause
// Verdicts, computed from the measured numbers and curves.
#include "app/cli/figures/figure_made.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <cmath>

namespace app::cli {
namespace {

using engine::text;

/// Tolerance of curves that must be equal, and of numbers against printed limits.
constexpr double millionth = 1e-6;

bool near(double value, double expected, double tolerance) {
    return std::abs(value - expected) <= tolerance * std::abs(expected);
}

bool within(double low, double high, double least, double most, double tolerance) {
    const auto slack = [&](double end) { return std::isinf(end) ? 0 : tolerance * std::abs(end); };
    return low >= least - slack(least) && high <= most + slack(most);
}

bool saysNothing(double least, double most) { return std::isinf(least) && std::isinf(most); }

/// A printed number is as exact as its digits; a printed limit has no tolerance.
double toleranceOfPrint(const MadeNumber& made) { return made.least == made.most ? made.tolerance : 0; }

/// The term gives ours.
bool gives(const MadeNumber& made) { return near(*made.term, made.value, std::max(made.tolerance, millionth)); }

/// The term, applied to ours, gives the printed number.
bool givesPrint(const MadeNumber& made) {
    return within(*made.term, *made.term, made.least, made.most, toleranceOfPrint(made));
}

template <class Both>
State withoutPrint(const Both& claim, bool accounted) {
    if (!claim.term.empty()) return accounted ? State::explained : State::differs;
    return claim.refutes ? State::contradicted : State::differs;
}

std::string percent(double share) { return text(inDigits(100 * share), " %"); }

/// "1 %" or "exact".
std::string toleranceInWords(double tolerance) { return tolerance > 0 ? text("within ", percent(tolerance)) : "exact"; }

figures::Verdict verdictBy(State state) {
    using figures::Verdict;
    switch (state) {
        case State::holds: return Verdict::reproduced;
        case State::fitted: return Verdict::fitted;
        case State::explained: return Verdict::explained;
        case State::contradicted: return Verdict::contradicted;
        case State::differs: break;
    }
    return Verdict::differs;
}

}  // namespace

double MadeCurves::low() const {
    return std::min_element(quotients.begin(), quotients.end(), [](const auto& a, const auto& b) { return a.y < b.y; })
        ->y;
}

double MadeCurves::high() const {
    return std::max_element(quotients.begin(), quotients.end(), [](const auto& a, const auto& b) { return a.y < b.y; })
        ->y;
}

double MadeCurves::off() const { return std::max(std::abs(low() - 1), std::abs(high() - 1)); }

State stateOf(const MadeNumber& made) {
    const figures::Number& number = *made.number;
    if (!near(made.value, number.expected, made.tolerance)) return State::differs;
    if (number.fitted) return State::fitted;
    if (saysNothing(made.least, made.most) ||
        within(made.value, made.value, made.least, made.most, toleranceOfPrint(made)))
        return State::holds;
    return withoutPrint(number, made.term && (gives(made) || givesPrint(made)));
}

State stateOf(const MadeCurves& made) {
    const figures::Curves& curves = *made.curves;
    const double low = made.low();
    const double high = made.high();
    // The lowest and highest quotient are measurements, compared with their expected values.
    constexpr double tolerance = 0.01;
    if (curves.low != 0 && (!near(low, curves.low, tolerance) || !near(high, curves.high, tolerance)))
        return State::differs;
    if (within(low, high, curves.says.least, curves.says.most, millionth)) return State::holds;
    return withoutPrint(curves, made.offTerm <= millionth);
}

std::string_view stateName(State state) {
    switch (state) {
        case State::holds: return "holds";
        case State::fitted: return "fitted";
        case State::explained: return "explained";
        case State::contradicted: return "contradicted";
        case State::differs: return "does not hold";
    }
    return {};
}

figures::Verdict verdictOf(const Made& made) {
    State worst = made.item->fitted ? State::fitted : State::holds;
    for (const MadeNumber& one : made.numbers) worst = std::max(worst, stateOf(one));
    for (const MadeCurves& one : made.curves) worst = std::max(worst, stateOf(one));
    if (made.item->notHere && worst != State::differs) return figures::Verdict::notHere;
    return verdictBy(worst);
}

std::string verdictInWords(const Made& made) {
    return made.elsewhere ? "not judged" : std::string{nameOf(verdictOf(made))};
}

std::string reasonOf(const Made& made) {
    if (made.elsewhere) return "these are not the paper's runs, or not those alone.";
    if (verdictOf(made) == figures::Verdict::differs) return text(engine::joined(differencesOf(made), "; "), ".");
    return std::string{made.item->why};
}

std::vector<std::string> differencesOf(const Made& made) {
    std::vector<std::string> all;
    for (const MadeNumber& one : made.numbers) {
        if (stateOf(one) != State::differs) continue;
        const figures::Number& number = *one.number;
        std::string words = text(number.what, ": ", inDigits(one.value), ", expected ", inDigits(number.expected), " (",
                                 toleranceInWords(one.tolerance), ")");
        if (near(one.value, number.expected, one.tolerance)) {
            words += text(", print has ", saidOf(one.least, one.most));
            if (one.term) words += text(", its term comes to ", inDigits(*one.term));
        }
        all.push_back(std::move(words));
    }
    for (const MadeCurves& one : made.curves)
        if (stateOf(one) == State::differs) {
            std::string words = inWords(one);
            if (one.curves->low != 0)
                words +=
                    text(", expected ", inDigits(one.curves->low), " to ", inDigits(one.curves->high), " (within 1 %)");
            all.push_back(std::move(words));
        }
    return all;
}

std::string saidOf(double least, double most) {
    if (saysNothing(least, most)) return {};
    if (least == most) return inDigits(least);
    if (std::isinf(most)) return text("at least ", inDigits(least));
    if (std::isinf(least)) return text("at most ", inDigits(most));
    return text(inDigits(least), " to ", inDigits(most));
}

std::string evidenceOf(const MadeNumber& made) {
    const figures::Number& number = *made.number;
    switch (stateOf(made)) {
        case State::explained:
            if (gives(made))
                return text(inDigits(made.value), " (run) = ", inDigits(*made.term), " (", number.term, ")");
            return text(saidOf(made.least, made.most), " (print) = ", inDigits(*made.term), " (", number.term,
                        "), where the run alone has ", inDigits(made.value));
        case State::contradicted:
            return text(inDigits(made.value), " (run) = ", inDigits(number.expected),
                        " (expected by the paper's model), but print has ", saidOf(made.least, made.most));
        default: return {};
    }
}

std::string inWords(const MadeCurves& made) {
    const figures::Curves& curves = *made.curves;
    const double low = made.low();
    const double high = made.high();
    const bool equal = made.off() <= millionth;
    const bool toBeEqual = curves.says.least == 1 && curves.says.most == 1;
    std::string where;
    if (!std::isinf(curves.from) || !std::isinf(curves.to))
        where = text(" from ", inDigits(made.quotients.front().x), " to ", inDigits(made.quotients.back().x));
    std::string words =
        equal ? text(made.first, " equals ", made.second, " at every point", where, " (", made.quotients.size(), ')')
              : text(made.first, " over ", made.second, " is ", inDigits(low), " to ", inDigits(high), where);
    if (!toBeEqual) words += text("; print: ", saidOf(curves.says.least, curves.says.most));
    else if (!equal) words += "; print: equal";
    if (stateOf(made) == State::explained) words += text("; ", made.second, " equals ", curves.term, " at every point");
    return words;
}

std::string toleranceOf(const Made& made) {
    std::string words;
    const auto add = [&](const std::string& more) { words += (words.empty() ? "" : "; ") + more; };
    const auto& numbers = made.numbers;
    if (std::any_of(numbers.begin(), numbers.end(), [](const auto& one) { return one.tolerance > 0; }))
        add(text("quotients and formulas within ", percent(made.item->tolerance)));
    if (std::any_of(numbers.begin(), numbers.end(), [](const auto& one) { return one.tolerance == 0; }))
        add("counts exact");
    if (!made.curves.empty()) add("curves within a millionth of what print says");
    return words;
}

}  // namespace app::cli
