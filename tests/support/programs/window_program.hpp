// SPDX-License-Identifier: BSD-3-Clause
// Random programs at windows, and the judge of what ranks wait there: what one_sided_calls.hpp says in words, looked up
// call by call in all calls.
#pragma once

#include "app/analysis/wait_states/wait_state.hpp"
#include "traces/recording/recording_builder.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace app::analysis::samples {

/// A call at a window, as it was made.
struct WindowCall {
    enum class What { post, wait, start, complete, operation, flush, lock, unlock } what = What::post;
    int rank = 0;
    int window = 0;
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::vector<int> group{};    ///< of a post or a start
    int target = -1;             ///< of an operation, a flush or a lock; `all`: of all
    bool exclusive = false;      ///< of a lock
    std::int64_t released = -1;  ///< of an unlock: when the lock was free; no two alike
    static constexpr int all = -2;
};

/// A wait at a window, and all ranks that it may be said to have been for.
struct WindowWait {
    WaitKind kind = WaitKind::earlyTransfer;
    int rank = 0;
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::set<int> late{};
};

/// Every rank keeps the rules of MPI for itself; what others do meanwhile is left to chance, so that some wait for what
/// never comes and times contradict each other now and then. Times are picoseconds, short, so that much happens at one
/// time.
class WindowPlay {
public:
    explicit WindowPlay(unsigned seed) : random_{seed}, ranks_{2 + below(3)}, builder_{ranks_}, now_(at(ranks_)) {
        windows_ = 1 + below(2);
        builder_.rest().windows.resize(at(windows_), traces::Window{.communicator = 0});
        for (int rank = 0; rank < ranks_; ++rank) {
            now_[at(rank)] = 8 * below(6);
            builder_.enter(rank, engine::Picoseconds{now_[at(rank)]}, "main");
        }
    }

    [[nodiscard]] int ranks() const { return ranks_; }
    [[nodiscard]] int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
    [[nodiscard]] traces::RecordingBuilder& builder() { return builder_; }
    /// Until when a rank was in its last call.
    [[nodiscard]] std::int64_t& now(int rank) { return now_[at(rank)]; }
    [[nodiscard]] const std::vector<WindowCall>& calls() const { return calls_; }
    /// From when until when ranks were in calls of MPI, by rank.
    [[nodiscard]] const std::map<int, std::vector<std::pair<std::int64_t, std::int64_t>>>& inMpi() const {
        return inMpi_;
    }

    /// One more call of a rank.
    void step(int rank) {
        using What = WindowCall::What;
        WindowCall call{.rank = rank, .window = below(windows_)};
        State& its = states_[{rank, call.window}];
        if (below(5) == 0) return plain(rank, "MPI_Win_fence");
        if (!its.exposed.empty() && below(6) == 0) return testInVain(rank, call.window, its.exposed);
        if (!its.exposed.empty() && below(4) == 0) {
            call.what = What::wait, call.group = std::exchange(its.exposed, {});
            return make(call, below(3) == 0 ? "MPI_Win_test" : "MPI_Win_wait");
        }
        if (its.exposed.empty() && below(4) == 0) {
            call.what = What::post, call.group = its.exposed = someOthers(rank);
            return make(call, below(9) == 0 ? "mpi_win_post_" : "MPI_Win_post");
        }
        if (!its.accessed.empty()) {
            if (below(3) == 0) {
                call.what = What::complete, call.group = std::exchange(its.accessed, {});
                return make(call, "MPI_Win_complete");
            }
            call.what = What::operation, call.target = its.accessed[at(below(static_cast<int>(its.accessed.size())))];
            return make(call, "MPI_Put");
        }
        if (its.locked.contains(WindowCall::all)) {
            if (below(5) == 0) {
                call.what = What::unlock, call.target = WindowCall::all, its.locked.clear();
                return make(call, "MPI_Win_unlock_all");
            }
            return reach(call);
        }
        if (its.locked.empty() && below(3) == 0) {
            call.what = What::lock, call.target = WindowCall::all, its.locked[WindowCall::all] = false;
            return make(call, "MPI_Win_lock_all");
        }
        if (its.locked.empty() && below(2) == 0) {
            call.what = What::start, call.group = its.accessed = someOthers(rank);
            return make(call, "MPI_Win_start");
        }
        call.target = below(ranks_);
        if (!its.locked.contains(call.target)) {
            call.what = What::lock, call.exclusive = below(3) != 0;
            its.locked[call.target] = call.exclusive;
            return make(call, "MPI_Win_lock");
        }
        if (below(2) == 0) return reach(call);
        call.what = What::unlock, call.exclusive = its.locked[call.target], its.locked.erase(call.target);
        make(call, "MPI_Win_unlock");
    }

