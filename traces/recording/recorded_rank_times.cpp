// SPDX-License-Identifier: BSD-3-Clause
#include "traces/recording/recorded_rank_times.hpp"

#include "traces/recording/by_rank.hpp"

#include <algorithm>

namespace traces {

using engine::Picoseconds;
using engine::Rank;

namespace {

using Times = std::span<const Picoseconds>;

/// Ends of one rank in the order of their begins, one after the other.
class Port {
public:
    Port(std::span<std::uint32_t> ends, Times begins, Times overs) : ends_{ends}, begins_{begins}, overs_{overs} {
        const auto earlier = [&](std::uint32_t a, std::uint32_t b) { return begins[a] < begins[b]; };
        if (!std::is_sorted(ends.begin(), ends.end(), earlier)) std::sort(ends.begin(), ends.end(), earlier);
    }

    [[nodiscard]] bool done() const { return ends_.empty(); }
    [[nodiscard]] Picoseconds begin() const { return begins_[ends_.front()]; }
    [[nodiscard]] Picoseconds over() const { return overs_[ends_.front()]; }
    void pass() { ends_ = ends_.subspan(1); }

private:
    std::span<const std::uint32_t> ends_;
    Times begins_;
    Times overs_;
};

}  // namespace

BusyEnds endsOf(const engine::Messages& messages) {
    return {messages.from(),
            messages.to(),
            messages.sendBegin(),
            messages.sendEnd(),
            messages.receiveBegin(),
            messages.receiveEnd(),
            {}};
}

std::vector<engine::RankTimes> rankTimes(const BusyEnds& ends, std::int32_t ranks, Picoseconds duration) {
    Grouped sends{ends.from, ranks};
    Grouped receives{ends.to, ranks};
    std::vector<engine::RankTimes> perRank;
    perRank.reserve(engine::asSize(ranks));
    auto work = ends.work.begin();
    for (Rank rank{0}; rank.value < ranks; ++rank) {
        Port send{sends.of(rank), ends.sendBegin, ends.sendEnd};
        Port receive{receives.of(rank), ends.receiveBegin, ends.receiveEnd};
        engine::BusyTime busy;
        const auto workUntil = [&](Picoseconds time) {
            for (; work != ends.work.end() && work->rank == rank && work->begin < time; ++work)
                busy.add(work->begin, work->end);
        };
        while (!send.done() || !receive.done()) {
            Port& next = receive.done() || (!send.done() && send.begin() < receive.begin()) ? send : receive;
            workUntil(next.begin());
            busy.add(next.begin(), next.over());
            next.pass();
        }
        workUntil(Picoseconds::max());
        perRank.push_back(busy.in(duration));
    }
    return perRank;
}

}  // namespace traces
