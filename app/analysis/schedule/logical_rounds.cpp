// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/schedule/logical_rounds.hpp"

#include "app/analysis/containers/mostly_sorted.hpp"
#include "app/analysis/selection/partial_runs.hpp"
#include "traces/recording/by_rank.hpp"
#include "traces/storage/large_pages.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <iterator>
#include <map>
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

/// What a send follows: each receive that its rank had ended, or what ranks with the same posts have in common.
enum class Depends : std::uint8_t { each, alike };

/// What comes before what. An edge of weight 1 leads to a later round, one of weight 0 to the same or a later one.
class Order {
public:
    Order(const BusyEnds& ends, std::int32_t ranks, Depends depends)
        : ends_{ends}, first_(ends.from.size() + 1), waits_(ends.from.size()) {
        Grouped sends{ends.from, ranks};
        Grouped receives{ends.to, ranks};
        edges_.reserve(3 * ends.from.size());  // mostly there are no more
        preferLargePages(edges_.data(), edges_.capacity());
        for (engine::Rank rank{0}; rank.value < ranks; ++rank) connect(sends.of(rank), receives.of(rank), depends);
        if (depends == Depends::alike) connectAlike(sends, receives, ranks);
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

    void connect(std::span<Index> sends, std::span<Index> receives, Depends depends) {
        const auto sort = [](std::span<Index> port, Times key, Times then) {
            sortMostlySorted(port, [&](Index a, Index b) {
                return std::tuple{key[a], then[a], a} < std::tuple{key[b], then[b], b};
            });
        };
        sort(sends, ends_.sendBegin, ends_.sendEnd);
        sort(receives, ends_.receiveBegin, ends_.receiveEnd);
        chain(sends, ends_.sendBegin, ends_.sendEnd);
        chain(receives, ends_.receiveBegin, ends_.receiveEnd);
        if (depends == Depends::alike) return;
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

    /// Sends and receives of each rank lie by their begins. The first send behind a receive is the latest that it is
    /// on any of the ranks that post sends (true) and receives in the same order.
    void connectAlike(Grouped& sends, Grouped& receives, std::int32_t ranks) {
        std::map<std::vector<bool>, std::vector<std::ptrdiff_t>> latest;
        std::vector<std::vector<std::ptrdiff_t>*> ofRank;
        for (engine::Rank rank{0}; rank.value < ranks; ++rank) {
            const std::span<const Index> sent = sends.of(rank), received = receives.of(rank);
            std::vector<bool> posted;
            auto send = sent.begin();
            const auto begin = [&](Index i) { return ends_.sendBegin[i]; };
            for (const Index receive : received) {
                for (; send != sent.end() && begin(*send) < ends_.receiveBegin[receive]; ++send) posted.push_back(true);
                posted.push_back(false);
            }
            posted.insert(posted.end(), static_cast<std::size_t>(sent.end() - send), true);
            std::vector<std::ptrdiff_t>& its = latest[posted];
            its.resize(received.size());
            for (std::size_t k = 0; k < received.size(); ++k)
                its[k] = std::max(
                    its[k], std::ranges::lower_bound(sent, ends_.receiveEnd[received[k]], {}, begin) - sent.begin());
            ofRank.push_back(&its);
        }
        for (engine::Rank rank{0}; rank.value < ranks; ++rank) {
            const std::span<const Index> sent = sends.of(rank), received = receives.of(rank);
            for (std::size_t k = 0; k < received.size(); ++k) {
                auto send = sent.begin() + (*ofRank[rank.index()])[k];
                if (send == sent.end()) continue;
                for (const Picoseconds begin = ends_.sendBegin[*send];
                     send != sent.end() && ends_.sendBegin[*send] == begin; ++send)
                    lead(received[k], *send, 1);
            }
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

std::vector<Round> logicalRounds(const Run& run) {
    return Order{endsOf(run.messages), run.ranks, Depends::each}.longestChains();
}

namespace {

InRounds inRounds(const BusyEnds& ends, std::int32_t ranks, Depends depends) {
    InRounds placed{Order{ends, ranks, depends}.longestChains(), {}};
    placed.order = byRoundAndSender(ends.from, ranks, placed.rounds);
    return placed;
}

}  // namespace

InRounds inLogicalRounds(const BusyEnds& ends, std::int32_t ranks) { return inRounds(ends, ranks, Depends::each); }

InRounds inRoundsOfOneAlgorithm(const BusyEnds& ends, std::int32_t ranks) {
    return inRounds(ends, ranks, Depends::alike);
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

std::int64_t roundsOfOnePort(const Run& run) {
    /// The rounds that one end of a rank's messages has taken.
    struct Port {
        std::int64_t first = 0;            ///< free behind all messages of earlier logical rounds, a multiple of 64
        std::int64_t behind = 0;           ///< behind the last one taken
        std::vector<std::uint64_t> taken;  ///< by bit, from `first` on

        [[nodiscard]] std::uint64_t word(std::int64_t number) const {
            const std::int64_t at = number - first / 64;
            return at >= 0 && at < std::ssize(taken) ? taken[engine::asSize(at)] : 0;
        }
        void take(std::int64_t round) {
            const std::size_t at = engine::asSize((round - first) / 64);
            if (at >= taken.size()) taken.resize(at + 1);
            taken[at] |= std::uint64_t{1} << (round % 64);
            behind = std::max(behind, round + 1);
        }
    };
    std::vector<Port> sends(engine::asSize(run.ranks)), receives(sends.size());
    std::vector<std::int64_t> sendsFrom(sends.size()), receivesFrom(sends.size());
    const std::span<const Round> round = run.messages.round();
    std::int64_t count = 0;
    for (std::size_t i = 0; i < round.size(); ++i) {
        if (i == 0 || round[i] != round[i - 1])
            for (std::size_t rank = 0; rank < sends.size(); ++rank) {
                sendsFrom[rank] = std::max(sends[rank].behind, receives[rank].behind);
                receivesFrom[rank] = receives[rank].behind;
                for (Port* const port : {&sends[rank], &receives[rank]})
                    port->taken.clear(),
                        port->first = (port == &sends[rank] ? sendsFrom : receivesFrom)[rank] / 64 * 64;
            }
        const std::size_t from = run.messages.from()[i].index(), to = run.messages.to()[i].index();
        std::int64_t at = std::max(sendsFrom[from], receivesFrom[to]);
        for (std::int64_t number = at / 64;; ++number) {
            std::uint64_t used = sends[from].word(number) | receives[to].word(number);
            if (number == at / 64) used |= (std::uint64_t{1} << (at % 64)) - 1;
            if (~used == 0) continue;
            at = number * 64 + std::countr_one(used);
            break;
        }
        sends[from].take(at);
        receives[to].take(at);
        count = std::max(count, at + 1);
    }
    return count;
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
