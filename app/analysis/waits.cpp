// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/waits.hpp"

#include "app/analysis/events.hpp"
#include "app/analysis/mostly_sorted.hpp"
#include "app/analysis/part.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <span>

namespace app::analysis {

using engine::MessageRecord;
using engine::Picoseconds;
using engine::Rank;
using engine::Run;

std::string_view name(WaitKind kind) { return kind == WaitKind::lateSender ? "late sender" : "late receiver"; }

namespace {

/// Whether waits know the delay that they follow from.
enum class Origins : std::uint8_t { traced, unknown };

/// Finds waits in the order of sending, so that a delay is known before it is passed on, and hands them to `take`.
template <class Take>
class Listing {
public:
    Listing(const Run& run, Take take, Origins origins = Origins::traced)
        : messages_{run.messages}, calls_{timesAreCalls(run)}, take_{take} {
        if (origins == Origins::traced) over_.emplace(run), found_.resize(run.messages.size());
        if (!calls_) busy_.emplace(run);
    }

    void all(const engine::Progress& progress = {}) {
        std::vector<std::uint32_t> order(messages_.size());
        std::iota(order.begin(), order.end(), 0U);
        const auto sent = messages_.sendBegin();
        sortMostlySorted(std::span{order}, [&](auto a, auto b) { return sent[a] < sent[b]; });
        for (std::size_t i = 0; i < order.size(); ++i) {
            if (i % (std::size_t{1} << 16) == 0)
                progress.at(static_cast<double>(i) / static_cast<double>(order.size()));
            look(order[i]);
        }
    }

private:
    /// What a late message passes on.
    struct Passed {
        Rank origin{-1};  ///< nobody where nobody waited for the message
        std::int32_t hops = 0;
        std::uint32_t wave = 0;
    };

    void look(std::uint32_t i) {
        const Picoseconds sendBegin = messages_.sendBegin()[i];
        const Picoseconds receiveBegin = messages_.receiveBegin()[i];
        const Rank from = messages_.from()[i];
        const Rank to = messages_.to()[i];
        const Picoseconds ready = calls_ ? receiveBegin : (*busy_)(to, receiveBegin, i);
        const Picoseconds arrival = std::min(sendBegin, calls_ ? messages_.receiveEnd()[i] : receiveBegin);
        if (arrival > ready) add({WaitKind::lateSender, to, from, i, ready, arrival - ready, from, 0, 0}, sendBegin);
        else if (calls_ && receiveBegin > sendBegin && messages_.sendEnd()[i] > receiveBegin)
            add({WaitKind::lateReceiver, from, to, i, sendBegin, receiveBegin - sendBegin, to, 0, 0}, receiveBegin);
    }

    /// `begun`: when the late rank came.
    void add(Wait wait, Picoseconds begun) {
        if (!over_) return take_(wait);
        const auto former = over_->before(wait.late, begun, wait.message);
        const Passed cause = former && !former->isSend ? found_[former->message] : Passed{};
        if (cause.origin.value >= 0) wait.origin = cause.origin, wait.hops = cause.hops + 1, wait.wave = cause.wave;
        else wait.wave = waves_++;
        if (wait.kind == WaitKind::lateSender) found_[wait.message] = {wait.origin, wait.hops, wait.wave};
        take_(wait);
    }

    const engine::Messages& messages_;
    bool calls_;
    std::optional<OverEnds> over_;   ///< where origins are traced
    std::optional<BusyUntil> busy_;  ///< of our own runs
    std::vector<Passed> found_;      ///< per message, where origins are traced
    Take take_;
    std::uint32_t waves_ = 0;
};

/// Adds up what ranks made others wait.
class Delays {
public:
    void add(const Wait& wait) {
        const auto origin = wait.origin.index();
        if (origin >= rows_.size()) rows_.resize(origin + 1);
        DelayRow& row = rows_[origin];
        row.origin = wait.origin;
        ++row.waits;
        (wait.hops == 0 ? row.direct : row.passedOn) += wait.time;
    }

    std::vector<DelayRow> sorted() && {
        std::erase_if(rows_, [](const DelayRow& row) { return row.waits == 0; });
        std::stable_sort(rows_.begin(), rows_.end(),
                         [](const auto& a, const auto& b) { return a.direct + a.passedOn > b.direct + b.passedOn; });
        return std::move(rows_);
    }

private:
    std::vector<DelayRow> rows_;  ///< by rank
};

}  // namespace

std::vector<Wait> waits(const Run& run) {
    std::vector<Wait> all;
    Listing{run, [&](const Wait& wait) { all.push_back(wait); }}.all();
    return all;
}

std::vector<DelayRow> delays(const std::vector<Wait>& waits) {
    Delays sums;
    for (const Wait& wait : waits) sums.add(wait);
    return std::move(sums).sorted();
}

std::vector<DelayRow> delays(const Run& run) {
    Delays sums;
    Listing{run, [&](const Wait& wait) { sums.add(wait); }}.all();
    return std::move(sums).sorted();
}

WaitSums waitSums(const Run& run, const engine::Progress& progress) {
    const auto ranks = static_cast<std::size_t>(run.ranks);
    WaitSums sums{std::vector<Picoseconds>(ranks), std::vector<Picoseconds>(ranks), std::vector<Picoseconds>(ranks)};
    const auto add = [&](const Wait& wait) {
        (wait.kind == WaitKind::lateSender ? sums.forSender : sums.forReceiver)[wait.rank.index()] += wait.time;
        sums.caused[wait.late.index()] += wait.time;
    };
    Listing{run, add, Origins::unknown}.all(progress);
    return sums;
}

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

}  // namespace app::analysis
