// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/drawing/chart_axis.hpp"

#include <algorithm>
#include <cmath>

namespace app::gui {
namespace {

/// The largest of 1, 2, 5 times a power of ten that is not above `number`, or the smallest that is not below.
enum class Rounding { down, up };
double roundOf(double number, Rounding to) {
    constexpr double slack = 1e-9;
    const double power = std::pow(10, std::floor(std::log10(number) + slack));
    const double first = number / power;
    if (to == Rounding::down) return power * (first >= 5 - slack ? 5 : first >= 2 - slack ? 2 : 1);
    return power * (first <= 1 + slack ? 1 : first <= 2 + slack ? 2 : first <= 5 + slack ? 5 : 10);
}

/// Below this quotient of their ends logarithmic axes name more than powers of ten.
constexpr double fewDecades = 150;

}  // namespace

ChartAxis::ChartAxis(const Chart::Axis& axis, double low, double high, bool rounded)
    : axis_{axis}, low_{low}, high_{high} {
    if (axis.linear) {
        if (rounded) low_ = std::min(low_, 0.0);
        if (high_ <= low_) high_ = low_ + 1;
        if (rounded) {
            const double step = roundOf((high_ - low_) / 8, Rounding::up);
            low_ = std::floor(low_ / step) * step;
            high_ = std::ceil(high_ / step - 1e-9) * step;
        }
        return;
    }
    if (!(low_ > 0)) low_ = high_ > 0 ? high_ / 2 : 1;
    high_ = std::max(high_, low_ * (rounded ? 1 : 2));
    if (!rounded) return;
    if (high_ / low_ < fewDecades) {
        low_ = roundOf(low_, Rounding::down);
        high_ = std::max(roundOf(high_, Rounding::up), 2 * low_);
    } else {
        low_ = std::pow(10, std::floor(std::log10(low_)));
        high_ = std::pow(10, std::ceil(std::log10(high_)));
    }
}

double ChartAxis::pixel(double number) const {
    if (axis_.linear) return begin_ + (end_ - begin_) * (number - low_) / (high_ - low_);
    return begin_ + (end_ - begin_) * std::log(std::max(number, low_) / low_) / std::log(high_ / low_);
}

std::vector<double> ChartAxis::roundNumbers(int most) const {
    std::vector<double> numbers;
    if (axis_.linear) {
        const double step = roundOf((high_ - low_) / most, Rounding::up);
        for (double number = std::ceil(low_ / step) * step; number <= high_ + step / 1000; number += step)
            numbers.push_back(std::abs(number) < step / 1000 ? 0 : number);
        return numbers;
    }
    const bool many = high_ / low_ < fewDecades;
    for (double number = roundOf(low_, Rounding::up); number <= high_ * 1.0001;
         number = roundOf(number * (many ? 1.5 : 10), many ? Rounding::up : Rounding::down))
        numbers.push_back(number);
    return numbers;
}

QString ChartAxis::words(double number) const { return numberInWords(number, axis_.unit); }

QString numberInWords(double number, Unit unit) {
    QString words = QString::fromStdString(inUnit(number, unit));
    if (unit == Unit::seconds) words.replace(QStringLiteral(" us"), QStringLiteral(" \u00b5s"));
    return words;
}

}  // namespace app::gui
