// SPDX-License-Identifier: BSD-3-Clause
// Bounds of a network by looking at everything: all sets of nodes, all groups of ranks, and for alltoall a flow.
#pragma once

#include "emulation/networks/network.hpp"
#include "engine/base/interval_set.hpp"
#include "engine/problem/contract.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

namespace support {

/// Bytes that ranks of `members` need and no member brings; of a vector that is combined, those of which a partial
/// result of others must come in. Read off the contract.
inline engine::Bytes neededFromOutside(const engine::Problem& problem, const std::vector<engine::Rank>& members) {
    const engine::Contract contract{problem};
    engine::ByteSet held, needed, otherNeeded;
    for (const engine::Rank rank : members) held.add(contract.before(rank));
    const bool twoVectors = problem.collective == engine::Collective::intergroupAllreduce;
    for (const engine::Rank rank : members) {
        for (const engine::Range wanted : contract.after(rank))
            held.eachGap(wanted, [&](engine::Range gap) { needed.add(gap); });
        if (!isReduction(problem.collective)) continue;
        const auto result = contract.result(rank);
        if (!result) continue;
        const engine::Contributors of = contract.contributors(rank);
        const auto inside = std::count_if(members.begin(), members.end(), [&](engine::Rank member) {
            return of.first <= member.value && member.value < of.end;
        });
        // Between two groups each has a result of its own.
        if (inside < of.end - of.first) (twoVectors && rank.value < problem.groupA ? otherNeeded : needed).add(*result);
    }
    engine::Bytes bytes = 0;
    for (const engine::ByteSet& set : {needed, otherNeeded})
        for (const engine::Range& range : set.intervals()) bytes += range.size();
    return bytes;
}

/// Femtoseconds.
struct SlowCuts {
    SlowCuts(const engine::Problem& problem, const emulation::Network& network, std::int32_t nodes)
        : problem_{problem}, network_{network}, nodes_{nodes} {}

    /// Bytes per femtosecond of all links out of the set of nodes.
    [[nodiscard]] double speedOutOf(unsigned set) const {
        double speed = 0;
        for (emulation::LinkId link{0}; link.value < network_.links(); ++link) {
            const emulation::LinkEnds ends = network_.ends(link);
            if ((set >> ends.from & 1U) != 0 && (set >> ends.to & 1U) == 0)
                speed += 1 / static_cast<double>(network_.quality(link)->beta.femtosecondsPerByte);
        }
        return speed;
    }

    [[nodiscard]] double overAllSets() const {
        double longest = 0;
        for (unsigned set = 0; set < 1U << nodes_; ++set) {
            std::vector<engine::Rank> outside;
            for (engine::Rank rank{0}; rank.value < network_.ranks(); ++rank)
                if ((set >> rank.value & 1U) == 0) outside.push_back(rank);
            const engine::Bytes bytes = neededFromOutside(problem_, outside);
            if (bytes > 0) longest = std::max(longest, static_cast<double>(bytes) / speedOutOf(set));
        }
        return longest;
    }

