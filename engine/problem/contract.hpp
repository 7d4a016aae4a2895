// SPDX-License-Identifier: BSD-3-Clause
// What a collective promises, apart from any algorithm: who holds which bytes before, and who must hold which after.
//
// | collective            | before                    | after                                        |
// |-----------------------|---------------------------|----------------------------------------------|
// | bcast                 | root: all                 | everyone: all                                |
// | gatherv               | rank r: block r           | root: all                                    |
// | scatterv              | root: all                 | rank r: block r                              |
// | allgatherv            | rank r: block r           | everyone: all                                |
// | alltoallv             | rank r: r's to each       | rank r: each one's to r                      |
// | intergroup-bcast      | root: all                 | the other group: all                         |
// | intergroup-allgatherv | rank r: block r           | A: B's blocks; B: A's                        |
// | intergroup-alltoallv  | rank r: r's to each       | rank r: each one's of the other group to r   |
// | halfduplex-allgather  | a in A: block a           | b in B: all                                  |
//
// Reductions: a rank brings its own vector. How often each must be in a result says `Demand`.
//
// | collective            | who has a result, of what | of whose vectors                             |
// |-----------------------|---------------------------|----------------------------------------------|
// | reduce                | root: the vector          | everyone's                                   |
// | allreduce             | everyone: the vector      | everyone's                                   |
// | reduce-scatter        | rank r: block r of it     | everyone's                                   |
// | scan                  | rank r: the vector        | ranks 0..r; exclusive: 0..r-1, rank 0 nothing |
// | intergroup-reduce     | root: the vector          | the other group's                            |
// | intergroup-allreduce  | everyone: the vector      | the other group's                            |
// | barrier               | everyone: a sign of life  | everyone's                                   |
#pragma once

#include "engine/problem/problem.hpp"

#include <optional>
#include <vector>

namespace engine {

/// How often each contribution must be in a result.
enum class Demand : std::uint8_t {
    bytes,        ///< gather-like: the bytes, wherever they came from
    exactlyOnce,  ///< reductions: a contribution counted twice is as wrong as one that is missing
    atLeastOnce,  ///< barrier, and minimum and maximum, which do not mind repeats: to have heard of everyone
    inOrder,      ///< operations that do not commute: once each, in the order of their ranks
};

/// Ranks first, first + 1, ..., end - 1.
struct Contributors {
    std::int32_t first = 0;
    std::int32_t end = 0;

    friend bool operator==(const Contributors&, const Contributors&) = default;
};

/// The promise of one problem; every answer is arithmetic.
class Contract {
public:
    explicit Contract(const Problem& problem) : problem_{&problem} {}

    [[nodiscard]] Demand demand() const;
    /// Bytes of the line that `rank` brings; empty for reductions and for ranks beyond the problem's (dummies).
    [[nodiscard]] Range before(Rank rank) const;
    /// Bytes of the line that `rank` must hold in the end, rising; none for reductions and dummies.
    [[nodiscard]] std::vector<Range> after(Rank rank) const;

    /// The bytes of the vector whose result `rank` must have in the end; nothing where it needs no result. Reductions
    /// only.
    [[nodiscard]] std::optional<Range> result(Rank rank) const;
    /// Whose vectors, and nobody else's, must be in the result of `rank`. Reductions only.
    [[nodiscard]] Contributors contributors(Rank rank) const;

private:
    const Problem* problem_;
};

}  // namespace engine
