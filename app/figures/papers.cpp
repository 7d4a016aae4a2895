// SPDX-License-Identifier: BSD-3-Clause
#include "app/figures/item.hpp"

namespace app::figures {

const std::vector<Paper>& papers() {
    static const std::vector<Paper> all{traff2010(), hasanov2014(), kang2019(), kangHalfDuplex(), end2016()};
    return all;
}

std::string_view nameOf(Kind kind) {
    switch (kind) {
        case Kind::figure: return "figure";
        case Kind::table: return "table";
        case Kind::equation: return "equation";
        case Kind::definition: return "definition";
        case Kind::theorem: return "theorem";
        case Kind::algorithm: return "algorithm";
        case Kind::claim: return "claim";
        case Kind::observation: return "observation";
    }
    return {};
}

std::string_view nameOf(Verdict verdict) {
    switch (verdict) {
        case Verdict::reproduced: return "reproduced";
        case Verdict::fitted: return "fitted";
        case Verdict::explained: return "explained";
        case Verdict::contradicted: return "contradicted";
        case Verdict::notHere: return "not available";
        case Verdict::differs: return "does not hold";
    }
    return {};
}

Number Number::because(std::string_view cause) const {
    Number number = *this;
    number.why = cause;
    return number;
}

Number Number::refuting(std::string_view cause) const {
    Number number = because(cause);
    number.refutes = true;
    return number;
}

Number Number::explained(std::string_view cause, std::string_view byTerm) const {
    Number number = because(cause);
    number.term = byTerm;
    return number;
}

Number Number::unavailable(std::string_view cause) const {
    Number number = because(cause);
    number.notHere = true;
    return number;
}

Number Number::fittedWithin(double share) const {
    Number number = *this;
    number.fitted = share;
    return number;
}

Number Number::asHeadline() const {
    Number number = *this;
    number.headline = true;
    return number;
}

Number Number::inWholeForm() const {
    Number number = *this;
    number.large = true;
    return number;
}

Number quotient(std::string_view what, std::string_view print, const Says& says, double expected, std::string_view slow,
                std::string_view fast, Of of) {
    return {.what = what, .print = print, .says = says, .expected = expected, .slow = slow, .fast = fast, .of = of};
}

Number counted(std::string_view what, std::string_view print, const Says& says, double expected, Of of,
               std::string_view run) {
    return {.what = what, .print = print, .says = says, .expected = expected, .slow = run, .of = of};
}

Number computed(std::string_view what, std::string_view print, const Says& says, double expected,
                std::string_view formula, std::string_view run) {
    return {.what = what, .print = print, .says = says, .expected = expected, .slow = run, .formula = formula};
}

Number proved(std::string_view what, std::string_view print, std::string_view run) {
    return proof(what, print, exactly(1), 1, run);
}

Number refuted(std::string_view what, std::string_view print, std::string_view run) {
    return proof(what, print, exactly(0), 0, run);
}

Number proof(std::string_view what, std::string_view print, const Says& says, double expected, std::string_view run) {
    return counted(what, print, says, expected, Of::proved, run);
}

Number peer(std::string_view what, std::string_view print, const Says& says, double expected, const Message& message,
            std::string_view run) {
    Number number = counted(what, print, says, expected, Of::peer, run);
    number.message = message;
    return number;
}

Number carried(std::string_view what, std::string_view print, const Says& says, double expected, const Message& message,
               std::string_view run) {
    Number number = peer(what, print, says, expected, message, run);
    number.of = Of::carried;
    return number;
}

bool isCount(const Number& number) {
    return number.formula.empty() && number.fast.empty() && number.of != Of::time && number.of != Of::still;
}

}  // namespace app::figures
