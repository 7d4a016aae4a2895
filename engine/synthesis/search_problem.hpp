// SPDX-License-Identifier: BSD-3-Clause
// What a search decides: a network as channels over links, and chunks that must get from their owners to all that need
// them. The encoding follows SCCL (Cai et al., PPoPP 2021): time is cut into steps, and step s has r_s >= 1 rounds, in
// which a link carries r_s times as many chunks as it has lanes.
#pragma once

#include "engine/schedule_files/stored_schedule.hpp"

#include <cstdint>
#include <vector>

namespace engine::synthesis {

/// A way from one rank to another that crosses no third rank. Every chunk sent through it loads all its links.
struct Channel {
    std::int32_t from = 0;
    std::int32_t to = 0;
    std::vector<std::int32_t> links{};  ///< into Fabric::lanes

    friend bool operator==(const Channel&, const Channel&) = default;
};

/// A network as the search sees it. At most one channel leads from one rank to another.
struct Fabric {
    std::int32_t ranks = 1;
    std::vector<Channel> channels{};
    std::vector<std::int32_t> lanes{};  ///< of each link: chunks that it carries in one round
    /// Messages that a rank sends, and receives, in one step; a message is all that crosses one channel. 0: any number.
    int ports = 0;
};

/// A part of a contribution, or of a vector.
struct Chunk {
    Range range{};  ///< of the byte line, or of the vector
    std::int32_t owner = 0;
    std::vector<bool> needed{};  ///< by each rank
    std::int32_t block = 0;      ///< chunks of one block are interchangeable
    std::vector<bool> held{};    ///< by each rank before the first step; empty: by its owner alone

    [[nodiscard]] bool isHeld(std::int32_t rank) const { return held.empty() ? rank == owner : held[asSize(rank)]; }

    friend bool operator==(const Chunk&, const Chunk&) = default;
};

/// How a search answers a question about a collective.
enum class Kind : std::uint8_t {
    forward,   ///< chunks are spread as they are
    reversed,  ///< a reduction: the reverse of a schedule that spreads the chunks over the reversed network
    composed,  ///< an allreduce: the reverse, then the schedule itself
};

/// Whether schedules of the collective are searched.
bool isSearched(Collective collective);

/// Chunks of the problem when each of its largest contributions is cut into `chunks`; smaller ones are cut into as many
/// as are needed so that none is larger. Throws Error where no search is for the collective, where a contribution has
/// fewer bytes (a vector fewer elements) than chunks, or where there are more than 4096 chunks.
struct SearchProblem {
    Kind kind = Kind::forward;
    std::vector<Chunk> chunks{};
};
SearchProblem searchProblemOf(const Problem& problem, std::int32_t chunks);

/// Every link of `fabric` turned round.
Fabric reversed(const Fabric& fabric);

/// One chunk from one rank to another in one step.
struct Send {
    std::int32_t step = 0;
    std::int32_t from = 0;
    std::int32_t to = 0;
    std::int32_t chunk = 0;

    friend auto operator<=>(const Send&, const Send&) = default;
};

/// The schedule of `steps` rounds (of a composition twice as many) that `sends` are: for `forward` and the second half
/// of `composed` they spread the question over the fabric, for `reversed` over the reversed fabric. `back` does so for
/// the first half of `composed`. The problem's ports are what the schedule needs, at least those it has.
schedules::Stored storedOf(const Problem& problem, const SearchProblem& question, std::int32_t steps,
                           const std::vector<Send>& sends, const std::vector<Send>& back = {});

}  // namespace engine::synthesis
