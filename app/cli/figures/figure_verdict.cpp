// SPDX-License-Identifier: BSD-3-Clause
// Verdicts, computed from the measured numbers and curves.
#include "app/analysis/format/cell_format.hpp"
#include "app/cli/figures/figure_result.hpp"
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

std::string percent(double share) { return text(inDigits(100 * share), "%"); }

std::string limitsInWords(double least, double most, bool open) {
    if (saysNothing(least, most)) return {};
    if (least == most) return inDigits(least);
    if (std::isinf(most)) return text(open ? "above " : "at least ", inDigits(least));
    if (std::isinf(least)) return text(open ? "below " : "at most ", inDigits(most));
    return text(inDigits(least), " to ", inDigits(most));
}

/// The name without the collective that both have: "linear-ring".
std::string_view shortOf(std::string_view name, std::string_view other) {
    const std::size_t end = name.find('/');
    return end != std::string_view::npos && other.starts_with(name.substr(0, end + 1)) ? name.substr(end + 1) : name;
}

/// "1%" or "exact".
std::string toleranceInWords(double tolerance) { return tolerance > 0 ? text("within ", percent(tolerance)) : "exact"; }

figures::Verdict verdictBy(State state) {
    using figures::Verdict;
    switch (state) {
        case State::holds: return Verdict::reproduced;
        case State::fitted: return Verdict::fitted;
        case State::explained: return Verdict::explained;
        case State::notHere: return Verdict::notHere;
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
    if (number.fitted > 0 && within(made.value, made.value, made.least, made.most, number.fitted)) return State::fitted;
    if (saysNothing(made.least, made.most) ||
        within(made.value, made.value, made.least, made.most, toleranceOfPrint(made)))
        return State::holds;
    if (number.notHere) return State::notHere;
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
    if (curves.notHere) return State::notHere;
    return withoutPrint(curves, made.offTerm <= millionth);
}

std::string_view stateName(State state) {
    switch (state) {
        case State::holds: return "holds";
        case State::fitted: return "fitted";
        case State::explained: return "explained";
        case State::notHere: return "not available";
        case State::contradicted: return "contradicted";
        case State::differs: return "does not hold";
    }
    return {};
}

figures::Verdict verdictOf(const FigureResult& made) {
    State worst = made.item->fitted ? State::fitted : State::holds;
    for (const MadeNumber& one : made.numbers) worst = std::max(worst, stateOf(one));
    for (const MadeCurves& one : made.curves) worst = std::max(worst, stateOf(one));
    // A gap that the small form leaves out remains a gap.
    const auto gap = [](const auto& it) { return it.large && it.notHere; };
    if (std::ranges::any_of(made.item->numbers, gap) || std::ranges::any_of(made.item->curves, gap))
        worst = std::max(worst, State::notHere);
    if (made.item->notHere && worst != State::differs) return figures::Verdict::notHere;
    return verdictBy(worst);
}

std::string verdictInWords(const FigureResult& made) {
    return made.elsewhere ? "not judged" : std::string{nameOf(verdictOf(made))};
}

std::string reasonOf(const FigureResult& made) {
    if (made.elsewhere) return "these are not the paper's runs, or not those alone.";
    if (verdictOf(made) == figures::Verdict::differs) return text(engine::joined(differencesOf(made), "; "), ".");
    return made.item->why;
}

std::vector<std::string> differencesOf(const FigureResult& made) {
    std::vector<std::string> all;
    for (const MadeNumber& one : made.numbers) {
        if (stateOf(one) != State::differs) continue;
        const figures::Number& number = *one.number;
        std::string words = text(number.what, ": ", valueInWords(number, one.value), ", expected ",
                                 valueInWords(number, number.expected), " (", toleranceInWords(one.tolerance), ")");
        if (near(one.value, number.expected, one.tolerance)) {
            words += text(", the paper has ", saidOf(one));
            if (one.term) words += text(", its term comes to ", inDigits(*one.term));
        }
        all.push_back(std::move(words));
    }
    for (const MadeCurves& one : made.curves)
        if (stateOf(one) == State::differs) {
            std::string words = inWords(one);
            if (one.curves->low != 0)
                words +=
                    text(", expected ", inDigits(one.curves->low), " to ", inDigits(one.curves->high), " (within 1%)");
            all.push_back(std::move(words));
        }
    return all;
}

std::string_view stateInWords(const MadeNumber& made) {
    const State state = stateOf(made);
    return state == State::holds && saysNothing(made.least, made.most) ? "as expected" : stateName(state);
}

std::string saidOf(const MadeNumber& made) {
    return made.least == made.most ? valueInWords(*made.number, made.least)
                                   : limitsInWords(made.least, made.most, made.number->says.open);
}

std::string saidOf(const figures::Says& says) { return limitsInWords(says.least, says.most, says.open); }

std::string evidenceOf(const MadeNumber& made, const Equations& equations) {
    const figures::Number& number = *made.number;
    const std::string ours = text(number.formula.empty() ? "run: " : "formula: ", valueInWords(number, made.value));
    const std::string print =
        text(made.least == made.most ? "in the paper: " : "in the paper, as a number: ", saidOf(made));
    switch (stateOf(made)) {
        case State::fitted: return text(ours, "; ", print, "; fit within ", percent(number.fitted));
        case State::explained:
            if (gives(made)) return text(ours, " = ", inDigits(*made.term), " by ", equations.named(number.term));
            return text(print, " = ", inDigits(*made.term), " by ", equations.named(number.term), "; ", ours);
        case State::notHere:
        case State::contradicted: return text(ours, ", as expected; ", print);
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
        where = made.quotients.size() == 1 ? text(" at ", inUnit(made.quotients.front().x, made.across))
                                           : text(" from ", inUnit(made.quotients.front().x, made.across), " to ",
                                                  inUnit(made.quotients.back().x, made.across));
    const std::string_view first = shortOf(made.first, made.second);
    const std::string_view second = shortOf(made.second, made.first);
    const std::string quotient = curves.what.empty() ? text(first, " over ", second) : curves.what;
    std::string words = made.panel.empty() ? "" : text(made.panel, ": ");
    if (equal)
        words += text(first, " equals ", second, " at ", made.quotients.size() == 1 ? "the" : "all", ' ',
                      analysis::counted(static_cast<std::int64_t>(made.quotients.size()), "point"), where);
    else
        words += text(quotient, " is ", inDigits(low),
                      inDigits(low) == inDigits(high) ? "" : text(" to ", inDigits(high)), where);
    if (!toBeEqual) words += text(curves.ours ? "; expected: " : "; in the paper, as a number: ", saidOf(curves.says));
    else if (!equal) words += "; in the paper: equal";
    if (stateOf(made) == State::explained) words += text("; ", second, " equals ", curves.term, " at all points");
    return words;
}

std::string toleranceOf(const FigureResult& made) {
    std::string words;
    const auto add = [&](const std::string& more) { words += (words.empty() ? "" : "; ") + more; };
    const auto& numbers = made.numbers;
    if (std::any_of(numbers.begin(), numbers.end(), [](const auto& one) { return one.tolerance > 0; }))
        add(text("quotients and formulas within ", percent(made.item->tolerance)));
    double fit = 0;
    for (const MadeNumber& one : numbers) fit = std::max(fit, one.number->fitted);
    if (fit > 0) add(text("the fit to printed numbers within ", percent(fit)));
    const auto isExact = [&](bool proofs) {
        return std::any_of(numbers.begin(), numbers.end(), [&](const auto& one) {
            return one.tolerance == 0 && (one.number->of == figures::Of::proved) == proofs;
        });
    };
    if (isExact(false)) add("counts exact");
    if (isExact(true)) add("proofs exact");
    const auto& curves = made.curves;
    if (!curves.empty()) add("equal curves and limits of curves within a millionth");
    if (std::any_of(curves.begin(), curves.end(), [](const auto& one) { return one.curves->low != 0; }))
        add("lowest and highest quotients of curves within 1%");
    return words;
}

std::string basisOf(const FigureResult& made) {
    std::int64_t values = 0;
    std::int64_t limits = 0;
    std::int64_t proofs = 0;  // an equation or an algorithm that a schedule follows
    std::int64_t absent = 0;
    for (const MadeNumber& one : made.numbers)
        ++(saysNothing(one.least, one.most) || one.number->print.starts_with('(') ? absent  // words of ours
           : one.number->of == figures::Of::proved && one.number->formula.empty() ? proofs
           : one.least == one.most                                                ? values
                                                                                  : limits);
    for (const MadeCurves& one : made.curves)
        if (!one.curves->first.starts_with('(') && !one.curves->ours)  // a line of ours
            ++(one.curves->says.least == one.curves->says.most ? values : limits);
    if (values + limits + proofs + absent == 0) return {};
    std::vector<std::string> parts;
    if (values > 0) parts.push_back(text(values, values == 1 ? " value or curve" : " values or curves"));
    if (limits > 0) parts.push_back(text(limits, limits == 1 ? " direction or range" : " directions or ranges"));
    if (proofs > 0) parts.push_back(text(analysis::counted(proofs, "statement"), " without a number"));
    std::string words = parts.empty() ? "nothing" : engine::joined(parts, " and ");
    if (limits > 0 && values == 0) words += ", no value";
    if (absent > 0)
        words +=
            text("; ", analysis::counted(absent, "number"), " here ", absent == 1 ? "is" : "are", " not in the paper");
    return words;
}

}  // namespace app::cli
