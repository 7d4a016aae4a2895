// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/wait_states/wait_state_sums.hpp"

#include "app/analysis/containers/mostly_sorted.hpp"
#include "app/analysis/containers/sorted_runs.hpp"
#include "app/analysis/selection/program_time.hpp"
#include "app/analysis/wait_states/overlapping_waits.hpp"
#include "engine/base/parallel.hpp"
#include "traces/recording/by_rank.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

namespace app::analysis {

using engine::Picoseconds;
using engine::Rank;

namespace {

/// Adds up what ranks made others wait.
class Delays {
public:
    void add(const Wait& wait) {
        DelayRow& row = of(wait.origin);
        ++row.waits;
        (wait.hops == 0 ? row.direct : row.passedOn) += wait.time;
    }
    /// `share` of a wait that was added.
    void move(const Wait& wait, const WaitShare& share) {
        DelayRow& its = of(wait.origin);
        (wait.hops == 0 ? its.direct : its.passedOn) -= share.time;
        DelayRow& row = of(share.origin);
        ++row.waits;
        (share.hops == 0 ? row.direct : row.passedOn) += share.time;
    }

    std::vector<DelayRow> sorted() && {
        std::erase_if(rows_, [](const DelayRow& row) { return row.waits == 0; });
        std::stable_sort(rows_.begin(), rows_.end(), [](const auto& a, const auto& b) { return a.all() > b.all(); });
        return std::move(rows_);
    }

private:
    DelayRow& of(Rank origin) {
        if (origin.index() >= rows_.size()) rows_.resize(origin.index() + 1);
        rows_[origin.index()].origin = origin;
        return rows_[origin.index()];
    }

    std::vector<DelayRow> rows_;  ///< by rank
};

/// Those that end together in the order of their begins.
bool endsBefore(const ShortWait& a, const ShortWait& b) {
    return a.end() != b.end() ? a.end() < b.end() : a.begin < b.begin;
}

/// Waits of several lists, each in the order of ends, in one such order: those that end together in that of their
/// begins, of their lists, and within a list as they stand.
class InOrderOfEnds {
public:
    explicit InOrderOfEnds(std::vector<ShortWaits> lists) : lists_{std::move(lists)} {
        for (std::size_t i = 0; i < lists_.size(); ++i)
            if (!lists_[i].empty()) next_.push_back(headOf(i, 0));
        std::make_heap(next_.begin(), next_.end(), later);
    }

    [[nodiscard]] const ShortWait* take() {
        if (next_.empty()) return nullptr;
        const Head head = next_.front();
        const ShortWait* const taken = &lists_[head.list][head.at];
        if (head.at + 1 < lists_[head.list].size()) return sink(headOf(head.list, head.at + 1)), taken;
        const Head last = next_.back();
        next_.pop_back();
        if (!next_.empty()) sink(last);
        return taken;
    }

private:
    /// The next one of a list.
    struct Head {
        Picoseconds end{};
        Picoseconds begin{};
        std::size_t list = 0;
        std::size_t at = 0;
    };

    [[nodiscard]] Head headOf(std::size_t list, std::size_t at) const {
        const ShortWait& wait = lists_[list][at];
        return {wait.end(), wait.begin, list, at};
    }
    static bool later(const Head& a, const Head& b) {
        if (a.end != b.end) return a.end > b.end;
        return std::tuple{a.begin, a.list} > std::tuple{b.begin, b.list};
    }
    /// Puts `head` in place of the first one.
    void sink(const Head& head) {
        std::size_t at = 0;
        for (std::size_t below = 1; below < next_.size(); below = 2 * at + 1) {
            if (below + 1 < next_.size() && later(next_[below], next_[below + 1])) ++below;
            if (!later(head, next_[below])) break;
            next_[at] = next_[below];
            at = below;
        }
        next_[at] = head;
    }

