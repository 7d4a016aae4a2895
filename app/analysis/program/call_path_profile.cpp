// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/program/call_path_profile.hpp"

#include "app/analysis/wait_states/wait_call_path.hpp"
#include "engine/base/parallel.hpp"
#include "traces/recording/by_rank.hpp"
#include "traces/recording/byte_counting.hpp"
#include "traces/recording/run_from_recording.hpp"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <tuple>

namespace app::analysis {

using engine::Picoseconds;
using engine::Rank;

void AcrossRanks::add(Rank rank, std::size_t place, std::size_t ranks, Picoseconds time) {
    if (count_ == 0 || std::tie(time, rank) < std::tie(least, leastRank)) least = time, leastRank = rank;
    if (count_ == 0 || time > most || (time == most && rank < mostRank)) most = time, mostRank = rank;
    ++count_;
    sum_ += time;
    used_ = std::min(ranks, mostBins);
    Picoseconds& bin = bins_[place * used_ / ranks];
    bin = std::max(bin, time);
}

std::string AcrossRanks::heat() const {
    std::string letters;
    if (count_ < 2) return letters;
    for (std::size_t i = 0; i < used_; ++i)
        letters += bins_[i].count() == 0
                       ? '.'
                       : static_cast<char>(
                             '0' + std::min<std::int64_t>(
                                       9, static_cast<std::int64_t>(10.0 * static_cast<double>(bins_[i].count()) /
                                                                    static_cast<double>(most.count()))));
    return letters;
}

/// What one rank spent, path by path.
class CallProfile::Summing {
public:
    Summing(const CallPaths& tree, const Selection& selection, const std::vector<Wait>& waits)
        : tree_{tree},
          recording_{tree.recording()},
          selection_{selection},
          begin_{selection.part.span(recording_.duration).begin},
          end_{selection.part.span(recording_.duration).end},
          waits_{waits},
          ownRun_{traces::isOwn(recording_)},
          threads_{recording_},
          counting_{traces::countingOf(recording_)} {
        std::vector<Rank> who(waits.size());
        std::transform(waits.begin(), waits.end(), who.begin(), [](const Wait& wait) { return wait.rank; });
        waitsOf_.emplace(who, recording_.ranks);
        sends_.emplace(recording_.messages.from.span(), recording_.ranks);
        receives_.emplace(recording_.messages.to.span(), recording_.ranks);
        locations_ = locationsOfRanks(recording_);
        parts_.resize(engine::asSize(recording_.ranks));
        for (std::uint32_t i = 0; i < recording_.collectives.instances.size(); ++i) {
            const traces::Collective& instance = recording_.collectives.instances[i];
            if (selection_.part.choosesMessages() || !selection_.has(instance.communicator)) continue;
            for (std::size_t k = instance.first; k < instance.first + instance.count; ++k)
                parts_[recording_.collectives.participants[k].rank.index()].push_back(
                    {i, static_cast<std::uint32_t>(k)});
        }
    }

    [[nodiscard]] std::vector<Spent> of(Rank rank) const {
        std::vector<Spent> sums(tree_.size());
        for (const std::size_t location : locations_[rank.index()]) addTimes(location, sums);
        PathOfRank path{tree_, rank};
        PathOfWaits pathOf{tree_, threads_};
        std::vector<traces::TimeSpan> atPorts;
        for (const std::uint32_t i : waitsOf_->of(rank)) {
            const Wait& wait = waits_[i];
            const Picoseconds begin = std::max(wait.begin, begin_), end = std::min(wait.end(), end_);
            if (begin >= end) continue;
            if (ownRun_) atPorts.push_back({begin, end});
            else sums[pathOf.in(wait)].waiting += end - begin;
        }
        addWaits(rank, std::move(atPorts), sums);
        addBytes(rank, path, sums);
        return sums;
    }

