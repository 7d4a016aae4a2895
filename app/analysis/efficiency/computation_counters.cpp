// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/efficiency/computation_counters.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

namespace app::analysis {

using engine::Picoseconds;
using engine::Rank;
using traces::Recording;
using traces::TimeSpan;

namespace {

constexpr std::array<std::string_view, 4> ofInstructions{"PAPI_TOT_INS", "instructions", "perf::INSTRUCTIONS",
                                                         "perf::PERF_COUNT_HW_INSTRUCTIONS"};
constexpr std::array<std::string_view, 5> ofCycles{"PAPI_TOT_CYC", "cycles", "cpu-cycles", "perf::CYCLES",
                                                   "perf::PERF_COUNT_HW_CPU_CYCLES"};

/// What was counted between sample `next - 1` and sample `next`.
double growth(const traces::Metric& metric, const traces::Column<double>& values, std::size_t next) {
    if (metric.value == traces::MetricValue::accumulated) return values[next] - values[next - 1];
    return values[metric.timing == traces::MetricTiming::next ? next - 1 : next];
}

/// Of one rank while it computed within `span`.
std::optional<double> countedIn(const Recording& recording, Rank rank, std::span<const std::string_view> names,
                                const ComputationTimes& computation, TimeSpan span) {
    for (const traces::MetricSamples& samples : recording.samples) {
        if (samples.location != recording.locationOf(rank) || !samples.about.empty()) continue;
        for (std::size_t i = 0; i < samples.metrics.size(); ++i) {
            const traces::Metric& metric = recording.metrics[engine::asSize(samples.metrics[i])];
            if (std::ranges::find(names, metric.name) == names.end()) continue;
            if (metric.value == traces::MetricValue::absolute) return std::nullopt;
            double sum = 0;
            for (std::size_t next = 1; next < samples.time.size(); ++next) {
                const Picoseconds begin = samples.time[next - 1], end = samples.time[next];
                const double more = growth(metric, samples.values[i], next);
                if (more < 0) return std::nullopt;
                if (begin >= end || end <= span.begin || begin >= span.end) continue;
                const Picoseconds computed = computation.of(rank, std::max(begin, span.begin), std::min(end, span.end));
                sum += more * static_cast<double>(computed.count()) / static_cast<double>((end - begin).count());
            }
            return sum;
        }
    }
    return std::nullopt;
}

}  // namespace

std::optional<ComputationCounters> computationCounters(const Recording& recording, const ComputationTimes& computation,
                                                       TimeSpan span) {
    ComputationCounters sum;
    for (Rank rank{0}; rank.value < recording.ranks; ++rank) {
        const auto instructions = countedIn(recording, rank, ofInstructions, computation, span);
        const auto cycles = countedIn(recording, rank, ofCycles, computation, span);
        if (!instructions || !cycles) return std::nullopt;
        sum.instructions += *instructions;
        sum.cycles += *cycles;
    }
    return sum;
}

}  // namespace app::analysis
