// SPDX-License-Identifier: BSD-3-Clause
// Programs with one late rank that meet in rooted collectives, simulated message by message: the judge of who is to
// blame where only entry and exit times are recorded.
#pragma once

#include "traces/recording/recording_builder.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

namespace support {

/// What a rooted collective does inside; times in microseconds.
struct RootedCollective {
    enum class Tree : std::uint8_t { flat, binomial, chain };
    traces::Operation operation = traces::Operation::bcast;
    const char* name = "MPI_Bcast";
    bool down = true;  ///< data go from the root to the others
    Tree tree = Tree::flat;
    bool rendezvous = false;  ///< a message moves only once both of its ends have entered
    std::int64_t transfer = 10;
    std::int64_t overhead = 1;  ///< of an eager send at its sender
    int ranks = 2;              ///< of the communicator
    int root = 0;
};

/// When each rank leaves, by its place in the communicator.
class RootedSimulation {
public:
    RootedSimulation(const RootedCollective& what, std::vector<std::int64_t> entries)
        : what_{what}, entries_{std::move(entries)}, exits_(entries_.size()) {}

    /// A message inside, between two places; us.
    struct Inside {
        int from = 0, to = 0;
        std::int64_t sendBegin = 0, sendEnd = 0, receiveBegin = 0, receiveEnd = 0;
    };

    std::vector<std::int64_t> exits() {
        if (what_.down) spread(what_.root, entries_[at(what_.root)]);
        else (void)collect(what_.root);
        return exits_;
    }
    /// Once it has run.
    [[nodiscard]] const std::vector<Inside>& inside() const { return inside_; }

private:
    static std::size_t at(int place) { return static_cast<std::size_t>(place); }

    std::vector<int> childrenOf(int place) const {
        const int n = what_.ranks;
        const int virtualPlace = (place - what_.root + n) % n;
        std::vector<int> children;
        const auto add = [&](int child) {
            if (child < n) children.push_back((child + what_.root) % n);
        };
        switch (what_.tree) {
            case RootedCollective::Tree::flat:
                for (int child = 1; virtualPlace == 0 && child < n; ++child) add(child);
                break;
            case RootedCollective::Tree::chain: add(virtualPlace + 1); break;
            case RootedCollective::Tree::binomial:
                for (int bit = 1; bit < n; bit *= 2) {
                    if ((virtualPlace & bit) != 0) break;
                    add(virtualPlace | bit);
                }
                std::reverse(children.begin(), children.end());
        }
        return children;
    }

    /// `place` has the data at `time`.
    void spread(int place, std::int64_t time) {
        for (const int child : childrenOf(place)) {
            const std::int64_t begin = time, entry = entries_[at(child)];
            if (what_.rendezvous) {
                time = std::max(time, entry) + what_.transfer;
                inside_.push_back({place, child, begin, time, entry, time});
                spread(child, time);
            } else {
                const std::int64_t come = std::max(entry, time + what_.transfer);
                time += what_.overhead;
                inside_.push_back({place, child, begin, time, entry, come});
                spread(child, come);
            }
        }
        exits_[at(place)] = time;
    }

    /// When `place` could begin to send what it and those below it have.
    std::int64_t collect(int place) {
        std::int64_t time = entries_[at(place)];
        for (const int child : childrenOf(place)) {
            const std::int64_t ready = collect(child), posted = time;
            if (what_.rendezvous) {
                time = std::max(time, ready) + what_.transfer;
                exits_[at(child)] = time;
            } else {
                time = std::max(time, ready + what_.transfer);
                exits_[at(child)] = ready + what_.overhead;
            }
            inside_.push_back({child, place, ready, exits_[at(child)], posted, time});
        }
        exits_[at(place)] = time;
        return time;
    }

    const RootedCollective& what_;
    std::vector<std::int64_t> entries_;
    std::vector<std::int64_t> exits_;
    std::vector<Inside> inside_;
};

/// A program of some iterations: ranks compute, one of them longer, and meet.
struct RootedProgram {
    RootedCollective collective;
    int worldRanks = 2;
    std::vector<engine::Rank> members;  ///< of the communicator, by place
    int late = 0;                       ///< place in the communicator
    std::int64_t delay = 5000;          ///< by which it computes longer; us
    int every = 1;                      ///< in every so many iterations
    int iterations = 12;
    int meetEvery = 0;  ///< all ranks meet in a barrier so often; 0: never
    std::uint32_t seed = 0;
    bool recordsInside = false;  ///< the messages inside of its collectives are recorded

