// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/network/link_loads.hpp"

#include "emulation/networks/link_counters.hpp"

#include <algorithm>
#include <map>

namespace app::analysis {

using emulation::LinkCounters;
using emulation::LinkId;
using emulation::Network;
using engine::Bytes;
using engine::MessageRecord;
using engine::Picoseconds;
using engine::Round;
using engine::Run;

std::vector<LinkLoad> linkLoads(const Run& run, const Network& network) {
    std::vector<LinkLoad> all(static_cast<std::size_t>(network.links()));
    eachRound(run, network, [&](Round round, const LinkCounters& counters) {
        for (const LinkId link : counters.used()) {
            const auto& [bytes, messages] = counters[link];
            LinkLoad& row = all[link.index()];
            row.link = link;
            row.bytes += bytes;
            row.messages += messages;
            if (bytes > row.peakBytes) row.peakBytes = bytes, row.peakRound = round;
        }
    });
    std::erase_if(all, [](const LinkLoad& row) { return row.messages == 0; });
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
    return all;
}

std::vector<RoundLoad> roundLoads(const Run& run, const Network& network) {
    std::vector<RoundLoad> rows;
    eachRound(run, network, [&](Round round, const LinkCounters& counters) {
        const auto used = counters.used();
        const LinkId worst = *std::min_element(used.begin(), used.end(), [&](LinkId a, LinkId b) {
            return counters[a].bytes != counters[b].bytes ? counters[a].bytes > counters[b].bytes : a < b;
        });
        Bytes sum = 0;
        for (const LinkId link : used) sum += counters[link].bytes;
        const auto links = static_cast<std::int64_t>(used.size());
        rows.push_back({round, links, worst, counters[worst].bytes, counters[worst].messages, sum / links});
    });
    return rows;
}

std::vector<WindowLoad> windowLoads(const Run& run, traces::TimeSpan span, const Network& network, std::int64_t windows,
                                    std::optional<engine::Rate> beta) {
    std::vector<WindowLoad> rows;
    const auto all = static_cast<double>((span.end - span.begin).count());
    const auto length = all / static_cast<double>(std::max<std::int64_t>(windows, 1));
    if (length <= 0 || network.links() == 0) return rows;
    std::vector<std::map<LinkId, double>> loads(static_cast<std::size_t>(std::max<std::int64_t>(windows, 1)));
    std::vector<LinkId> route;
    for (std::size_t i = 0; i < run.messages.size(); ++i) {
        const MessageRecord m = run.messages[i];
        route.clear();
        network.route(m.from, m.to, route);
        // Since the start of the span.
        const auto begin = static_cast<double>((std::max(m.sendBegin, m.receiveBegin) - span.begin).count());
        const double end = std::max(static_cast<double>((m.receiveEnd - span.begin).count()), begin);
        if (end < 0 || begin > all) continue;
        const auto place = [&](double time) {
            return static_cast<std::size_t>(std::clamp(time / length, 0.0, static_cast<double>(loads.size() - 1)));
        };
        for (std::size_t window = place(begin); window <= place(end); ++window) {
            const double from = std::max(begin, static_cast<double>(window) * length);
            const double to = std::min(end, static_cast<double>(window + 1) * length);
            const double share = end > begin ? std::max(to - from, 0.0) / (end - begin) : 1;
            for (const LinkId link : route) loads[window][link] += share * static_cast<double>(m.bytes);
        }
    }
    double peak = 0;
    for (const auto& window : loads)
        for (const auto& [link, bytes] : window) peak = std::max(peak, bytes);
    for (std::size_t window = 0; window < loads.size(); ++window) {
        const auto worst = std::max_element(loads[window].begin(), loads[window].end(),
                                            [](const auto& a, const auto& b) { return a.second < b.second; });
        if (worst == loads[window].end() || worst->second <= 0) continue;
        WindowLoad row;
        row.begin = span.begin + Picoseconds{static_cast<std::int64_t>(static_cast<double>(window) * length)};
        row.end = span.begin + Picoseconds{static_cast<std::int64_t>(static_cast<double>(window + 1) * length)};
        row.worst = worst->first;
        row.bytes = static_cast<Bytes>(worst->second + 0.5);
        row.ofPeak = worst->second / peak;
        row.hot = row.ofPeak >= 0.8;
        const auto quality = network.quality(row.worst);
        if (quality || beta) {
            const engine::Rate rate = quality ? quality->beta : *beta;
            row.use = worst->second * static_cast<double>(rate.femtosecondsPerByte) / 1000 / length;
        }
        rows.push_back(row);
    }
    return rows;
}

}  // namespace app::analysis
