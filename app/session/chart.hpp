// SPDX-License-Identifier: BSD-3-Clause
// Time over a number, as lines: what a sweep comes to, for people.
#pragma once

#include "app/session/session.hpp"

#include <string>
#include <utility>
#include <vector>

namespace app {

struct Chart {
    struct Line {
        std::string name;
        std::vector<std::pair<std::int64_t, engine::Picoseconds>> points;  ///< numbers rising
    };

    std::string across;  ///< what the numbers are: "ranks", "size", the name of an option
    bool bytes = false;  ///< they are bytes
    std::vector<Line> lines;
    Line bound;                         ///< what no run can beat; no points where that is not known
    std::vector<std::string> absent{};  ///< algorithms that cannot solve the problem

    [[nodiscard]] bool empty() const { return lines.empty(); }
};

/// Who is fastest from a number on: one line, or several that are equally fast.
struct Lead {
    std::int64_t from = 0;
    std::vector<std::string> names;

    friend bool operator==(const Lead&, const Lead&) = default;
};
/// Where the fastest lines change, over the numbers of the first one.
std::vector<Lead> leadsOf(const Chart& chart);

/// Runs algorithms of the collective of `wish` in virtual time with contributions of 1 B to 16 MiB; at most `most` of
/// them, the wished one first. Throws Cancelled.
Chart sweepSizes(const RunWish& wish, std::size_t most, const engine::Progress& progress = {});

}  // namespace app
