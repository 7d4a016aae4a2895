// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/attendance.hpp"

#include "app/analysis/part.hpp"

#include <algorithm>

namespace app::analysis {

using engine::Picoseconds;

Attendance& Attendance::operator+=(const Attendance& other) {
    absent += other.absent;
    busy += other.busy;
    wait += other.wait;
    idle += other.idle;
    return *this;
}

std::vector<Attendance> attendanceOf(const engine::Run& run, std::span<const engine::RankTimes> ranks,
                                     traces::TimeSpan within) {
    const std::vector<Picoseconds> arrived = arrivalTimes(run);
    std::vector<Attendance> all;
    all.reserve(ranks.size());
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        const engine::RankTimes& times = ranks[rank];
        Attendance its{{}, times.busy, times.wait, times.idle};
        // Who has no part in any message would have been done from the first moment on.
        Picoseconds& still = times.busy + times.wait > Picoseconds{} ? its.wait : its.idle;
        const Picoseconds came = rank < arrived.size() ? arrived[rank] : Picoseconds{};
        its.absent = std::clamp(came - within.begin, Picoseconds{}, still);
        still -= its.absent;
        all.push_back(its);
    }
    return all;
}

std::vector<Attendance> attendanceOf(const engine::Run& run) {
    return attendanceOf(run, run.perRank, {{}, run.duration});
}

Attendance attendanceInAll(const engine::Run& run) {
    Attendance all;
    for (const Attendance& its : attendanceOf(run)) all += its;
    return all;
}

}  // namespace app::analysis
