// SPDX-License-Identifier: BSD-3-Clause
// The judge of waits: what waits.hpp says in words, looked up message by message in all messages. And runs to judge by:
// a few messages at times that often coincide.
#pragma once

#include "app/analysis/part.hpp"
#include "app/analysis/waits.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <tuple>
#include <vector>

namespace app::analysis::slow {

using engine::MessageRecord;
using engine::Picoseconds;
using engine::Rank;
using engine::Run;

/// Up to 24 messages among up to six ranks within some forty picoseconds: many begin or end together, some take no
/// time or have no bytes. `calls`: times are calls, in which an end may come long before the other one; else a port is
/// busy with one message after the other, or with some at once. Now and then clocks contradict each other. `shortest`:
/// where it is above 0 everything takes so long, and clocks do not.
inline Run randomRun(std::mt19937& random, bool calls, int shortest = 0) {
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    const int ranks = 2 + below(5);
    const int count = 1 + below(24);
    std::vector<Sample> samples;
    for (int i = 0; i < count; ++i) {
        MessageRecord m;
        m.from = Rank{below(ranks)};
        m.to = Rank{(m.from.value + 1 + below(ranks - 1)) % ranks};
        m.round = engine::Round{below(4)};
        m.bytes = below(4) == 0 ? 0 : below(30);
        const auto after = [&](Picoseconds begin, int most) { return begin + Picoseconds{shortest + below(most)}; };
        m.sendBegin = Picoseconds{below(30)};
        m.sendEnd = after(m.sendBegin, 9);
        m.receiveBegin = calls ? Picoseconds{below(30)} : after(m.sendBegin, 4);
        m.receiveEnd =
            after(shortest == 0 && below(9) == 0 ? m.receiveBegin : std::max(m.sendBegin, m.receiveBegin), 9);
        if (!calls && below(2) == 0) m.receiveBegin = m.sendBegin, m.receiveEnd = m.sendEnd;
        samples.push_back({m});
    }
    Run run = assembled(ranks, std::move(samples));
    if (calls) run.setting.on = "trace";
    return run;
}

struct End {
    Picoseconds begin;
    Picoseconds end;
    std::uint32_t message = 0;
    bool isSend = false;
};

inline std::vector<End> endsOn(const Run& run, Rank rank) {
    std::vector<End> ends;
    for (std::uint32_t i = 0; i < run.messages.size(); ++i) {
        const MessageRecord m = run.messages[i];
        if (m.from == rank) ends.push_back({m.sendBegin, m.sendEnd, i, true});
        if (m.to == rank) ends.push_back({m.receiveBegin, m.receiveEnd, i, false});
    }
    return ends;
}

/// What `rank` had done right before `time`, other than `message`: of ends that were over together the receive, then
/// the one that began last.
inline std::optional<End> rightBefore(const Run& run, Rank rank, Picoseconds time, std::uint32_t message) {
    std::optional<End> latest;
    const auto order = [](const End& e) { return std::tuple{e.end, !e.isSend, e.begin, e.message}; };
    for (const End& end : endsOn(run, rank))
        if (end.message != message && end.end <= time && end.begin < time && (!latest || order(*latest) < order(end)))
            latest = end;
    return latest;
}

inline std::vector<Wait> waits(const Run& run) {
    const bool calls = run.setting.on == "trace";
    std::vector<std::uint32_t> sent(run.messages.size());
    std::iota(sent.begin(), sent.end(), 0U);
    std::stable_sort(sent.begin(), sent.end(),
                     [&](auto a, auto b) { return run.messages[a].sendBegin < run.messages[b].sendBegin; });
    std::vector<Wait> all;
    std::uint32_t waves = 0;
    for (const std::uint32_t i : sent) {
        const MessageRecord m = run.messages[i];
        Wait wait;
        wait.message = i;
        Picoseconds came{};  // when the late rank came
        // A port is ready when what it did before is over; a call when it is entered.
        Picoseconds ready = m.receiveBegin;
        if (!calls) {
            ready = {};
            for (const End& end : endsOn(run, m.to))
                if (end.message != i && end.begin < m.receiveBegin) ready = std::max(ready, end.end);
        }
        // It waits until the sender begins, but no longer than it is there for the message.
        const Picoseconds until = std::min(m.sendBegin, calls ? m.receiveEnd : m.receiveBegin);
        if (ready < until) {
            wait.kind = WaitKind::lateSender;
            wait.rank = m.to;
            wait.late = m.from;
            wait.begin = ready;
            wait.time = until - ready;
            came = m.sendBegin;
        } else if (calls && m.sendBegin < m.receiveBegin && m.receiveBegin < m.sendEnd) {
            wait.kind = WaitKind::lateReceiver;
            wait.rank = m.from;
            wait.late = m.to;
            wait.begin = m.sendBegin;
            wait.time = m.receiveBegin - m.sendBegin;
            came = m.receiveBegin;
        } else {
            continue;
        }
        // Passed on, where what the late rank did right before was a receive that it waited for.
        const auto former = rightBefore(run, wait.late, came, i);
        const auto cause = std::find_if(all.begin(), all.end(), [&](const Wait& other) {
            return former && !former->isSend && other.message == former->message && other.kind == WaitKind::lateSender;
        });
        const bool passed = cause != all.end();
        wait.origin = passed ? cause->origin : wait.late;
        wait.hops = passed ? cause->hops + 1 : 0;
        wait.wave = passed ? cause->wave : waves++;
        all.push_back(wait);
    }
    return all;
}

/// All x with use(x), put together in every table below by asking for each key in turn.
template <class Use>
std::vector<Wait> those(const std::vector<Wait>& waits, Use use) {
    std::vector<Wait> found;
    std::copy_if(waits.begin(), waits.end(), std::back_inserter(found), use);
    return found;
}

inline Picoseconds sumOf(const std::vector<Wait>& waits) {
    Picoseconds sum{};
    for (const Wait& wait : waits) sum += wait.time;
    return sum;
}

inline std::vector<WaitRow> waitsPerRank(const std::vector<Wait>& waits, std::int32_t ranks) {
    std::vector<WaitRow> rows;
    for (const WaitKind kind : {WaitKind::lateSender, WaitKind::lateReceiver})
        for (Rank rank{0}; rank.value < ranks; ++rank) {
            const auto its = those(waits, [&](const Wait& w) { return w.kind == kind && w.rank == rank; });
            if (its.empty()) continue;
            WaitRow row{kind, rank, static_cast<std::int64_t>(its.size()), sumOf(its), {}, {}};
            for (const Wait& wait : its) row.longest = std::max(row.longest, wait.time);
            Picoseconds most{-1};
            for (Rank late{0}; late.value < ranks; ++late) {
                const auto forIt = those(its, [&](const Wait& w) { return w.late == late; });
                if (!forIt.empty() && sumOf(forIt) > most) most = sumOf(forIt), row.mostlyFor = late;
            }
            rows.push_back(row);
        }
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.time > b.time; });
    return rows;
}

