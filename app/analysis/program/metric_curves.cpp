// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/program/metric_curves.hpp"

#include "engine/base/parallel.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

namespace app::analysis {

using engine::text;
using traces::MetricTiming;
using traces::MetricValue;

MetricCurves::MetricCurves(const traces::Recording& recording, const engine::Progress& progress)
    : ranges_(recording.metrics.size()) {
    struct Wanted {
        const traces::MetricSamples* samples;
        std::size_t member;
    };
    std::vector<Wanted> wanted;
    for (const traces::MetricSamples& samples : recording.samples)
        for (std::size_t member = 0; member < samples.metrics.size(); ++member)
            if (!samples.time.empty()) wanted.push_back({&samples, member});
    const auto order = [](const Wanted& one) {
        const traces::MetricSamples& samples = *one.samples;
        return std::tuple{samples.rank == traces::noRank, samples.rank, std::string_view{samples.about},
                          samples.metrics[one.member]};
    };
    std::stable_sort(wanted.begin(), wanted.end(),
                     [&](const Wanted& a, const Wanted& b) { return order(a) < order(b); });
    std::vector<std::optional<Curve>> curves(wanted.size());
    engine::parallelFor(wanted.size(), [&](std::size_t i) {
        if (progress.stop.stop_requested()) throw engine::Cancelled{};
        const auto& [samples, member] = wanted[i];
        curves[i].emplace(recording.metrics[engine::asSize(samples->metrics[member])], samples->time,
                          samples->values[member], recording.locations[engine::asSize(samples->location)].last);
    });
    std::vector<bool> any(ranges_.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const auto& [samples, member] = wanted[i];
        const auto metric = engine::asSize(samples->metrics[member]);
        if (const auto its = curves[i]->range()) {
            Curve::Range& range = ranges_[metric];
            range =
                any[metric] ? Curve::Range{std::min(range.least, its->least), std::max(range.most, its->most)} : *its;
            any[metric] = true;
        }
        all_.push_back({.metric = metric,
                        .rank = samples->rank,
                        .about = samples->about,
                        .samples = samples->time.size(),
                        .last = *(samples->values[member].end() - 1),
                        .curve = std::move(*curves[i])});
    }
}

std::string unitOf(const traces::Metric& metric) {
    const std::string unit = metric.unit == "#" ? "" : metric.unit;
    return Curve::isRate(metric) ? unit + "/s" : unit;
}

std::string modeOf(const traces::Metric& metric) {
    if (metric.value == MetricValue::accumulated) return "accumulated";
    const char* const value = metric.value == MetricValue::absolute ? "absolute" : "relative";
    switch (metric.timing) {
        case MetricTiming::start: return text(value, ", since the start");
        case MetricTiming::point: return text(value, ", at a moment");
        case MetricTiming::last: return text(value, ", since the sample before");
        case MetricTiming::next: return text(value, ", until the next sample");
    }
    return value;
}

std::string showValue(double value, const std::string& unit) {
    // Of what has a prefix already, and of shares and degrees, another one would be no unit.
    constexpr std::array<std::string_view, 9> whole{"%", "C", "degC", "K", "ms", "us", "ns", "kB", "MB"};
    const std::string_view plain = std::string_view{unit}.substr(0, unit.find('/'));
    const bool prefixed = std::find(whole.begin(), whole.end(), plain) == whole.end();
    constexpr std::string_view prefixes = "pnum kMGTPE";
    constexpr int ones = 4;
    int prefix = ones;
    if (prefixed && value != 0) {
        const int thousands = static_cast<int>(std::floor(std::log10(std::abs(value)) / 3 + 1e-12));
        prefix = std::clamp(ones + thousands, 0, static_cast<int>(prefixes.size()) - 1);
        // What is rounded up to a thousand is one of the next.
        if (std::abs(value) / std::pow(1000.0, prefix - ones) >= 999.95 &&
            prefix + 1 < static_cast<int>(prefixes.size()))
            ++prefix;
    }
    const std::string sign = prefix == ones ? "" : std::string{prefixes[engine::asSize(prefix)]};
    const std::string after = sign + unit;
    return text(engine::showNumber(value / std::pow(1000.0, prefix - ones), prefixed ? 4 : 6),
                after.empty() || (after.front() == '/') ? "" : " ", after);
}

std::string whoseIs(const MetricCurve& curve) {
    if (curve.rank == traces::noRank) return curve.about;
    return curve.about.empty() ? text("rank ", curve.rank) : text("rank ", curve.rank, ", ", curve.about);
}

}  // namespace app::analysis
