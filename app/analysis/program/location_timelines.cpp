// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/program/location_timelines.hpp"

#include "app/analysis/selection/program_time.hpp"
#include "engine/base/parallel.hpp"
#include "traces/kineto/kernels.hpp"
#include "traces/recording/by_rank.hpp"

#include <algorithm>

namespace app::analysis {
namespace {

using engine::Picoseconds;
using engine::Rank;

/// Puts the waits of a rank over what it did: they come in the order of their begins and may overlap.
class UnderWaits {
public:
    UnderWaits(Lane& lane, const std::vector<Wait>& waits, std::span<const std::uint32_t> its)
        : lane_{lane}, waits_{waits}, left_{its} {}

    void add(Lane::Stretch stretch) {
        while (!left_.empty() && stretch.begin < stretch.end) {
            const Wait& wait = waits_[left_.front()];
            if (wait.end() <= stretch.begin) {
                left_ = left_.subspan(1);
                continue;
            }
            if (wait.begin >= stretch.end) break;
            const Picoseconds from = std::max(wait.begin, stretch.begin);
            const Picoseconds to = std::min(wait.end(), stretch.end);
            lane_.add({stretch.begin, from, stretch.activity, stretch.id});
            lane_.add({from, to, Activity::waiting, left_.front()});
            stretch.begin = to;
        }
        lane_.add(stretch);
    }

private:
    Lane& lane_;
    const std::vector<Wait>& waits_;
    std::span<const std::uint32_t> left_;
};

/// From the innermost call to the next, as they are left and entered.
template <class Take>
void eachInnermost(const traces::States& states, Picoseconds first, Picoseconds last, Take take) {
    std::vector<std::uint32_t> open;
    Picoseconds now = first;
    const auto until = [&](Picoseconds time) {
        while (!open.empty() && states.end[open.back()] <= time) {
            const Picoseconds end = std::max(states.end[open.back()], now);
            take(open.back(), now, end);
            now = end;
            open.pop_back();
        }
        if (now < time) take(open.empty() ? Lane::noId : open.back(), now, time);
        now = std::max(now, time);
    };
    for (std::uint32_t i = 0; i < states.size(); ++i) {
        until(states.begin[i]);
        open.push_back(i);
    }
    until(last);
}

/// When each rank completed nonblocking collectives, rising.
std::vector<std::vector<Picoseconds>> completions(const traces::Recording& recording) {
    std::vector<std::vector<Picoseconds>> ends(engine::asSize(recording.ranks));
    for (const traces::Participant& part : recording.collectives.participants)
        if (part.nonBlocking) ends[part.rank.index()].push_back(part.end);
    for (std::vector<Picoseconds>& its : ends) std::ranges::sort(its);
    return ends;
}

/// `completed`: when its rank completed nonblocking collectives.
LocationTimelines::Track trackOf(const traces::Recording& recording, std::size_t location,
                                 std::span<const Activity> ofRegion, const std::vector<Picoseconds>& completed,
                                 const std::vector<Wait>& waits, std::span<const std::uint32_t> itsWaits) {
    const traces::States& states = recording.states[location];
    const traces::Location& its = recording.locations[location];
    const bool stream = its.kind == traces::LocationKind::accelerator;
    // What a stream does is done by the accelerator: also the operation that launched it, which lies around a kernel.
    const auto activityIn = [&](std::uint32_t call) {
        const auto region = static_cast<std::size_t>(states.region[call]);
        const Activity activity = ofRegion[region];
        if (activity == Activity::pointToPoint && recording.regions[region].call == traces::Call::wait) {
            const auto next = std::ranges::lower_bound(completed, states.begin[call]);
            if (next != completed.end() && *next <= states.end[call]) return Activity::collective;
        }
        return stream && activity == Activity::compute ? Activity::accelerator : activity;
    };
    // A stream without a kernel is idle.
    const Activity outside = its.speaksForRank && !stream ? Activity::compute : Activity::none;
    LocationTimelines::Track track;
    Picoseconds last = its.first;
    for (std::uint32_t i = 0; i < states.size(); ++i) {
        const std::size_t depth = states.depth[i];
        if (depth >= LocationTimelines::deepest) continue;
        if (track.calls.size() <= depth) track.calls.resize(depth + 1);
        if (depth == 0) track.calls[0].add({last, states.begin[i], outside, Lane::noId});
        if (depth == 0) last = std::max(last, states.end[i]);
        track.calls[depth].add({states.begin[i], states.end[i], activityIn(i), i});
    }
    if (!track.calls.empty()) track.calls[0].add({last, its.last, outside, Lane::noId});
    for (Lane& lane : track.calls) lane.finish();
    UnderWaits under{track.activity, waits, itsWaits};
    // A thread is idle before its first event and after its last one, too.
    under.add({Picoseconds{}, its.first, Activity::none, Lane::noId});
    eachInnermost(states, its.first, its.last, [&](std::uint32_t call, Picoseconds from, Picoseconds to) {
        under.add({from, to, call == Lane::noId ? outside : activityIn(call), call});
    });
    under.add({its.last, std::max(its.last, recording.duration), Activity::none, Lane::noId});
    track.activity.finish();
    return track;
}

std::vector<CollectiveMark> marksOf(const traces::Recording& recording) {
    std::vector<CollectiveMark> marks;
    for (std::size_t i = 0; i < recording.collectives.instances.size(); ++i) {
        const traces::Collective& instance = recording.collectives.instances[i];
        const auto parts = recording.collectives.of(instance);
        if (!traces::isCommunication(instance.operation) || parts.size() < 2) continue;
        CollectiveMark mark{Picoseconds::max(), Picoseconds::min(), static_cast<std::uint32_t>(i)};
        for (const traces::Participant& part : parts) {
            mark.begin = std::min(mark.begin, part.begin);
            mark.end = std::max(mark.end, part.end);
        }
        marks.push_back(mark);
    }
    std::stable_sort(marks.begin(), marks.end(), [](const auto& a, const auto& b) { return a.end < b.end; });
    return marks;
}

}  // namespace

LocationTimelines::LocationTimelines(const traces::Recording& recording, const std::vector<Wait>& waits,
                                     const engine::Progress& progress)
    : tracks_(recording.states.size()),
      own_(engine::asSize(recording.ranks), traces::noIndex),
      others_(own_.size()),
      isWithoutStartUp_{setUpTimes(recording).initialised.has_value()},
      summed_{isWithoutStartUp_ ? timeOfProgram(recording) : traces::TimeSpan{{}, recording.duration}},
      spent_(own_.size()),
      collectives_{marksOf(recording)} {
    std::vector<Activity> ofRegion;
    for (const traces::Region& region : recording.regions) {
        ofRegion.push_back(activityOf(region));
        if (ofRegion.back() == Activity::accelerator && traces::kineto::communicationKernel(region.name))
            ofRegion.back() = Activity::collective;
    }
    const Threads threads{recording};
    std::vector<Rank> who;  // threads by their places, as if they were ranks
    for (const Wait& wait : waits) who.emplace_back(threads.placeOf(wait.rank, wait.thread));
    traces::Grouped waitsOf{who, threads.count()};
    std::vector<std::span<const std::uint32_t>> waitsAt(tracks_.size());
    for (Rank place{0}; place.value < threads.count(); ++place) {
        std::stable_sort(waitsOf.of(place).begin(), waitsOf.of(place).end(),
                         [&](std::uint32_t a, std::uint32_t b) { return waits[a].begin < waits[b].begin; });
        const auto [rank, thread] = threads.at(place.value);
        if (const std::int32_t location = threads.locationOf(rank, thread); location != traces::noIndex)
            waitsAt[engine::asSize(location)] = std::as_const(waitsOf).of(place);
    }
    const std::vector<std::vector<Picoseconds>> completed = completions(recording);
    const std::vector<Picoseconds> none;
    engine::parallelFor(tracks_.size(), [&](std::size_t i) {
        if (progress.stop.stop_requested()) throw engine::Cancelled{};
        const Rank rank = recording.locations[i].rank;
        tracks_[i] =
            trackOf(recording, i, ofRegion, rank == traces::noRank ? none : completed[rank.index()], waits, waitsAt[i]);
    });
    const Picoseconds end = recording.duration + Picoseconds{1};
    const Picoseconds begin = std::min(summed_.begin, end);
    TimeInColumns whole{{Picoseconds{}, begin, std::clamp(summed_.end, begin, end), end}};
    for (std::size_t i = 0; i < tracks_.size(); ++i) {
        const traces::Location& location = recording.locations[i];
        TimeByActivity sums{};
        whole.add(tracks_[i].activity);
        whole.each([&](std::size_t column, Picoseconds, const TimeByActivity& its) {
            if (column == 1) sums = its;
            for (std::size_t k = 0; k < activities; ++k) present_[k] = present_[k] || its[k].count() > 0;
        });
        if (location.rank == traces::noRank) continue;
        if (location.speaksForRank) {
            own_[location.rank.index()] = static_cast<std::int32_t>(i);
            spent_[location.rank.index()] = sums;
        } else if (!tracks_[i].calls.empty()) {
            others_[location.rank.index()].push_back(i);
        }
    }
}

}  // namespace app::analysis
