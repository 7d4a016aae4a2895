// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/critical_path/critical_path_profile.hpp"

#include "app/analysis/wait_states/wait_call_path.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace app::analysis {

using engine::Picoseconds;
using engine::Rank;

std::string nameOf(const CallPlace& place, const CallPaths& paths) {
    if (place.path == notRecorded) return "(not recorded)";
    return place.path == outsideOfCalls && place.before != outsideOfCalls ? "before " + paths.name(place.before)
                                                                          : paths.name(place.path);
}

namespace {

/// Where threads were when.
class Whereabouts {
public:
    Whereabouts(const CallPaths& paths, const Threads& threads) : paths_{paths}, threads_{threads} {}

    [[nodiscard]] PathId after(Rank rank, ThreadNumber thread, Picoseconds time) {
        const auto known = pathOf_.find({rank, thread});
        if (known != pathOf_.end()) return known->second.after(time);
        return pathOf_
            .try_emplace({rank, thread}, thread == 0 ? PathOfRank{paths_, rank}
                                                     : PathOfRank{paths_, rank, threads_.locationOf(rank, thread)})
            .first->second.after(time);
    }

    /// Hands what a thread spent in [begin, end) to `take(place, time)`.
    template <class Take>
    void each(Rank rank, ThreadNumber thread, Picoseconds begin, Picoseconds end, Take take) {
        const std::int32_t location = threads_.locationOf(rank, thread);
        if (location == traces::noIndex) return;
        paths_.eachStretch(engine::asSize(location), begin, end, [&](PathId in, Picoseconds from, Picoseconds to) {
            take(CallPlace{in, in == outsideOfCalls ? after(rank, thread, to) : outsideOfCalls}, to - from);
        });
    }

private:
    const CallPaths& paths_;
    const Threads& threads_;
    std::map<std::pair<Rank, ThreadNumber>, PathOfRank> pathOf_;
};

}  // namespace

std::vector<OnPath> pathProfile(const std::vector<PathStep>& steps, const CallPaths& paths,
                                const std::vector<Wait>& waits, traces::TimeSpan within,
                                const engine::Progress& progress) {
    const Threads threads{paths.recording()};
    Whereabouts whereabouts{paths, threads};
    std::map<CallPlace, std::map<Rank, Picoseconds>> onPath;
    for (const PathStep& step : steps) {
        progress.at(0);
        const bool inCall = step.isMessage || step.instance != Wait::none;
        Picoseconds told{};
        if (!inCall)
            whereabouts.each(step.rank, step.thread, step.begin, step.end,
                             [&](const CallPlace& place, Picoseconds time) {
                                 onPath[place][step.rank] += time;
                                 told += time;
                             });
        // A message or a collective counts where the call is.
        const CallPlace rest{inCall ? whereabouts.after(step.rank, step.thread, step.begin) : notRecorded,
                             outsideOfCalls};
        if (const Picoseconds left = step.end - step.begin - told; left > Picoseconds{})
            onPath[rest][step.rank] += left;
    }
    std::map<CallPlace, Picoseconds> spent;  // by all threads
    std::set<CallPlace> ofOthers;            // where a thread besides the ranks' own was
    for (std::int32_t k = 0; k < threads.count(); ++k) {
        progress.at(static_cast<double>(k) / static_cast<double>(threads.count()));
        const auto [rank, thread] = threads.at(k);
        Picoseconds missing = thread == 0 ? within.end - within.begin : Picoseconds{};
        whereabouts.each(rank, thread, within.begin, within.end,
                         [&, other = thread != 0](const CallPlace& place, Picoseconds time) {
                             spent[place] += time;
                             if (other) ofOthers.insert(place);
                             else missing -= time;
                         });
        spent[{notRecorded, outsideOfCalls}] += missing;
    }
    PathOfWaits pathOf{paths, threads};
    for (const Wait& wait : waits) {
        const Picoseconds time = std::min(wait.end(), within.end) - std::max(wait.begin, within.begin);
        if (time > Picoseconds{}) spent[{pathOf.in(wait), outsideOfCalls}] -= time;
    }
    std::vector<OnPath> profile;
    for (const auto& [place, byRank] : onPath) {
        OnPath& one = profile.emplace_back(OnPath{.place = place, .rank = byRank.begin()->first});
        for (const auto& [rank, time] : byRank) {
            one.time += time;
            if (time > byRank.at(one.rank)) one.rank = rank;
        }
        one.mean =
            std::max(Picoseconds{}, spent[place]) /
            std::max(threads.recordedRanks() + (ofOthers.contains(place) ? threads.count() - threads.ranks() : 0), 1);
    }
    std::stable_sort(profile.begin(), profile.end(), [](const OnPath& a, const OnPath& b) { return a.time > b.time; });
    return profile;
}

}  // namespace app::analysis
