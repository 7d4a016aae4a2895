// SPDX-License-Identifier: BSD-3-Clause
// Which send a receive matches, and whether both ends of every message know of it: what real ranks need so as not to
// wait for ever.
#pragma once

#include "engine/run/executor.hpp"
#include "engine/schedule/counter_example.hpp"
#include "engine/schedule/schedule.hpp"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace engine {

/// The rule of schedule.hpp: the i-th receive from a peer in a round matches that peer's i-th send to it. Everyone who
/// matches messages asks these two. `side`: the messages that one rank sends, or receives, in a round, in the order of
/// its turn; `peerOf`: the other rank of one of them.
///
/// How many messages with its peer come before the one at `place`.
template <class Side, class PeerOf = Rank Message::*>
std::size_t ordinalOf(const Side& side, std::size_t place, PeerOf peerOf = &Message::peer) {
    std::size_t ordinal = 0;
    for (std::size_t k = 0; k < place; ++k)
        if (std::invoke(peerOf, side[k]) == std::invoke(peerOf, side[place])) ++ordinal;
    return ordinal;
}
/// The place of the message with `peer` that comes behind `ordinal` others with it; nothing where there are fewer.
template <class Side, class Peer, class PeerOf = Rank Message::*>
std::optional<std::size_t> placeOf(const Side& side, Peer peer, std::size_t ordinal, PeerOf peerOf = &Message::peer) {
    for (std::size_t place = 0; place < side.size(); ++place)
        if (std::invoke(peerOf, side[place]) == peer && ordinal-- == 0) return place;
    return std::nullopt;
}

/// Which send and which receive belong together, given the turns of all ranks in one round. The turns must not change
/// while this is used. Ranks with many messages in the round are sorted once, so that all matches take n log n.
class Matches {
public:
    explicit Matches(std::span<const Turn> turns) : turns_{turns} {}
    /// The send that the `i`-th receive of `rank` matches; null when the peer sends none.
    const Message* sendFor(Rank rank, std::size_t i);
    /// The receive that the `i`-th send of `rank` matches; null when the peer expects none.
    const Message* receiveFor(Rank rank, std::size_t i);

private:
    using Side = std::span<const Message>;
    /// A side with too many messages to search all of them for each match.
    struct Sorted {
        std::vector<std::size_t> ordinals;                 ///< by place
        std::vector<std::pair<Rank, std::size_t>> byPeer;  ///< places
    };
    const Sorted& sorted(Side side);
    const Message* match(Side theirs, std::size_t i, Side mine, Rank rank);

    std::span<const Turn> turns_;
    std::unordered_map<const Message*, Sorted> sorted_;  ///< by the first message of the side
};

/// All turns of one round, and whether both ends of every message agree.
class Pairing {
public:
    /// `schedule` must outlive this.
    explicit Pairing(const Schedule& schedule);

    [[nodiscard]] std::size_t ranks() const { return turns_.size(); }
    [[nodiscard]] std::span<const Turn> turns() const { return turns_; }
    [[nodiscard]] const Turn& turnOf(Rank rank) const { return turns_[rank.index()]; }

    /// What `rank` does in `round`; every rank is to be asked before the ends are compared.
    const Turn& ask(Rank rank, Round round);

    /// Throws CounterExample at the first message that only one end knows, or that the ends disagree about.
    void checkBothEnds(Round round);

    /// The first of them in all rounds, and then the turns are those of its round; nothing when all are agreed. Throws
    /// Cancelled.
    [[nodiscard]] std::optional<CounterExample> firstUnpaired(const Progress& progress = {});

private:
    [[nodiscard]] bool exists(Rank rank) const { return rank.value >= 0 && rank.value < facts_.ranks; }
    [[nodiscard]] std::string instead(Rank sender) const;
    void checkReceives(Round round, Rank rank, Matches& matches);
    [[noreturn]] void refuteUnreceived(Round round, Rank rank) const;

    const Schedule& schedule_;
    const Facts& facts_;
    std::vector<Turn> turns_;
    std::vector<std::size_t> matched_;  // per sender: its sends of this round that were received
};

}  // namespace engine
