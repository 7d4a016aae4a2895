// SPDX-License-Identifier: BSD-3-Clause
#include "traces/reading/locations/metric_samples.hpp"

#include <utility>

namespace traces::reading {
namespace {

/// `rows` hold `width` values a sample.
std::vector<Column<double>> valuesOf(Growing<double>&& rows, std::size_t width, std::size_t samples, Storage& storage) {
    if (width == 1) return {rows.column()};
    const Column<double> all = rows.column();
    std::vector<Column<double>> columns;
    for (std::size_t k = 0; k < width; ++k) {
        auto [column, cells] = makeColumn<double>(samples, &storage);
        for (std::size_t s = 0; s < cells.size(); ++s) cells[s] = all[s * width + k];
        columns.push_back(std::move(column));
    }
    return columns;
}

}  // namespace

std::vector<MetricSamples> metricSamples(std::vector<LocationEvents>& events, const World& world, Storage& storage) {
    std::vector<MetricSamples> all;
    for (std::size_t i = 0; i < events.size(); ++i)
        for (MetricEvents& its : events[i].metrics) {
            const MetricSet& set = world.metricSets[engine::asSize(its.set)];
            const Location& location = world.locations[i];
            MetricSamples samples{.location = static_cast<std::int32_t>(i),
                                  .rank = set.ofRecorder ? location.rank : set.rank,
                                  .about = set.ofRecorder ? location.about() : set.about,
                                  .metrics = set.metrics,
                                  .time = its.time.column(),
                                  .values = {}};
            samples.values = valuesOf(std::move(its.values), set.metrics.size(), samples.time.size(), storage);
            all.push_back(std::move(samples));
        }
    return all;
}

}  // namespace traces::reading
