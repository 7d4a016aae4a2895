// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/wait_states/one_sided_calls.hpp"

#include "app/analysis/calls/event_walk.hpp"
#include "app/analysis/calls/mpi_call_timeline.hpp"
#include "app/analysis/wait_states/window_locks.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace app::analysis {

using engine::Picoseconds;
using engine::Rank;
using traces::Notice;
using traces::NoticeKind;
using traces::Recording;
using traces::TimeSpan;

namespace {

/// What a call does to a window, by its name.
enum class ToWindow : std::uint8_t { other, post, wait, test, start, complete };

ToWindow doesOf(std::string_view region) {
    std::string name = engine::lowered(region.substr(0, region.find(' ')));
    while (name.ends_with('_')) name.pop_back();
    if (name == "mpi_win_post") return ToWindow::post;
    if (name == "mpi_win_wait") return ToWindow::wait;
    if (name == "mpi_win_test") return ToWindow::test;
    if (name == "mpi_win_start") return ToWindow::start;
    if (name == "mpi_win_complete") return ToWindow::complete;
    return ToWindow::other;
}

/// From MPI_Win_start to MPI_Win_complete, or from MPI_Win_post to MPI_Win_wait.
struct Epoch {
    std::span<const Rank> others;
    TimeSpan first{};                 ///< the call that begins it
    std::optional<TimeSpan> last{};   ///< the call that ends it
    Picoseconds operated{};           ///< when its last operation was over; the first call's end without any
    std::vector<std::uint32_t> turn;  ///< beside `others`: how many epochs of this rank with that one were before
};

/// A put, a get or the like.
struct PutOrGet {
    TimeSpan call{};
    Rank target;
    std::size_t epoch = 0;
};

/// A call of passive target communication, with the targets that it may need.
struct PassiveCall {
    TimeSpan call{};
    std::set<Rank> targets;
};

/// What one rank did at one window.
struct AtWindow {
    std::vector<Epoch> exposures;
    std::vector<Epoch> accesses;
    std::vector<PutOrGet> operations;
    std::map<Rank, std::uint32_t> exposed, accessed;  ///< how often to, from whom
    /// Epochs by the rank that they are with, and its turn.
    std::map<std::pair<Rank, std::uint32_t>, std::size_t> exposureOf, accessOf;
    std::vector<PassiveCall> passive;
    std::int64_t locks = 0;
    std::set<Rank> reached;  ///< by operations since it last waited for those at all targets
};

/// When ranks were in calls of MPI, on whichever of their threads.
class InMpi {
public:
    explicit InMpi(const Recording& recording)
        : recording_{recording}, regions_{recording}, locations_{locationsOfRanks(recording)} {}

    /// When a rank that is outside of MPI at `time` enters its next call; nothing where it is in a call, or makes none.
    [[nodiscard]] std::optional<Picoseconds> entryAfter(Rank rank, Picoseconds time) {
        const std::vector<TimeSpan>& calls = callsOf(rank);
        const auto next = std::ranges::upper_bound(calls, time, {}, &TimeSpan::begin);
        if (next == calls.end() || (next != calls.begin() && std::prev(next)->end > time)) return std::nullopt;
        return next->begin;
    }

private:
    const std::vector<TimeSpan>& callsOf(Rank rank) {
        const auto [its, isNew] = calls_.try_emplace(rank);
        std::vector<TimeSpan>& calls = its->second;
        if (!isNew) return calls;
        for (const std::size_t location : locations_[rank.index()]) {
            const traces::States& states = recording_.states[location];
            for (std::size_t i = 0; i < states.size(); ++i)
                if (regions_.isMpi(states.region[i])) calls.push_back({states.begin[i], states.end[i]});
        }
        std::ranges::sort(calls, {}, &TimeSpan::begin);
        for (std::size_t i = 1; i < calls.size(); ++i) calls[i].end = std::max(calls[i].end, calls[i - 1].end);
        return calls;
    }

    const Recording& recording_;
    MpiRegions regions_;
    LocationsOfRanks locations_;
    std::map<Rank, std::vector<TimeSpan>> calls_;
};

class Looking {
public:
    Looking(const Recording& recording, const Selection& selection) : recording_{recording}, selection_{selection} {
        for (const traces::Region& region : recording.regions) does_.push_back(doesOf(region.name));
    }

