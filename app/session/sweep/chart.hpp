// SPDX-License-Identifier: BSD-3-Clause
// A number over another one, as lines: what a sweep comes to, for people.
#pragma once

#include "app/session/session.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace app {

/// How numbers along an axis are written.
enum class Unit : std::uint8_t { number, bytes, seconds, share };

struct Chart {
    struct Axis {
        std::string name;  ///< what the numbers are: "ranks", "size", the name of an option, "time"
        Unit unit = Unit::number;
        bool linear = false;  ///< or logarithmic
    };
    struct Point {
        double x = 0;
        double y = 0;
        double low = y;  ///< the least of several runs of which `y` is the median
        double high = y;

        friend bool operator==(const Point&, const Point&) = default;
    };
    struct Line {
        std::string name;
        std::vector<Point> points{};  ///< x rising
    };
    /// A number from elsewhere, such as one in print.
    struct Mark {
        double x = 0;
        double y = 0;
        std::string words;
    };

    std::string title{};
    std::string below{};  ///< what all lines have in common: problem and model
    Axis across{};
    Axis up{.name = "time", .unit = Unit::seconds};
    std::vector<Line> lines{};
    std::vector<Line> formulas{};  ///< dashed: what was computed, or is there to compare with
    std::vector<Line> measured{};  ///< points of lines, by their names, as real processes had them
    /// What no run can beat: of each problem that is drawn, "lower bound" where there is one, and what no run of a
    /// class of schedules can. None where it is not known.
    std::vector<Line> bounds{};
    std::vector<Mark> marks{};
    std::optional<Mark> here{};         ///< the run that is looked at
    std::vector<Line> before{};         ///< lines as they were before something was changed
    std::vector<std::string> absent{};  ///< algorithms that cannot solve the problem

    [[nodiscard]] bool empty() const { return lines.empty(); }
};

/// Charts side by side on one paper.
struct Sheet {
    std::string title{};
    std::string below{};
    std::vector<Chart> charts;
};

/// Who is fastest from a number on: one line, or several that are equally fast.
struct Lead {
    double from = 0;
    std::vector<std::string> names;

    friend bool operator==(const Lead&, const Lead&) = default;
};
/// Where the lowest lines change, over the numbers of the first one.
std::vector<Lead> leadsOf(const Chart& chart);

/// A number as its axis writes it: "64 KiB", "1.5 us", "14.2".
std::string inUnit(double number, Unit unit);

/// "Measured over MPI: 0.98 to 1.07 times as long as in virtual time; 5 of 6 points within 10%; 1 not measured.": of
/// points that were measured, how many times as long they took; empty where there are none.
std::string measuredWords(const std::vector<double>& ratios, std::size_t unmeasured = 0,
                          std::string_view how = "over MPI");

/// What varies along the axis of `sweepAround`.
enum class Across : std::uint8_t { size, ranks };

/// Runs algorithms of the collective of `wish` in virtual time; at most `most` of them, the wished one first. Over
/// sizes: contributions of 1 B to 16 MiB. Over ranks: 2 to 64 in all, which two groups share in the ratio wished.
/// Throws Cancelled.
Chart sweepAround(const RunWish& wish, Across across, std::size_t most, const engine::Progress& progress = {});

}  // namespace app
