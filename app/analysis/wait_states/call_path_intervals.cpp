// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/wait_states/call_path_intervals.hpp"

#include <algorithm>
#include <iterator>

namespace app::analysis {

using engine::Picoseconds;

CallPlaces::CallPlaces(const CallPaths& paths) : paths_{paths}, before_(paths.size()) {
    const auto isOutside = [&](PathId path) { return path == outsideOfCalls || paths.isKnownByCalls(path); };
    for (PathId path = outsideOfCalls + 1; path < paths.size(); ++path) {
        if (isOutside(path) || !isOutside(paths[path].parent)) continue;
        before_[path] = static_cast<PlaceNumber>(size());
        next_.push_back(path);
    }
}

PathTimes::PathTimes(const CallPaths& paths, const CallPlaces& places, std::size_t location,
                     std::vector<WaitOnPath> waits)
    : paths_{paths},
      places_{places},
      location_{location},
      stretches_{places.size()},
      begins_(places.size()),
      waits_{std::move(waits)},
      waited_{places.size()} {
    const traces::Location& its = paths.recording().locations[location];
    places.eachStretch(location, its.first, its.last, [&](PlaceNumber place, Picoseconds from, Picoseconds to) {
        if (stretches_.atMark()) at_.push_back(from);
        stretches_.add(place, to - from);
        begins_[place].push_back(from);
    });
    over_.reserve(waits_.size());
    for (const WaitOnPath& wait : waits_) {
        over_.push_back(over_.empty() ? wait.end : std::max(over_.back(), wait.end));
        waited_.add(wait.path, wait.end - wait.begin);
    }
}

std::optional<Picoseconds> PathTimes::lastBegin(PlaceNumber place, Picoseconds time) const {
    const auto behind = std::ranges::lower_bound(begins_[place], time);
    return behind == begins_[place].begin() ? std::nullopt : std::optional{*std::prev(behind)};
}

}  // namespace app::analysis
