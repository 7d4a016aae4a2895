// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/schedule/logical_rounds.hpp"

#include "app/analysis/containers/mostly_sorted.hpp"
#include "app/analysis/selection/partial_runs.hpp"
#include "traces/recording/by_rank.hpp"
#include "traces/storage/large_pages.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

namespace app::analysis {

using engine::MessageRecord;
using engine::Picoseconds;
using engine::Round;
using engine::Run;
using traces::BusyEnds;
using traces::endsOf;
using traces::Grouped;
using traces::preferLargePages;

namespace {

using Index = std::uint32_t;

/// What comes before what. An edge of weight 1 leads to a later round, one of weight 0 to the same or a later one.
class Order {
public:
    Order(const BusyEnds& ends, std::int32_t ranks)
        : ends_{ends}, first_(ends.from.size() + 1), waits_(ends.from.size()) {
        Grouped sends{ends.from, ranks};
        Grouped receives{ends.to, ranks};
        edges_.reserve(3 * ends.from.size());  // mostly there are no more
        preferLargePages(edges_.data(), edges_.capacity());
        for (engine::Rank rank{0}; rank.value < ranks; ++rank) connect(sends.of(rank), receives.of(rank));
        layEdges();
    }

    /// Longest chains by Kahn's algorithm; where only circles are left, the message sent first goes on alone.
    std::vector<Round> longestChains() {
        std::vector<Round> rounds(waits_.size());
        std::vector<Index> ready;
        std::vector<bool> done(waits_.size());
        for (Index i = 0; i < waits_.size(); ++i)
            if (waits_[i] == 0) ready.push_back(i);
        std::vector<Index> bySend;
        std::size_t oldest = 0;
        for (std::size_t left = waits_.size(); left > 0;) {
            if (ready.empty()) {
                if (bySend.empty()) bySend = inOrderOfSending();
                while (done[bySend[oldest]]) ++oldest;
                ready.push_back(bySend[oldest]);
            }
            const Index i = ready.back();
            ready.pop_back();
            if (done[i]) continue;
            done[i] = true;
            --left;
            for (std::size_t e = first_[i]; e < first_[i + 1]; ++e) {
                const Index later = targets_[e] >> 1;
                if (done[later]) continue;
                rounds[later] = std::max(rounds[later], rounds[i] + static_cast<int>(targets_[e] & 1));
                if (--waits_[later] == 0) ready.push_back(later);
            }
        }
        return rounds;
    }

private:
    using Times = std::span<const Picoseconds>;
    struct Edge {
        Index from;
        Index target;  ///< twice the message it leads to, and its weight
    };

    void lead(Index from, Index to, Index weight) {
        if (from == to) return;
        edges_.push_back({from, 2 * to + weight});
        ++waits_[to];
    }

    /// Edges by where they begin.
    void layEdges() {
        for (const Edge& edge : edges_) ++first_[edge.from];
        std::partial_sum(first_.begin(), first_.end(), first_.begin());
        targets_.resize(edges_.size());
        for (const Edge& edge : edges_) targets_[--first_[edge.from]] = edge.target;
        edges_ = {};
    }

    [[nodiscard]] std::vector<Index> inOrderOfSending() const {
        std::vector<Index> order(waits_.size());
        std::iota(order.begin(), order.end(), Index{0});
        const Times sent = ends_.sendBegin;
        sortMostlySorted(std::span{order}, [&](Index a, Index b) { return sent[a] < sent[b]; });
        return order;
    }

    /// Messages of one port, sorted by their begin: each follows the last one that ended before it.
    void chain(std::span<const Index> port, Times begins, Times ends) {
        open_.clear();
        for (const Index i : port) {
            over_.clear();
            for (const Index other : open_) {
                if (ends[other] <= begins[i] && begins[other] < begins[i]) lead(other, i, 1);
                else over_.push_back(other), lead(other, i, 0);
            }
            // Of those in flight the first one stands for all: keeping every one would be quadratic.
            if (over_.size() > mostOpen) over_.erase(over_.begin() + 1, over_.end() - 1);
            over_.push_back(i);
            std::swap(open_, over_);
        }
    }

