// SPDX-License-Identifier: BSD-3-Clause
// How much each link carried, per round and in total: streamed by the emulator, or computed from any Run.
#pragma once

#include "emulation/network.hpp"
#include "engine/run.hpp"

#include <span>
#include <vector>

namespace emulation {

/// The busiest link of one round.
struct LinkPeak {
    LinkId link;
    engine::Bytes bytes = 0;  ///< through this link in this round; 0 = no link was used

    friend bool operator==(const LinkPeak&, const LinkPeak&) = default;
};

struct Congestion {
    std::vector<engine::Bytes> perLink;  ///< total bytes by LinkId; empty when the network has no links
    std::vector<LinkPeak> perRound;      ///< the busiest link of each round, least id on ties
    engine::Round peakRound{0};          ///< the round with the largest peak, first on ties

    friend bool operator==(const Congestion&, const Congestion&) = default;
};

/// Adds up link loads, message by message, round by round.
class LinkTally {
public:
    LinkTally(const Network& network, std::int64_t rounds);

    /// Loads every link between the two ranks.
    void add(Rank from, Rank to, engine::Bytes bytes) { add(route(from, to), bytes); }
    /// The same, where the links are known.
    void add(std::span<const LinkId> links, engine::Bytes bytes);
    /// The links between the two ranks, valid until the next call.
    [[nodiscard]] std::span<const LinkId> route(Rank from, Rank to);
    /// Bytes through `link` in the open round.
    [[nodiscard]] engine::Bytes inRound(LinkId link) const { return load_[static_cast<std::size_t>(link.value)]; }
    /// Closes the round: notes its peak and clears its loads.
    void closeRound(engine::Round round);
    [[nodiscard]] Congestion finish() { return std::move(congestion_); }

private:
    const Network* network_;
    Congestion congestion_;
    std::vector<engine::Bytes> load_;
    std::vector<LinkId> touched_;
    std::vector<LinkId> route_;
};

/// Routes the kept messages of any run over `network`.
Congestion congestion(const engine::Run& run, const Network& network);

/// Bytes through every link in one round; empty when the network has no links.
std::vector<engine::Bytes> loadsInRound(const engine::Run& run, const Network& network, engine::Round round);

}  // namespace emulation
