// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/training/collective_costs.hpp"

#include "app/analysis/training/step_times.hpp"
#include "engine/base/text.hpp"
#include "traces/clocks/clocks.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace app::analysis {

using engine::Picoseconds;

namespace {

struct CallsOfKind {
    CollectiveCost cost;
    std::vector<std::pair<Picoseconds, bool>> skews;  ///< and whether clocks show them
    std::vector<Picoseconds> shortest;
    std::map<engine::Rank, std::int64_t> last;
};

}  // namespace

std::optional<double> CollectiveCost::algorithmBandwidth() const {
    if (!traffic || present < 2 || latency.count() <= 0) return std::nullopt;
    return static_cast<double>(traffic->size) / engine::seconds(latency);
}

std::optional<double> CollectiveCost::busBandwidth() const {
    const auto algorithm = algorithmBandwidth();
    return algorithm ? std::optional{*algorithm * traffic->factor} : std::nullopt;
}

std::optional<double> limitOfLink(const std::optional<engine::Rate>& beta) {
    if (!beta || beta->femtosecondsPerByte <= 0) return std::nullopt;
    return 1e15 / static_cast<double>(beta->femtosecondsPerByte);
}

std::vector<CollectiveCost> collectiveCostsOf(const traces::Recording& recording, traces::TimeSpan span) {
    using Key = std::tuple<traces::Operation, std::int32_t, engine::Bytes, engine::Bytes, std::int32_t>;
    std::map<Key, CallsOfKind> kinds;
    const traces::ClockUncertainty clocks{recording};
    for (const traces::Collective& instance : recording.collectives.instances) {
        const auto parts = recording.collectives.of(instance);
        if (parts.empty()) continue;
        engine::Bytes sent = 0, received = 0;
        Picoseconds shortest = Picoseconds::max(), total{};
        const traces::Participant *first = &parts[0], *last = &parts[0];
        for (const traces::Participant& part : parts) {
            sent = std::max(sent, part.sent);
            received = std::max(received, part.received);
            shortest = std::min(shortest, part.end - part.begin);
            total += part.end - part.begin;
            if (part.begin < first->begin) first = &part;
            if (part.begin > last->begin) last = &part;
        }
        if (first->begin < span.begin || first->begin >= span.end) continue;
        CallsOfKind& kind = kinds[{instance.operation, instance.communicator, sent, received, instance.algorithm}];
        CollectiveCost& cost = kind.cost;
        if (cost.calls++ == 0) {
            cost.operation = instance.operation;
            cost.communicator = instance.communicator;
            cost.ranks = static_cast<std::int32_t>(
                recording.communicators[engine::asSize(instance.communicator)].members.size());
            cost.sent = sent;
            cost.received = received;
            if (instance.algorithm != traces::noIndex)
                cost.ran = traces::Ran::from(recording.algorithms[engine::asSize(instance.algorithm)]);
            if (traces::isKnown(recording.communicators[engine::asSize(instance.communicator)]))
                cost.traffic = traces::busTraffic(instance.operation, cost.ranks, sent, received);
        }
        cost.present = std::max(cost.present, static_cast<std::int32_t>(parts.size()));
        cost.total += total;
        kind.shortest.push_back(shortest);
        if (parts.size() < 2) continue;
        const Picoseconds skew = last->begin - first->begin;
        const engine::Rank other = first == last ? parts[1].rank : last->rank;  // all enter at once
        kind.skews.emplace_back(skew, clocks.shows(first->rank, other, skew));
        cost.uncertainty = std::max(cost.uncertainty, clocks.between(first->rank, other));
        if (skew.count() > 0 && std::ranges::all_of(parts, [&](const traces::Participant& part) {
                return part.rank == last->rank || clocks.shows(part.rank, last->rank, last->begin - part.begin);
            }))
            ++kind.last[last->rank];
    }
    std::vector<CollectiveCost> costs;
    for (auto& [key, kind] : kinds) {
        CollectiveCost& cost = kind.cost;
        if (!kind.skews.empty()) {
            std::ranges::sort(kind.skews);
            // Of an even number of calls the mean of two: both must be shown.
            const auto [low, lowShown] = kind.skews[(kind.skews.size() - 1) / 2];
            const auto [high, highShown] = kind.skews[kind.skews.size() / 2];
            if (lowShown && highShown) cost.skew = low + (high - low) / 2;
            if (kind.skews.back().second) cost.longestSkew = kind.skews.back().first;
        }
        cost.latency = medianOf(std::move(kind.shortest));
        for (const auto& [rank, times] : kind.last)
            if (times > cost.lastTimes) cost.last = rank, cost.lastTimes = times;
        costs.push_back(std::move(cost));
    }
    std::stable_sort(costs.begin(), costs.end(),
                     [](const CollectiveCost& a, const CollectiveCost& b) { return a.total > b.total; });
    return costs;
}

}  // namespace app::analysis