    void connect(std::span<Index> sends, std::span<Index> receives) {
        const auto sort = [](std::span<Index> port, Times key, Times then) {
            sortMostlySorted(port, [&](Index a, Index b) {
                return std::tuple{key[a], then[a], a} < std::tuple{key[b], then[b], b};
            });
        };
        sort(sends, ends_.sendBegin, ends_.sendEnd);
        sort(receives, ends_.receiveBegin, ends_.receiveEnd);
        chain(sends, ends_.sendBegin, ends_.sendEnd);
        chain(receives, ends_.receiveBegin, ends_.receiveEnd);
        sort(receives, ends_.receiveEnd, ends_.receiveBegin);
        // A receive precedes the first send after it; later sends follow that one.
        auto after = sends.begin();
        for (const Index receive : receives) {
            const Picoseconds end = ends_.receiveEnd[receive];
            while (after != sends.end() && ends_.sendBegin[*after] < end) ++after;
            if (after == sends.end()) break;
            const Picoseconds begin = ends_.sendBegin[*after];
            for (auto send = after; send != sends.end() && ends_.sendBegin[*send] == begin; ++send)
                lead(receive, *send, 1);
        }
    }

    static constexpr std::size_t mostOpen = 64;

    BusyEnds ends_;
    std::vector<Edge> edges_;           ///< until they are laid
    std::vector<std::size_t> first_;    ///< of the edges that begin at a message
    std::vector<Index> targets_;        ///< as in Edge, by where they begin
    std::vector<std::uint32_t> waits_;  ///< for so many messages
    std::vector<Index> open_;           ///< in flight when the latest one of a port began
    std::vector<Index> over_;           ///< the next `open_`
};

/// Indices sorted by round, then by sender, else as they were.
std::vector<Index> byRoundAndSender(std::span<const engine::Rank> from, std::int32_t ranks,
                                    const std::vector<Round>& rounds) {
    const auto sorted = [&](std::size_t values, auto valueOf, const std::vector<Index>& order) {
        std::vector<std::size_t> next(values + 1);
        for (const Index i : order) ++next[valueOf(i) + 1];
        std::partial_sum(next.begin(), next.end(), next.begin());
        std::vector<Index> result(order.size());
        for (const Index i : order) result[next[valueOf(i)]++] = i;
        return result;
    };
    std::vector<Index> order(rounds.size());
    std::iota(order.begin(), order.end(), Index{0});
    if (order.empty()) return order;
    if (!std::is_sorted(from.begin(), from.end()))
        order = sorted(
            static_cast<std::size_t>(ranks), [&](Index i) { return from[i].index(); }, order);
    const Round last = *std::max_element(rounds.begin(), rounds.end());
    return sorted(
        last.index() + 1, [&](Index i) { return rounds[i].index(); }, order);
}

}  // namespace

std::vector<Round> logicalRounds(const Run& run) { return Order{endsOf(run.messages), run.ranks}.longestChains(); }

InRounds inLogicalRounds(const BusyEnds& ends, std::int32_t ranks) {
    InRounds placed{Order{ends, ranks}.longestChains(), {}};
    placed.order = byRoundAndSender(ends.from, ranks, placed.rounds);
    return placed;
}

void addInRounds(Run& run, const InRounds& messages, const std::function<void(Index, Round)>& push) {
    traces::reserveMessages(run.messages, messages.order.size());
    for (const Index i : messages.order) push(i, messages.rounds[i]);
    sumUp(run);
}

Run inLogicalRounds(const Run& run) {
    Run sorted;
    sorted.setting = run.setting;
    sorted.ranks = run.ranks;
    sorted.groupA = run.groupA;
    sorted.groupB = run.groupB;
    sorted.duration = run.duration;
    sorted.remarks = run.remarks;
    addInRounds(sorted, inLogicalRounds(endsOf(run.messages), run.ranks), [&](Index i, Round round) {
        MessageRecord message = run.messages[i];
        message.round = round;
        sorted.messages.push(message, run.messages.what(i));
    });
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
        rows.push_back({round, times.messages, times.bytes, times.largest, times.begin, times.end, {}});
        if (busy.size() == 2 * static_cast<std::size_t>(times.messages))
            rows.back().idleShare = all > 0 ? 1 - static_cast<double>(filled.count()) / all : 0;
    }
    return rows;
}

}  // namespace app::analysis