    std::vector<BlockingCall> found() {
        for (std::size_t location = 0; location < recording_.notices.size(); ++location) look(location);
        for (auto& [key, its] : all_) {
            const auto& [window, rank] = key;
            accesses(window, rank, its);
            exposures(window, rank, its);
        }
        std::set<std::pair<Rank, Picoseconds>> contended;
        for (const WindowLocks::Wait& one : locks_.waits()) {
            wait(WaitKind::windowContention, one.rank, one.late, one.call, one.until);
            contended.emplace(one.rank, one.call.begin);
        }
        InMpi inMpi{recording_};
        for (const auto& [key, its] : all_)
            for (const PassiveCall& one : its.passive)
                if (!contended.contains({key.second, one.call.begin})) forProgress(key.second, one, inMpi);
        return std::move(calls_);
    }

private:
    /// What a location told, with the innermost call that it was in.
    void look(std::size_t location) {
        const Rank rank = recording_.locations[location].rank;
        if (rank == traces::noRank) return;
        const traces::States& states = recording_.states[location];
        eachNotice(states, recording_.notices[location].span(),
                   [&](const Notice& notice, std::span<const std::size_t> around) {
                       if (!isOneSided(notice.kind) || around.empty()) return;
                       if (!selection_.communicators.empty() &&
                           !selection_.has(recording_.windows[notice.subject].communicator))
                           return;
                       const std::size_t in = around.back();
                       take(rank, notice, {states.begin[in], states.end[in]}, does_[engine::asSize(states.region[in])]);
                   });
    }

    void take(Rank rank, const Notice& notice, TimeSpan call, ToWindow does) {
        AtWindow& its = all_[{notice.subject, rank}];
        const auto underWay = [](std::vector<Epoch>& epochs) {
            return epochs.empty() || epochs.back().last ? nullptr : &epochs.back();
        };
        const auto begin = [&](std::vector<Epoch>& epochs, std::map<Rank, std::uint32_t>& counts, auto& epochOf) {
            Epoch& epoch = epochs.emplace_back(Epoch{.others = recording_.groups[engine::asSize(notice.number)],
                                                     .first = call,
                                                     .operated = call.end,
                                                     .turn = {}});
            for (const Rank other : epoch.others) {
                epoch.turn.push_back(counts[other]++);
                epochOf[{other, epoch.turn.back()}] = epochs.size() - 1;
            }
        };
        switch (notice.kind) {
            case NoticeKind::syncGroup:
                if (does == ToWindow::post) begin(its.exposures, its.exposed, its.exposureOf);
                if (does == ToWindow::start) begin(its.accesses, its.accessed, its.accessOf);
                // A test tells, too, that it is not over yet.
                if (does == ToWindow::wait || (does == ToWindow::test && notice.detail != traces::syncNone))
                    if (Epoch* epoch = underWay(its.exposures)) epoch->last = call;
                if (does == ToWindow::complete)
                    if (Epoch* epoch = underWay(its.accesses)) epoch->last = call;
                break;
            case NoticeKind::put:
            case NoticeKind::get:
            case NoticeKind::atomic:
                if (Epoch* epoch = underWay(its.accesses)) {
                    epoch->operated = std::max(epoch->operated, call.end);
                    its.operations.push_back({call, notice.peer, its.accesses.size() - 1});
                } else if (its.locks > 0) {
                    its.passive.push_back({call, {notice.peer}});
                    its.reached.insert(notice.peer);
                }
                locks_.reach(notice.subject, rank, notice.peer, call);
                break;
            case NoticeKind::flushWindow:
                completeAt(its, notice.peer, call);
                locks_.reach(notice.subject, rank, notice.peer, call);
                break;
            case NoticeKind::requestWindow:
                ++its.locks;
                if (notice.peer != traces::everyRank) its.passive.push_back({call, {notice.peer}});
                locks_.request(notice.subject, rank, {notice.peer, notice.number},
                               notice.detail == traces::lockExclusive, call);
                break;
            case NoticeKind::releaseWindow:
                --its.locks;
                completeAt(its, notice.peer, call);
                locks_.release(notice.subject, rank, {notice.peer, notice.number}, call, notice.time);
                break;
            default: break;
        }
    }

    /// A call completes operations at one target, or at all.
    static void completeAt(AtWindow& its, Rank target, TimeSpan call) {
        if (target != traces::everyRank) its.passive.push_back({call, {target}});
        else its.passive.push_back({call, std::exchange(its.reached, {})});
    }

