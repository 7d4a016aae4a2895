// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/dataflow/block_route.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

namespace app::analysis {
namespace {

using engine::Picoseconds;
using engine::Rank;

constexpr Picoseconds instant{1};

/// Walks back from the hop that came last to where the block was at first.
class Back {
public:
    Back(const engine::Run& run, const std::vector<Hop>& hops) : messages_{run.messages} {
        for (const Hop& hop : hops) into_[messages_.to()[hop.message]].push_back(hop.message);
    }

    std::vector<Leg> from(std::uint32_t message) const {
        std::vector<Leg> chain;
        for (std::optional<std::uint32_t> at = message; at;) {
            const std::optional<std::uint32_t> former = before(*at);
            const Picoseconds there = former ? messages_.receiveEnd()[*former] : Picoseconds{};
            chain.push_back({.message = *at, .there = there, .left = messages_.sendBegin()[*at]});
            at = former;
        }
        std::reverse(chain.begin(), chain.end());
        return chain;
    }

private:
    /// What brought the block to the sender of `message`, before it went on; of several the last one.
    [[nodiscard]] std::optional<std::uint32_t> before(std::uint32_t message) const {
        const auto its = into_.find(messages_.from()[message]);
        if (its == into_.end()) return std::nullopt;
        const auto after = std::partition_point(its->second.begin(), its->second.end(), [&](std::uint32_t former) {
            return messages_.receiveEnd()[former] <= messages_.sendBegin()[message];
        });
        // Of messages that take no time the order tells which came first; else they would lead to each other for ever.
        for (auto former = after; former != its->second.begin();) {
            --former;
            if (messages_.receiveEnd()[*former] < messages_.receiveEnd()[message] || *former < message) return *former;
        }
        return std::nullopt;
    }

    const engine::Messages& messages_;
    std::map<Rank, std::vector<std::uint32_t>> into_;  // by when they arrive
};

/// Which other messages kept the ports of both ends of the links of a chain busy while the block lay still.
void noteOthers(const engine::Run& run, std::vector<Leg>& chain) {
    std::map<Rank, std::vector<Leg*>> at;
    for (Leg& leg : chain) {
        if (leg.timeAtSender() <= Picoseconds{}) continue;
        at[run.messages.from()[leg.message]].push_back(&leg);
        at[run.messages.to()[leg.message]].push_back(&leg);
    }
    if (at.empty()) return;
    const engine::Messages& messages = run.messages;
    const auto overlaps = [](const Leg& leg, Picoseconds begin, Picoseconds end) {
        return begin < leg.left && end > leg.there;
    };
    const auto note = [&](std::uint32_t i, Rank rank, Picoseconds begin, Picoseconds end, bool sends) {
        const auto its = at.find(rank);
        if (its == at.end()) return;
        for (Leg* leg : its->second) {
            if (leg->message == i || !overlaps(*leg, begin, end)) continue;
            // A port of the sender is in the way when it sends, one of the receiver when it takes in.
            if (sends && rank == messages.from()[leg->message]) leg->fromSender.push_back(i);
            if (!sends && rank == messages.to()[leg->message]) leg->toReceiver.push_back(i);
        }
    };
    for (std::uint32_t i = 0; i < messages.size(); ++i) {
        note(i, messages.from()[i], messages.sendBegin()[i], messages.sendEnd()[i], true);
        note(i, messages.to()[i], messages.receiveBegin()[i], messages.receiveEnd()[i], false);
    }
}

}  // namespace

bool carries(const engine::Run& run, const Columns& columns, std::size_t message, std::int32_t column) {
    if (column < 0 || column >= columns.count()) return false;
    const engine::Range wanted = columns.range(column);
    const auto what = run.messages.what(message);
    return std::any_of(what.begin(), what.end(), [&](const engine::Range& range) {
        return !range.empty() && range.begin < wanted.end && range.end > wanted.begin;
    });
}

Route routeOf(const engine::Run& run, const Columns& columns, const BlockOwnership& holdings, std::int32_t column) {
    Route route;
    const engine::Messages& messages = run.messages;
    for (std::uint32_t i = 0; i < messages.size(); ++i)
        if (carries(run, columns, i, column)) route.hops.push_back({i});
    std::sort(route.hops.begin(), route.hops.end(), [&](const Hop& a, const Hop& b) {
        return std::tuple{messages.receiveEnd()[a.message], a.message} <
               std::tuple{messages.receiveEnd()[b.message], b.message};
    });
    if (!holdings.unknown().empty() || columns.count() == 0) return route;
    const auto at = [&](Rank rank, Picoseconds time) { return holdings.at(rank, column, time, Picoseconds::max()); };
    for (Rank rank{0}; rank.value < run.ranks; ++rank) {
        const Holding first = at(rank, Picoseconds{-1});
        if (first.needed > 0 && first.held < first.needed) ++route.needed;
    }
    std::optional<std::uint32_t> latest;
    for (Hop& hop : route.hops) {
        const Rank to = messages.to()[hop.message];
        const Picoseconds arrived = messages.receiveEnd()[hop.message];
        const Holding before = at(to, arrived - instant);
        const Holding after = at(to, arrived);
        hop.again = before.held >= before.size && before.size > 0;
        if (after.needed == 0 || before.held >= before.needed || after.held < after.needed) continue;
        if (arrived > route.complete) route.last.clear();
        if (std::find(route.last.begin(), route.last.end(), to) != route.last.end()) continue;
        ++route.served;
        if (route.last.empty()) latest = hop.message;
        route.complete = arrived;
        route.last.push_back(to);
    }
    if (!latest) return route;
    route.chain = Back{run, route.hops}.from(*latest);
    noteOthers(run, route.chain);
    return route;
}

}  // namespace app::analysis
