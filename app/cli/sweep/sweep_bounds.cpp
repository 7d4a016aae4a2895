// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/sweep/sweep_bounds.hpp"

#include <algorithm>
#include <map>

namespace app::cli {

std::vector<Chart::Line> boundsOf(const std::vector<BoundAt>& runs) {
    using Numbers = std::map<double, double>;
    std::map<std::string, std::map<std::string, Numbers>> known;  // by class, then by problem
    for (const BoundAt& run : runs) {
        const auto take = [&](const std::string& binds, const std::optional<engine::Picoseconds>& least) {
            if (!least) return;
            const double seconds = engine::seconds(*least);
            double& there = known[binds][run.problem].emplace(run.x, seconds).first->second;
            there = std::min(there, seconds);
        };
        const SweepResult& result = *run.result;
        take("", result.leastOfAll);
        if (!result.leastBinds.empty() && result.least != result.leastOfAll) take(result.leastBinds, result.least);
    }
    std::vector<Chart::Line> lines;
    for (const auto& [binds, problems] : known) {
        const std::string name = binds.empty() ? "lower bound" : "lower bound, " + binds;
        const bool alike = std::all_of(problems.begin(), problems.end(),
                                       [&](const auto& one) { return one.second == problems.begin()->second; });
        for (const auto& [problem, numbers] : problems) {
            Chart::Line& line =
                lines.emplace_back(Chart::Line{alike || problem.empty() ? name : name + ", " + problem});
            for (const auto& [x, y] : numbers) line.points.push_back({x, y, y, y});
            if (alike) break;
        }
    }
    return lines;
}

}  // namespace app::cli
