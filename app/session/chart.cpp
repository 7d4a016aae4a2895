// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/chart.hpp"

#include "app/session/sweep.hpp"
#include "engine/catalogue.hpp"

#include <algorithm>
#include <map>
#include <thread>

namespace app {

std::vector<Lead> leadsOf(const Chart& chart) {
    std::vector<Lead> leads;
    if (chart.empty()) return leads;
    for (const auto& [number, unused] : chart.lines.front().points) {
        std::vector<std::string> best;
        engine::Picoseconds least = engine::Picoseconds::max();
        for (const Chart::Line& line : chart.lines)
            for (const auto& [other, time] : line.points) {
                if (other != number || time > least) continue;
                if (time < least) best.clear();
                least = time;
                best.push_back(line.name);
            }
        if (!best.empty() && (leads.empty() || leads.back().names != best)) leads.push_back({number, std::move(best)});
    }
    return leads;
}

Chart sweepSizes(const RunWish& wish, std::size_t most, const engine::Progress& progress) {
    constexpr engine::Bytes largestSize = 16 << 20;
    constexpr std::size_t steps = 13;  // sizes from 1 B, each four times the one before
    std::vector<const engine::Algorithm*> rivals{&engine::algorithmNamed(wish.algorithm)};
    for (const engine::Algorithm* rival : engine::catalogue())
        if (rival->collective == rivals[0]->collective && rival != rivals[0]) rivals.push_back(rival);
    rivals.resize(std::min(rivals.size(), most));
    std::vector<RunWish> points;
    for (const engine::Algorithm* rival : rivals)
        for (engine::Bytes size = 1; size <= largestSize; size *= 4) {
            RunWish& each = points.emplace_back(wish);
            each.algorithm = rival->id;
            if (rival != rivals[0]) each.options.clear();
            each.on = "virtual";
            each.problem.size = size;
            each.problem.sizeB.reset();
        }
    Chart chart{.across = "size", .bytes = true, .lines = {}, .bound = {}};
    Chart::Line line;
    std::map<engine::Bytes, engine::Picoseconds> least;  // of all classes of schedules that are drawn
    const auto take = [&](std::size_t point, const SweepResult& result) {
        const engine::Bytes size = points[point].problem.size;
        // Not every algorithm takes every size; those points are missing.
        if (result.refusal.empty()) {
            line.points.emplace_back(size, result.time);
            if (result.least) {
                const auto known = least.emplace(size, *result.least);
                known.first->second = std::min(known.first->second, *result.least);
            }
        }
        if ((point + 1) % steps != 0) return;
        line.name = rivals[point / steps]->title;
        if (line.points.empty()) chart.absent.push_back(line.name);
        else chart.lines.push_back(std::move(line));
        line = {};
    };
    sweep(points, std::max(1, static_cast<int>(std::thread::hardware_concurrency())), take, progress);
    chart.bound.points.assign(least.begin(), least.end());
    return chart;
}

}  // namespace app
