// SPDX-License-Identifier: BSD-3-Clause
// What ranks spent by call path and before which call, against a look at every picosecond on its own.
#include "app/analysis/wait_states/call_path_intervals.hpp"
#include "tests/support/programs/random_program.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>

namespace app::analysis::in_path_times {
namespace {

using engine::Picoseconds;

/// A path, and of what is outside of calls the next one.
using Place = std::pair<PathId, PathId>;

/// The place of each picosecond of the location.
std::vector<Place> placesByTime(const traces::Recording& recording, const CallPaths& paths) {
    std::vector<Place> all;
    const traces::States& states = recording.states.front();
    for (std::int64_t t = 0; t < recording.locations.front().last.count(); ++t) {
        const auto calls = slow::callsDuring(states, t);
        PathId next = outsideOfCalls;
        for (std::size_t i = 0; i < states.size() && calls.empty() && next == outsideOfCalls; ++i)
            if (states.begin[i].count() > t) next = paths.of(0, i);
        all.emplace_back(calls.empty() ? outsideOfCalls : paths.of(0, calls.back()), next);
    }
    return all;
}

/// Up to `most` waits by their begins, which may lie in each other and reach beyond the program.
std::vector<WaitOnPath> randomWaits(std::mt19937& random, std::size_t paths, std::int64_t end, int most) {
    const auto below = [&](std::int64_t n) { return static_cast<std::int64_t>(random() % static_cast<unsigned>(n)); };
    std::vector<WaitOnPath> waits;
    for (std::int64_t k = below(most); k > 0; --k) {
        const Picoseconds begin{below(end + 5)};
        waits.push_back({begin, begin + Picoseconds{below(k % 7 == 0 ? 100 : 6)},
                         static_cast<PathId>(below(static_cast<std::int64_t>(paths)))});
    }
    std::stable_sort(waits.begin(), waits.end(),
                     [](const WaitOnPath& a, const WaitOnPath& b) { return a.begin < b.begin; });
    return waits;
}

TEST(PathTimesJudged, areThoseOfEveryPicosecond) {
    std::mt19937 random{31};
    for (int trial = 0; trial < 40; ++trial) {
        // Enough stretches and waits for several marks, and few.
        const traces::Recording recording = slow::randomProgram(random, 1, trial % 4 == 0 ? 30 : 3000);
        const CallPaths paths{recording};
        const CallPlaces places{paths};
        const std::vector<Place> byTime = placesByTime(recording, paths);
        const std::int64_t first = recording.locations.front().first.count();
        const auto end = static_cast<std::int64_t>(byTime.size());
        const std::vector<WaitOnPath> waits = randomWaits(random, paths.size(), end, trial % 3 == 0 ? 10 : 2000);
        const PathTimes times{paths, places, 0, waits};
        for (int k = 0; k < 30; ++k) {
            const auto a = static_cast<std::int64_t>(random() % static_cast<unsigned>(end + 5));
            const auto b = k % 5 == 0 ? end : static_cast<std::int64_t>(random() % static_cast<unsigned>(end + 5));
            std::map<Place, std::int64_t> expected, found;
            for (std::int64_t t = std::max(a, first); t < std::min(b, end); ++t) ++expected[byTime[engine::asSize(t)]];
            for (const WaitOnPath& wait : waits)
                expected[{wait.path, outsideOfCalls}] -=
                    std::max<std::int64_t>(0, std::min(b, wait.end.count()) - std::max(a, wait.begin.count()));
            times.each(Picoseconds{a}, Picoseconds{b}, [&](PlaceNumber place, Picoseconds time) {
                found[{places.pathOf(place), places.beforeOf(place)}] += time.count();
            });
            std::erase_if(expected, [](const auto& one) { return one.second == 0; });
            std::erase_if(found, [](const auto& one) { return one.second == 0; });
            ASSERT_EQ(found, expected) << "trial " << trial << ", from " << a << " to " << b;
        }
        for (int k = 0; k < 30; ++k) {
            const auto place = static_cast<PlaceNumber>(random() % places.size());
            const auto time = static_cast<std::int64_t>(random() % static_cast<unsigned>(end + 5));
            const auto isThere = [&](std::int64_t at) {
                return byTime[engine::asSize(at)] == Place{places.pathOf(place), places.beforeOf(place)};
            };
            std::int64_t last = std::min(time, end) - 1;
            while (last >= first && !isThere(last)) --last;
            const std::optional<Picoseconds> found = times.lastBegin(place, Picoseconds{time});
            ASSERT_EQ(found.has_value(), last >= first) << "trial " << trial << ", place " << place << ", " << time;
            // Calls of one path may follow each other without a pause.
            for (std::int64_t at = found ? found->count() : end; at <= last; ++at)
                ASSERT_TRUE(isThere(at)) << "trial " << trial << ", place " << place << ", " << time << ", at " << at;
            ASSERT_TRUE(!found || found->count() <= last) << "trial " << trial;
        }
    }
}

TEST(PathTimesJudged, endWhereTheNextCallBegins) {
    std::mt19937 random{32};
    for (int trial = 0; trial < 20; ++trial) {
        const traces::Recording recording = slow::randomProgram(random, 1, 200);
        const CallPaths paths{recording};
        const traces::States& states = recording.states.front();
        const traces::Location& location = recording.locations.front();
        for (std::int64_t t = location.first.count(); t < location.last.count(); t += 3) {
            const auto calls = slow::callsDuring(states, t);
            std::int64_t end = calls.empty() ? location.last.count() : states.end[calls.back()].count();
            for (const Picoseconds begin : states.begin)
                if (begin.count() > t) end = std::min(end, begin.count());
            ASSERT_EQ(paths.endOfStretch(0, Picoseconds{t}).count(), end) << "trial " << trial << ", at " << t;
        }
    }
}

}  // namespace
}  // namespace app::analysis::in_path_times
