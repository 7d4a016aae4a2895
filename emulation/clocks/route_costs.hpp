// SPDX-License-Identifier: BSD-3-Clause
// What the route of a message costs, where links are not all as the model says: links with a quality of their own, slow
// links, cards that take one message at a time.
#pragma once

#include "emulation/conditions.hpp"
#include "emulation/networks/congestion.hpp"

#include <map>

namespace emulation {

/// Whether every link of the network is as the model says. Looks at every link.
bool isUniform(const Network& network);

/// The links that `slow` names; none on a network without links, where it names two ranks. Throws Error when it names
/// nothing that the network has.
std::vector<LinkId> linksOf(const Network& network, const SlowLink& slow);

class RouteCosts {
public:
    /// Throws Error for a slow link that the network does not have. All three outlive the object.
    RouteCosts(const Network& network, const Conditions& conditions, LinkTally& links);

    struct Cost {
        engine::Picoseconds startup{};  ///< alpha, or L; with what the network says and its links add
        engine::Picoseconds moving{};   ///< of the bytes, through the link that needs most time
    };
    /// Of a message of the open round, all of which `links` has counted.
    [[nodiscard]] Cost of(Rank from, Rank to, engine::Bytes bytes);

private:
    struct Link {
        engine::Picoseconds latency{};
        engine::Rate beta{};
        Factor factor{};
        bool oneAtATime = false;
    };

    void slowDown(const SlowLink& slow);
    [[nodiscard]] engine::Picoseconds moving(engine::Rate beta, engine::Bytes bytes, std::int64_t messages) const;

    const Network& network_;
    const engine::Model& model_;
    LinkTally& tally_;
    bool shared_;
    std::vector<Link> links_;                                            // by id
    std::map<std::pair<std::int32_t, std::int32_t>, Factor> slowPairs_;  // networks without links
};

}  // namespace emulation
