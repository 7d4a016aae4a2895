// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/bounds/cuts.hpp"

#include "engine/contract.hpp"
#include "engine/interval_set.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace app::analysis {
namespace {

using emulation::LinkEnds;
using emulation::Network;
using engine::Bytes;
using engine::LinkId;
using engine::Rank;

/// Ranks that are joined by links of their own, or hang on one switch, with those switches.
class Groups {
public:
    explicit Groups(const Network& network) : ranks_{network.ranks()} {
        for (LinkId link{0}; link.value < network.links(); ++link) {
            const LinkEnds ends = network.ends(link);
            const auto nodes = static_cast<std::size_t>(std::max(ends.from, ends.to)) + 1;
            while (leader_.size() < nodes) leader_.push_back(static_cast<std::int32_t>(leader_.size()));
        }
        while (leader_.size() < engine::asSize(ranks_)) leader_.push_back(static_cast<std::int32_t>(leader_.size()));
        for (LinkId link{0}; link.value < network.links(); ++link) {
            const LinkEnds ends = network.ends(link);
            if (ends.from < ranks_ || ends.to < ranks_) join(ends.from, ends.to);
        }
    }

    [[nodiscard]] std::int32_t of(std::int32_t node) const {
        while (leader_[engine::asSize(node)] != node) node = leader_[engine::asSize(node)];
        return node;
    }
    [[nodiscard]] std::size_t nodes() const { return leader_.size(); }

private:
    void join(std::int32_t a, std::int32_t b) {
        a = of(a);
        b = of(b);
        // The way to the leader stays short: every node on it is led to the new one.
        leader_[engine::asSize(std::max(a, b))] = std::min(a, b);
    }

    std::int32_t ranks_;
    std::vector<std::int32_t> leader_;
};

/// Whether all whose vectors must be in the result of `rank` are members.
bool isWithin(const engine::Contributors& contributors, const std::vector<Rank>& members) {
    const auto inside = std::count_if(members.begin(), members.end(), [&](Rank member) {
        return contributors.first <= member.value && member.value < contributors.end;
    });
    return inside == contributors.end - contributors.first;
}

/// Bytes that some member needs and none brings; of a vector that is combined, those of which a partial result of
/// others must come in.
Bytes neededBy(const engine::Problem& problem, const std::vector<Rank>& members) {
    const engine::Contract contract{problem};
    engine::ByteSet held;
    for (const Rank rank : members) held.add(contract.before(rank));
    engine::ByteSet needed;
    for (const Rank rank : members)
        for (const engine::Range wanted : contract.after(rank))
            held.eachGap(wanted, [&](engine::Range gap) { needed.add(gap); });
    if (isReduction(problem.collective))
        for (const Rank rank : members)
            if (const auto result = contract.result(rank); result && !isWithin(contract.contributors(rank), members))
                needed.add(*result);
    Bytes bytes = 0;
    for (const engine::Range& range : needed.intervals()) bytes += range.size();
    return bytes;
}

constexpr std::int64_t mostSteps = std::int64_t{1} << 22;  // along links, to measure distances

/// Links that a message crosses at least from `from` to everyone; -1 where no way leads.
std::vector<std::int32_t> distancesFrom(Rank from, const std::vector<std::vector<std::int32_t>>& neighbours) {
    std::vector<std::int32_t> far(neighbours.size(), -1);
    std::vector<std::int32_t> line{from.value};
    far[from.index()] = 0;
    for (std::size_t next = 0; next < line.size(); ++next)
        for (const std::int32_t other : neighbours[engine::asSize(line[next])])
            if (far[engine::asSize(other)] < 0) {
                far[engine::asSize(other)] = far[engine::asSize(line[next])] + 1;
                line.push_back(other);
            }
    return far;
}

/// Bytes times links, over what all links carry together.
engine::Picoseconds timeOfDistances(const engine::Problem& problem, const Network& network, engine::Rate beta) {
    const bool personal = problem.layout.count() > 0 && receiverOf(problem, engine::Block{0}).has_value();
    if (!personal || std::int64_t{network.ranks()} * network.links() > mostSteps || problem.layout.count() > mostSteps)
        return {};
    std::vector<std::vector<std::int32_t>> neighbours(engine::asSize(network.ranks()));
    double speed = 0;  // bytes per femtosecond
    for (LinkId link{0}; link.value < network.links(); ++link) {
        const LinkEnds ends = network.ends(link);
        neighbours[engine::asSize(ends.from)].push_back(ends.to);
        const engine::Rate rate = network.quality(link).value_or(emulation::LinkQuality{{}, beta}).beta;
        if (rate.femtosecondsPerByte == 0) return {};
        speed += 1 / static_cast<double>(rate.femtosecondsPerByte);
    }
    double crossed = 0;
    std::vector<std::vector<std::int32_t>> far(neighbours.size());
    for (engine::Block block{0}; block.value < problem.layout.count(); ++block) {
        const Rank from = ownerOf(problem, block);
        if (far[from.index()].empty()) far[from.index()] = distancesFrom(from, neighbours);
        const std::int32_t links = far[from.index()][receiverOf(problem, block)->index()];
        crossed += static_cast<double>(problem.layout.size(block.value)) * std::max(links, 0);
    }
    return engine::Picoseconds{static_cast<std::int64_t>(crossed / speed * (1 - 1e-9) / 1000)};
}

}  // namespace

engine::Picoseconds timeThroughCuts(const engine::Problem& problem, const Network& network, engine::Rate beta) {
    bool switches = false;
    for (LinkId link{0}; link.value < network.links() && !switches; ++link) {
        const LinkEnds ends = network.ends(link);
        switches = std::max(ends.from, ends.to) >= network.ranks();
    }
    if (network.ranks() != problem.ranks() || network.links() == 0) return {};
    if (!switches) return timeOfDistances(problem, network, beta);
    const Groups groups{network};
    std::vector<std::vector<Rank>> members(groups.nodes());
    for (Rank rank{0}; rank.value < network.ranks(); ++rank)
        members[engine::asSize(groups.of(rank.value))].push_back(rank);
    // Bytes per femtosecond through all links that lead to the group; less than 0: as many as one likes.
    std::vector<double> speed(groups.nodes());
    for (LinkId link{0}; link.value < network.links(); ++link) {
        const LinkEnds ends = network.ends(link);
        const std::int32_t to = groups.of(ends.to);
        if (groups.of(ends.from) == to) continue;
        const emulation::LinkQuality quality = network.quality(link).value_or(emulation::LinkQuality{{}, beta});
        double& all = speed[engine::asSize(to)];
        if (quality.beta.femtosecondsPerByte == 0) all = -1;
        else if (all >= 0) all += 1 / static_cast<double>(quality.beta.femtosecondsPerByte);
    }
    double longest = 0;
    for (std::size_t group = 0; group < members.size(); ++group)
        if (!members[group].empty() && speed[group] > 0)
            longest = std::max(longest, static_cast<double>(neededBy(problem, members[group])) / speed[group]);
    // A rounded time of many messages may be a little below that of their bytes.
    return engine::Picoseconds{static_cast<std::int64_t>(longest * (1 - 1e-9) / 1000)};
}

}  // namespace app::analysis
