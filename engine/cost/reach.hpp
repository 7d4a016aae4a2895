// SPDX-License-Identifier: BSD-3-Clause
// How soon what few ranks know can be known to many: by counting, and by hops.
#pragma once

#include "engine/base/types.hpp"
#include "engine/schedule/wiring.hpp"

#include <span>
#include <vector>

namespace engine {

/// Ranks first .. first + count-1.
struct RankSpan {
    std::int32_t first = 0;
    std::int32_t count = 0;
};

/// What limits the least number of rounds.
enum class Limit : std::uint8_t {
    counting,  ///< holders tell so many others a round
    hops,      ///< the way to the farthest
};

/// Rounds that pass at least, and what asks for them.
struct LeastRounds {
    std::int64_t rounds = 0;
    Limit limit = Limit::counting;
};

/// Least t after which `wanted` ranks can know what `holders` of them knew, when each tells `ports` others a round; or,
/// looked at backwards, after which one rank can have heard of `wanted` - 1 others. `neighbours`: of each rank, at
/// most, of whom one has told it; 0: everyone.
std::int64_t roundsToKnow(std::int64_t holders, std::int64_t wanted, int ports, std::int64_t neighbours);

/// The wires among the ranks of one problem.
class Reach {
public:
    /// `ranks`: of the problem. A ring may be longer by dummies, which are left out; those of a torus pass things on.
    Reach(const Wiring& wiring, std::int32_t ranks, int ports);

    /// Most hops of any of `to` from the nearest of `from`: 0 where all of them are there, 1 where everyone is a
    /// neighbour or hops are not known (switches between ranks, networks too large to look at).
    [[nodiscard]] std::int64_t hops(std::span<const Rank> from, RankSpan to) const;
    /// Until each of `to` knows what those of `from` did.
    [[nodiscard]] LeastRounds toTell(std::span<const Rank> from, RankSpan to) const;
    /// Until one rank has heard of so many others, or so many have heard of it.
    [[nodiscard]] std::int64_t toHearOf(std::int64_t others) const {
        return roundsToKnow(1, others + 1, ports_, neighbours_);
    }
    /// Hops from `from` to every place, or from every place to it; -1 where no way leads. Nothing where hops are not
    /// known: everyone may be a neighbour.
    [[nodiscard]] std::vector<std::int32_t> hopsFrom(Rank from) const { return hopsAlong({&from, 1}, forth_); }
    [[nodiscard]] std::vector<std::int32_t> hopsTo(Rank to) const { return hopsAlong({&to, 1}, back_); }
    /// Whether hops from and to so many ranks can be asked for in a moment.
    [[nodiscard]] bool isQuickFor(std::int64_t ranks) const;
    /// Whether every place has the same view of all others.
    [[nodiscard]] bool isAlikeEverywhere() const { return wiring_.kind() != Wiring::Kind::named; }
    /// Ranks of the problem, and places beside them that pass things on.
    [[nodiscard]] std::int32_t places() const { return places_; }

private:
    using Adjacency = std::vector<std::vector<std::int32_t>>;

    template <class Use>
    void eachNeighbour(std::int32_t place, const Adjacency& named, const Use& use) const;
    [[nodiscard]] std::vector<std::int32_t> hopsAlong(std::span<const Rank> from, const Adjacency& named) const;
    void lookAtNamed();

    Wiring wiring_;
    std::int32_t places_;
    int ports_;
    std::int64_t neighbours_ = 0;  ///< as roundsToKnow wants them
    Adjacency forth_;              ///< of named networks: whom each place has a link to
    Adjacency back_;               ///< and from
};

}  // namespace engine