    /// Of an allreduce: over all partitions of the ranks; of each group the set of switches beside it that is best.
    [[nodiscard]] double overAllGroups() const {
        const std::int32_t ranks = network_.ranks();
        std::vector<double> out(1U << ranks, std::numeric_limits<double>::infinity()), in = out;
        const unsigned all = (1U << nodes_) - 1;
        for (unsigned set = 1; set < all; ++set) {
            const unsigned members = set & ((1U << ranks) - 1);
            out[members] = std::min(out[members], speedOutOf(set));
            in[members] = std::min(in[members], speedOutOf(all & ~set));
        }
        double longest = 0;
        std::vector<unsigned> groups;
        const auto size = static_cast<double>(problem_.layout.largest());
        std::function<void(std::int32_t)> place = [&](std::int32_t rank) {
            if (rank == ranks) {
                if (groups.size() < 2) return;
                double leaving = 0, entering = 0;
                for (const unsigned group : groups) leaving += out[group], entering += in[group];
                const double bytes = 2 * size * static_cast<double>(groups.size() - 1);
                longest = std::max({longest, bytes / leaving, bytes / entering});
                return;
            }
            for (std::size_t i = 0; i < groups.size(); ++i) {
                groups[i] |= 1U << rank;
                place(rank + 1);
                groups[i] &= ~(1U << rank);
            }
            groups.push_back(1U << rank);
            place(rank + 1);
            groups.pop_back();
        };
        place(0);
        return longest;
    }

private:
    const engine::Problem& problem_;
    const emulation::Network& network_;
    std::int32_t nodes_;
};

/// The time of a flow for personal contributions that is at most 1 + 3 `step` times longer than the shortest: many
/// small amounts one after another, each over the way that is least loaded so far (Garg and Koenemann 2007).
inline double timeOfFlow(const engine::Problem& problem, const emulation::Network& network, std::int32_t nodes,
                         double step) {
    const auto links = engine::asSize(network.links());
    std::vector<double> speed(links), load(links), length(links);
    const double first = std::pow(static_cast<double>(links) / (1 - step), -1 / step);
    for (std::size_t i = 0; i < links; ++i) {
        const emulation::LinkId link{static_cast<std::int32_t>(i)};
        speed[i] = 1 / static_cast<double>(network.quality(link)->beta.femtosecondsPerByte);
        length[i] = first / speed[i];
    }
    struct Goods {
        std::int32_t from, to;
        double bytes;
    };
    std::vector<Goods> all;
    double slowest = std::numeric_limits<double>::infinity();
    for (engine::Block block{0}; block.value < problem.layout.count(); ++block) {
        const engine::Rank from = ownerOf(problem, block), to = *receiverOf(problem, block);
        const auto bytes = static_cast<double>(problem.layout.size(block.value));
        if (from != to && bytes > 0) all.push_back({from.value, to.value, bytes});
    }
    for (const double of : speed) slowest = std::min(slowest, of);
    double total = 0;
    for (const Goods& goods : all) total += goods.bytes;
    if (total == 0) return 0;
    // Amounts that keep the number of phases small.
    const double unit = slowest / total;
    int phases = 0;
    const auto weight = [&] {
        double sum = 0;
        for (std::size_t i = 0; i < links; ++i) sum += length[i] * speed[i];
        return sum;
    };
    while (weight() < 1) {
        ++phases;
        for (const Goods& goods : all) {
            double left = goods.bytes * unit * static_cast<double>(links);
            while (left > 0) {
                std::vector<double> far(engine::asSize(nodes), std::numeric_limits<double>::infinity());
                std::vector<std::int32_t> by(engine::asSize(nodes), -1);
                far[engine::asSize(goods.from)] = 0;
                for (std::int32_t round = 0; round < nodes; ++round)  // Bellman and Ford
                    for (std::size_t i = 0; i < links; ++i) {
                        const emulation::LinkEnds ends = network.ends(emulation::LinkId{static_cast<std::int32_t>(i)});
                        const double there = far[engine::asSize(ends.from)] + length[i];
                        if (there >= far[engine::asSize(ends.to)]) continue;
                        far[engine::asSize(ends.to)] = there;
                        by[engine::asSize(ends.to)] = static_cast<std::int32_t>(i);
                    }
                double amount = left;
                const auto eachLink = [&](const auto& what) {
                    for (std::int32_t node = goods.to; node != goods.from;) {
                        const auto link = engine::asSize(by[engine::asSize(node)]);
                        what(link);
                        node = network.ends(emulation::LinkId{static_cast<std::int32_t>(link)}).from;
                    }
                };
                eachLink([&](std::size_t link) { amount = std::min(amount, speed[link]); });
                eachLink([&](std::size_t link) {
                    load[link] += amount;
                    length[link] *= 1 + step * amount / speed[link];
                });
                left -= amount;
            }
        }
    }
    double longest = 0;
    for (std::size_t i = 0; i < links; ++i) longest = std::max(longest, load[i] / speed[i]);
    return longest / (static_cast<double>(phases) * unit * static_cast<double>(links));
}

}  // namespace support
