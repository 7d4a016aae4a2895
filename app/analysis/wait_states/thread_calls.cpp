// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/wait_states/thread_calls.hpp"

#include "app/analysis/calls/activity.hpp"
#include "app/analysis/calls/event_walk.hpp"
#include "engine/base/parallel.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>

namespace app::analysis {

using engine::Picoseconds;
using engine::Rank;
using traces::Notice;
using traces::NoticeKind;
using traces::Recording;
using traces::Region;
using traces::RegionRole;
using traces::States;

namespace {

/// One thread's part in a barrier. The first three say which barrier that is.
struct InBarrier {
    std::uint32_t team = 0;
    std::uint32_t turn = 0;  ///< of the team: how many times this thread had worked in it before
    std::uint32_t number = 0;
    ThreadNumber thread = 0;
    RegionRole role = RegionRole::barrier;
    Picoseconds begin{};
    Picoseconds end{};
};

/// A thread has a lock.
struct Hold {
    ThreadNumber thread = 0;
    std::uint64_t order = 0;
    std::optional<Picoseconds> entered{};  ///< the call that acquires it; nothing where none is known
    WaitKind kind = WaitKind::lockContention;
    Picoseconds acquired{};
    std::optional<Picoseconds> released{};
};
/// By paradigm and id.
using Holds = std::map<std::pair<std::uint8_t, std::uint32_t>, std::vector<Hold>>;

/// What the threads of one rank did together.
class ThreadsOfRank {
public:
    ThreadsOfRank(const Recording& recording, const Threads& threads, Rank rank)
        : recording_{recording}, threads_{threads}, rank_{rank} {}

    ThreadCalls found() {
        const ThreadNumber count = threads_.countOf(rank_);
        for (ThreadNumber thread = 0; thread < count; ++thread)
            for (const Notice& notice : noticesOf(thread))
                hasTeams_ = hasTeams_ || notice.kind == NoticeKind::teamBegin;
        for (ThreadNumber thread = 0; thread < count; ++thread) look(thread);
        meet();
        contend();
        if (hasTeams_) idle();
        std::stable_sort(all_.calls.begin(), all_.calls.end(),
                         [](const BlockingCall& a, const BlockingCall& b) { return a.begin < b.begin; });
        return std::move(all_);
    }

private:
    /// A team that a thread works in.
    struct Open {
        std::uint32_t team = 0;
        std::uint32_t turn = 0;
        std::uint32_t barriers = 0;
    };

    [[nodiscard]] std::span<const Notice> noticesOf(ThreadNumber thread) const {
        const std::int32_t location = threads_.locationOf(rank_, thread);
        if (location == traces::noIndex || recording_.notices.empty()) return {};
        return recording_.notices[engine::asSize(location)].span();
    }

    /// Barriers and locks of one thread, its calls and notices in their order.
    void look(ThreadNumber thread) {
        const std::int32_t location = threads_.locationOf(rank_, thread);
        if (location == traces::noIndex) return;
        const States& states = recording_.states[engine::asSize(location)];
        std::vector<Open> teams;
        if (!hasTeams_) teams.emplace_back();
        std::map<std::uint32_t, std::uint32_t> turns;
        const auto entered = [&](std::size_t call) {
            const Region& region = recording_.regions[engine::asSize(states.region[call])];
            const RegionRole role = region.role;
            const bool barrier = role == RegionRole::barrier || role == RegionRole::implicitBarrier;
            // Barriers of other paradigms are those of processes.
            if (!barrier || activityOf(region) != Activity::threads || teams.empty()) return;
            Open& team = teams.back();
            inBarriers_.push_back(
                {team.team, team.turn, team.barriers++, thread, role, states.begin[call], states.end[call]});
        };
        eachNotice(states, noticesOf(thread), entered, [&](const Notice& notice, std::span<const std::size_t> around) {
            if (notice.kind == NoticeKind::teamBegin) teams.push_back({notice.subject, turns[notice.subject]++, 0});
            else if (notice.kind == NoticeKind::teamEnd && hasTeams_ && !teams.empty()) teams.pop_back();
            else if (notice.kind == NoticeKind::acquireLock) acquire(thread, notice, states, around);
            else if (notice.kind == NoticeKind::releaseLock) release(thread, notice);
        });
    }

