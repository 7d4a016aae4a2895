// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/bounds/network_bound.hpp"

#include "emulation/bounds/searches.hpp"
#include "engine/error.hpp"

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

std::optional<NetworkBound> find(const engine::Problem& problem, const Network& network, engine::Rate beta,
                                 Effort effort, const std::stop_token& stop) {
    // Dummy ranks would have to be told apart from those of the problem.
    if (network.links() == 0 || network.ranks() != problem.ranks()) return std::nullopt;
    const Demands demands{problem};
    if (demands.list().empty() && !demands.isPersonal()) return std::nullopt;
    const Capacities capacities{network, beta};
    const Asked asked{network, capacities, demands, stop};
    NetworkBound best = plainCuts(asked, noBound());
    if (demands.isPersonal()) best = personalBounds(asked, std::move(best));
    else if (effort == Effort::full) best = allCuts(asked, std::move(best));
    if (demands.isAllreduce()) best = allGroups(asked, std::move(best), effort == Effort::full);
    if (best.bytes == 0) return std::nullopt;
    return best;
}

}  // namespace

std::optional<NetworkBound> networkBound(const engine::Problem& problem, const Network& network, engine::Rate beta,
                                         const std::stop_token& stop) {
    return find(problem, network, beta, Effort::full, stop);
}

std::optional<NetworkBound> plainBound(const engine::Problem& problem, const Network& network, engine::Rate beta) {
    return find(problem, network, beta, Effort::plain, {});
}

}  // namespace emulation::bounds
