// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/clocks/round_costs.hpp"

#include "emulation/clocks/bounded_time.hpp"

#include <algorithm>

namespace emulation {

RoundCosts::RoundCosts(const Network& network, const Conditions& conditions, std::int64_t rounds)
    : logGP_{conditions.model.logGP.has_value()},
      routed_{network.links() > 0},
      links_{network, rounds},
      routes_{network, conditions, links_},
      factors_{slowness(conditions.perturbation.slowRanks, network.ranks())} {}

std::span<const engine::Picoseconds> RoundCosts::of(const engine::Batch& batch, engine::Round round) {
    if (routed_) {
        for (std::size_t i = 0; i < batch.size(); ++i)
            links_.add(Rank{batch.from()[i]}, Rank{batch.to()[i]}, batch.bytes()[i]);
        links_.settle();
    }
    routes_.open(batch);
    costs_.clear();
    startups_.clear();
    for (std::size_t i = 0; i < batch.size(); ++i) {
        const Rank from{batch.from()[i]};
        const Rank to{batch.to()[i]};
        const RouteCosts::Cost route = routes_.of(i);
        const Factor slowness = std::max(factorOf(from), factorOf(to));
        if (logGP_) startups_.push_back(route.startup);
        costs_.push_back(lasting(slowness, logGP_ ? route.moving : later(route.startup, route.moving)));
    }
    if (routed_) links_.closeRound(round);
    return costs_;
}

}  // namespace emulation