    void acquire(ThreadNumber thread, const Notice& notice, const States& states, std::span<const std::size_t> around) {
        Hold hold{.thread = thread, .order = notice.number, .acquired = notice.time};
        if (!around.empty()) {
            const Region& region = recording_.regions[engine::asSize(states.region[around.back()])];
            const bool critical = region.role == RegionRole::critical;
            if (critical || (region.role == RegionRole::function && activityOf(region) == Activity::threads))
                hold.entered = states.begin[around.back()];
            if (critical) hold.kind = WaitKind::criticalContention;
        }
        holds_[{notice.detail, notice.subject}].push_back(hold);
    }

    void release(ThreadNumber thread, const Notice& notice) {
        std::vector<Hold>& holds = holds_[{notice.detail, notice.subject}];
        const auto its = std::find_if(holds.rbegin(), holds.rend(), [&](const Hold& hold) {
            return hold.thread == thread && !hold.released && hold.acquired <= notice.time;
        });
        if (its != holds.rend()) its->released = notice.time;
    }

    /// Barriers whose parts fit each other: nobody left before all had come.
    void meet() {
        const auto which = [](const InBarrier& one) { return std::tuple{one.team, one.turn, one.number}; };
        std::stable_sort(inBarriers_.begin(), inBarriers_.end(),
                         [&](const InBarrier& a, const InBarrier& b) { return which(a) < which(b); });
        for (auto first = inBarriers_.begin(); first != inBarriers_.end();) {
            const auto behind = std::find_if(first, inBarriers_.end(),
                                             [&](const InBarrier& one) { return which(one) != which(*first); });
            meet(std::span{first, behind});
            first = behind;
        }
    }
    void meet(std::span<const InBarrier> parts) {
        if (parts.size() < 2) return;
        const auto last = std::max_element(parts.begin(), parts.end(),
                                           [](const InBarrier& a, const InBarrier& b) { return a.begin < b.begin; });
        if (std::any_of(parts.begin(), parts.end(), [&](const InBarrier& one) { return one.end < last->begin; }))
            return;
        std::vector<LeavesBarrier>& met = all_.barriers.emplace_back();
        for (const InBarrier& one : parts) {
            met.push_back({threads_.placeOf(rank_, one.thread), one.end});
            all_.calls.push_back(
                {.rank = rank_,
                 .thread = one.thread,
                 .begin = one.begin,
                 .end = one.end,
                 .kind = one.role == RegionRole::barrier ? WaitKind::atTeamBarrier : WaitKind::atImplicitBarrier,
                 .lateThread = last->thread,
                 .late = rank_,
                 .came = last->begin});
        }
        std::sort(met.begin(), met.end(),
                  [](const LeavesBarrier& a, const LeavesBarrier& b) { return a.place < b.place; });
    }

    /// Holds of each lock, one after the other: as they are counted, where all are counted apart.
    void contend() {
        for (auto& [lock, holds] : holds_) {
            std::set<std::uint64_t> orders;
            for (const Hold& hold : holds) orders.insert(hold.order);
            const bool counted = orders.size() == holds.size();
            std::stable_sort(holds.begin(), holds.end(), [&](const Hold& a, const Hold& b) {
                return counted ? a.order < b.order : a.acquired < b.acquired;
            });
            for (std::size_t i = 1; i < holds.size(); ++i) {
                const Hold& before = holds[i - 1];
                const Hold& hold = holds[i];
                if (!hold.entered || !before.released || before.thread == hold.thread ||
                    *before.released <= *hold.entered)
                    continue;
                all_.calls.push_back({.rank = rank_,
                                      .thread = hold.thread,
                                      .begin = *hold.entered,
                                      .end = hold.acquired,
                                      .kind = hold.kind,
                                      .lateThread = before.thread,
                                      .late = rank_,
                                      .came = *before.released});
            }
        }
    }

