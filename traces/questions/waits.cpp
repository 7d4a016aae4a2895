// SPDX-License-Identifier: BSD-3-Clause
#include "traces/questions/waits.hpp"

#include "traces/questions/events.hpp"
#include "traces/questions/part.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace traces {

using engine::MessageRecord;
using engine::Picoseconds;
using engine::Rank;
using engine::Run;

std::string_view name(WaitKind kind) { return kind == WaitKind::lateSender ? "late sender" : "late receiver"; }

namespace {

/// Finds waits in the order of sending, so that a delay is known before it is passed on.
class Listing {
public:
    explicit Listing(const Run& run) : run_{run}, events_{run}, found_(run.messages.size(), none) {}

    std::vector<Wait> all() {
        std::vector<std::uint32_t> order(run_.messages.size());
        std::iota(order.begin(), order.end(), 0U);
        const auto sent = run_.messages.sendBegin();
        std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return sent[a] < sent[b]; });
        for (const std::uint32_t i : order) look(i, run_.messages[i]);
        return std::move(waits_);
    }

private:
    static constexpr std::uint32_t none = ~0U;

    void look(std::uint32_t i, const MessageRecord& m) {
        const bool calls = timesAreCalls(run_);
        const Picoseconds ready = calls ? m.receiveBegin : events_.busyUntil(m.to, m.receiveBegin, i);
        const Picoseconds arrival = std::min(m.sendBegin, calls ? m.receiveEnd : m.receiveBegin);
        if (arrival > ready) add({WaitKind::lateSender, m.to, m.from, i, ready, arrival - ready, m.from, 0, 0});
        else if (calls && m.receiveBegin > m.sendBegin && m.sendEnd > m.receiveBegin)
            add({WaitKind::lateReceiver, m.from, m.to, i, m.sendBegin, m.receiveBegin - m.sendBegin, m.to, 0, 0});
    }

    void add(Wait wait) {
        const MessageRecord m = run_.messages[wait.message];
        wait.wave = waves_;
        const Picoseconds begun = wait.kind == WaitKind::lateSender ? m.sendBegin : m.receiveBegin;
        const auto former = events_.before(wait.late, begun, wait.message);
        const std::uint32_t cause = former && !former->isSend ? found_[former->message] : none;
        if (cause != none) {
            const Wait& passed = waits_[cause];
            wait.origin = passed.origin;
            wait.hops = passed.hops + 1;
            wait.wave = passed.wave;
        } else {
            ++waves_;
        }
        if (wait.kind == WaitKind::lateSender) found_[wait.message] = static_cast<std::uint32_t>(waits_.size());
        waits_.push_back(wait);
    }

    const Run& run_;
    RankEvents events_;
    std::vector<std::uint32_t> found_;  ///< per message: the wait for it
    std::vector<Wait> waits_;
    std::uint32_t waves_ = 0;
};

}  // namespace

std::vector<Wait> waits(const Run& run) { return Listing{run}.all(); }

std::vector<WaitRow> waitsPerRank(const std::vector<Wait>& waits) {
    std::map<std::pair<WaitKind, Rank>, WaitRow> rows;
    std::map<std::pair<WaitKind, Rank>, std::map<Rank, Picoseconds>> late;
    for (const Wait& wait : waits) {
        WaitRow& row = rows[{wait.kind, wait.rank}];
        row.kind = wait.kind;
        row.rank = wait.rank;
        ++row.waits;
        row.time += wait.time;
        row.longest = std::max(row.longest, wait.time);
        late[{wait.kind, wait.rank}][wait.late] += wait.time;
    }
    std::vector<WaitRow> sorted;
    for (auto& [key, row] : rows) {
        const auto& by = late[key];
        row.mostlyFor = std::max_element(by.begin(), by.end(), [](const auto& a, const auto& b) {
                            return a.second < b.second;
                        })->first;
        sorted.push_back(row);
    }
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.time > b.time; });
    return sorted;
}

std::vector<DelayRow> delays(const std::vector<Wait>& waits) {
    std::map<Rank, DelayRow> rows;
    for (const Wait& wait : waits) {
        DelayRow& row = rows[wait.origin];
        row.origin = wait.origin;
        ++row.waits;
        (wait.hops == 0 ? row.direct : row.passedOn) += wait.time;
    }
    std::vector<DelayRow> sorted;
    for (const auto& [rank, row] : rows) sorted.push_back(row);
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
        return a.direct + a.passedOn > b.direct + b.passedOn;
    });
    return sorted;
}

std::vector<WaveRow> idleWaves(const std::vector<Wait>& waits) {
    std::map<std::uint32_t, WaveRow> rows;
    std::map<std::uint32_t, std::set<Rank>> reached;
    for (const Wait& wait : waits) {
        auto [entry, isNew] = rows.try_emplace(wait.wave);
        WaveRow& row = entry->second;
        if (isNew) row.origin = wait.origin, row.begin = wait.begin;
        row.begin = std::min(row.begin, wait.begin);
        row.end = std::max(row.end, wait.begin + wait.time);
        row.hops = std::max(row.hops, wait.hops);
        row.time += wait.time;
        reached[wait.wave].insert(wait.rank);
    }
    std::vector<WaveRow> sorted;
    for (auto& [wave, row] : rows) {
        if (row.hops == 0) continue;
        row.ranks = static_cast<std::int64_t>(reached[wave].size());
        sorted.push_back(row);
    }
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.time > b.time; });
    return sorted;
}

Imbalance busyImbalance(const Run& run) {
    Imbalance result;
    if (run.perRank.empty()) return result;
    for (std::size_t rank = 0; rank < run.perRank.size(); ++rank) {
        const Picoseconds busy = run.perRank[rank].busy;
        result.mean += busy;
        if (busy > result.most) result.most = busy, result.who = Rank{static_cast<std::int32_t>(rank)};
    }
    result.mean /= static_cast<std::int64_t>(run.perRank.size());
    return result;
}

}  // namespace traces
