// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/efficiency/efficiency.hpp"

#include "app/analysis/calls/activity.hpp"
#include "app/analysis/program/rank_activity.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace app::analysis {

using engine::Picoseconds;
using engine::Rank;
using traces::Recording;
using traces::TimeSpan;

std::string_view Efficiency::limitedBy() const {
    std::pair<double, std::string_view> lowest{loadBalance(), "load balance"};
    const auto also = [&](double factor, std::string_view name) {
        if (factor < lowest.first) lowest = {factor, name};
    };
    if (idealTime) {
        also(serialization(), "serialization efficiency");
        also(transfer(), "transfer efficiency");
    } else {
        also(communication(), "communication efficiency");
    }
    if (threads) also(thread(), "thread efficiency");
    return lowest.second;
}

bool hasMpiCalls(const traces::Recording& recording) {
    return std::ranges::any_of(recording.regions, [](const traces::Region& region) {
        return region.calls > 0 && region.call != traces::Call::none;
    });
}

Efficiencies::Efficiencies(const Recording& recording, const engine::Progress& progress)
    : recording_{recording},
      whole_{timeOfProgram(recording)},
      computation_{recording},
      threads_{recording},
      program_{recordedProgram(recording, {}, progress)},
      ideal_{recording, program_} {}

namespace {

/// `all` has the sums of ranks.
std::optional<Efficiency::OfThreads> meanOfRanks(const ThreadComputation& threads, const std::vector<Rank>& ranks,
                                                 const ThreadComputation::Mean& all) {
    if (ranks.empty() || !threads.hasThreads()) return std::nullopt;
    const auto count = static_cast<std::int64_t>(ranks.size());
    Efficiency::OfThreads its{.mean = {all.inParallel / count, all.serial / count, all.all / count},
                              .hasParallelRegions = threads.hasParallelRegions()};
    for (const Rank rank : ranks) its.count += threads.threads().countOf(rank);
    return its.count > count ? std::optional{its} : std::nullopt;
}

/// computation(rank, span): what the rank computed in it; nothing of one that recorded nothing.
template <class Computed>
Efficiency efficiencyOf(const Recording& recording, const ThreadComputation& threads, TimeSpan whole, TimeSpan window,
                        const std::vector<Rank>& ranks, Computed computation) {
    Efficiency its{.span = {std::max(window.begin, whole.begin), std::min(window.end, whole.end)}};
    its.span.end = std::max(its.span.end, its.span.begin);
    __int128 sum = 0;
    std::vector<Rank> counted;
    ThreadComputation::Mean ofThreads;
    const auto add = [&](Rank rank) {
        const std::optional<Picoseconds> own = computation(rank, its.span);
        if (!own) return;
        sum += own->count();
        counted.push_back(rank);
        ofThreads += threads.of(rank, its.span.begin, its.span.end);
        if (*own <= its.maxComputation && its.maxRank != traces::noRank) return;
        its.maxComputation = *own;
        its.maxRank = rank;
    };
    if (ranks.empty())
        for (Rank rank{0}; rank.value < recording.ranks; ++rank) add(rank);
    for (const Rank rank : ranks) add(rank);
    its.meanComputation =
        Picoseconds{counted.empty() ? 0 : static_cast<std::int64_t>(sum / static_cast<__int128>(counted.size()))};
    its.threads = meanOfRanks(threads, counted, ofThreads);
    return its;
}

}  // namespace

Efficiency efficiencyInBrief(const Recording& recording, TimeSpan window, const std::vector<Rank>& ranks) {
    const ComputationTimes computation{recording};
    return efficiencyOf(recording, ThreadComputation{recording}, timeOfProgram(recording), window, ranks,
                        [&](Rank rank, TimeSpan span) -> std::optional<Picoseconds> {
                            if (recording.locationOf(rank) == traces::noIndex) return std::nullopt;
                            return computation.of(rank, span.begin, span.end);
                        });
}