    /// From MPI_Init to MPI_Finalize of the thread that forks teams.
    [[nodiscard]] traces::TimeSpan atWork(std::span<const Picoseconds> forks) const {
        const auto own = engine::asSize(threads_.locationOf(rank_, 0));
        const traces::Location& location = recording_.locations[own];
        const States& states = recording_.states[own];
        traces::TimeSpan span{location.first, location.last};
        for (std::size_t s = 0; s < states.size(); ++s) {
            if (recording_.regions[engine::asSize(states.region[s])].call != traces::Call::setup) continue;
            if (!forks.empty() && states.end[s] <= forks.front()) span.begin = std::max(span.begin, states.end[s]);
            if (!forks.empty() && states.begin[s] >= forks.back()) span.end = std::min(span.end, states.begin[s]);
        }
        return span;
    }

    void idle() {
        if (threads_.locationOf(rank_, 0) == traces::noIndex) return;
        std::vector<Picoseconds> forks;
        for (const Notice& notice : noticesOf(0))
            if (notice.kind == NoticeKind::fork) forks.push_back(notice.time);
        const traces::TimeSpan span = atWork(forks);
        for (ThreadNumber thread = 1; thread < threads_.countOf(rank_); ++thread) {
            Picoseconds since = span.begin;
            int teams = 0;
            bool ever = false;
            for (const Notice& notice : noticesOf(thread)) {
                if (notice.kind == NoticeKind::teamBegin && teams++ == 0) {
                    const auto after = std::upper_bound(forks.begin(), forks.end(), notice.time);
                    const Picoseconds fork = after == forks.begin() ? notice.time : *std::prev(after);
                    waitForWork(thread, since, notice.time, fork > since ? fork : notice.time);
                    ever = true;
                }
                if (notice.kind == NoticeKind::teamEnd && teams > 0 && --teams == 0) since = notice.time;
            }
            if (ever && teams == 0) waitForWork(thread, since, span.end, span.end);
        }
    }
    void waitForWork(ThreadNumber thread, Picoseconds begin, Picoseconds end, Picoseconds came) {
        if (end > begin)
            all_.calls.push_back({.rank = rank_,
                                  .thread = thread,
                                  .begin = begin,
                                  .end = end,
                                  .kind = WaitKind::idleThread,
                                  .late = rank_,
                                  .came = came});
    }

    const Recording& recording_;
    const Threads& threads_;
    Rank rank_;
    bool hasTeams_ = false;
    std::vector<InBarrier> inBarriers_;
    Holds holds_;
    ThreadCalls all_;
};

}  // namespace

ThreadCalls threadCalls(const Recording& recording, const Threads& threads, const Selection& selection,
                        const engine::Progress& progress) {
    ThreadCalls all;
    if (threads.count() == threads.ranks() || selection.part.choosesMessages() || !selection.communicators.empty())
        return all;
    std::vector<Rank> ranks;
    for (Rank rank{0}; rank.value < recording.ranks; ++rank)
        if (threads.countOf(rank) > 1 && selection.part.has(rank)) ranks.push_back(rank);
    std::vector<ThreadCalls> parts(ranks.size());
    engine::parallelFor(
        ranks.size(),
        [&](std::size_t i) {
            parts[i] = ThreadsOfRank{recording, threads, ranks[i]}.found();
        },
        [&] { progress.at(0); });
    for (ThreadCalls& part : parts) {
        std::move(part.calls.begin(), part.calls.end(), std::back_inserter(all.calls));
        std::move(part.barriers.begin(), part.barriers.end(), std::back_inserter(all.barriers));
    }
    return all;
}

}  // namespace app::analysis
