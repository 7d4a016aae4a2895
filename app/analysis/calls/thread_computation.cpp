// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/calls/thread_computation.hpp"

#include "app/analysis/calls/activity.hpp"

#include <algorithm>
#include <cstdint>

namespace app::analysis {

using engine::Picoseconds;
using engine::Rank;
using traces::Notice;
using traces::NoticeKind;
using traces::Recording;
using traces::TimeSpan;

namespace {

enum class Doing : std::uint8_t { computing, managing, communicating };

std::vector<Doing> doingOfRegions(const Recording& recording) {
    std::vector<Doing> doing;
    for (const traces::Region& region : recording.regions) {
        // What is within a construct, and in no barrier, is the program's own work.
        const bool managing = activityOf(region) == Activity::threads && region.role != traces::RegionRole::construct;
        doing.push_back(isMpiCall(region) ? Doing::communicating : managing ? Doing::managing : Doing::computing);
    }
    return doing;
}

/// Calls take(begin, end) for the times in which a location computes, in their order.
template <class Take>
void eachComputation(const Recording& recording, const std::vector<Doing>& doing, std::size_t location,
                     bool computesOutsideOfCalls, Take take) {
    const traces::States& states = recording.states[location];
    struct Open {
        Picoseconds end{};
        Doing doing = Doing::computing;
    };
    std::vector<Open> open;
    Picoseconds since = recording.locations[location].first;
    const auto until = [&](Picoseconds time) {
        const bool computes = open.empty() ? computesOutsideOfCalls : open.back().doing == Doing::computing;
        if (computes && time > since) take(since, time);
        since = std::max(since, time);
    };
    const auto closeBefore = [&](Picoseconds time) {
        for (; !open.empty() && open.back().end <= time; open.pop_back()) until(open.back().end);
    };
    for (std::size_t i = 0; i < states.size(); ++i) {
        closeBefore(states.begin[i]);
        until(states.begin[i]);
        const bool inMpi = !open.empty() && open.back().doing == Doing::communicating;
        open.push_back({states.end[i], inMpi ? Doing::communicating : doing[engine::asSize(states.region[i])]});
    }
    closeBefore(recording.locations[location].last);
    until(recording.locations[location].last);
}

/// From where a thread forks others until it joins them, the outermost.
std::vector<TimeSpan> parallelRegionsOf(const Recording& recording, std::size_t location) {
    std::vector<TimeSpan> all;
    int depth = 0;
    if (recording.notices.empty()) return all;
    for (const Notice& notice : recording.notices[location].span()) {
        if (notice.kind == NoticeKind::fork && depth++ == 0)
            all.push_back({notice.time, recording.locations[location].last});
        if (notice.kind == NoticeKind::join && depth > 0 && --depth == 0) all.back().end = notice.time;
    }
    return all;
}

bool isInTeams(const Recording& recording, std::size_t location) {
    if (recording.notices.empty()) return false;
    const auto notices = recording.notices[location].span();
    return std::ranges::any_of(notices, [](const Notice& one) { return one.kind == NoticeKind::teamBegin; });
}

bool recordsThreads(const Recording& recording) {
    return std::ranges::any_of(recording.regions, [](const traces::Region& region) {
        return region.calls > 0 && activityOf(region) == Activity::threads;
    });
}

}  // namespace

ThreadComputation::ThreadComputation(const Recording& recording) : threads_{recording} {
    if (threads_.count() == threads_.ranks() || !recordsThreads(recording)) return;
    ranks_.resize(engine::asSize(recording.ranks));
    const std::vector<Doing> doing = doingOfRegions(recording);
    for (Rank rank{0}; rank.value < recording.ranks; ++rank) {
        OfRank& its = ranks_[rank.index()];
        if (const std::int32_t own = threads_.locationOf(rank, 0); own != traces::noIndex) {
            const std::vector<TimeSpan> parallel = parallelRegionsOf(recording, engine::asSize(own));
            hasParallelRegions_ = hasParallelRegions_ || !parallel.empty();
            auto region = parallel.begin();
            eachComputation(recording, doing, engine::asSize(own), true, [&](Picoseconds begin, Picoseconds end) {
                its.own.add(begin, end);
                while (region != parallel.end() && region->end <= begin) ++region;
                for (auto at = region; at != parallel.end() && at->begin < end; ++at)
                    its.ownInParallel.add(std::max(begin, at->begin), std::min(end, at->end));
            });
        }
        for (ThreadNumber thread = 1; thread < threads_.countOf(rank); ++thread) {
            const auto location = engine::asSize(threads_.locationOf(rank, thread));
            IntervalSums& sums = its.others.emplace_back();
            eachComputation(recording, doing, location, !isInTeams(recording, location),
                            [&](Picoseconds begin, Picoseconds end) { sums.add(begin, end); });
        }
    }
}

ThreadComputation::Mean& ThreadComputation::Mean::operator+=(const Mean& other) {
    inParallel += other.inParallel;
    serial += other.serial;
    all += other.all;
    return *this;
}

ThreadComputation::Mean ThreadComputation::of(Rank rank, Picoseconds from, Picoseconds to) const {
    if (ranks_.empty()) return {};
    const OfRank& its = ranks_[rank.index()];
    const Picoseconds own = its.own.between(from, to);
    const Picoseconds ownInParallel = its.ownInParallel.between(from, to);
    Picoseconds sum = ownInParallel;
    for (const IntervalSums& other : its.others) sum += other.between(from, to);
    const auto threads = static_cast<std::int64_t>(its.others.size()) + 1;
    return {sum / threads, own - ownInParallel, (sum + own - ownInParallel) / threads};
}

}  // namespace app::analysis
