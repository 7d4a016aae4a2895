// SPDX-License-Identifier: BSD-3-Clause
// Routes through a network, remembering each sender's last one: most schedules keep their peers for many rounds.
#pragma once

#include "emulation/networks/network.hpp"
#include "engine/base/by_id.hpp"

#include <span>
#include <vector>

namespace emulation {

class FairRoutes {
public:
    explicit FairRoutes(const Network& network) : network_{&network}, last_(network.ranks()) {}

    /// The links from `from` to `to`; valid until the next call with that sender.
    std::span<const LinkId> operator()(Rank from, Rank to) {
        Last& last = last_[from];
        if (last.to != to) {
            last.to = to;
            last.links.clear();
            network_->route(from, to, last.links);
        }
        return last.links;
    }

private:
    struct Last {
        Rank to{-1};
        std::vector<LinkId> links;
    };

    const Network* network_;
    engine::ById<Rank, Last> last_;
};

}  // namespace emulation
