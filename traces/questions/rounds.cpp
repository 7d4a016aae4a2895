// SPDX-License-Identifier: BSD-3-Clause
#include "traces/questions/rounds.hpp"

#include "traces/questions/part.hpp"

#include <algorithm>
#include <queue>
#include <utility>

namespace traces {

using engine::MessageRecord;
using engine::Picoseconds;
using engine::Round;
using engine::Run;

namespace {

using Index = std::uint32_t;

/// What comes before what. An edge of weight 1 leads to a later round, one of weight 0 to the same or a later one.
class Order {
public:
    explicit Order(const Run& run) : messages_{run.messages}, next_(run.messages.size()), waits_(run.messages.size()) {
        std::vector<Ends> ranks(static_cast<std::size_t>(run.ranks));
        for (Index i = 0; i < messages_.size(); ++i) {
            ranks[static_cast<std::size_t>(messages_.from()[i].value)].sends.push_back(i);
            ranks[static_cast<std::size_t>(messages_.to()[i].value)].receives.push_back(i);
        }
        for (Ends& ends : ranks) connect(ends);
    }

    /// Longest chains by Kahn's algorithm; where only circles are left, the message sent first goes on alone.
    std::vector<Round> longestChains() {
        std::vector<Round> rounds(messages_.size());
        std::vector<Index> ready;
        std::vector<bool> done(messages_.size());
        for (Index i = 0; i < messages_.size(); ++i)
            if (waits_[i] == 0) ready.push_back(i);
        std::vector<Index> bySend(messages_.size());
        for (Index i = 0; i < bySend.size(); ++i) bySend[i] = i;
        const auto sent = messages_.sendBegin();
        std::stable_sort(bySend.begin(), bySend.end(), [&](Index a, Index b) { return sent[a] < sent[b]; });
        std::size_t oldest = 0;
        while (true) {
            if (ready.empty()) {
                while (oldest < bySend.size() && done[bySend[oldest]]) ++oldest;
                if (oldest == bySend.size()) return rounds;
                ready.push_back(bySend[oldest]);
            }
            const Index i = ready.back();
            ready.pop_back();
            if (done[i]) continue;
            done[i] = true;
            for (const auto& [later, weight] : next_[i]) {
                if (done[later]) continue;
                rounds[later] = std::max(rounds[later], rounds[i] + weight);
                if (--waits_[later] == 0) ready.push_back(later);
            }
        }
    }

private:
    struct Ends {
        std::vector<Index> sends;
        std::vector<Index> receives;
    };
    using Times = std::span<const Picoseconds>;

    void lead(Index from, Index to, int weight) {
        if (from == to) return;
        next_[from].emplace_back(to, weight);
        ++waits_[to];
    }

    /// Messages of one port, sorted by their begin: each follows the last one that ended before it.
    void chain(const std::vector<Index>& port, Times begins, Times ends) {
        std::vector<Index> open;  // under way when the latest one began
        for (const Index i : port) {
            std::vector<Index> over;
            for (const Index other : open) {
                if (ends[other] <= begins[i] && begins[other] < begins[i]) lead(other, i, 1);
                else over.push_back(other), lead(other, i, 0);
            }
            // Of those under way the first one stands for all: keeping every one would be quadratic.
            if (over.size() > mostOpen) over.erase(over.begin() + 1, over.end() - 1);
            over.push_back(i);
            open = std::move(over);
        }
    }

    void connect(Ends& ends) {
        const auto sorted = [](std::vector<Index>& port, Times key, Times then) {
            std::sort(port.begin(), port.end(), [&](Index a, Index b) {
                return std::tuple{key[a], then[a], a} < std::tuple{key[b], then[b], b};
            });
        };
        sorted(ends.sends, messages_.sendBegin(), messages_.sendEnd());
        sorted(ends.receives, messages_.receiveBegin(), messages_.receiveEnd());
        chain(ends.sends, messages_.sendBegin(), messages_.sendEnd());
        chain(ends.receives, messages_.receiveBegin(), messages_.receiveEnd());
        sorted(ends.receives, messages_.receiveEnd(), messages_.receiveBegin());
        // A receive precedes the first send after it; later sends follow that one.
        for (const Index receive : ends.receives) {
            const Picoseconds end = messages_.receiveEnd()[receive];
            const auto after = std::partition_point(ends.sends.begin(), ends.sends.end(), [&](Index send) {
                return messages_.sendBegin()[send] < end;
            });
            if (after == ends.sends.end()) break;
            const Picoseconds begin = messages_.sendBegin()[*after];
            for (auto send = after; send != ends.sends.end() && messages_.sendBegin()[*send] == begin; ++send)
                lead(receive, *send, 1);
        }
    }

    static constexpr std::size_t mostOpen = 64;

    const engine::Messages& messages_;
    std::vector<std::vector<std::pair<Index, int>>> next_;
    std::vector<std::uint32_t> waits_;
};

}  // namespace

std::vector<Round> logicalRounds(const Run& run) { return Order{run}.longestChains(); }

Run inLogicalRounds(const Run& run) {
    const std::vector<Round> rounds = logicalRounds(run);
    std::vector<Sample> samples = samplesOf(run);
    for (std::size_t i = 0; i < samples.size(); ++i) samples[i].message.round = rounds[i];
    Run sorted = assembled(run.ranks, std::move(samples), run.duration);
    sorted.setting = run.setting;
    sorted.groupA = run.groupA;
    sorted.groupB = run.groupB;
    sorted.remarks = run.remarks;
    return sorted;
}

std::vector<RoundRow> rounds(const Run& run) {
    std::vector<RoundRow> rows;
    std::size_t next = 0;
    for (std::size_t r = 0; r < run.perRound.size(); ++r) {
        const engine::RoundTimes& times = run.perRound[r];
        const Round round{static_cast<std::int64_t>(r)};
        std::vector<std::tuple<engine::Rank, Picoseconds, Picoseconds>> busy;
        for (; next < run.messages.size() && run.messages.round()[next] <= round; ++next) {
            const MessageRecord m = run.messages[next];
            busy.emplace_back(m.from, m.sendBegin, m.sendEnd);
            busy.emplace_back(m.to, m.receiveBegin, m.receiveEnd);
        }
        if (times.messages == 0) continue;
        std::sort(busy.begin(), busy.end());
        Picoseconds filled{};
        Picoseconds last{};
        engine::Rank rank{-1};
        for (const auto& [who, begin, end] : busy) {
            if (who != rank) rank = who, last = times.begin;
            filled += std::max(Picoseconds{}, end - std::max(begin, last));
            last = std::max(last, end);
        }
        const double all = static_cast<double>((times.end - times.begin).count()) * std::max(run.ranks, 1);
        rows.push_back({round, times.messages, times.bytes, times.largest, times.begin, times.end,
                        all > 0 ? 1 - static_cast<double>(filled.count()) / all : 0});
    }
    return rows;
}

}  // namespace traces
