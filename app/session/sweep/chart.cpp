// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/sweep/chart.hpp"

#include "app/session/sweep/sweep.hpp"
#include "engine/base/processors.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/catalogue.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

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
        case Unit::share: return engine::showNumber(100 * number, 3) + "%";
        case Unit::number: break;
    }
    return engine::showNumber(number, std::abs(number) < 1e7 && number == std::round(number) ? 7 : 4);
}

std::string measuredWords(const std::vector<double>& ratios, std::size_t unmeasured, std::string_view how) {
    if (ratios.empty()) return {};
    constexpr double within = 0.1;
    const auto [least, most] = std::minmax_element(ratios.begin(), ratios.end());
    const auto near =
        std::count_if(ratios.begin(), ratios.end(), [](double ratio) { return std::abs(ratio - 1) <= within; });
    std::string words = engine::text("Measured ", how, ": ", engine::showNumber(*least, 3));
    if (ratios.size() > 1) words += engine::text(" to ", engine::showNumber(*most, 3));
    words += " times as long as in virtual time";
    if (ratios.size() > 1) words += engine::text("; ", near, " of ", ratios.size(), " points within 10%");
    if (unmeasured > 0) words += engine::text("; ", unmeasured, " not measured");
    return words + '.';
}

namespace {

/// Numbers across, and how a wish gets one of them.
struct Places {
    std::vector<double> numbers;
    void (*put)(RunWish& wish, double number);
};

void putSize(RunWish& wish, double number) {
    wish.problem.size = static_cast<engine::Bytes>(number);
    wish.problem.sizeB.reset();
}

/// All ranks; two groups share them as they did.
void putRanks(RunWish& wish, double number) {
    const auto ranks = static_cast<std::int64_t>(number);
    ProblemWish& problem = wish.problem;
    // What was said of single ranks, or of a network of one size, is about other numbers.
    wish.network = {};
    problem.root = std::min(problem.root, ranks - 1);
    if (!problem.groupA) {
        problem.ranks = ranks;
        return;
    }
    const double share = static_cast<double>(*problem.groupA) /
                         static_cast<double>(std::max<std::int64_t>(1, *problem.groupA + problem.groupB.value_or(1)));
    problem.groupA = std::clamp<std::int64_t>(std::llround(share * number), 1, ranks - 1);
    problem.groupB = ranks - *problem.groupA;
}

Places placesOf(Across across) {
    if (across == Across::size) {
        Places places{{}, putSize};
        for (engine::Bytes size = 1; size <= 16 << 20; size *= 4) places.numbers.push_back(static_cast<double>(size));
        return places;
    }
    return {{2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 40, 48, 64}, putRanks};
}

}  // namespace

Chart sweepAround(const RunWish& wish, Across across, std::size_t most, const engine::Progress& progress) {
    std::vector<const engine::Algorithm*> rivals{&engine::algorithmNamed(wish.algorithm)};
    for (const engine::Algorithm* rival : engine::catalogue())
        if (rival->collective == rivals[0]->collective && rival != rivals[0]) rivals.push_back(rival);
    rivals.resize(std::min(rivals.size(), most));
    const Places places = placesOf(across);
    const std::size_t steps = places.numbers.size();
    std::vector<RunWish> own;  // by number
    for (const double number : places.numbers) {
        RunWish& each = own.emplace_back(wish);
        each.on = "virtual";
        places.put(each, number);
        each = pinned(std::move(each));
    }
    std::vector<RunWish> points;
    for (const engine::Algorithm* rival : rivals)
        for (const RunWish& each : own) points.push_back(rival == rivals[0] ? each : rivalOf(each, rival->id));
    Chart chart{.across = across == Across::size ? Chart::Axis{.name = "size", .unit = Unit::bytes}
                                                 : Chart::Axis{.name = "ranks", .unit = Unit::number}};
    Chart::Line line;
    std::map<double, engine::Picoseconds> least;  // of all schedules
    const auto take = [&](std::size_t point, const SweepResult& result) {
        const double number = places.numbers[point % steps];
        // Not every algorithm takes every number; those points are missing.
        if (result.refusal.empty()) {
            const double time = engine::seconds(result.time);
            line.points.push_back({number, time, time, time});
            if (result.leastOfAll) least.emplace(number, *result.leastOfAll);
        }
        if ((point + 1) % steps != 0) return;
        line.name = rivals[point / steps]->title;
        if (line.points.empty()) chart.absent.push_back(line.name);
        else chart.lines.push_back(std::move(line));
        line = {};
    };
    sweep(wholeRuns(points), engine::processors(), take, progress);
    Chart::Line bound{"lower bound"};
    for (const auto& [number, time] : least) {
        const double seconds = engine::seconds(time);
        bound.points.push_back({number, seconds, seconds, seconds});
    }
    if (!bound.points.empty()) chart.bounds.push_back(std::move(bound));
    return chart;
}

}  // namespace app