std::vector<RegionEfficiency> efficienciesOfRegions(const CallPaths& paths, TimeSpan window,
                                                    const std::vector<Rank>& ranks, double least,
                                                    const engine::Progress& progress) {
    const Recording& recording = paths.recording();
    const TimeSpan whole = timeOfProgram(recording);
    window = {std::max(window.begin, whole.begin), std::min(window.end, whole.end)};
    const auto regionOf = [&](PathId path) { return paths[path].region; };
    std::vector<bool> inMpi(paths.size()), repeats(paths.size());
    for (PathId path = 1; path < paths.size(); ++path) {
        if (regionOf(path) == traces::noIndex) continue;
        // Their computation is not known.
        repeats[path] = paths.isKnownByCalls(path);
        inMpi[path] = inMpi[paths[path].parent] || isMpiCall(recording.regions[engine::asSize(regionOf(path))]);
        for (PathId above = paths[path].parent; above != outsideOfCalls && !repeats[path]; above = paths[above].parent)
            repeats[path] = regionOf(above) == regionOf(path);
    }
    struct Sum {
        Picoseconds most{}, mostComputation{};
        Rank rank = traces::noRank;
        std::int64_t computation = 0;
        bool calledMpi = false;
        ThreadComputation::Mean ofThreads{};
    };
    std::vector<Sum> sums(recording.regions.size());
    const ThreadComputation threads{recording};
    std::vector<Rank> counted;
    const auto add = [&](Rank rank) {
        const std::int32_t location = recording.locationOf(rank);
        if (progress.stop.stop_requested()) throw engine::Cancelled{};
        if (location == traces::noIndex) return;
        counted.push_back(rank);
        // Each path's time includes that of the paths below it, whose numbers are larger than its own.
        std::vector<Picoseconds> time(paths.size()), computation(paths.size());
        std::vector<ThreadComputation::Mean> ofThreads(threads.hasThreads() ? paths.size() : 0);
        paths.eachStretch(engine::asSize(location), window.begin, window.end,
                          [&](PathId path, Picoseconds from, Picoseconds to) {
                              time[path] += to - from;
                              if (!inMpi[path]) computation[path] += to - from;
                              if (threads.hasThreads()) ofThreads[path] += threads.of(rank, from, to);
                          });
        std::vector<Picoseconds> ofRegion(sums.size()), computed(sums.size());
        for (auto path = static_cast<PathId>(paths.size() - 1); path > outsideOfCalls; --path) {
            time[paths[path].parent] += time[path];
            computation[paths[path].parent] += computation[path];
            if (threads.hasThreads()) ofThreads[paths[path].parent] += ofThreads[path];
            if (regionOf(path) == traces::noIndex || inMpi[path] || repeats[path]) continue;
            ofRegion[engine::asSize(regionOf(path))] += time[path];
            computed[engine::asSize(regionOf(path))] += computation[path];
            if (threads.hasThreads()) sums[engine::asSize(regionOf(path))].ofThreads += ofThreads[path];
        }
        for (std::size_t region = 0; region < sums.size(); ++region) {
            if (ofRegion[region] == Picoseconds{}) continue;
            Sum& sum = sums[region];
            sum.most = std::max(sum.most, ofRegion[region]);
            sum.computation += computed[region].count();
            sum.calledMpi = sum.calledMpi || computed[region] < ofRegion[region];
            if (sum.rank != traces::noRank && computed[region] <= sum.mostComputation) continue;
            sum.mostComputation = computed[region];
            sum.rank = rank;
        }
    };
    if (ranks.empty())
        for (Rank rank{0}; rank.value < recording.ranks; ++rank) add(rank);
    for (const Rank rank : ranks) add(rank);
    std::vector<RegionEfficiency> found;
    const auto enough =
        Picoseconds{static_cast<std::int64_t>(least * static_cast<double>((window.end - window.begin).count()))};
    for (std::size_t region = 0; region < sums.size(); ++region) {
        const Sum& sum = sums[region];
        if (!sum.calledMpi || sum.most < enough) continue;
        found.push_back({static_cast<std::int32_t>(region),
                         {.span = {window.begin, window.begin + sum.most},
                          .meanComputation = Picoseconds{sum.computation / static_cast<std::int64_t>(counted.size())},
                          .maxComputation = sum.mostComputation,
                          .maxRank = sum.rank,
                          .threads = meanOfRanks(threads, counted, sum.ofThreads)}});
    }
    std::ranges::stable_sort(found, std::greater{}, [](const RegionEfficiency& one) { return one.efficiency.time(); });
    return found;
}

Efficiency Efficiencies::of(TimeSpan window, const std::vector<Rank>& ranks) {
    Efficiency its = efficiencyOf(recording_, threads_, whole_, window, ranks,
                                  [&](Rank rank, TimeSpan span) -> std::optional<Picoseconds> {
                                      if (!computation_.isRecorded(rank)) return std::nullopt;
                                      return computation_.of(rank, span.begin, span.end);
                                  });
    // Threads that communicate beside their rank may leave it more computation than its own calls do.
    its.idealTime =
        std::max(its.maxComputation, ideal_.timeOf(its.span, [&](Rank rank, Picoseconds from, Picoseconds to) {
            return computation_.of(rank, from, to);
        }));
    return its;
}

Efficiency Efficiencies::ofIteration(const std::vector<Rank>& ranks, const std::vector<TimeSpan>& windows) {
    Efficiency its;
    __int128 sum = 0;
    Picoseconds begin{}, longest{};
    engine::ById<Rank, TimeSpan> byRank(engine::asSize(recording_.ranks));
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        const TimeSpan& window = byRank[ranks[i]] = windows[i];
        begin = i == 0 ? window.begin : std::min(begin, window.begin);
        longest = std::max(longest, window.end - window.begin);
        const Picoseconds own = computation_.of(ranks[i], window.begin, window.end);
        sum += own.count();
        if (own <= its.maxComputation && its.maxRank != traces::noRank) continue;
        its.maxComputation = own;
        its.maxRank = ranks[i];
    }
    its.span = {begin, begin + longest};
    its.meanComputation = Picoseconds{static_cast<std::int64_t>(sum / std::max<std::int64_t>(1, std::ssize(ranks)))};
    const Picoseconds ideal = ideal_.timeOf(
        byRank, [&](Rank rank, Picoseconds from, Picoseconds to) { return computation_.of(rank, from, to); });
    // Ranks that did not start at once may have waited for less than on the ideal network.
    its.idealTime = std::max(its.maxComputation, std::min(ideal, longest));
    return its;
}

}  // namespace app::analysis
