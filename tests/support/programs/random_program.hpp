// SPDX-License-Identifier: BSD-3-Clause
// Random programs that call and return, and what they spent by looking at every picosecond on its own.
#pragma once

#include "traces/recording/recording_builder.hpp"

#include <map>
#include <random>
#include <string>
#include <vector>

namespace slow {

/// Fewer than `most` entries and exits of each rank: nested, of no length, back to back, recursive, and never left.
inline traces::Recording randomProgram(std::mt19937& random, int ranks, int most = 30) {
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    traces::RecordingBuilder builder{ranks};
    const std::vector<std::string> names{"main", "step", "assemble", "MPI_Barrier", "MPI_Send"};
    for (int rank = 0; rank < ranks; ++rank) {
        int now = below(3);
        int open = 0;
        for (int k = below(most); k > 0; --k) {
            now += below(3) == 0 ? below(6) : 0;
            if (open > 0 && below(2) == 0) builder.leave(rank, traces::Picoseconds{now}), --open;
            else builder.enter(rank, traces::Picoseconds{now}, names[static_cast<std::size_t>(below(5))]), ++open;
        }
        for (; open > below(2) * 3; --open) builder.leave(rank, traces::Picoseconds{now += below(4)});
    }
    return builder.finish();
}

struct SlowSpent {
    std::int64_t visits = 0;
    std::int64_t time = 0;
    std::int64_t own = 0;

    friend bool operator==(const SlowSpent&, const SlowSpent&) = default;
};

/// The calls that the location is in during the picosecond from `t` on, from the outermost.
inline std::vector<std::size_t> callsDuring(const traces::States& states, std::int64_t t) {
    std::vector<std::size_t> calls;
    for (std::size_t s = 0; s < states.size(); ++s)
        if (states.begin[s].count() <= t && t < states.end[s].count()) calls.push_back(s);
    return calls;
}

/// "main/step" of the call: calls before it that end not before it, one for each depth.
inline std::string pathOf(const traces::Recording& recording, const traces::States& states, std::size_t call) {
    std::string path = recording.regions[static_cast<std::size_t>(states.region[call])].name;
    int depth = states.depth[call];
    for (std::size_t s = call; s-- > 0;)
        if (states.depth[s] < depth) {
            path = recording.regions[static_cast<std::size_t>(states.region[s])].name + '/' + path;
            depth = states.depth[s];
        }
    return path;
}

/// By path, in [from, to).
inline std::map<std::string, SlowSpent> spentByPath(const traces::Recording& recording, std::int64_t from,
                                                    std::int64_t to) {
    std::map<std::string, SlowSpent> sums;
    for (std::size_t i = 0; i < recording.states.size(); ++i) {
        const traces::States& states = recording.states[i];
        for (std::size_t s = 0; s < states.size(); ++s)
            if (states.begin[s].count() < to && states.end[s].count() >= from)
                ++sums[pathOf(recording, states, s)].visits;
        const traces::Location& location = recording.locations[i];
        for (std::int64_t t = std::max(from, location.first.count()); t < std::min(to, location.last.count()); ++t) {
            const auto calls = callsDuring(states, t);
            for (const std::size_t call : calls) ++sums[pathOf(recording, states, call)].time;
            ++sums[calls.empty() ? "(outside of calls)" : pathOf(recording, states, calls.back())].own;
            if (calls.empty()) ++sums["(outside of calls)"].time;
        }
    }
    return sums;
}

}  // namespace slow
