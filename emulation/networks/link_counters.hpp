// SPDX-License-Identifier: BSD-3-Clause
// What each link carries in one round: the one place where messages are counted on the links of their routes.
// Virtual time asks it while the clocks move, questions to a run ask it round by round.
#pragma once

#include "emulation/networks/network.hpp"
#include "engine/run/run.hpp"

#include <span>
#include <utility>
#include <vector>

namespace emulation {

/// Counters of all links, as ports of switches have them. Takes 16 bytes a link, and the way of one
/// message for each rank; a round costs the links it uses.
class LinkCounters {
public:
    struct Load {
        engine::Bytes bytes = 0;
        std::int64_t messages = 0;  ///< those without bytes, too
    };

    explicit LinkCounters(const Network& network)
        : network_{&network},
          loads_(static_cast<std::size_t>(network.links())),
          latest_(network.links() > 0 ? static_cast<std::size_t>(network.ranks()) : 0) {}

    /// The links between the two ranks, valid until the next call. That of a rank's latest message is kept: on rings
    /// all of them go the same way.
    [[nodiscard]] std::span<const LinkId> route(Rank from, Rank to) {
        if (latest_.empty()) return {};
        Latest& latest = latest_[from.index()];
        if (latest.to != to) {
            latest.to = to;
            latest.links.clear();
            network_->route(from, to, latest.links);
        }
        return latest.links;
    }
    /// Counts a message on every link of its route.
    void add(std::span<const LinkId> links, engine::Bytes bytes) {
        for (const LinkId link : links) {
            Load& load = loads_[link.index()];
            if (load.messages++ == 0) used_.push_back(link);
            load.bytes += bytes;
        }
    }
    void add(Rank from, Rank to, engine::Bytes bytes) { add(route(from, to), bytes); }

    [[nodiscard]] const Load& operator[](LinkId link) const { return loads_[link.index()]; }
    /// Links with messages, in the order of their first ones.
    [[nodiscard]] std::span<const LinkId> used() const { return used_; }
    /// Back to nothing: for the next round.
    void clear() {
        for (const LinkId link : used_) loads_[link.index()] = {};
        used_.clear();
    }

private:
    const Network* network_;
    std::vector<Load> loads_;  // by link
    std::vector<LinkId> used_;
    struct Latest {
        Rank to{-1};
        std::vector<LinkId> links;
    };
    std::vector<Latest> latest_;  // by sender
};

/// Routes the kept messages of any run over `network`: calls each(round, counters) for every round that uses a link.
template <class Each>
void eachRound(const engine::Run& run, const Network& network, Each each) {
    if (network.links() == 0) return;
    const engine::Messages& messages = run.messages;
    LinkCounters counters{network};
    for (std::size_t i = 0; i < messages.size();) {
        const engine::Round round = messages.round()[i];
        for (; i < messages.size() && messages.round()[i] == round; ++i)
            counters.add(messages.from()[i], messages.to()[i], messages.bytes()[i]);
        if (!counters.used().empty()) each(round, std::as_const(counters));
        counters.clear();
    }
}

}  // namespace emulation
