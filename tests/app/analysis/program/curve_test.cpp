// SPDX-License-Identifier: BSD-3-Clause
// Curves of metrics, by looking at every picosecond on its own.
#include "app/analysis/containers/curve.hpp"
#include "app/analysis/program/metric_curves.hpp"
#include "app/analysis/tables/table_definition.hpp"
#include "tests/support/traced.hpp"
#include "traces/recording/recording_builder.hpp"
#include "traces/recording/run_from_recording.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace app::analysis::of_curves {
namespace {

using engine::Picoseconds;
using engine::Rank;
using traces::MetricTiming;
using traces::MetricValue;

Picoseconds ps(std::int64_t time) { return Picoseconds{time}; }

struct CurveSample {
    std::int64_t time = 0;
    double value = 0;
};

/// What a metric shows at the picosecond from `t` on, by what OTF2 says of its mode; nothing where it says nothing.
std::optional<double> slowValue(const traces::Metric& metric, const std::vector<CurveSample>& samples, std::int64_t end,
                                std::int64_t t) {
    // The samples of the last time up to t, and of the first one after it.
    std::vector<double> before, after;
    std::int64_t from = -1, to = -1;
    for (const CurveSample& one : samples) {
        if (one.time <= t) {
            if (one.time != from) before.clear();
            from = one.time;
            before.push_back(one.value);
        } else if (to < 0 || one.time == to) {
            to = one.time;
            after.push_back(one.value);
        }
    }
    if (before.empty()) return std::nullopt;
    const auto sum = [](const std::vector<double>& all) {
        double total = 0;
        for (const double value : all) total += value;
        return total;
    };
    const auto seconds = [&](std::int64_t until) { return static_cast<double>(until - from) / 1e12; };
    if (metric.value == MetricValue::accumulated) {
        if (after.empty()) return std::nullopt;
        return (after.back() - before.back()) / seconds(to);
    }
    const bool isOfNext = metric.timing == MetricTiming::next;
    if (metric.value == MetricValue::relative && !isOfNext)
        return after.empty() ? std::nullopt : std::optional{sum(after) / seconds(to)};
    if (metric.value == MetricValue::absolute && metric.timing == MetricTiming::last)
        return after.empty() ? std::nullopt : std::optional{after.back()};
    if (after.empty() && t >= end) return std::nullopt;
    const std::int64_t until = after.empty() ? end : to;
    return metric.value == MetricValue::relative ? sum(before) / seconds(until) : before.back();
}

TEST(Curve, isWhatTheModeSaysAtEveryMoment) {
    std::mt19937 random{11};
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    for (int turn = 0; turn < 400; ++turn) {
        const traces::Metric metric{.name = "m",
                                    .description = "",
                                    .unit = "",
                                    .value = static_cast<MetricValue>(below(3)),
                                    .timing = static_cast<MetricTiming>(below(4))};
        std::vector<CurveSample> samples;
        std::vector<Picoseconds> time;
        std::vector<double> values;
        std::int64_t now = below(4);
        for (int i = below(turn % 10 == 0 ? 3000 : 90); i > 0; --i) {
            now += below(3) == 0 ? 0 : below(3);
            samples.push_back({now, static_cast<double>(below(2001) - 1000)});
            time.push_back(ps(now));
            values.push_back(samples.back().value);
        }
        const std::int64_t end = now + below(5);
        const Curve curve{metric, time, values, ps(end)};
        const std::int64_t length = end + 3;
        std::vector<std::optional<double>> slow;
        for (std::int64_t t = 0; t < length; ++t) slow.push_back(slowValue(metric, samples, end, t));
        for (std::int64_t t = 0; t < length && turn % 10 != 0; ++t) {
            const std::size_t step = curve.at(ps(t));
            const bool isThere = step < curve.size() && curve[step].begin <= ps(t) && ps(t) < curve[step].end;
            ASSERT_EQ(isThere, slow[static_cast<std::size_t>(t)].has_value()) << turn << " at " << t;
            if (!isThere) continue;
            ASSERT_DOUBLE_EQ(curve[step].value, *slow[static_cast<std::size_t>(t)]) << turn << " at " << t;
        }
        for (int columns : {1, 7, 40}) {
            std::vector<Picoseconds> edges;
            const std::int64_t first = below(static_cast<int>(length)),
                               last = first + 1 + below(static_cast<int>(length));
            for (int k = 0; k <= columns; ++k) edges.push_back(ps(first + (last - first) * k / columns));
            std::vector<std::optional<Curve::Range>> found(edges.size() - 1), wanted(edges.size() - 1);
            curve.inColumns(edges, [&](std::size_t column, const Curve::Range& range) { found[column] = range; });
            for (std::size_t k = 0; k + 1 < edges.size(); ++k)
                for (std::int64_t t = edges[k].count(); t < std::min(edges[k + 1].count(), length); ++t)
                    if (const auto value = slow[static_cast<std::size_t>(t)]) {
                        if (!wanted[k]) wanted[k] = {*value, *value};
                        wanted[k] = {std::min(wanted[k]->least, *value), std::max(wanted[k]->most, *value)};
                    }
            for (std::size_t k = 0; k < wanted.size(); ++k) {
                ASSERT_EQ(found[k].has_value(), wanted[k].has_value()) << turn << " column " << k;
                if (!wanted[k]) continue;
                ASSERT_DOUBLE_EQ(found[k]->least, wanted[k]->least) << turn << " column " << k;
                ASSERT_DOUBLE_EQ(found[k]->most, wanted[k]->most) << turn << " column " << k;
            }
        }
    }
}

TEST(MetricCurves, haveValuesWithPrefixes) {
    EXPECT_EQ(showValue(12.3e6, "/s"), "12.3 M/s");
    EXPECT_EQ(showValue(0, "W"), "0 W");
    EXPECT_EQ(showValue(-2500, "W"), "-2.5 kW");
    EXPECT_EQ(showValue(0.00042, "J"), "420 uJ");
    EXPECT_EQ(showValue(999.99, "B/s"), "1 kB/s");
    EXPECT_EQ(showValue(41.53, "degC"), "41.53 degC");
    EXPECT_EQ(showValue(12000, "ms"), "12000 ms");
    EXPECT_EQ(showValue(7, ""), "7");
    EXPECT_EQ(showValue(7000, ""), "7 k");
}

/// By hand: rank 1 counts 600 in 2 us and 100 in the 8 us that follow; the node draws 100 W for 4 us, then 300 W.
TEST(MetricCurves, areAnsweredInATable) {
    const auto us = [](std::int64_t time) { return ps(time * 1'000'000); };
    traces::RecordingBuilder b{2};
    b.enter(0, us(0), "main");
    b.leave(0, us(10));
    const std::int32_t count =
        b.metric({.name = "count", .description = "", .unit = "#", .value = MetricValue::accumulated});
    const std::int32_t power = b.metric({.name = "power", .description = "", .unit = "W"});
    b.samples(1, count, {us(0), us(2), us(10)}, {0, 600, 700});
    b.rest().samples.push_back({.location = 0,
                                .rank = traces::noRank,
                                .about = "node 7",
                                .metrics = {power},
                                .time = std::vector{us(0), us(4)},
                                .values = {std::vector{100.0, 300.0}}});
    const auto kept = std::make_shared<const traces::Recording>(b.finish());
    const Trace trace{.report = reportOn(std::make_shared<const engine::Run>(traces::runOf(*kept))), .recording = kept};
    const auto asked = [&](Part part) {
        TraceAnalysis analysis{trace, {.part = std::move(part)}};
        return computeTable(tableNamed("metrics"), analysis);
    };
    const auto number = [](const engine::Cell& cell) { return std::get<double>(cell); };
    const engine::Table all = asked({});
    ASSERT_EQ(all.rows.size(), 2U);
    EXPECT_EQ(all.rows[0][0], engine::Cell{std::string{"count"}});
    EXPECT_EQ(all.rows[0][1], engine::Cell{std::string{"/s"}});
    EXPECT_EQ(all.rows[0][3], engine::Cell{std::int64_t{1}});
    EXPECT_EQ(all.rows[0][5], engine::Cell{std::int64_t{3}});
    EXPECT_DOUBLE_EQ(number(all.rows[0][6]), 100 / 8e-6);
    EXPECT_DOUBLE_EQ(number(all.rows[0][7]), 600 / 2e-6);
    EXPECT_EQ(all.rows[0][8], engine::Cell{us(0)});
    EXPECT_DOUBLE_EQ(number(all.rows[0][9]), 700 / 10e-6);
    EXPECT_DOUBLE_EQ(number(all.rows[0][10]), 700);
    EXPECT_DOUBLE_EQ(number(all.rows[0][11]), 700);
    EXPECT_EQ(all.rows[1][3], engine::Cell{});
    EXPECT_EQ(all.rows[1][4], engine::Cell{std::string{"node 7"}});
    EXPECT_EQ(all.rows[1][8], engine::Cell{us(4)});
    EXPECT_DOUBLE_EQ(number(all.rows[1][9]), (100 * 4 + 300 * 6) / 10.0);
    EXPECT_DOUBLE_EQ(number(all.rows[1][10]), (100 * 4 + 300 * 6) * 1e-6) << "joules";
    const engine::Table late = asked({.from = us(1), .to = us(4), .ranks = {Rank{1}}});
    ASSERT_EQ(late.rows.size(), 1U) << "no rank of those is the node";
    EXPECT_DOUBLE_EQ(number(late.rows[0][10]), 300 + 25);
    EXPECT_EQ(late.rows[0][8], engine::Cell{us(1)});
}

}  // namespace
}  // namespace app::analysis::of_curves
