// SPDX-License-Identifier: BSD-3-Clause
// Values of metrics as locations recorded them become columns.
#pragma once

#include "traces/reading/locations/location_events.hpp"
#include "traces/recording/recording.hpp"

#include <vector>

namespace traces::reading {

/// By the locations that recorded them. Takes the metrics of `events`.
std::vector<MetricSamples> metricSamples(std::vector<LocationEvents>& events, const World& world, Storage& storage);

}  // namespace traces::reading
