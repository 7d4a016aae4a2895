// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/wait_states/call_path_intervals.hpp"

namespace app::analysis {

using engine::Picoseconds;

PathTimes::PathTimes(const CallPaths& paths, std::size_t location, std::vector<WaitOnPath> waits)
    : paths_{paths}, location_{location}, stretches_{paths.size()}, waits_{std::move(waits)}, waited_{paths.size()} {
    const traces::Location& its = paths.recording().locations[location];
    paths.eachStretch(location, its.first, its.last, [&](PathId path, Picoseconds from, Picoseconds to) {
        if (stretches_.atMark()) at_.push_back(from);
        stretches_.add(path, to - from);
    });
    over_.reserve(waits_.size());
    for (const WaitOnPath& wait : waits_) {
        over_.push_back(over_.empty() ? wait.end : std::max(over_.back(), wait.end));
        waited_.add(wait.path, wait.end - wait.begin);
    }
}

}  // namespace app::analysis
