// SPDX-License-Identifier: BSD-3-Clause
// One axis of a chart, from numbers to pixels, and the round numbers along it.
#pragma once

#include "app/session/sweep/chart.hpp"

#include <QString>

#include <vector>

namespace app::gui {

class ChartAxis {
public:
    /// Holds all of low..high; on a logarithmic axis what is not above 0 stands at its lower end. `rounded`: it begins
    /// and ends with a round number, a linear one with 0 where nothing is below.
    ChartAxis(const Chart::Axis& axis, double low, double high, bool rounded);

    /// From where to where it is drawn.
    void stretch(double begin, double end) {
        begin_ = begin;
        end_ = end;
    }
    [[nodiscard]] double pixel(double number) const;
    /// Round numbers within it, rising, about `most` of them or fewer.
    [[nodiscard]] std::vector<double> roundNumbers(int most) const;
    [[nodiscard]] QString words(double number) const;

private:
    Chart::Axis axis_;
    double low_;
    double high_;
    double begin_ = 0;
    double end_ = 1;
};

/// The number in the axis' unit, with a real mu.
QString numberInWords(double number, Unit unit);

}  // namespace app::gui