    /// Calls of a location.
    void addTimes(std::size_t location, std::vector<Spent>& sums) const {
        const traces::States& states = recording_.states[location];
        for (std::size_t s = 0; s < states.size(); ++s)
            if (selection_.part.overlaps(states.begin[s], states.end[s])) ++sums[tree_.of(location, s)].visits;
        tree_.eachStretch(location, begin_, end_,
                          [&](PathId path, Picoseconds from, Picoseconds to) { sums[path].own += to - from; });
    }

private:
    /// Of our own runs, where a rank waits between stages, too, and with several ports for several at once: that time
    /// counts once, in the stages in which it lies.
    void addWaits(Rank rank, std::vector<traces::TimeSpan> waits, std::vector<Spent>& sums) const {
        std::sort(waits.begin(), waits.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
        Picoseconds until = begin_;
        for (const auto& [begin, end] : waits) {
            for (const std::size_t location : locations_[rank.index()])
                tree_.eachStretch(
                    location, std::max(begin, until), end,
                    [&](PathId path, Picoseconds from, Picoseconds to) { sums[path].waiting += to - from; });
            until = std::max(until, end);
        }
    }
    void addBytes(Rank rank, PathOfRank& path, std::vector<Spent>& sums) const {
        const traces::Messages& m = recording_.messages;
        for (const std::uint32_t i : sends_->of(rank))
            if (selection_.has(m, i)) sums[path.after(m.sendBegin[i])].sent += m.bytes[i];
        for (const std::uint32_t i : receives_->of(rank))
            if (selection_.has(m, i)) sums[path.before(m.receiveEnd[i])].received += m.bytes[i];
        for (const auto& [i, k] : parts_[rank.index()]) {
            const traces::Participant& part = recording_.collectives.participants[k];
            if (!selection_.part.overlaps(part.begin, part.end)) continue;
            Spent& sum = sums[path.after(part.begin)];
            const traces::MovedBytes moved = movedBy(part, recording_.collectives.instances[i], recording_, counting_);
            sum.sent += moved.sent;
            sum.received += moved.received;
        }
    }

    const CallPaths& tree_;
    const traces::Recording& recording_;
    const Selection& selection_;
    Picoseconds begin_;
    Picoseconds end_;
    const std::vector<Wait>& waits_;
    bool ownRun_;
    Threads threads_;
    LocationsOfRanks locations_;
    std::optional<traces::Grouped> waitsOf_, sends_, receives_;
    traces::Counting counting_;
    /// By rank: collectives, and its participants among all.
    std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> parts_;
};

namespace {

void add(Spent& to, const Spent& more) {
    to.visits += more.visits;
    to.own += more.own;
    to.waiting += more.waiting;
    to.sent += more.sent;
    to.received += more.received;
}

std::size_t regionOf(const CallPaths& tree, PathId path) {
    const std::int32_t region = tree[path].region;
    return region == traces::noIndex ? tree.recording().regions.size() : engine::asSize(region);
}

}  // namespace

CallProfile::CallProfile(const CallPaths& paths, const Selection& selection, const std::vector<Wait>& waits,
                         const engine::Progress& progress)
    : tree_{paths}, paths_(paths.size()), regions_(paths.recording().regions.size() + 1) {
    const traces::Recording& recording = paths.recording();
    const Summing summing{paths, selection, waits};
    const std::vector<bool> recorded = traces::recordedRanks(recording);
    std::vector<Rank> ranks;
    for (Rank rank{0}; rank.value < recording.ranks; ++rank)
        if (selection.part.has(rank) && recorded[rank.index()]) ranks.push_back(rank);
    std::mutex guard;
    engine::parallelFor(
        ranks.size(),
        [&](std::size_t place) {
            const std::vector<Spent> sums = summing.of(ranks[place]);
            std::vector<Picoseconds> own(regions_.size());
            for (PathId path = 0; path < sums.size(); ++path) own[regionOf(tree_, path)] += sums[path].own;
            const std::lock_guard lock{guard};
            for (PathId path = 0; path < sums.size(); ++path) {
                add(paths_[path], sums[path]);
                paths_[path].ranks.add(ranks[place], place, ranks.size(), sums[path].own);
            }
            for (std::size_t region = 0; region < own.size(); ++region)
                regions_[region].ranks.add(ranks[place], place, ranks.size(), own[region]);
        },
        [&] { progress.at(0); });
    // Who belongs to no rank counts where everything is looked at.
    if (selection.part.ranks.empty())
        for (std::size_t i = 0; i < recording.locations.size(); ++i)
            if (recording.locations[i].rank == traces::noRank) summing.addTimes(i, paths_);
    sumUp();
}

/// Adds up regions, then what paths called.
void CallProfile::sumUp() {
    std::vector<bool> counted(regions_.size());
    for (PathId path = 0; path < paths_.size(); ++path) {
        const Spent& alone = paths_[path];
        Spent& itself = regions_[regionOf(tree_, path)];
        itself.visits += alone.visits;
        itself.own += alone.own;
        std::vector<std::size_t> around;
        for (PathId at = path;; at = tree_[at].parent) {
            const std::size_t region = regionOf(tree_, at);
            if (!counted[region] && (at == path || at != outsideOfCalls)) {
                counted[region] = true;
                around.push_back(region);
                Spent& sum = regions_[region];
                sum.time += alone.own;
                sum.waiting += alone.waiting;
                sum.sent += alone.sent;
                sum.received += alone.received;
            }
            if (at == outsideOfCalls) break;
        }
        for (const std::size_t region : around) counted[region] = false;
    }
    for (Spent& one : paths_) one.time = one.own;
    for (auto path = static_cast<PathId>(paths_.size()); --path > 0;) {
        const PathId parent = tree_[path].parent;
        if (parent == outsideOfCalls) continue;
        Spent& to = paths_[parent];
        to.time += paths_[path].time;
        to.waiting += paths_[path].waiting;
        to.sent += paths_[path].sent;
        to.received += paths_[path].received;
    }
}

std::vector<PathId> CallProfile::inOrder() const {
    std::vector<std::vector<PathId>> below(paths_.size());
    for (PathId path = 1; path < paths_.size(); ++path) below[tree_[path].parent].push_back(path);
    const auto shortestFirst = [&](PathId a, PathId b) {
        return std::tuple{paths_[a].time, b} < std::tuple{paths_[b].time, a};
    };
    std::vector<PathId> order;
    std::vector<PathId> waiting = std::move(below[outsideOfCalls]);
    std::sort(waiting.begin(), waiting.end(), shortestFirst);
    while (!waiting.empty()) {
        const PathId path = waiting.back();
        waiting.pop_back();
        if (paths_[path].visits > 0 || path == tree_.accelerators()) order.push_back(path);
        std::sort(below[path].begin(), below[path].end(), shortestFirst);
        waiting.insert(waiting.end(), below[path].begin(), below[path].end());
    }
    if (paths_[outsideOfCalls].own > Picoseconds{} || paths_[outsideOfCalls].waiting > Picoseconds{})
        order.push_back(outsideOfCalls);
    return order;
}

}  // namespace app::analysis