    void forProgress(Rank rank, const PassiveCall& its, InMpi& inMpi) {
        Rank last = rank;
        Picoseconds came = its.call.begin;
        for (const Rank target : its.targets)
            if (const auto entry = inMpi.entryAfter(target, its.call.begin); entry && *entry > came)
                last = target, came = *entry;
        if (came < its.call.end && its.call.end - came <= came - its.call.begin)
            wait(WaitKind::forProgress, rank, last, its.call, came);
    }

    /// The exposure of `other` that belongs to a turn of `self` with it; null where there is none.
    [[nodiscard]] const Epoch* exposureOf(std::uint32_t window, Rank other, Rank self, std::uint32_t turn) const {
        const auto its = all_.find({window, other});
        if (its == all_.end()) return nullptr;
        const auto epoch = its->second.exposureOf.find({self, turn});
        return epoch == its->second.exposureOf.end() ? nullptr : &its->second.exposures[epoch->second];
    }
    /// Likewise the access.
    [[nodiscard]] const Epoch* accessOf(std::uint32_t window, Rank other, Rank self, std::uint32_t turn) const {
        const auto its = all_.find({window, other});
        if (its == all_.end()) return nullptr;
        const auto epoch = its->second.accessOf.find({self, turn});
        return epoch == its->second.accessOf.end() ? nullptr : &its->second.accesses[epoch->second];
    }

    void wait(WaitKind kind, Rank rank, Rank late, TimeSpan call, Picoseconds came) {
        if (came <= call.begin || rank == late || !selection_.part.has(rank)) return;
        calls_.push_back(
            {.rank = rank, .begin = call.begin, .end = call.end, .kind = kind, .late = late, .came = came});
    }

    /// Late posts, and early transfers.
    void accesses(std::uint32_t window, Rank rank, AtWindow& its) {
        std::vector<std::map<Rank, Picoseconds>> posted(its.accesses.size());
        for (std::size_t e = 0; e < its.accesses.size(); ++e) {
            const Epoch& epoch = its.accesses[e];
            Rank last = rank;
            Picoseconds came{};
            for (std::size_t i = 0; i < epoch.others.size(); ++i) {
                const Epoch* exposure = exposureOf(window, epoch.others[i], rank, epoch.turn[i]);
                if (exposure == nullptr) continue;
                posted[e][epoch.others[i]] = exposure->first.begin;
                if (exposure->first.begin > came) last = epoch.others[i], came = exposure->first.begin;
            }
            // Who starts without waiting waits in the operations, or in the end.
            wait(WaitKind::latePost, rank, last, epoch.first, came);
            if (epoch.last && came > epoch.first.end) wait(WaitKind::latePost, rank, last, *epoch.last, came);
        }
        for (const PutOrGet& operation : its.operations)
            if (const auto post = posted[operation.epoch].find(operation.target); post != posted[operation.epoch].end())
                wait(WaitKind::earlyTransfer, rank, operation.target, operation.call, post->second);
    }

    /// Early waits, and late completes.
    void exposures(std::uint32_t window, Rank rank, const AtWindow& its) {
        for (const Epoch& epoch : its.exposures) {
            if (!epoch.last) continue;
            const Epoch* latest = nullptr;
            Rank last = rank;
            for (std::size_t i = 0; i < epoch.others.size(); ++i) {
                const Epoch* access = accessOf(window, epoch.others[i], rank, epoch.turn[i]);
                if (access == nullptr || !access->last) continue;
                if (latest == nullptr || access->last->begin > latest->last->begin)
                    latest = access, last = epoch.others[i];
            }
            if (latest == nullptr) continue;
            const TimeSpan call = *epoch.last;
            wait(WaitKind::earlyWait, rank, last, {call.begin, std::min(call.end, latest->operated)}, latest->operated);
            wait(WaitKind::lateComplete, rank, last, {std::max(call.begin, latest->operated), call.end},
                 latest->last->begin);
        }
    }

    const Recording& recording_;
    const Selection& selection_;
    std::vector<ToWindow> does_;  ///< by region
    std::map<std::pair<std::uint32_t, Rank>, AtWindow> all_;
    WindowLocks locks_;
    std::vector<BlockingCall> calls_;
};

}  // namespace

std::vector<BlockingCall> oneSidedCalls(const Recording& recording, const Selection& selection) {
    if (recording.windows.empty() || recording.notices.empty() || selection.part.choosesMessages()) return {};
    return Looking{recording, selection}.found();
}

}  // namespace app::analysis