    /// A call that is about no window.
    void plain(int rank, const char* name) {
        const std::int64_t begin = now(rank) + 8 * below(3);
        builder_.enter(rank, engine::Picoseconds{begin}, name);
        leave(rank, begin, begin + 8 * below(6));
    }

    /// The play is over.
    traces::Recording finish() {
        for (int rank = 0; rank < ranks_; ++rank) builder_.leave(rank, engine::Picoseconds{now(rank) + 8});
        return builder_.finish();
    }

private:
    /// What a rank is about at a window.
    struct State {
        std::vector<int> exposed{}, accessed{};
        std::map<int, bool> locked{};  ///< by target: exclusively
    };

    static std::size_t at(int number) { return static_cast<std::size_t>(number); }

    std::vector<int> someOthers(int rank) {
        std::vector<int> some;
        for (int other = 0; other < ranks_; ++other)
            if (other != rank && below(3) != 0) some.push_back(other);
        if (some.empty()) some.push_back((rank + 1) % ranks_);
        std::shuffle(some.begin(), some.end(), random_);
        return some;
    }

    /// An operation or a flush, at the call's target or another one.
    void reach(WindowCall call) {
        using What = WindowCall::What;
        if (call.target == -1) call.target = below(ranks_);
        call.what = below(3) == 0 ? What::flush : What::operation;
        if (call.what == What::flush && below(3) == 0) call.target = WindowCall::all;
        make(call, call.what == What::operation ? "MPI_Get" : call.target < 0 ? "MPI_Win_flush_all" : "MPI_Win_flush");
    }

    /// A test of an exposure that is not over.
    void testInVain(int rank, int window, const std::vector<int>& group) {
        const std::int64_t begin = now(rank) + 8 * below(3);
        builder_.enter(rank, engine::Picoseconds{begin}, "MPI_Win_test");
        std::vector<std::vector<engine::Rank>>& groups = builder_.rest().groups;
        builder_.notice(rank, {.time = engine::Picoseconds{begin},
                               .number = groups.size(),
                               .subject = static_cast<std::uint32_t>(window),
                               .kind = traces::NoticeKind::syncGroup,
                               .detail = traces::syncNone});
        groups.emplace_back();
        for (const int other : group) groups.back().push_back(engine::Rank{other});
        leave(rank, begin, begin + 8 * below(6));
    }

    void leave(int rank, std::int64_t begin, std::int64_t end) {
        builder_.leave(rank, engine::Picoseconds{now(rank) = end});
        inMpi_[rank].emplace_back(begin, end);
    }

