// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/bounds/network_bound.hpp"

#include "emulation/bounds/bound_searches.hpp"
#include "emulation/bounds/searched_network.hpp"
#include "engine/base/error.hpp"

#include <algorithm>
#include <deque>
#include <functional>
#include <mutex>
#include <numeric>

namespace emulation::bounds {

void Asked::check() const {
    if (stop.stop_requested()) throw engine::Cancelled{};
}

std::string_view name(NetworkBound::Kind kind) {
    switch (kind) {
        case NetworkBound::Kind::cut: return "cut";
        case NetworkBound::Kind::groups: return "groups";
        case NetworkBound::Kind::distances: return "distances";
    }
    return "";
}

namespace {

enum class Effort : std::uint8_t { plain, full };

std::optional<NetworkBound> find(const engine::Problem& problem, const Network& network, const Capacities& capacities,
                                 Effort effort, const std::stop_token& stop) {
    const Demands demands{problem};
    if (demands.list().empty() && !demands.isPersonal()) return std::nullopt;
    const Asked asked{network, capacities, demands, stop};
    NetworkBound best = plainCuts(asked, noBound());
    if (demands.isPersonal()) best = personalBounds(asked, std::move(best));
    else if (effort == Effort::full) best = allCuts(asked, std::move(best));
    if (demands.isAllreduce()) best = allGroups(asked, std::move(best), effort == Effort::full);
    if (best.bytes == 0) return std::nullopt;
    return best;
}

/// Not where the network has dummy ranks beside those of the problem.
bool fits(const engine::Problem& problem, const Network& network) {
    return network.links() > 0 && network.ranks() == problem.ranks();
}

/// The size of the contributions where all bytes that must move grow with it, so that the bound of one byte each is
/// enough for all sizes; else 1.
engine::Bytes sizeIn(const engine::Problem& problem) {
    using engine::Collective;
    const bool personal =
        problem.collective == Collective::alltoallv || problem.collective == Collective::intergroupAlltoallv;
    if (!problem.layout.isRegular() || personal || engine::isReduction(problem.collective)) return 1;
    return std::max<engine::Bytes>(problem.layout.largest(), 1);
}

/// The last few answers: of a sweep many algorithms ask for the same, of a trace many instances.
class Memory {
public:
    std::optional<std::optional<NetworkBound>> find(const engine::Problem& problem, const Capacities& capacities) {
        const std::lock_guard lock{mutex_};
        const auto found = std::ranges::find_if(
            entries_, [&](const Entry& entry) { return entry.problem == problem && entry.capacities == capacities; });
        if (found == entries_.end()) return std::nullopt;
        return found->bound;
    }
    void keep(const engine::Problem& problem, const Capacities& capacities, const std::optional<NetworkBound>& bound) {
        // Large ones are few.
        const std::size_t size = sizeOf(problem, capacities);
        if (size > mostSize / 32) return;
        const std::lock_guard lock{mutex_};
        entries_.push_front({problem, capacities, bound});
        for (size_ += size; size_ > mostSize || entries_.size() > mostEntries; entries_.pop_back())
            size_ -= sizeOf(entries_.back().problem, entries_.back().capacities);
    }

private:
    static std::size_t sizeOf(const engine::Problem& problem, const Capacities& capacities) {
        return capacities.edges.size() + engine::asSize(problem.layout.count());
    }

    static constexpr std::size_t mostEntries = 256;
    static constexpr std::size_t mostSize = std::size_t{1} << 21;  // edges and blocks of all entries
    struct Entry {
        engine::Problem problem;
        Capacities capacities;
        std::optional<NetworkBound> bound;
    };
    std::mutex mutex_;
    std::deque<Entry> entries_;
    std::size_t size_ = 0;
};

}  // namespace

std::optional<NetworkBound> networkBound(const engine::Problem& problem, const Network& network, engine::Rate beta,
                                         std::span<const SlowLink> slow, const std::stop_token& stop) {
    static Memory memory;
    if (!fits(problem, network)) return std::nullopt;
    if (const engine::Bytes size = sizeIn(problem); size > 1) {
        engine::Problem ofOneByte = problem;
        ofOneByte.layout = engine::Layout::regular(problem.layout.count(), 1);
        std::optional<NetworkBound> bound = networkBound(ofOneByte, network, beta, slow, stop);
        if (bound) bound->bytes *= static_cast<double>(size);
        return bound;
    }
    const Searched searched{network, beta, slow};
    if (const auto known = memory.find(problem, searched.graph())) return searched.inNetwork(*known);
    const std::optional<NetworkBound> bound = find(problem, network, searched.graph(), Effort::full, stop);
    memory.keep(problem, searched.graph(), bound);
    return searched.inNetwork(bound);
}

std::optional<NetworkBound> portBound(const engine::Problem& problem, const Network& network, engine::Rate beta,
                                      std::span<const SlowLink> slow) {
    if (!fits(problem, network)) return std::nullopt;
    const Demands demands{problem};
    const Searched searched{network, beta, slow};
    const Capacities& graph = searched.graph();
    std::vector<std::int32_t> alone(engine::asSize(graph.ranks));
    std::iota(alone.begin(), alone.end(), 0);
    const auto crossing = demands.crossing(alone, graph.ranks);
    std::vector<std::vector<LinkId>> out(alone.size()), in(alone.size());
    for (std::size_t i = 0; i < graph.edges.size(); ++i) {
        const LinkId link{static_cast<std::int32_t>(i)};
        if (graph.edges[i].from < graph.ranks) out[engine::asSize(graph.edges[i].from)].push_back(link);
        if (graph.edges[i].to < graph.ranks) in[engine::asSize(graph.edges[i].to)].push_back(link);
    }
    NetworkBound best = noBound();
    for (std::size_t rank = 0; rank < alone.size(); ++rank)
        for (const bool leaves : {true, false}) {
            std::vector<LinkId>& links = leaves ? out[rank] : in[rank];
            const engine::Bytes bytes = leaves ? crossing[rank].leaving : crossing[rank].entering;
            const auto ports = engine::asSize(problem.ports);
            if (bytes == 0 || links.size() <= ports) continue;  // all links count, as in a cut
            std::ranges::stable_sort(links, std::greater{},
                                     [&](LinkId link) { return graph.edges[link.index()].speed; });
            links.resize(ports);
            NetworkBound bound{.bytes = static_cast<double>(bytes)};
            for (const LinkId link : links) bound.speed += graph.edges[link.index()].speed;
            if (bound.speed == Capacities::unlimited || !bound.exceeds(best)) continue;
            bound.links = links;
            bound.side.assign(engine::asSize(graph.nodes), leaves ? 0 : 1);
            bound.side[rank] = leaves ? 1 : 0;
            best = std::move(bound);
        }
    if (best.bytes == 0) return std::nullopt;
    return searched.inNetwork(best);
}

std::optional<NetworkBound> plainBound(const engine::Problem& problem, const Network& network, engine::Rate beta) {
    if (!fits(problem, network)) return std::nullopt;
    const Searched searched{network, beta};
    return searched.inNetwork(find(problem, network, searched.graph(), Effort::plain, {}));
}

}  // namespace emulation::bounds
