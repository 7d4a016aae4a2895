// SPDX-License-Identifier: BSD-3-Clause
// How much each link carried, per round and in total: streamed by the emulator, or computed from any Run.
#pragma once

#include "emulation/networks/grid_link_loads.hpp"
#include "emulation/networks/link_counters.hpp"
#include "emulation/networks/network.hpp"
#include "engine/run/run.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

namespace emulation {

struct Congestion {
    std::vector<engine::Bytes> perLink;  ///< total bytes by LinkId; empty when the network has no links
    std::vector<LinkPeak> perRound;      ///< the busiest link of each round, least id on ties
    engine::Round peakRound{0};          ///< the round with the largest peak, first on ties

    friend bool operator==(const Congestion&, const Congestion&) = default;
};

/// Adds up link loads, message by message, round by round.
class LinkTally {
public:
    /// What is asked before a round is closed: single links, or only the busiest one of a route, which is faster on
    /// grids.
    enum class Asked : std::uint8_t { links, routes };

    LinkTally(const Network& network, std::int64_t rounds, Asked asked = Asked::links);

    /// Loads every link between the two ranks.
    void add(Rank from, Rank to, engine::Bytes bytes) {
        if (lines_) lines_->add(from, to, bytes);
        else counters_->add(from, to, bytes);
    }
    /// The round's messages are all there; questions may be asked.
    void settle() {
        if (lines_) lines_->settle();
    }
    /// Bytes through the busiest link on the route of a message of the open round, given by the index at which it was
    /// added.
    [[nodiscard, gnu::always_inline]] engine::Bytes busiest(std::size_t message, Rank from, Rank to) {
        if (lines_) return lines_->busiest(message);
        engine::Bytes most = 0;
        for (const LinkId link : route(from, to)) most = std::max(most, inRound(link).bytes);
        return most;
    }
    /// The same as the first, where the links are known; where links are asked for.
    void add(std::span<const LinkId> links, engine::Bytes bytes) { counters_->add(links, bytes); }
    /// The links between the two ranks, valid until the next call; where links are asked for.
    [[nodiscard]] std::span<const LinkId> route(Rank from, Rank to) { return counters_->route(from, to); }
    /// What `link` carries in the open round; where links are asked for.
    [[nodiscard]] const LinkCounters::Load& inRound(LinkId link) const { return (*counters_)[link]; }
    /// Closes the round: notes its peak and clears its loads.
    void closeRound(engine::Round round);
    [[nodiscard]] Congestion finish();

private:
    Congestion congestion_;
    std::optional<LineLoads> lines_;
    std::optional<LinkCounters> counters_;  // without lines, which need no counter for each link
};

/// Routes the kept messages of any run over `network`.
Congestion congestion(const engine::Run& run, const Network& network);

/// Bytes through every link in one round; empty when the network has no links.
std::vector<engine::Bytes> loadsInRound(const engine::Run& run, const Network& network, engine::Round round);

}  // namespace emulation
