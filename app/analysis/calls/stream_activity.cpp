// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/calls/stream_activity.hpp"

#include <algorithm>

namespace app::analysis {

using engine::Picoseconds;
using traces::Recording;
using traces::TimeSpan;

namespace {

Intervals merged(Intervals all) {
    std::sort(all.begin(), all.end(), [](const TimeSpan& a, const TimeSpan& b) { return a.begin < b.begin; });
    Intervals apart;
    for (const TimeSpan& one : all) {
        if (one.end <= one.begin) continue;
        if (!apart.empty() && one.begin <= apart.back().end) apart.back().end = std::max(apart.back().end, one.end);
        else apart.push_back(one);
    }
    return apart;
}

Picoseconds timeWithin(const Intervals& all, TimeSpan span) {
    auto one = std::partition_point(all.begin(), all.end(), [&](const TimeSpan& its) { return its.end <= span.begin; });
    Picoseconds sum{};
    for (; one != all.end() && one->begin < span.end; ++one)
        sum += std::min(one->end, span.end) - std::max(one->begin, span.begin);
    return sum;
}

Intervals commonOf(const Intervals& a, const Intervals& b) {
    Intervals both;
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        const TimeSpan one{std::max(a[i].begin, b[j].begin), std::min(a[i].end, b[j].end)};
        if (one.begin < one.end) both.push_back(one);
        if (a[i].end < b[j].end) ++i;
        else ++j;
    }
    return both;
}

}  // namespace

StreamTimes StreamActivity::timesIn(TimeSpan span) const {
    StreamTimes times{.compute = timeWithin(compute, span), .hidden = timeWithin(both, span)};
    times.exposed = timeWithin(communication, span) - times.hidden;
    times.idle = span.end - span.begin - times.compute - times.exposed;
    return times;
}

std::optional<Picoseconds> StreamActivity::waitsFrom(TimeSpan span) const {
    if (!hasStreams) return span.begin;
    const auto next =
        std::partition_point(compute.begin(), compute.end(), [&](const TimeSpan& one) { return one.end <= span.end; });
    if (next != compute.end() && next->begin < span.end) return std::nullopt;
    return next == compute.begin() ? span.begin : std::max(span.begin, (next - 1)->end);
}

StreamActivity streamActivityOf(const Recording& recording, const std::vector<std::size_t>& locations) {
    StreamActivity activity;
    for (const std::size_t i : locations) {
        if (recording.locations[i].kind != traces::LocationKind::accelerator) continue;
        activity.hasStreams = true;
        const traces::States& states = recording.states[i];
        for (std::size_t s = 0; s < states.size(); ++s) {
            const TimeSpan span{states.begin[s], states.end[s]};
            // A communication call stands around its kernel; an operation around the kernels it launched and what is
            // between them.
            if (recording.regions[engine::asSize(states.region[s])].call != traces::Call::none) {
                activity.communication.push_back(span);
                while (s + 1 < states.size() && states.depth[s + 1] > 0) ++s;
            } else if (s + 1 == states.size() || states.depth[s + 1] <= states.depth[s]) {
                activity.compute.push_back(span);
            }
        }
    }
    activity.compute = merged(std::move(activity.compute));
    activity.communication = merged(std::move(activity.communication));
    activity.both = commonOf(activity.compute, activity.communication);
    return activity;
}

}  // namespace app::analysis