    /// Makes the call, and tells what Score-P would.
    void make(WindowCall call, const char* name) {
        using What = WindowCall::What;
        call.begin = now(call.rank) + 8 * below(4);
        call.end = call.begin + 8 * (1 + below(12));
        builder_.enter(call.rank, engine::Picoseconds{call.begin}, name);
        traces::Notice notice{.time = engine::Picoseconds{call.begin},
                              .subject = static_cast<std::uint32_t>(call.window),
                              .kind = traces::NoticeKind::syncGroup,
                              .detail = traces::syncNone + 1};
        if (!call.group.empty()) {
            std::vector<std::vector<engine::Rank>>& groups = builder_.rest().groups;
            notice.number = groups.size();
            groups.emplace_back();
            for (const int rank : call.group) groups.back().push_back(engine::Rank{rank});
        } else {
            notice.peer = call.target == WindowCall::all ? traces::everyRank : engine::Rank{call.target};
        }
        if (call.what == What::operation)
            notice.kind =
                std::array{traces::NoticeKind::put, traces::NoticeKind::get, traces::NoticeKind::atomic}[at(below(3))];
        if (call.what == What::flush) notice.kind = traces::NoticeKind::flushWindow;
        if (call.what == What::lock) {
            notice.kind = traces::NoticeKind::requestWindow;
            notice.detail = call.exclusive ? traces::lockExclusive : 1;
        }
        if (call.what == What::unlock) {
            notice.kind = traces::NoticeKind::releaseWindow;
            // Of ranks apart, and of one rank no two calls end at one time.
            call.released = call.end - call.rank - 1;
            notice.time = engine::Picoseconds{call.released};
        }
        builder_.notice(call.rank, notice);
        leave(call.rank, call.begin, call.end);
        calls_.push_back(call);
    }

    std::mt19937 random_;
    int ranks_ = 0;
    int windows_ = 1;
    traces::RecordingBuilder builder_;
    std::vector<std::int64_t> now_;
    std::map<std::pair<int, int>, State> states_;
    std::vector<WindowCall> calls_;  ///< those of one rank in their order
    std::map<int, std::vector<std::pair<std::int64_t, std::int64_t>>> inMpi_;
};

/// The judge.
class WindowJudge {
public:
    explicit WindowJudge(const WindowPlay& play) : calls_{play.calls()}, inMpi_{play.inMpi()} {}

    std::vector<WindowWait> waits() const {
        using What = WindowCall::What;
        std::vector<WindowWait> all;
        const auto add = [&](WaitKind kind, int rank, std::int64_t begin, std::int64_t end, const std::set<int>& late) {
            if (end > begin && !late.contains(rank)) all.push_back({kind, rank, begin, end, late});
        };
        for (const WindowCall& call : calls_) {
            if (call.what == What::operation)
                if (const WindowCall* start = beginOf(call, What::start, What::complete); start != nullptr)
                    if (const WindowCall* post = partner(*start, call.target, What::post); post != nullptr)
                        add(WaitKind::earlyTransfer, call.rank, call.begin, std::min(call.end, post->begin),
                            {call.target});
            if (call.what == What::start) {
                const auto [posted, late] = lastOf(call, What::post);
                add(WaitKind::latePost, call.rank, call.begin, std::min(call.end, posted), late);
                const WindowCall* complete = endOf(call, What::complete);
                if (complete != nullptr && posted > call.end)
                    add(WaitKind::latePost, call.rank, complete->begin, std::min(complete->end, posted), late);
            }
            if (call.what == What::unlock) contention(call, add);
        }
        std::vector<WindowWait> behind;
        for (const WindowCall& call : calls_)
            if (std::ranges::none_of(all, [&](const WindowWait& one) {
                    return one.kind == WaitKind::windowContention && one.rank == call.rank && one.begin == call.begin;
                }))
                progress(call, behind);
        all.insert(all.end(), behind.begin(), behind.end());
        return all;
    }

