// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/messages/message_start.hpp"

#include "app/analysis/selection/partial_runs.hpp"

#include <algorithm>
#include <tuple>

namespace app::analysis {
namespace {

using engine::Picoseconds;
using engine::Rank;
using engine::Run;

/// Whether both carry some of the same.
bool share(const Run& run, std::uint32_t a, std::uint32_t b) {
    for (const engine::Range& one : run.messages.what(a))
        for (const engine::Range& other : run.messages.what(b))
            if (!one.empty() && !other.empty() && one.begin < other.end && one.end > other.begin) return true;
    return false;
}

}  // namespace

Start startOf(const Run& run, std::uint32_t message) {
    const engine::Messages& m = run.messages;
    const std::vector<Picoseconds> arrived = arrivalTimes(run);
    Start start;
    start.sender = {m.from()[message], arrived[m.from()[message].index()]};
    start.receiver = {m.to()[message], arrived[m.to()[message].index()]};
    const auto note = [](Ready& ready, std::uint32_t i, Picoseconds end) {
        if (end > ready.since || (end == ready.since && !ready.after)) {
            ready.since = end;
            ready.after = i;
        }
    };
    std::tuple<Picoseconds, std::uint32_t> latest{Picoseconds::min(), 0};
    for (std::uint32_t i = 0; i < m.size(); ++i) {
        if (i == message) continue;
        for (Ready* ready : {&start.sender, &start.receiver}) {
            const Picoseconds begin = ready == &start.sender ? m.sendBegin()[message] : m.receiveBegin()[message];
            if (m.from()[i] == ready->rank && m.sendBegin()[i] < begin) note(*ready, i, m.sendEnd()[i]);
            if (m.to()[i] == ready->rank && m.receiveBegin()[i] < begin) note(*ready, i, m.receiveEnd()[i]);
        }
        if (m.to()[i] != m.from()[message] || m.receiveEnd()[i] > m.sendBegin()[message]) continue;
        const std::tuple now{m.receiveEnd()[i], i};
        if (now < latest || !share(run, i, message)) continue;
        latest = now;
        start.brought = i;
    }
    // What came before was also combined; the message that is named stays the one it was combined from. Who computes
    // looks after its messages meanwhile.
    for (const engine::LocalWork& its : run.combining)
        for (Ready* ready : {&start.sender, &start.receiver}) {
            const Picoseconds begin = ready == &start.sender ? m.sendBegin()[message] : m.receiveBegin()[message];
            if (its.rank == ready->rank && its.begin < begin) ready->since = std::max(ready->since, its.end);
        }
    const auto round = m.round()[message].index();
    start.inStep = run.setting.progress == "lockstep" && round > 0 && round < run.perRound.size() &&
                   m.sendBegin()[message] == run.perRound[round].begin;
    return start;
}

std::vector<std::uint32_t> forwardedMessages(const Run& run, std::uint32_t message) {
    const engine::Messages& m = run.messages;
    std::vector<std::uint32_t> found;
    for (std::uint32_t i = 0; i < m.size(); ++i)
        if (m.from()[i] == m.to()[message] && m.sendBegin()[i] >= m.receiveEnd()[message] && share(run, message, i))
            found.push_back(i);
    std::sort(found.begin(), found.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::tuple{m.sendBegin()[a], a} < std::tuple{m.sendBegin()[b], b};
    });
    return found;
}

std::vector<IdleInterval> idleIntervals(const Run& run, Rank rank) {
    const engine::Messages& m = run.messages;
    struct End {
        Picoseconds begin{};
        Picoseconds end{};
        std::optional<std::uint32_t> message{};  ///< none: it works by itself
        auto operator<=>(const End&) const = default;
    };
    std::vector<End> ends;
    for (const engine::LocalWork& its : engine::workOf(run))
        if (its.rank == rank) ends.push_back({its.begin, its.end, std::nullopt});
    for (std::uint32_t i = 0; i < m.size(); ++i) {
        if (m.from()[i] == rank) ends.push_back({m.sendBegin()[i], m.sendEnd()[i], i});
        if (m.to()[i] == rank) ends.push_back({m.receiveBegin()[i], m.receiveEnd()[i], i});
    }
    std::sort(ends.begin(), ends.end());
    std::vector<IdleInterval> found;
    Picoseconds over{};
    const Picoseconds first = ends.empty() ? run.duration : ends.front().begin;
    if (const Picoseconds there = std::min(arrivalTimes(run)[rank.index()], first); there > over) {
        found.push_back({.rank = rank, .begin = over, .end = there, .notYetEntered = true});
        over = there;
    }
    std::optional<std::uint32_t> former;
    for (const End& end : ends) {
        if (end.begin > over) found.push_back({rank, over, end.begin, former, end.message});
        if (end.end < over) continue;
        over = end.end;
        if (end.message) former = end.message;
    }
    if (run.duration > over) found.push_back({rank, over, run.duration, former, std::nullopt});
    return found;
}

}  // namespace app::analysis
