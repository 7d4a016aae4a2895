// SPDX-License-Identifier: BSD-3-Clause
// The question a collective asks: which one, how many ranks, how many bytes, which root.
#pragma once

#include "engine/base/types.hpp"
#include "engine/problem/block_layout.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

/// What all ranks want together. The spelling in ids and files is `name(collective)`, its promise
/// `promise(collective)`.
enum class Collective : std::uint8_t {
    bcast,
    reduce,
    gatherv,
    scatterv,
    allgatherv,
    alltoallv,
    allreduce,
    reduceScatter,
    scan,
    barrier,
    intergroupBcast,
    intergroupReduce,
    intergroupAllreduce,
    intergroupAllgatherv,
    intergroupAlltoallv,
    halfduplexAllgather,
};

/// How two vectors become one. `user` stands for any operation that commutes; `ordered` multiplies matrices of 2 x 2
/// whole numbers, and does not.
enum class Operation : std::uint8_t { sum, min, max, user, ordered };
enum class Element : std::uint8_t { int32, int64, float32, float64, uint32, uint64 };

/// All of them, in the order of the enumeration.
std::span<const Collective> collectives();

std::string_view name(Collective collective);
std::string_view name(Operation operation);
std::string_view name(Element element);
Collective collectiveNamed(std::string_view words);  ///< also "allgather" for allgatherv, likewise those with a v
Operation operationNamed(std::string_view words);
Element elementNamed(std::string_view words);

/// What people call it at the head of a page: "Broadcast".
std::string_view title(Collective collective);
/// What it promises, in a clause: "the root's message to all".
std::string_view promise(Collective collective);

/// Bytes of one element.
Bytes sizeOf(Element element);

/// Whether the collective moves bytes between two groups.
bool isIntergroup(Collective collective);
/// Whether the collective combines partial results (or, for the barrier, signs of life) instead of gathering bytes.
bool isReduction(Collective collective);
/// Whether it combines vectors: an operation and a type of elements belong to it.
bool combinesVectors(Collective collective);
/// Whether one rank brings or gets everything.
bool hasRoot(Collective collective);
/// Whether its contributions may differ in size.
bool isUneven(Collective collective);

/// One instance of a collective. Made by the functions below, which check every number.
struct Problem {
    Collective collective = Collective::bcast;
    std::int32_t groupA = 1;  ///< p; for intragroup collectives all ranks
    std::int32_t groupB = 0;  ///< q; 0 for intragroup collectives
    /// Contributions in rank order: of A, then (full duplex) of B; for a broadcast the root's one; for a scatter the
    /// root's to each; alltoall: rank 0's to each, then rank 1's, ... (between groups: A's to each of B, then B's to
    /// each of A); reductions: one vector per rank, all of one size; for the barrier nothing.
    Layout layout{};
    Rank root{0};                          ///< where there is one
    Operation operation = Operation::sum;  ///< where vectors are combined
    Element element = Element::int32;      ///< where vectors are combined
    bool exclusive = false;                ///< scan only: a rank's own vector is not in its result
    Bytes grain = 0;  ///< bytes of an element of somebody else's type, which only he can combine; 0: of `element`
    int ports = 1;    ///< messages a rank can send, and receive, at one time
    std::vector<int> torus{};  ///< the torus the ranks form, if the user named one; row-major

    [[nodiscard]] std::int32_t ranks() const { return groupA + groupB; }

    friend bool operator==(const Problem&, const Problem&) = default;
};

/// What a solution of `problem` promises, in a clause: that of its collective, or of an exclusive scan.
std::string_view promise(const Problem& problem);

/// Throws Error unless counts, sizes, root and ports are in range and agree with each other.
void validate(const Problem& problem);

/// Rank that brings contribution `block`.
Rank ownerOf(const Problem& problem, Block block);
/// The one rank that must get contribution `block`; nothing where all that the collective names must.
std::optional<Rank> receiverOf(const Problem& problem, Block block);
/// The contribution that `from` brings for `to`; alltoall only, within one group or from one to the other.
Block blockBetween(const Problem& problem, Rank from, Rank to);

/// Bytes that a vector is made of and must not be cut inside: an element, or a matrix.
Bytes unitOf(const Problem& problem);
/// The vector cut into one block per rank, as reduce-scatter leaves it.
VectorCut blocksOf(const Problem& problem);

/// One line that `problemFromText` reads back: "halfduplex-allgather p=4 q=6 sizes=10x65536". For archives and files.
std::string toText(const Problem& problem);
Problem problemFromText(std::string_view line);

}  // namespace engine
