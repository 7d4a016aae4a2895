// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/options/formula.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace app {
namespace {

using engine::Error;
using engine::text;

struct Function {
    std::string_view name;
    std::size_t arguments;
    double (*of)(double a, double b);
};

constexpr std::array<Function, 7> functions{{
    {"log2", 1, [](double a, double) { return std::log2(a); }},
    {"sqrt", 1, [](double a, double) { return std::sqrt(a); }},
    {"ceil", 1, [](double a, double) { return std::ceil(a); }},
    {"floor", 1, [](double a, double) { return std::floor(a); }},
    {"abs", 1, [](double a, double) { return std::abs(a); }},
    {"min", 2, [](double a, double b) { return std::min(a, b); }},
    {"max", 2, [](double a, double b) { return std::max(a, b); }},
}};

const Function* functionNamed(std::string_view name) {
    const auto* const found =
        std::find_if(functions.begin(), functions.end(), [&](const Function& one) { return one.name == name; });
    return found == functions.end() ? nullptr : found;
}

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

/// Reads from left to right; each member function reads what binds at least as strongly as its name says.
class FormulaReader {
public:
    using Kind = Formula::Kind;

    explicit FormulaReader(Formula& formula) : formula_{formula}, words_{formula.words_} {}

    void all() {
        sum();
        if (at_ < words_.size()) fail();
    }

private:
    void sum() {
        product();
        for (char sign = next(); sign == '+' || sign == '-'; sign = next()) {
            ++at_;
            product();
            add(sign == '+' ? Kind::add : Kind::subtract);
        }
    }

    void product() {
        signedPower();
        for (char sign = next(); sign == '*' || sign == '/'; sign = next()) {
            ++at_;
            signedPower();
            add(sign == '*' ? Kind::multiply : Kind::divide);
        }
    }

    void signedPower() {
        if (++depth_ > deepest) fail();
        if (next() == '-') {
            ++at_;
            signedPower();
            add(Kind::negate);
        } else {
            atom();
            if (next() == '^') {
                ++at_;
                signedPower();
                add(Kind::power);
            }
        }
        --depth_;
    }

    void atom() {
        const char first = next();
        if (first == '(') {
            ++at_;
            sum();
            expect(')');
        } else if (isDigit(first) || first == '.') {
            number();
        } else if (isLetter(first)) {
            name();
        } else {
            fail();
        }
    }

    void number() {
        double value = 0;
        const char* begin = words_.data() + at_;
        const auto [end, fault] = std::from_chars(begin, words_.data() + words_.size(), value);
        if (fault != std::errc{}) fail();
        at_ += static_cast<std::size_t>(end - begin);
        formula_.steps_.push_back({Kind::number, value});
    }

    void name() {
        const std::size_t begin = at_;
        while (at_ < words_.size() && (isLetter(words_[at_]) || isDigit(words_[at_]))) ++at_;
        const std::string name{words_.substr(begin, at_ - begin)};
        const Function* function = functionNamed(name);
        if (next() != '(' || function == nullptr) {
            formula_.steps_.push_back({Kind::parameter, 0, name});
            return;
        }
        ++at_;
        for (std::size_t i = 0; i < function->arguments; ++i) {
            if (i > 0) expect(',');
            sum();
        }
        expect(')');
        formula_.steps_.push_back({Kind::call, 0, name});
    }

    char next() {
        while (at_ < words_.size() && words_[at_] == ' ') ++at_;
        return at_ < words_.size() ? words_[at_] : '\0';
    }

    void expect(char wanted) {
        if (next() != wanted) fail();
        ++at_;
    }

    void add(Kind kind) { formula_.steps_.push_back({kind}); }

    [[noreturn]] void fail() const {
        throw Error{text(formula_.what_, ": '", words_, "' is no formula",
                         at_ < words_.size() ? text(" at '", words_.substr(at_), "'") : ": its end is missing",
                         "; write for example (p - 1)*(alpha + beta*size)")};
    }

    static constexpr int deepest = 200;

    Formula& formula_;
    std::string_view words_;
    std::size_t at_ = 0;
    int depth_ = 0;
};

Formula::Formula(std::string_view words, std::string what) : words_{words}, what_{std::move(what)} {
    FormulaReader{*this}.all();
}

bool Formula::fits(const ParameterValues& values) const {
    return std::all_of(steps_.begin(), steps_.end(), [&](const Step& step) {
        return step.kind != Kind::parameter || values.find(step.name) != values.end();
    });
}

double Formula::at(const ParameterValues& values) const {
    std::vector<double> stack;
    const auto pop = [&] {
        const double top = stack.back();
        stack.pop_back();
        return top;
    };
    for (const Step& step : steps_) {
        if (step.kind == Kind::number) {
            stack.push_back(step.number);
            continue;
        }
        if (step.kind == Kind::parameter) {
            const auto found = values.find(step.name);
            if (found == values.end()) {
                std::vector<std::string> known;
                for (const auto& [name, value] : values) known.push_back(name);
                const std::string hint = engine::didYouMean(step.name, known);
                throw Error{text(what_, ": '", step.name, "' has no value here",
                                 hint.empty() ? text("; there are ", engine::joined(known, ", ")) : hint)};
            }
            stack.push_back(found->second);
            continue;
        }
        if (step.kind == Kind::negate) {
            stack.push_back(-pop());
            continue;
        }
        const Function* function = step.kind == Kind::call ? functionNamed(step.name) : nullptr;
        const double second = function != nullptr && function->arguments == 1 ? 0 : pop();
        const double first = pop();
        switch (step.kind) {
            case Kind::add: stack.push_back(first + second); break;
            case Kind::subtract: stack.push_back(first - second); break;
            case Kind::multiply: stack.push_back(first * second); break;
            case Kind::divide: stack.push_back(first / second); break;
            case Kind::power: stack.push_back(std::pow(first, second)); break;
            default: stack.push_back(function->of(first, second));
        }
    }
    return std::isfinite(stack.back()) ? stack.back() : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace app
