// SPDX-License-Identifier: BSD-3-Clause
// What a collective must move out of a set of ranks, whatever the algorithm.
#pragma once

#include "engine/problem/problem.hpp"

#include <cstdint>
#include <vector>

namespace emulation::bounds {

using engine::Rank;

/// Bytes that a collective moves from ranks that bring them to ranks that take them. For a set S of ranks, with
/// `brings` and `takes` of this demand:
///   spread   every byte goes to all takers: the bytes in S must leave S if some taker is outside
///   collect  results are combined from all who bring: the results of ranks outside must leave S if some of those
///            who bring are in S (partial results count as bytes of the result)
///   vector   one vector, or a partial result of its size, leaves S if some who bring are in S and some taker is not
///   chain    the vector leaves S if rank r is in S and rank r + 1 is not
struct Demand {
    enum class Kind : std::uint8_t { spread, collect, vector, chain };

    Kind kind = Kind::vector;
    std::vector<bool> brings{};          ///< by rank; collect, vector
    std::vector<bool> takes{};           ///< by rank; spread, vector
    std::vector<engine::Bytes> bytes{};  ///< by rank: brought (spread) or taken (collect)
    engine::Bytes size = 0;              ///< of the vector (vector, chain)

    [[nodiscard]] bool hasBringer() const { return kind == Kind::collect || kind == Kind::vector; }
    [[nodiscard]] bool hasTaker() const { return kind == Kind::spread || kind == Kind::vector; }
};

/// The demands of one problem. Different ones move different bytes: what leaves a set is their sum.
class Demands {
public:
    explicit Demands(const engine::Problem& problem);

    /// Contributions for one rank each (alltoall): then there is no list.
    [[nodiscard]] bool isPersonal() const { return personal_; }
    /// Personal: whether everybody has as much for everybody else.
    [[nodiscard]] bool isRegular() const { return regular_; }
    [[nodiscard]] const std::vector<Demand>& list() const { return list_; }
    /// Whether there is one demand whose vector everybody brings and takes.
    [[nodiscard]] bool isAllreduce() const;
    /// Bytes that `from` has for `to`; personal ones only.
    [[nodiscard]] engine::Bytes between(Rank from, Rank to) const;
    /// Bytes that must leave a set of ranks, and that must come in from the others.
    struct Crossing {
        engine::Bytes leaving = 0;
        engine::Bytes entering = 0;
    };
    /// Of each of the groups 0 .. groups-1, where `groupOf` has that of each rank.
    [[nodiscard]] std::vector<Crossing> crossing(const std::vector<std::int32_t>& groupOf, std::int32_t groups) const;
    /// Steps that crossing() takes, beside one for each group.
    [[nodiscard]] std::int64_t work() const;
    [[nodiscard]] std::int32_t ranks() const { return problem_.ranks(); }

private:
    const engine::Problem& problem_;
    bool personal_ = false;
    bool regular_ = false;  // personal: everybody has as much for everybody
    std::vector<Demand> list_;
};

}  // namespace emulation::bounds