    /// What MPI_Win_wait, or a test that was true, waits for: it is open whom it counts for where several complete
    /// last. Every choice is a list of its waits.
    std::vector<std::vector<WindowWait>> choicesOfWait(const WindowCall& wait) const {
        using What = WindowCall::What;
        const WindowCall* post = beginOf(wait, What::post, What::wait);
        std::vector<std::vector<WindowWait>> choices;
        std::int64_t last = -1;
        for (const int origin : post->group) {
            const WindowCall* start = partner(*post, origin, What::start);
            const WindowCall* complete = start == nullptr ? nullptr : endOf(*start, What::complete);
            if (complete == nullptr || complete->begin < last) continue;
            if (complete->begin > last) choices.clear();
            last = complete->begin;
            std::int64_t through = start->end;
            for (const WindowCall& call : calls_)
                if (call.what == What::operation && beginOf(call, What::start, What::complete) == start)
                    through = std::max(through, call.end);
            std::vector<WindowWait>& its = choices.emplace_back();
            const std::int64_t until = std::min(wait.end, through);
            if (until > wait.begin) its.push_back({WaitKind::earlyWait, wait.rank, wait.begin, until, {origin}});
            const std::int64_t from = std::max(wait.begin, through), to = std::min(wait.end, last);
            if (to > from) its.push_back({WaitKind::lateComplete, wait.rank, from, to, {origin}});
        }
        return choices;
    }

private:
    /// The last call `begins` of the same rank and window before `call`, unless one that `ends` lies between.
    const WindowCall* beginOf(const WindowCall& call, WindowCall::What begins, WindowCall::What ends) const {
        const WindowCall* found = nullptr;
        for (const WindowCall& one : calls_) {
            if (&one == &call) break;
            if (one.rank != call.rank || one.window != call.window) continue;
            if (one.what == begins) found = &one;
            if (one.what == ends) found = nullptr;
        }
        return found;
    }
    /// The next call `ends` of the same rank and window.
    const WindowCall* endOf(const WindowCall& begin, WindowCall::What ends) const {
        for (const WindowCall& one : calls_)
            if (&one > &begin && one.rank == begin.rank && one.window == begin.window && one.what == ends) return &one;
        return nullptr;
    }
    /// The k-th call `what` of `other` for the rank of `call`, which is its k-th one of its kind for `other`.
    const WindowCall* partner(const WindowCall& call, int other, WindowCall::What what) const {
        const auto isFor = [&](const WindowCall& one, int rank, int with, WindowCall::What does) {
            return one.what == does && one.rank == rank && one.window == call.window &&
                   std::count(one.group.begin(), one.group.end(), with) > 0;
        };
        if (!isFor(call, call.rank, other, call.what)) return nullptr;
        std::int64_t number = 0;
        for (const WindowCall& one : calls_)
            if (&one <= &call && isFor(one, call.rank, other, call.what)) ++number;
        for (const WindowCall& one : calls_)
            if (isFor(one, other, call.rank, what) && --number == 0) return &one;
        return nullptr;
    }
    /// When the last of those that a start is with had posted, and who may be said to have been that.
    std::pair<std::int64_t, std::set<int>> lastOf(const WindowCall& start, WindowCall::What what) const {
        std::int64_t last = -1;
        std::set<int> who;
        for (const int target : start.group) {
            const WindowCall* post = partner(start, target, what);
            if (post == nullptr || post->begin < last) continue;
            if (post->begin > last) who.clear();
            last = post->begin;
            who.insert(target);
        }
        return {last, who};
    }

    /// The first call of the lock that `unlock` lets go.
    const WindowCall* lockOf(const WindowCall& unlock) const {
        const WindowCall* lock = nullptr;
        for (const WindowCall& one : calls_)
            if (&one < &unlock && one.what == WindowCall::What::lock && one.rank == unlock.rank &&
                one.window == unlock.window && one.target == unlock.target)
                lock = &one;
        return lock;
    }
    /// The calls from a lock on until it is let go that may have to do with its target.
    std::vector<const WindowCall*> callsOf(const WindowCall& unlock) const {
        std::vector<const WindowCall*> its;
        for (const WindowCall& one : calls_)
            if (&one >= lockOf(unlock) && &one <= &unlock && one.rank == unlock.rank && one.window == unlock.window &&
                one.group.empty() && meets(one.target, unlock.target))
                its.push_back(&one);
        return its;
    }
    static bool meets(int target, int other) {
        return target == other || target == WindowCall::all || other == WindowCall::all;
    }