inline std::vector<DelayRow> delays(const std::vector<Wait>& waits, std::int32_t ranks) {
    std::vector<DelayRow> rows;
    for (Rank rank{0}; rank.value < ranks; ++rank) {
        const auto its = those(waits, [&](const Wait& w) { return w.origin == rank; });
        if (its.empty()) continue;
        const auto direct = those(its, [&](const Wait& w) { return w.late == rank && w.hops == 0; });
        rows.push_back({rank, static_cast<std::int64_t>(its.size()), sumOf(direct), sumOf(its) - sumOf(direct)});
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [](const auto& a, const auto& b) { return a.direct + a.passedOn > b.direct + b.passedOn; });
    return rows;
}

inline std::vector<WaveRow> idleWaves(const std::vector<Wait>& waits) {
    std::vector<WaveRow> rows;
    for (std::uint32_t wave = 0; wave < waits.size(); ++wave) {
        const auto its = those(waits, [&](const Wait& w) { return w.wave == wave; });
        WaveRow row;
        row.begin = Picoseconds::max();
        std::set<Rank> ranks;
        for (const Wait& wait : its) {
            row.origin = wait.origin;
            row.begin = std::min(row.begin, wait.begin);
            row.end = std::max(row.end, wait.begin + wait.time);
            row.hops = std::max(row.hops, wait.hops);
            ranks.insert(wait.rank);
        }
        if (row.hops == 0) continue;
        row.ranks = static_cast<std::int64_t>(ranks.size());
        row.time = sumOf(its);
        rows.push_back(row);
    }
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.time > b.time; });
    return rows;
}

}  // namespace app::analysis::slow
