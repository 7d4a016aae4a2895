// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/blocking.hpp"

#include "app/analysis/mostly_sorted.hpp"
#include "app/analysis/mpi_calls.hpp"
#include "traces/grouped.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <tuple>

namespace app::analysis {

using engine::Picoseconds;
using engine::Rank;
using traces::Messages;
using traces::Recording;

namespace {

/// One end of a message within the call that it kept.
struct Kept {
    BlockingCall call;
    bool firstIsEnough = false;
};

/// The calls that these ends lie in, the first `sends` of which are those of sends: ends of one call become one.
void join(std::vector<Kept>& ends, std::size_t sends, std::vector<BlockingCall>& calls) {
    const auto earlier = [](const Kept& a, const Kept& b) { return a.call.begin < b.call.begin; };
    sortMostlySorted(std::span{ends}.first(sends), earlier);
    sortMostlySorted(std::span{ends}.subspan(sends), earlier);
    std::inplace_merge(ends.begin(), ends.begin() + static_cast<std::ptrdiff_t>(sends), ends.end(), earlier);
    for (std::size_t first = 0; first < ends.size();) {
        std::size_t behind = first + 1;
        while (behind < ends.size() && ends[behind].call.begin == ends[first].call.begin) ++behind;
        const auto its = std::span{ends}.subspan(first, behind - first);
        const auto sooner = [](const Kept& a, const Kept& b) { return a.call.until() < b.call.until(); };
        BlockingCall call = its.front().firstIsEnough ? std::min_element(its.begin(), its.end(), sooner)->call
                                                      : std::max_element(its.begin(), its.end(), sooner)->call;
        // It lasts as long as any of them, but is kept waiting by this one no longer than that one takes.
        call.came = std::min(call.came, std::max(call.begin, call.end));
        if (!its.front().firstIsEnough)
            for (const Kept& end : its) call.end = std::max(call.end, end.call.end);
        calls.push_back(call);
        first = behind;
    }
    ends.clear();
}

/// Who sends is kept only where the receiver came before the message was gone.
BlockingCall sending(Rank from, Rank to, Picoseconds begin, Picoseconds end, Picoseconds receiverCame,
                     std::uint32_t message) {
    return {.rank = from,
            .begin = begin,
            .end = end,
            .kind = WaitKind::lateReceiver,
            .late = to,
            .came = end > receiverCame && from != to ? receiverCame : begin,
            .message = message};
}

BlockingCall receiving(Rank from, Rank to, Picoseconds begin, Picoseconds end, Picoseconds senderCame,
                       std::uint32_t message) {
    return {.rank = to,
            .begin = begin,
            .end = end,
            .kind = WaitKind::lateSender,
            .late = from,
            .came = from != to ? senderCame : begin,
            .message = message};
}

void tell(const engine::Progress& progress, std::int32_t rank, std::int32_t ranks) {
    if (rank % 64 == 0) progress.at(static_cast<double>(rank) / static_cast<double>(std::max(ranks, 1)));
}

WaitKind kindOf(CollectiveWait wait) {
    switch (wait) {
        case CollectiveWait::atBarrier: return WaitKind::atBarrier;
        case CollectiveWait::lateBroadcast: return WaitKind::lateBroadcast;
        case CollectiveWait::earlyReduce: return WaitKind::earlyReduce;
        default: return WaitKind::atNxN;
    }
}

}  // namespace

void eachBlockingCall(const Recording& recording, const Selection& selection, const TakeCalls& take,
                      const engine::Progress& progress) {
    const Messages& m = recording.messages;
    const std::vector<std::uint32_t> chosen = selectedMessages(recording, selection);
    std::vector<Rank> from(chosen.size());
    std::vector<Rank> to(chosen.size());
    for (std::size_t k = 0; k < chosen.size(); ++k) from[k] = m.from[chosen[k]], to[k] = m.to[chosen[k]];
    const traces::Grouped sends{from, recording.ranks};
    const traces::Grouped receives{to, recording.ranks};
    const LocationsOfRanks locations = locationsOfRanks(recording);
    std::vector<BlockingCall> calls;
    std::vector<Kept> kept;
    for (Rank rank{0}; rank.value < recording.ranks; ++rank) {
        tell(progress, rank.value, recording.ranks);
        if (sends.of(rank).empty() && receives.of(rank).empty()) continue;
        const MpiCalls its{recording, locations[rank.index()]};
        for (const std::uint32_t k : sends.of(rank)) {
            const std::uint32_t i = chosen[k];
            if ((m.flags[i] & traces::flag::sendEndUnknown) != 0) continue;
            const bool posted = (m.flags[i] & traces::flag::sendNonBlocking) != 0;
            const std::optional<MpiCall> call = its.at(posted ? m.sendEnd[i] : m.sendBegin[i]);
            // Where no call is known that completed it, nothing says that the rank waited.
            if (posted && !call) continue;
            kept.push_back(
                {sending(rank, m.to[i], call ? call->begin : m.sendBegin[i], m.sendEnd[i], m.receiveBegin[i], i),
                 call && call->firstIsEnough});
        }
        const std::size_t ofSends = kept.size();
        for (const std::uint32_t k : receives.of(rank)) {
            const std::uint32_t i = chosen[k];
            const bool posted = (m.flags[i] & traces::flag::receiveNonBlocking) != 0;
            const std::optional<MpiCall> call = its.at(m.receiveEnd[i]);
            if (posted && !call) continue;
            kept.push_back(
                {receiving(m.from[i], rank, call ? call->begin : m.receiveBegin[i], m.receiveEnd[i], m.sendBegin[i], i),
                 call && call->firstIsEnough});
        }
        join(kept, ofSends, calls);
        take(calls);
        calls.clear();
    }
}

void eachBlockingCall(const Recording& recording, const Selection& selection, const std::vector<Instance>& instances,
                      const TakeCalls& take, const engine::Progress& progress) {
    std::vector<BlockingCall> chosen;
    const auto takeChosen = [&](std::span<const BlockingCall> its) {
        chosen.clear();
        std::copy_if(its.begin(), its.end(), std::back_inserter(chosen),
                     [&](const BlockingCall& call) { return selection.part.has(call.rank); });
        take(chosen);
    };
    for (std::uint32_t i = 0; i < instances.size(); ++i)
        if (instances[i].isCollective()) takeChosen(blockingCalls(instances[i], i));
    eachBlockingCall(recording, selection, takeChosen, progress);
}

std::vector<BlockingCall> blockingCalls(const Instance& collective, std::uint32_t number) {
    std::vector<BlockingCall> calls;
    const Arrivals arrivals = arrivalsOf(collective);
    for (std::size_t place = 0; place < collective.stays.size(); ++place) {
        if (!collective.stays[place]) continue;
        const std::optional<Picoseconds> begin = collective.blockedFrom(place);
        if (!begin) continue;
        BlockingCall call{.rank = collective.ranks[place],
                          .begin = *begin,
                          .end = collective.stays[place]->end,
                          .kind = kindOf(arrivals.kind),
                          .late = collective.ranks[place],
                          .came = *begin,
                          .instance = number};
        if (arrivals.perRank[place] > Picoseconds{} && arrivals.awaited) {
            call.late = collective.ranks[arrivals.awaited->index()];
            call.came = collective.stays[arrivals.awaited->index()]->begin;
        }
        calls.push_back(call);
    }
    return calls;
}

void eachBlockingCall(const engine::Run& run, const TakeCalls& take, const engine::Progress& progress) {
    const engine::Messages& m = run.messages;
    const traces::Grouped sends{m.from(), run.ranks};
    const traces::Grouped receives{m.to(), run.ranks};
    std::vector<BlockingCall> calls;
    std::vector<Kept> kept;
    for (Rank rank{0}; rank.value < run.ranks; ++rank) {
        tell(progress, rank.value, run.ranks);
        for (const std::uint32_t i : sends.of(rank))
            kept.push_back({sending(rank, m.to()[i], m.sendBegin()[i], m.sendEnd()[i], m.receiveBegin()[i], i)});
        const std::size_t ofSends = kept.size();
        for (const std::uint32_t i : receives.of(rank))
            kept.push_back({receiving(m.from()[i], rank, m.receiveBegin()[i], m.receiveEnd()[i], m.sendBegin()[i], i)});
        join(kept, ofSends, calls);
        take(calls);
        calls.clear();
    }
}

}  // namespace app::analysis
