// SPDX-License-Identifier: BSD-3-Clause
// What a collective promises, apart from any algorithm: who holds which bytes before, and who must hold which after.
//
// | collective            | before                    | after                       |
// |-----------------------|---------------------------|-----------------------------|
// | bcast                 | root: all                 | everyone: all               |
// | allgatherv            | rank r: block r           | everyone: all               |
// | intergroup-allgatherv | rank r: block r           | A: B's blocks; B: A's       |
// | halfduplex-allgather  | a in A: block a           | b in B: all                 |
// | allreduce, sum        | rank r: {r}               | everyone: each rank once    |
// | allreduce, min, max   | rank r: {r}               | everyone: each rank, >= once |
// | barrier               | rank r: {r}               | everyone: each rank, >= once |
#pragma once

#include "engine/problem.hpp"

namespace engine {

/// How often each contribution must be in a result.
enum class Demand : std::uint8_t {
    bytes,        ///< gather-like: the bytes, wherever they came from
    exactlyOnce,  ///< reductions: a contribution counted twice is as wrong as one that is missing
    atLeastOnce,  ///< barrier, and minimum and maximum, which do not mind repeats: to have heard of everyone
};

/// The promise of one problem; every answer is arithmetic.
class Contract {
public:
    explicit Contract(const Problem& problem) : problem_{&problem} {}

    [[nodiscard]] Demand demand() const;
    /// Bytes of the line that `rank` brings; empty for reductions and for ranks beyond the problem's (dummies).
    [[nodiscard]] Range before(Rank rank) const;
    /// Bytes of the line that `rank` must hold in the end; empty for reductions and dummies.
    [[nodiscard]] Range after(Rank rank) const;

private:
    const Problem* problem_;
};

}  // namespace engine
