// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/chart.hpp"

#include "app/session/sweep.hpp"
#include "engine/catalogue.hpp"
#include "engine/text.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <thread>

namespace app {

std::vector<Lead> leadsOf(const Chart& chart) {
    std::vector<Lead> leads;
    if (chart.empty()) return leads;
    for (const Chart::Point& place : chart.lines.front().points) {
        std::vector<std::string> best;
        double least = std::numeric_limits<double>::infinity();
        for (const Chart::Line& line : chart.lines)
            for (const Chart::Point& point : line.points) {
                if (point.x != place.x || point.y > least) continue;
                if (point.y < least) best.clear();
                least = point.y;
                best.push_back(line.name);
            }
        if (!best.empty() && (leads.empty() || leads.back().names != best)) leads.push_back({place.x, std::move(best)});
    }
    return leads;
}

std::string inUnit(double number, Unit unit) {
    switch (unit) {
        case Unit::bytes: return engine::showBytes(std::llround(number));
        case Unit::seconds: return engine::showTime(engine::Picoseconds{std::llround(number * 1e12)});
        case Unit::share: return engine::showNumber(100 * number, 3) + " %";
        case Unit::number: break;
    }
    return engine::showNumber(number, std::abs(number) < 1e7 && number == std::round(number) ? 7 : 4);
}

std::string measuredWords(const std::vector<double>& ratios, std::size_t unmeasured) {
    if (ratios.empty()) return {};
    constexpr double within = 0.1;
    const auto [least, most] = std::minmax_element(ratios.begin(), ratios.end());
    const auto near =
        std::count_if(ratios.begin(), ratios.end(), [](double ratio) { return std::abs(ratio - 1) <= within; });
    std::string words = engine::text("Measured over MPI: ", engine::showNumber(*least, 3));
    if (ratios.size() > 1) words += engine::text(" to ", engine::showNumber(*most, 3));
    words += " times as long as in virtual time";
    if (ratios.size() > 1) words += engine::text("; ", near, " of ", ratios.size(), " points within 10 %");
    if (unmeasured > 0) words += engine::text("; ", unmeasured, " not measured");
    return words + '.';
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
    Chart chart{.across = {.name = "size", .unit = Unit::bytes}};
    Chart::Line line;
    std::map<engine::Bytes, engine::Picoseconds> least;  // of all schedules
    const auto take = [&](std::size_t point, const SweepResult& result) {
        const engine::Bytes size = points[point].problem.size;
        // Not every algorithm takes every size; those points are missing.
        if (result.refusal.empty()) {
            const double time = engine::seconds(result.time);
            line.points.push_back({static_cast<double>(size), time, time, time});
            if (result.leastOfAll) least.emplace(size, *result.leastOfAll);
        }
        if ((point + 1) % steps != 0) return;
        line.name = rivals[point / steps]->title;
        if (line.points.empty()) chart.absent.push_back(line.name);
        else chart.lines.push_back(std::move(line));
        line = {};
    };
    sweep(wholeRuns(points), std::max(1, static_cast<int>(std::thread::hardware_concurrency())), take, progress);
    Chart::Line bound{"lower bound"};
    for (const auto& [size, time] : least) {
        const double seconds = engine::seconds(time);
        bound.points.push_back({static_cast<double>(size), seconds, seconds, seconds});
    }
    if (!bound.points.empty()) chart.bounds.push_back(std::move(bound));
    return chart;
}

}  // namespace app
