// SPDX-License-Identifier: BSD-3-Clause
// Schedules of tests that are in no catalogue.
#pragma once

#include "engine/algorithm/algorithm.hpp"
#include "engine/schedule/kernel.hpp"
#include "tests/support/problems.hpp"

#include <algorithm>
#include <random>
#include <vector>

namespace support {

/// A plan that only has a schedule.
inline engine::Plan planOf(engine::SchedulePtr schedule) {
    static const engine::Algorithm nameless = [] {
        engine::Algorithm algorithm;
        algorithm.id = "bcast/of-the-test";
        return algorithm;
    }();
    engine::Plan plan;
    plan.algorithm = &nameless;
    plan.problem = bcast(schedule->facts().ranks, 0, 1000);
    plan.schedule = std::move(schedule);
    return plan;
}

struct Hop {
    int from;
    int to;
    engine::Bytes bytes;
};

/// Messages `rounds[k]` are sent in round k.
inline engine::SchedulePtr hops(int ranks, std::vector<std::vector<Hop>> rounds) {
    const engine::Facts facts{.ranks = ranks, .rounds = static_cast<std::int64_t>(rounds.size()), .ports = 9};
    return engine::schedule(facts, [rounds = std::move(rounds)](engine::Rank rank, engine::Round round, auto& out) {
        for (const Hop& hop : rounds[round.index()]) {
            if (hop.from == rank.value) out.send(engine::Rank{hop.to}, engine::Range{0, hop.bytes});
            if (hop.to == rank.value) out.receive(engine::Rank{hop.from}, engine::Range{0, hop.bytes});
        }
    });
}

/// Every rank sends and receives at most `ports` messages a round, of 0 to `largest` bytes.
inline engine::SchedulePtr randomSchedule(std::mt19937& random, int ranks, int rounds, int ports, int largest = 499) {
    std::vector<std::vector<Hop>> all;
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    for (int t = 0; t < rounds; ++t) {
        std::vector<Hop> hopsNow;
        for (int k = 0; k < ports; ++k) {
            std::vector<int> to(static_cast<std::size_t>(ranks));
            for (int r = 0; r < ranks; ++r) to[static_cast<std::size_t>(r)] = r;
            std::shuffle(to.begin(), to.end(), random);
            for (int r = 0; r < ranks; ++r)
                if (to[static_cast<std::size_t>(r)] != r && below(3) != 0)
                    hopsNow.push_back({r, to[static_cast<std::size_t>(r)], below(largest + 1)});
        }
        all.push_back(std::move(hopsNow));
    }
    return hops(ranks, std::move(all));
}

/// In round k every rank r sends `bytes(k)` to `to(k, r)`, a permutation whose inverse is `from`.
template <class To, class From, class Bytes>
auto permutations(std::int64_t rounds, To to, From from, Bytes bytes) {
    return engine::Part{"permutations", rounds, [=](engine::Rank rank, engine::Round round, auto& out) {
                            const engine::Range what{0, bytes(round.value)};
                            out.send(engine::Rank{to(round.value, rank.value)}, what);
                            out.receive(engine::Rank{from(round.value, rank.value)}, what);
                        }};
}

/// Every rank r sends `bytes` to r + `distance`, in each of `rounds` rounds.
inline auto shifts(int ranks, int distance, engine::Bytes bytes, std::int64_t rounds = 1) {
    return permutations(
        rounds, [=](auto, int r) { return (r + distance) % ranks; },
        [=](auto, int r) { return (r + ranks - distance) % ranks; }, [=](auto) { return bytes; });
}

}  // namespace support
