// SPDX-License-Identifier: BSD-3-Clause
// Random programs whose ranks are late: a little most times, now and then by far.
#pragma once

#include "traces/recording/recording_builder.hpp"

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace support {

struct LateProgram {
    bool regions = true;       ///< what ranks do between calls of MPI is recorded
    bool messages = true;      ///< they send to each other, too
    int communicators = 0;     ///< at most so many besides that of all
    std::int64_t unit = 1000;  ///< picoseconds that all times are multiples of
};

/// Two to six ranks compute, each in one of a few regions, or outside of all, and meet in collectives of one of their
/// communicators, which may have no name or that of another one, or send to each other.
inline traces::Recording lateProgram(std::mt19937& random, const LateProgram& of = {}) {
    using engine::Picoseconds;
    using engine::Rank;
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    const int ranks = 2 + below(5);
    traces::RecordingBuilder builder{ranks};
    std::vector<std::vector<Rank>> members(1);
    for (int rank = 0; rank < ranks; ++rank) members[0].emplace_back(rank);
    for (int more = of.communicators > 0 ? below(of.communicators + 1) : 0; more > 0; --more) {
        std::vector<Rank> some = members[0];
        std::shuffle(some.begin(), some.end(), random);
        some.resize(static_cast<std::size_t>(2 + below(ranks - 1)));
        std::sort(some.begin(), some.end());
        const std::array<const char*, 4> names{"", "", "row", "column of the grid"};
        builder.communicator(names[static_cast<std::size_t>(below(4))], some);
        members.push_back(some);
    }
    std::vector<std::int64_t> now(static_cast<std::size_t>(ranks));
    const auto at = [&](int rank) { return Picoseconds{now[static_cast<std::size_t>(rank)] * of.unit}; };
    // Returns when the call began.
    const auto call = [&](int rank, const std::string& name, std::int64_t end) {
        const Picoseconds begin = at(rank);
        builder.enter(rank, begin, name);
        now[static_cast<std::size_t>(rank)] = end;
        builder.leave(rank, at(rank));
        return begin;
    };
    if (of.regions)
        for (int rank = 0; rank < ranks; ++rank) builder.enter(rank, {}, "main");
    for (int step = 6 + below(25); step > 0; --step) {
        for (int rank = 0; rank < ranks; ++rank) {
            const std::array<const char*, 4> regions{"", "assemble", "sort", "write"};
            const std::string region = of.regions ? regions[static_cast<std::size_t>(below(4))] : "";
            std::int64_t& its = now[static_cast<std::size_t>(rank)];
            const std::int64_t end = its + 1 + below(below(12) == 0 ? 3000 : 30);
            if (region.empty()) its = end;
            else call(rank, region, end);
        }
        if (of.messages && below(3) == 0) {
            const int from = below(ranks), to = (from + 1 + below(ranks - 1)) % ranks;
            const std::int64_t sent = now[static_cast<std::size_t>(from)] + 2;
            const std::int64_t received = std::max(sent, now[static_cast<std::size_t>(to)]) + 3;
            const Picoseconds sends = call(from, "MPI_Send", sent), receives = call(to, "MPI_Recv", received);
            builder.message({.from = Rank{from},
                             .to = Rank{to},
                             .bytes = 8 << below(3),
                             .sendBegin = sends,
                             .sendEnd = Picoseconds{sent * of.unit},
                             .receiveBegin = receives,
                             .receiveEnd = Picoseconds{received * of.unit}});
            continue;
        }
        const auto communicator = static_cast<std::size_t>(below(static_cast<int>(members.size())));
        std::int64_t last = 0;
        for (const Rank rank : members[communicator]) last = std::max(last, now[rank.index()]);
        const bool barrier = below(3) == 0;
        const engine::Bytes bytes = barrier ? 0 : 8 << below(2);
        std::vector<traces::Participant> parts;
        for (const Rank rank : members[communicator]) {
            const Picoseconds begin = call(rank.value, barrier ? "MPI_Barrier" : "MPI_Allreduce", last + 1);
            parts.push_back({.rank = rank, .begin = begin, .end = at(rank.value), .sent = bytes, .received = bytes});
        }
        builder.collective(barrier ? traces::Operation::barrier : traces::Operation::allreduce,
                           static_cast<std::int32_t>(communicator), traces::noRank, parts);
    }
    if (of.regions)
        for (int rank = 0; rank < ranks; ++rank) builder.leave(rank, at(rank));
    return builder.finish();
}

/// Three ranks meet every 3 ms; rank 2 comes as many microseconds later as is said.
inline traces::Recording lateBy(const std::vector<std::int64_t>& microseconds) {
    using engine::Picoseconds;
    traces::RecordingBuilder builder{3};
    std::int64_t now = 0;
    for (const std::int64_t late : microseconds) {
        now += 3000;
        std::vector<traces::Participant> parts;
        for (int rank = 0; rank < 3; ++rank) {
            const Picoseconds came{(now + (rank == 2 ? late : 0)) * 1'000'000};
            const Picoseconds left{(now + late + 10) * 1'000'000};
            builder.enter(rank, came, "MPI_Allreduce");
            builder.leave(rank, left);
            parts.push_back({.rank = engine::Rank{rank}, .begin = came, .end = left, .sent = 8, .received = 8});
        }
        builder.collective(traces::Operation::allreduce, 0, traces::noRank, parts);
        now += late + 10;
    }
    return builder.finish();
}

}  // namespace support