    /// The targets whose calls a call of passive target communication may need: of one for all targets those of
    /// operations since the last one for all.
    std::set<int> targetsOf(const WindowCall& call) const {
        using What = WindowCall::What;
        const auto isPassive = [&](const WindowCall& one) {
            return one.what == What::lock || one.what == What::unlock || one.what == What::flush ||
                   (one.what == What::operation && beginOf(one, What::start, What::complete) == nullptr);
        };
        if (!isPassive(call)) return {};
        if (call.target != WindowCall::all) return {call.target};
        std::set<int> targets;
        for (const WindowCall& one : calls_) {
            if (&one == &call) break;
            if (one.rank != call.rank || one.window != call.window || !isPassive(one)) continue;
            if (one.target == WindowCall::all && one.what != What::lock) targets.clear();
            if (one.what == What::operation) targets.insert(one.target);
        }
        return call.what == What::lock ? std::set<int>{} : targets;
    }

    void progress(const WindowCall& call, std::vector<WindowWait>& all) const {
        std::int64_t last = call.begin;
        std::set<int> late;
        for (const int target : targetsOf(call)) {
            std::int64_t next = -1;
            bool isInside = false;
            const auto its = inMpi_.find(target);
            if (its == inMpi_.end()) continue;
            for (const auto& [begin, end] : its->second) {
                isInside = isInside || (begin <= call.begin && end > call.begin);
                if (begin > call.begin && (next < 0 || begin < next)) next = begin;
            }
            if (isInside || next < last || next < 0) continue;
            if (next > last) late.clear();
            last = next;
            late.insert(target);
        }
        if (late.empty() || late.contains(call.rank) || last >= call.end || call.end - last > last - call.begin) return;
        all.push_back({WaitKind::forProgress, call.rank, call.begin, last, late});
    }

    template <class Add>
    void contention(const WindowCall& unlock, Add add) const {
        using What = WindowCall::What;
        // For each call the unlock that it waited for, where it is one.
        std::vector<std::pair<const WindowCall*, const WindowCall*>> may;
        for (const WindowCall* call : callsOf(unlock)) {
            const WindowCall* before = nullptr;
            for (const WindowCall& one : calls_) {
                if (one.what != What::unlock || one.window != unlock.window || one.released >= unlock.released ||
                    !(unlock.exclusive || one.exclusive))
                    continue;
                if (unlock.target == WindowCall::all) {
                    // Who began last to unlock what this call wants.
                    if (one.target != WindowCall::all && meets(one.target, call->target) && one.begin <= call->end &&
                        (before == nullptr ||
                         std::pair{one.begin, one.released} > std::pair{before->begin, before->released}))
                        before = &one;
                } else if (meets(one.target, unlock.target) && (before == nullptr || one.released > before->released)) {
                    before = &one;  // who unlocked last before it
                }
            }
            if (before != nullptr && call->begin < before->released && call->end >= before->begin)
                may.emplace_back(before, call);
        }
        // Of the calls for one and the same, the longest.
        for (const auto& [before, call] : may) {
            const auto waited = [&, until = before->released](const WindowCall& one) {
                return std::min(one.end, until) - one.begin;
            };
            const bool longest = std::all_of(may.begin(), may.end(), [&, by = before, its = call](const auto& other) {
                return other.first != by || waited(*other.second) < waited(*its) ||
                       (waited(*other.second) == waited(*its) && other.second >= its);
            });
            if (longest)
                add(WaitKind::windowContention, unlock.rank, call->begin, std::min(call->end, before->released),
                    {before->rank});
        }
    }

    const std::vector<WindowCall>& calls_;
    const std::map<int, std::vector<std::pair<std::int64_t, std::int64_t>>>& inMpi_;
};

}  // namespace app::analysis::samples