    std::vector<ShortWaits> lists_;
    std::vector<Head> next_;  ///< a heap, the earliest in front
};

/// Of the first list, which has waits of all ranks, and of those of each rank.
void cutOverlaps(std::vector<ShortWaits>& lists) {
    std::vector<Rank> who(lists.front().size());
    std::ranges::transform(lists.front(), who.begin(), &ShortWait::rank);
    traces::Grouped ofRank{who, static_cast<std::int32_t>(lists.size() - 1)};
    engine::parallelFor(lists.size() - 1, [&](std::size_t rank) {
        std::vector<ShortWait*> its;
        for (const std::uint32_t i : ofRank.of(Rank{static_cast<std::int32_t>(rank)})) its.push_back(&lists.front()[i]);
        for (ShortWait& wait : lists[1 + rank]) its.push_back(&wait);
        std::ranges::stable_sort(its, {}, [](const ShortWait* wait) { return std::pair{wait->begin, wait->end()}; });
        std::size_t threads = 0;
        for (const ShortWait* const wait : its) threads = std::max<std::size_t>(threads, wait->thread + std::size_t{1});
        OverlapCut<ShortWait> cut{threads};
        for (ShortWait* const wait : its) cut.add(wait->thread, *wait);
    });
    for (ShortWaits& list : lists) std::erase_if(list, [](const ShortWait& wait) { return wait.time.count() <= 0; });
}

void add(WaitTotals& totals, WaitKind kind, Picoseconds time) {
    totals.time[static_cast<std::size_t>(groupOf(kind))] += time;
    if (kind == WaitKind::atSynchronisingCall) totals.atSynchronisingCalls += time;
}

}  // namespace

std::vector<DelayRow> delays(const std::vector<Wait>& waits, const std::vector<WaitShare>& shares) {
    Delays sums;
    for (const Wait& wait : waits) sums.add(wait);
    for (const WaitShare& share : shares) sums.move(waits[share.wait], share);
    return std::move(sums).sorted();
}

WaitTotals waitTotals(const TracedWaits& waits) {
    WaitTotals totals{.waits = waits.all.size(), .delays = delays(waits.all, waits.shares)};
    for (const Wait& wait : waits.all) {
        add(totals, wait.kind, wait.time);
        totals.ofSeveralThreads = totals.ofSeveralThreads || wait.thread != 0;
    }
    return totals;
}

ShortWaits waitsBesideMessages(const traces::Recording& recording, const Selection& selection,
                               const std::vector<Instance>& collectives) {
    const traces::TimeSpan span = analysedTime(recording, selection.part);
    std::vector<std::uint32_t> order(collectives.size());  // by begin: each communicator's lie so
    std::iota(order.begin(), order.end(), 0U);
    mergeRuns(order, [&](std::uint32_t a, std::uint32_t b) { return collectives[a].begin < collectives[b].begin; });
    ShortWaits waits;
    waits.reserve(std::accumulate(collectives.begin(), collectives.end(), std::size_t{},
                                  [](std::size_t sum, const Instance& one) { return sum + one.stays.size() + 1; }));
    for (const std::uint32_t i : order)
        for (const BlockingCall& call : blockingCalls(collectives[i], i)) {
            if (!call.waited() || !selection.part.has(call.rank)) continue;
            if (const auto inside = waitIn(call, span)) waits.push_back(ShortWait::of(*inside));
        }
    for (const BlockingCall& call : callsOfThreadsAndWindows(recording, Threads{recording}, selection).calls)
        if (const auto inside = waitIn(call, span)) waits.push_back(ShortWait::of(*inside));
    return waits;
}

std::vector<ShortWaits> shortWaits(const traces::Recording& recording, const Selection& selection,
                                   ShortWaits besideMessages, const engine::Progress& progress) {
    const traces::TimeSpan span = analysedTime(recording, selection.part);
    std::vector<ShortWaits> lists(1 + engine::asSize(recording.ranks));
    lists.front() = std::move(besideMessages);
    eachBlockingCallInParallel(
        recording, selection,
        [&](Rank rank, std::size_t most, std::span<const BlockingCall> calls) {
            if (!selection.part.has(rank)) return;
            ShortWaits& list = lists[1 + rank.index()];
            list.reserve(most);
            for (const BlockingCall& call : calls)
                if (const auto inside = call.waited() ? waitIn(call, span) : std::nullopt)
                    list.push_back(ShortWait::of(*inside));
        },
        progress);
    if (mayOverlap(recording)) cutOverlaps(lists);
    engine::parallelFor(lists.size(), [&](std::size_t i) { sortMostlySorted(std::span{lists[i]}, endsBefore); });
    return lists;
}

WaitTotals waitTotals(const traces::Recording& recording, std::vector<ShortWaits> lists,
                      const engine::Progress& progress) {
    InOrderOfEnds all{std::move(lists)};
    const Threads threads{recording};
    DelayPropagation origins{threads};
    Delays delays;
    WaitTotals totals;
    std::vector<Wait> ending;
    std::vector<WaitShare> shares;
    const auto settle = [&] {
        origins.trace(ending, shares);
        for (const Wait& wait : ending) delays.add(wait);
        for (const WaitShare& share : shares) delays.move(ending[share.wait], share);
        ending.clear();
    };
    while (const ShortWait* const next = all.take()) {
        if (!ending.empty() && ending.front().end() != next->end()) settle();
        if (++totals.waits % (1U << 16U) == 0 && progress.stop.stop_requested()) throw engine::Cancelled{};
        add(totals, next->kind, next->time);
        totals.ofSeveralThreads = totals.ofSeveralThreads || next->thread != 0;
        ending.push_back({.kind = next->kind,
                          .thread = next->thread,
                          .lateThread = next->lateThread,
                          .rank = next->rank,
                          .late = next->late,
                          .begin = next->begin,
                          .time = next->time});
    }
    if (!ending.empty()) settle();
    totals.delays = std::move(delays).sorted();
    return totals;
}

Picoseconds timeOfWaiters(const WaitTotals& totals, const Threads& threads, const Part& part, traces::TimeSpan span) {
    const bool each = totals.of(WaitGroup::threads).count() != 0 || totals.ofSeveralThreads;
    std::int64_t count = 0;
    for (Rank rank{0}; rank.value < threads.ranks(); ++rank)
        if (part.has(rank) && threads.isRecorded(rank)) count += each ? threads.countOf(rank) : 1;
    return (span.end - span.begin) * count;
}

WaitSums::WaitSums(std::int32_t ranks) : caused(engine::asSize(ranks)), besideMainThread(caused.size()) {
    for (std::vector<Picoseconds>& ofGroup : waited) ofGroup.resize(caused.size());
}

void WaitSums::add(const Wait& wait) {
    waited[static_cast<std::size_t>(groupOf(wait.kind))][wait.rank.index()] += wait.time;
    caused[wait.late.index()] += wait.time;
    if (wait.thread != 0 && groupOf(wait.kind) != WaitGroup::threads) besideMainThread[wait.rank.index()] += wait.time;
}

std::vector<Picoseconds> WaitSums::all() const {
    std::vector<Picoseconds> sums(caused.size());
    for (const std::vector<Picoseconds>& ofGroup : waited)
        for (std::size_t rank = 0; rank < sums.size(); ++rank) sums[rank] += ofGroup[rank];
    return sums;
}

WaitSums waitSums(const engine::Run& run, const Part& part, const engine::Progress& progress) {
    WaitSums sums{run.ranks};
    eachWait(
        run, part, [&](const Wait& wait) { sums.add(wait); }, progress);
    return sums;
}

WaitSums waitSums(const traces::Recording& recording, const Selection& selection, const engine::Progress& progress) {
    WaitSums sums{recording.ranks};
    if (mayOverlap(recording)) {
        std::vector<Instance> collectives;
        eachCollective(recording, selection, [&](Instance&& instance) { collectives.push_back(std::move(instance)); });
        for (const ShortWaits& list :
             shortWaits(recording, selection, waitsBesideMessages(recording, selection, collectives), progress))
            for (const ShortWait& wait : list)
                sums.add({.kind = wait.kind,
                          .thread = wait.thread,
                          .rank = wait.rank,
                          .late = wait.late,
                          .time = wait.time});
        return sums;
    }
    const traces::TimeSpan span = analysedTime(recording, selection.part);
    const auto add = [&](std::span<const BlockingCall> calls) {
        for (const BlockingCall& call : calls)
            if (selection.part.has(call.rank))
                if (const auto inside = waitIn(call, span)) sums.add(*inside);
    };
    std::uint32_t number = 0;
    eachCollective(recording, selection, [&](Instance&& instance) {
        if (progress.stop.stop_requested()) throw engine::Cancelled{};
        add(blockingCalls(instance, number++));
    });
    add(callsOfThreadsAndWindows(recording, Threads{recording}, selection, progress).calls);
    eachBlockingCall(recording, selection, add, progress);
    return sums;
}

}  // namespace app::analysis
