// SPDX-License-Identifier: BSD-3-Clause
// Programs of threads made up: what OpenMP does is played, so that it is known who waits for whom, and written down as
// Score-P would.
#pragma once

#include "app/analysis/wait_states/wait_state.hpp"
#include "traces/recording/recording_builder.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace app::analysis::samples {

/// Regions whose names begin so become those of OpenMP, with the roles that Score-P gives them.
inline void giveRoles(traces::Recording& recording) {
    for (traces::Region& region : recording.regions) {
        const std::string_view name = region.name;
        if (name.starts_with("!$omp ") || name.starts_with("omp_")) region.paradigm = "openmp";
        if (name.starts_with("!$omp")) region.role = traces::RegionRole::construct;
        if (name.starts_with("!$omp barrier") || name == "MPI_Barrier") region.role = traces::RegionRole::barrier;
        if (name.starts_with("!$omp implicit barrier")) region.role = traces::RegionRole::implicitBarrier;
        if (name.starts_with("!$omp critical")) region.role = traces::RegionRole::critical;
        if (name.starts_with("!$omp critical sblock")) region.role = traces::RegionRole::construct;
    }
}

/// A wait that happened, and all threads that it may be said to have been for.
struct PlayedWait {
    WaitKind kind = WaitKind::atTeamBarrier;
    int thread = 0;
    std::vector<int> late;
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

struct Played {
    traces::Recording recording;
    std::vector<PlayedWait> waits;
};

/// One rank of up to five threads: serial parts, parallel regions of the first few of them, critical sections,
/// barriers. Times are picoseconds, short, so that much happens at one time.
class ThreadPlay {
public:
    explicit ThreadPlay(unsigned seed) : random_{seed} {
        threads_ = 2 + below(4);
        for (int t = 1; t < threads_; ++t) builder_.thread(engine::Rank{0}, "OMP thread " + std::to_string(t));
        since_.resize(static_cast<std::size_t>(threads_), 3);
        ever_.resize(since_.size());
    }

    Played play() {
        enter(0, 0, "main");
        enter(0, 0, "MPI_Init");
        leave(0, 3);
        std::int64_t now = 3;
        const int regions = 1 + below(6);
        for (int k = 0; k < regions; ++k) now = parallel(now + below(8));
        now += below(5);
        for (int t = 1; t < threads_; ++t)
            if (ever_[at(t)]) waited(WaitKind::idleThread, t, {0}, since_[at(t)], now);
        enter(0, now, "MPI_Finalize");
        leave(0, now + 2);
        leave(0, now + 2);
        played_.recording = builder_.finish();
        giveRoles(played_.recording);
        return std::move(played_);
    }

private:
    static std::size_t at(int thread) { return static_cast<std::size_t>(thread); }
    int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
    void enter(int thread, std::int64_t time, const char* region) {
        builder_.enter(thread, engine::Picoseconds{time}, region);
    }
    void leave(int thread, std::int64_t time) { builder_.leave(thread, engine::Picoseconds{time}); }
    void notice(int thread, std::int64_t time, traces::NoticeKind kind, std::uint32_t subject = 0,
                std::uint64_t number = 0) {
        builder_.notice(thread,
                        {.time = engine::Picoseconds{time}, .number = number, .subject = subject, .kind = kind});
    }
    void waited(WaitKind kind, int thread, std::vector<int> late, std::int64_t begin, std::int64_t end) {
        if (end > begin) played_.waits.push_back({kind, thread, std::move(late), begin, end});
    }

    /// Returns when all are done.
    std::int64_t parallel(std::int64_t fork) {
        const int team = 1 + below(threads_);
        notice(0, fork, traces::NoticeKind::fork, 0, static_cast<std::uint64_t>(team));
        std::vector<std::int64_t> now(at(team), fork);
        for (int t = 0; t < team; ++t) {
            if (t > 0) {
                now[at(t)] += below(3);
                waited(WaitKind::idleThread, t, {0}, since_[at(t)], fork > since_[at(t)] ? fork : now[at(t)]);
                ever_[at(t)] = true;
            }
            notice(t, now[at(t)], traces::NoticeKind::teamBegin, static_cast<std::uint32_t>(team));
            enter(t, now[at(t)], "!$omp parallel");
        }
        const int phases = below(4);
        for (int phase = 0; phase < phases; ++phase) {
            for (std::int64_t& time : now) time += below(10);
            if (below(3) == 0) {  // which only the master is in
                enter(0, now[0], "MPI_Barrier");
                leave(0, now[0] += below(4));
            }
            if (below(2) == 0) critical(now, static_cast<std::uint32_t>(below(2)));
            if (below(2) == 0) barrier(now, "!$omp barrier", WaitKind::atTeamBarrier);
        }
        barrier(now, "!$omp implicit barrier", WaitKind::atImplicitBarrier);
        std::int64_t last = fork;
        for (int t = 0; t < team; ++t) {
            leave(t, now[at(t)]);
            now[at(t)] += below(2);
            notice(t, now[at(t)], traces::NoticeKind::teamEnd, static_cast<std::uint32_t>(team));
            since_[at(t)] = now[at(t)];
            last = std::max(last, now[at(t)]);
        }
        notice(0, last, traces::NoticeKind::join);
        return last;
    }

    void barrier(std::vector<std::int64_t>& now, const char* name, WaitKind kind) {
        const std::int64_t came = *std::max_element(now.begin(), now.end());
        std::vector<int> late;
        for (std::size_t t = 0; t < now.size(); ++t)
            if (now[t] == came) late.push_back(static_cast<int>(t));
        for (std::size_t t = 0; t < now.size(); ++t) {
            waited(kind, static_cast<int>(t), late, now[t], came);
            enter(static_cast<int>(t), now[t], name);
            now[t] = came + below(2);
            leave(static_cast<int>(t), now[t]);
        }
    }

    /// All of the team go through one after the other, as they come.
    void critical(std::vector<std::int64_t>& now, std::uint32_t lock) {
        std::vector<int> order;
        for (std::size_t t = 0; t < now.size(); ++t) order.push_back(static_cast<int>(t));
        std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return now[at(a)] < now[at(b)]; });
        for (const int t : order) {
            std::int64_t& time = now[at(t)];
            Holder& last = holders_[lock];
            enter(t, time, "!$omp critical");
            const std::int64_t acquired = std::max(time, last.released) + (time <= last.released ? below(2) : 0);
            if (last.thread >= 0 && last.thread != t)
                waited(WaitKind::criticalContention, t, {last.thread}, time, last.released);
            notice(t, acquired, traces::NoticeKind::acquireLock, lock, ++last.count);
            enter(t, acquired, "!$omp critical sblock");
            time = acquired + 1 + below(5);
            leave(t, time);
            notice(t, time, traces::NoticeKind::releaseLock, lock, last.count);
            leave(t, time);
            last.thread = t;
            last.released = time;
        }
    }

    struct Holder {
        int thread = -1;
        std::int64_t released = 0;
        std::uint64_t count = 0;
    };

    std::mt19937 random_;
    traces::RecordingBuilder builder_{1};
    int threads_ = 2;
    std::vector<std::int64_t> since_;  ///< by thread: it is in no team
    std::vector<bool> ever_;           ///< by thread: it was in one
    Holder holders_[2];
    Played played_;
};

}  // namespace app::analysis::samples
