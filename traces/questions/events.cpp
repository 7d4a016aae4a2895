// SPDX-License-Identifier: BSD-3-Clause
#include "traces/questions/events.hpp"

#include <algorithm>
#include <tuple>

namespace traces {

using engine::Picoseconds;
using engine::Rank;

RankEvents::RankEvents(const engine::Run& run)
    : byEnd_(static_cast<std::size_t>(run.ranks)), latest_(static_cast<std::size_t>(run.ranks)) {
    const engine::Messages& messages = run.messages;
    for (std::uint32_t i = 0; i < messages.size(); ++i) {
        byEnd_[static_cast<std::size_t>(messages.from()[i].value)].push_back(
            {messages.sendBegin()[i], messages.sendEnd()[i], i, true});
        byEnd_[static_cast<std::size_t>(messages.to()[i].value)].push_back(
            {messages.receiveBegin()[i], messages.receiveEnd()[i], i, false});
    }
    byBegin_ = byEnd_;
    // Of a send and a receive that end together the receive comes last: it may be what the next send needs.
    for (auto& ends : byEnd_)
        std::sort(ends.begin(), ends.end(), [](const MessageEnd& a, const MessageEnd& b) {
            return std::tuple{a.end, !a.isSend, a.begin, a.message} < std::tuple{b.end, !b.isSend, b.begin, b.message};
        });
    for (std::size_t rank = 0; rank < byBegin_.size(); ++rank) {
        auto& ends = byBegin_[rank];
        std::sort(ends.begin(), ends.end(), [](const MessageEnd& a, const MessageEnd& b) {
            return std::tuple{a.begin, a.end, a.message} < std::tuple{b.begin, b.end, b.message};
        });
        Latest latest;
        for (const MessageEnd& end : ends) {
            if (end.message == latest.message) latest.end = std::max(latest.end, end.end);
            else if (end.end > latest.end) latest = {end.end, latest.end, end.message};
            else latest.other = std::max(latest.other, end.end);
            latest_[rank].push_back(latest);
        }
    }
}

std::optional<MessageEnd> RankEvents::before(Rank rank, Picoseconds time, std::uint32_t message) const {
    const auto& ends = byEnd_[static_cast<std::size_t>(rank.value)];
    auto next = std::partition_point(ends.begin(), ends.end(), [&](const MessageEnd& e) { return e.end <= time; });
    while (next != ends.begin()) {
        --next;
        if (next->message != message && next->begin < time) return *next;
    }
    return std::nullopt;
}

Picoseconds RankEvents::busyUntil(Rank rank, Picoseconds time, std::uint32_t message) const {
    const auto& ends = byBegin_[static_cast<std::size_t>(rank.value)];
    const auto next =
        std::partition_point(ends.begin(), ends.end(), [&](const MessageEnd& e) { return e.begin < time; });
    if (next == ends.begin()) return {};
    const Latest& latest =
        latest_[static_cast<std::size_t>(rank.value)][static_cast<std::size_t>(next - ends.begin() - 1)];
    return latest.message == message ? latest.other : latest.end;
}

}  // namespace traces
