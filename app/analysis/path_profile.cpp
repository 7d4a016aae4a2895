// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/path_profile.hpp"

#include <algorithm>
#include <map>

namespace app::analysis {

using engine::Picoseconds;
using engine::Rank;

std::string nameOf(const CallPlace& place, const CallPaths& paths) {
    return place.path == outsideOfCalls && place.before != outsideOfCalls ? "before " + paths.name(place.before)
                                                                          : paths.name(place.path);
}

namespace {

/// Where ranks were when.
class Whereabouts {
public:
    explicit Whereabouts(const CallPaths& paths) : paths_{paths} {}

    [[nodiscard]] PathId after(Rank rank, Picoseconds time) {
        return pathOf_.try_emplace(rank, paths_, rank).first->second.after(time);
    }

    /// Hands what a rank spent in [begin, end) to `take(place, time)`.
    template <class Take>
    void each(Rank rank, Picoseconds begin, Picoseconds end, Take take) {
        const std::int32_t location = paths_.recording().locationOf(rank);
        if (location == traces::noIndex) return;
        paths_.eachStretch(engine::asSize(location), begin, end, [&](PathId in, Picoseconds from, Picoseconds to) {
            take(CallPlace{in, in == outsideOfCalls ? after(rank, to) : outsideOfCalls}, to - from);
        });
    }

private:
    const CallPaths& paths_;
    std::map<Rank, PathOfRank> pathOf_;
};

}  // namespace

std::vector<OnPath> pathProfile(const std::vector<PathStep>& steps, const CallPaths& paths,
                                const std::vector<Wait>& waits, traces::TimeSpan within,
                                const engine::Progress& progress) {
    Whereabouts whereabouts{paths};
    std::map<CallPlace, std::map<Rank, Picoseconds>> onPath;
    for (const PathStep& step : steps) {
        progress.at(0);
        const bool inCall = step.isMessage || step.instance != Wait::none;
        Picoseconds told{};
        if (!inCall)
            whereabouts.each(step.rank, step.begin, step.end, [&](const CallPlace& place, Picoseconds time) {
                onPath[place][step.rank] += time;
                told += time;
            });
        // A message or a collective counts where the call is; what no location recorded, outside of all.
        const CallPlace rest{inCall ? whereabouts.after(step.rank, step.begin) : outsideOfCalls, outsideOfCalls};
        if (const Picoseconds left = step.end - step.begin - told; left > Picoseconds{})
            onPath[rest][step.rank] += left;
    }
    std::map<CallPlace, Picoseconds> spent;  // by all ranks
    const std::int32_t ranks = paths.recording().ranks;
    for (Rank rank{0}; rank.value < ranks; ++rank) {
        progress.at(static_cast<double>(rank.value) / static_cast<double>(ranks));
        whereabouts.each(rank, within.begin, within.end,
                         [&](const CallPlace& place, Picoseconds time) { spent[place] += time; });
    }
    for (const Wait& wait : waits) {
        const Picoseconds time = std::min(wait.end(), within.end) - std::max(wait.begin, within.begin);
        if (time > Picoseconds{}) spent[{whereabouts.after(wait.rank, wait.begin), outsideOfCalls}] -= time;
    }
    std::vector<OnPath> profile;
    for (const auto& [place, byRank] : onPath) {
        OnPath& one = profile.emplace_back(OnPath{.place = place, .rank = byRank.begin()->first});
        for (const auto& [rank, time] : byRank) {
            one.time += time;
            if (time > byRank.at(one.rank)) one.rank = rank;
        }
        one.mean = std::max(Picoseconds{}, spent[place]) / std::max(ranks, 1);
    }
    std::stable_sort(profile.begin(), profile.end(), [](const OnPath& a, const OnPath& b) { return a.time > b.time; });
    return profile;
}

}  // namespace app::analysis
