// SPDX-License-Identifier: BSD-3-Clause
// Formulas as people type them, with parameters that get their values later: "(p - 1)*(alpha + beta*largest)".
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace app {

/// The parameters of a formula, by name.
using ParameterValues = std::map<std::string, double, std::less<>>;

/// Numbers, names of parameters, + - * / ^, brackets, and log2, sqrt, ceil, floor, abs, min(a, b), max(a, b).
class Formula {
public:
    /// Throws Error, which begins with `what`, for what is no formula.
    Formula(std::string_view words, std::string what);

    /// Throws Error with the nearest name for one that `values` lacks. What cannot be computed is no number (NaN).
    [[nodiscard]] double at(const ParameterValues& values) const;
    /// Whether every parameter of it has a value there.
    [[nodiscard]] bool fits(const ParameterValues& values) const;
    [[nodiscard]] const std::string& words() const { return words_; }

private:
    friend class FormulaReader;

    enum class Kind { number, parameter, negate, add, subtract, multiply, divide, power, call };
    /// One step of a computation on a stack.
    struct Step {
        Kind kind = Kind::number;
        double number = 0;
        std::string name{};  ///< of a parameter or function
    };

    std::string words_;
    std::string what_;
    std::vector<Step> steps_;
};

}  // namespace app
