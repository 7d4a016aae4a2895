// SPDX-License-Identifier: BSD-3-Clause
// The question a collective asks: which one, how many ranks, how many bytes, which root.
#pragma once

#include "engine/layout.hpp"
#include "engine/types.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace engine {

/// What all ranks want together. The spelling in ids and files is `name(collective)`.
enum class Collective : std::uint8_t {
    bcast,                 ///< the root's message to all
    allgatherv,            ///< everyone's contribution to everyone
    allreduce,             ///< everyone's vector, combined, to everyone
    barrier,               ///< nobody leaves before everybody came
    intergroupAllgatherv,  ///< A's contributions to all of B and B's to all of A
    halfduplexAllgather,   ///< A's contributions to all of B
};

enum class Operation : std::uint8_t { sum, min, max, user };
enum class Element : std::uint8_t { int32, int64, float32, float64 };

std::string_view name(Collective collective);
std::string_view name(Operation operation);
std::string_view name(Element element);
Collective collectiveNamed(std::string_view words);
Operation operationNamed(std::string_view words);
Element elementNamed(std::string_view words);

/// Bytes of one element.
Bytes sizeOf(Element element);

/// Whether the collective moves bytes between two groups.
bool isIntergroup(Collective collective);
/// Whether the collective combines partial results (or, for the barrier, signs of life) instead of gathering bytes.
bool isReduction(Collective collective);

/// One instance of a collective. Made by the functions below, which check every number.
struct Problem {
    Collective collective = Collective::bcast;
    std::int32_t groupA = 1;  ///< p; for intragroup collectives all ranks
    std::int32_t groupB = 0;  ///< q; 0 for intragroup collectives
    /// Contributions in rank order: of A, then (full duplex) of B; for bcast the root's one; for allreduce one vector
    /// per rank, all of one size; for the barrier nothing.
    Layout layout{};
    Rank root{0};                          ///< bcast only
    Operation operation = Operation::sum;  ///< allreduce only
    Element element = Element::int32;      ///< allreduce only
    int ports = 1;                         ///< messages a rank can send, and receive, at one time
    std::vector<int> torus{};              ///< the torus the ranks form, if the user named one; row-major

    [[nodiscard]] std::int32_t ranks() const { return groupA + groupB; }

    friend bool operator==(const Problem&, const Problem&) = default;
};

/// Throws Error unless counts, sizes, root and ports are in range and agree with each other.
void validate(const Problem& problem);

/// Rank that brings contribution `block`.
Rank ownerOf(const Problem& problem, Block block);

/// One line that `problemFromText` reads back: "halfduplex-allgather p=4 q=6 sizes=10x65536". For archives and files.
std::string toText(const Problem& problem);
Problem problemFromText(std::string_view line);

}  // namespace engine