    /// Its trace, and when each rank of the world has finished, us.
    [[nodiscard]] std::pair<traces::Recording, std::vector<std::int64_t>> run(bool withDelay = true) const {
        std::mt19937 random{seed};
        traces::RecordingBuilder builder{worldRanks};
        builder.communicator("some", members);
        std::vector<std::int64_t> now(static_cast<std::size_t>(worldRanks));
        const auto us = [](std::int64_t time) { return engine::Picoseconds{time * 1'000'000}; };
        const auto call = [&](std::size_t rank, const char* name, std::int64_t end) {
            builder.enter(static_cast<int>(rank), us(now[rank]), name);
            const std::int64_t begin = std::exchange(now[rank], end);
            builder.leave(static_cast<int>(rank), us(end));
            return begin;
        };
        for (std::size_t rank = 0; rank < now.size(); ++rank) builder.enter(static_cast<int>(rank), {}, "main");
        for (int i = 0; i < iterations; ++i) {
            for (std::size_t rank = 0; rank < now.size(); ++rank) {
                const bool isLate =
                    engine::Rank{static_cast<std::int32_t>(rank)} == members[static_cast<std::size_t>(late)];
                const std::int64_t more = withDelay && isLate && i % every == 0 ? delay : 0;
                call(rank, "compute", now[rank] + 1000 + static_cast<std::int64_t>(random() % 60) + more);
            }
            std::vector<std::int64_t> entries;
            for (const engine::Rank rank : members) entries.push_back(now[rank.index()]);
            RootedSimulation simulation{collective, entries};
            const std::vector<std::int64_t> exits = simulation.exits();
            std::vector<traces::Participant> parts;
            for (std::size_t place = 0; place < members.size(); ++place) {
                call(members[place].index(), collective.name, std::max(exits[place], entries[place] + 1));
                parts.push_back({.rank = members[place],
                                 .begin = us(entries[place]),
                                 .end = us(now[members[place].index()]),
                                 .sent = 8,
                                 .received = 8});
            }
            std::ranges::sort(parts, {}, &traces::Participant::rank);
            builder.collective(collective.operation, 1, members[static_cast<std::size_t>(collective.root)],
                               std::move(parts));
            for (const RootedSimulation::Inside& m : simulation.inside())
                if (recordsInside)
                    builder.inside({.from = members[static_cast<std::size_t>(m.from)],
                                    .to = members[static_cast<std::size_t>(m.to)],
                                    .bytes = 8,
                                    .sendBegin = us(m.sendBegin),
                                    .sendEnd = us(m.sendEnd),
                                    .receiveBegin = us(m.receiveBegin),
                                    .receiveEnd = us(m.receiveEnd)});
            if (meetEvery == 0 || (i + 1) % meetEvery != 0) continue;
            const std::int64_t last = *std::max_element(now.begin(), now.end());
            parts.clear();
            for (std::size_t rank = 0; rank < now.size(); ++rank) {
                const std::int64_t begin = call(rank, "MPI_Barrier", last + 2);
                parts.push_back(
                    {.rank = engine::Rank{static_cast<std::int32_t>(rank)}, .begin = us(begin), .end = us(last + 2)});
            }
            builder.collective(traces::Operation::barrier, 0, traces::noRank, std::move(parts));
        }
        for (std::size_t rank = 0; rank < now.size(); ++rank) builder.leave(static_cast<int>(rank), us(now[rank]));
        return {builder.finish(), now};
    }

    /// By how much the others would finish sooner, all together, if nobody was late; us.
    [[nodiscard]] std::int64_t harm() const {
        const std::vector<std::int64_t> with = run().second, without = run(false).second;
        std::int64_t sum = 0;
        for (std::size_t rank = 0; rank < with.size(); ++rank)
            if (engine::Rank{static_cast<std::int32_t>(rank)} != members[static_cast<std::size_t>(late)])
                sum += with[rank] - without[rank];
        return sum;
    }
};

inline RootedProgram randomRootedProgram(std::mt19937& random) {
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    using Kind = std::tuple<traces::Operation, const char*, bool>;
    constexpr std::array kinds{
        Kind{traces::Operation::bcast, "MPI_Bcast", true},       Kind{traces::Operation::scatter, "MPI_Scatter", true},
        Kind{traces::Operation::scatterv, "MPI_Scatterv", true}, Kind{traces::Operation::gather, "MPI_Gather", false},
        Kind{traces::Operation::gatherv, "MPI_Gatherv", false},  Kind{traces::Operation::reduce, "MPI_Reduce", false}};
    RootedProgram program;
    program.worldRanks = 2 + below(9);
    std::vector<engine::Rank> all;
    for (int rank = 0; rank < program.worldRanks; ++rank) all.emplace_back(rank);
    if (below(2) == 0) std::shuffle(all.begin(), all.end(), random);
    all.resize(static_cast<std::size_t>(2 + below(program.worldRanks - 1)));
    program.members = all;
    RootedCollective& its = program.collective;
    std::tie(its.operation, its.name, its.down) = kinds[static_cast<std::size_t>(below(6))];
    its.tree = static_cast<RootedCollective::Tree>(below(3));
    its.rendezvous = below(2) == 0;
    its.transfer = 2 + below(its.rendezvous ? 400 : 20);
    its.ranks = static_cast<int>(all.size());
    its.root = below(its.ranks);
    program.late = below(2) == 0 ? its.root : below(its.ranks);
    program.delay = 1500 + below(10'000);
    program.every = 1 + below(2);
    program.meetEvery = below(3);
    program.seed = static_cast<std::uint32_t>(random());
    return program;
}

}  // namespace support
