// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/messages/message_ends.hpp"

#include "app/analysis/containers/mostly_sorted.hpp"
#include "traces/recording/by_rank.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <tuple>

namespace app::analysis {

using engine::Picoseconds;
using engine::Rank;
using traces::Grouped;

OverEnds::OverEnds(const engine::Run& run) : messages_{run.messages}, ranks_(static_cast<std::size_t>(run.ranks)) {
    // Of a send and a receive that end together the receive comes last: it may be what the next send needs.
    const auto earlier = [&](Key a, Key b) {
        return std::tuple{overOf(a), (a & 1) == 0, beginOf(a), a} < std::tuple{overOf(b), (b & 1) == 0, beginOf(b), b};
    };
    Grouped sends{messages_.from(), run.ranks};
    Grouped receives{messages_.to(), run.ranks};
    for (Rank rank{0}; rank.value < run.ranks; ++rank) {
        const std::span<Key> sent = sends.of(rank);
        const std::span<Key> received = receives.of(rank);
        for (Key& end : sent) end = 2 * end + 1;
        for (Key& end : received) end = 2 * end;
        sortMostlySorted(sent, earlier);
        sortMostlySorted(received, earlier);
        std::vector<Key>& ends = ranks_[rank.index()].ends;
        ends.reserve(sent.size() + received.size());
        std::merge(sent.begin(), sent.end(), received.begin(), received.end(), std::back_inserter(ends), earlier);
    }
}

std::size_t OverEnds::countOver(Rank rank, Picoseconds time) {
    OfRank& its = ranks_[rank.index()];
    const auto isOver = [&](Key end) { return overOf(end) <= time; };
    // From where the last question led to, in steps that double.
    std::size_t low = its.last;
    std::size_t high = its.last;
    for (std::size_t step = 1; low > 0 && !isOver(its.ends[low - 1]); step *= 2)
        high = low - 1, low -= std::min(low, step);
    for (std::size_t step = 1; high < its.ends.size() && isOver(its.ends[high]); step *= 2)
        low = high + 1, high = std::min(its.ends.size(), high + step);
    const auto at = [&](std::size_t place) { return its.ends.begin() + static_cast<std::ptrdiff_t>(place); };
    its.last = static_cast<std::size_t>(std::partition_point(at(low), at(high), isOver) - its.ends.begin());
    return its.last;
}

std::optional<MessageEnd> OverEnds::before(Rank rank, Picoseconds time, std::uint32_t message) {
    const std::vector<Key>& ends = ranks_[rank.index()].ends;
    for (std::size_t next = countOver(rank, time); next > 0; --next) {
        const Key end = ends[next - 1];
        if (end >> 1 != message && beginOf(end) < time) return endOf(end);
    }
    return std::nullopt;
}

std::optional<MessageEnd> OverEnds::after(Rank rank, Picoseconds time) {
    const std::vector<Key>& ends = ranks_[rank.index()].ends;
    const std::size_t next = countOver(rank, time);
    return next == ends.size() ? std::nullopt : std::optional{endOf(ends[next])};
}

namespace {

constexpr std::uint32_t none = ~std::uint32_t{};  ///< combining is no message

}  // namespace

BusyUntil::BusyUntil(const engine::Run& run) : ranks_(static_cast<std::size_t>(run.ranks)) {
    const engine::Messages& messages = run.messages;
    for (std::uint32_t i = 0; i < messages.size(); ++i) {
        ranks_[messages.from()[i].index()].push_back({messages.sendBegin()[i], messages.sendEnd()[i], {}, i});
        ranks_[messages.to()[i].index()].push_back({messages.receiveBegin()[i], messages.receiveEnd()[i], {}, i});
    }
    for (const engine::LocalWork& combining : run.combining)
        ranks_[combining.rank.index()].push_back({combining.begin, combining.end, {}, none});
    for (std::vector<Latest>& ends : ranks_) {
        sortMostlySorted(std::span{ends}, [](const Latest& a, const Latest& b) {
            return std::tuple{a.begin, a.end, a.message} < std::tuple{b.begin, b.end, b.message};
        });
        Latest latest;
        for (Latest& place : ends) {
            if (place.message == latest.message) latest.end = std::max(latest.end, place.end);
            else if (place.end > latest.end)
                latest.other = latest.end, latest.end = place.end, latest.message = place.message;
            else latest.other = std::max(latest.other, place.end);
            latest.begin = place.begin;
            place = latest;
        }
    }
}

Picoseconds BusyUntil::operator()(Rank rank, Picoseconds time, std::uint32_t message) const {
    const auto& ends = ranks_[rank.index()];
    const auto next =
        std::partition_point(ends.begin(), ends.end(), [&](const Latest& place) { return place.begin < time; });
    if (next == ends.begin()) return {};
    const Latest& latest = *std::prev(next);
    return latest.message == message ? latest.other : latest.end;
}

}  // namespace app::analysis
