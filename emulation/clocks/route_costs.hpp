// SPDX-License-Identifier: BSD-3-Clause
// What the route of a message costs, where links are not all as the model says: links with a quality of their own, slow
// links, cards that take one message at a time.
//
// Messages of a round share the links on which they meet. A rank with more messages in a round than ports sends and
// receives them one after the other, so those do not meet each other. With k ports message number n of a sender's turn
// moves in wave n/k, and of the messages of a wave with one receiver at most k move at a time. On link L message i is
// as slow as if it had
//     sum over receivers r of the k largest messages of its wave to r through L
// bytes; i itself stands in place of the k-th largest of its receiver if it is smaller than that.
#pragma once

#include "emulation/conditions.hpp"
#include "emulation/networks/congestion.hpp"
#include "engine/schedule/schedule.hpp"

#include <map>
#include <utility>
#include <vector>

namespace emulation {

/// Whether every link of the network is as the model says. Looks at every link.
bool isUniform(const Network& network);

/// The links that `slow` names; none on a network without links, where it names two ranks. Throws Error when it names
/// nothing that the network has.
std::vector<LinkId> linksOf(const Network& network, const SlowLink& slow);

/// The two ranks that `slow` names on a network without links, where linksOf() has not thrown.
std::pair<std::int32_t, std::int32_t> pairOf(const Network& network, const SlowLink& slow);

class RouteCosts {
public:
    /// Throws Error for a slow link that the network does not have. All three outlive the object.
    RouteCosts(const Network& network, const Conditions& conditions, LinkTally& links);

    /// Begins a round: `links` has counted all messages of the batch, which outlives the round.
    void open(const engine::Batch& batch);

    struct Cost {
        engine::Picoseconds startup{};  ///< alpha, or L; with what the network says and its links add
        engine::Picoseconds moving{};   ///< of the bytes, through the link that needs most time
    };
    /// Of message i of the batch that the round was opened with.
    [[nodiscard]] Cost of(std::size_t i);

private:
    struct Link {
        engine::Picoseconds latency{};
        engine::Rate beta{};
        Factor factor{};
        bool oneAtATime = false;
    };

    void slowDown(const SlowLink& slow);
    [[nodiscard]] bool exceedsPorts(const engine::Batch& batch);
    void shareByPorts(const engine::Batch& batch);
    [[nodiscard]] LinkCounters::Load loadOn(LinkId link, std::size_t message, std::size_t hop) const;
    [[nodiscard]] engine::Picoseconds moving(engine::Rate beta, engine::Bytes bytes, std::int64_t messages) const;

    const Network& network_;
    const engine::Model& model_;
    LinkTally& tally_;
    bool shared_;
    int ports_;  ///< messages of a rank that move at once, each way; 0: all of a round
    const engine::Batch* batch_ = nullptr;
    /// Where a rank has more messages in the round than ports: what shares each link of each message's route with it.
    std::vector<LinkCounters::Load> loads_;
    std::vector<std::size_t> loadsOf_;        // by message: where its own begin in loads_; empty: the tally's hold
    std::vector<std::int32_t> sent_, taken_;  // by rank: messages of the round
    std::vector<Link> links_;                 // by id
    std::map<std::pair<std::int32_t, std::int32_t>, Factor> slowPairs_;  // networks without links
};

}  // namespace emulation
