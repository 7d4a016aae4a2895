// SPDX-License-Identifier: BSD-3-Clause
// Whether a schedule without split contributions is better than a run: found, or proved impossible.
#pragma once

#include "app/session/synthesis/synthesis.hpp"

namespace app {

/// One answer about schedules that are better than a run.
struct BetterAnswer {
    SynthesisWish wish{};  ///< the question, as `synthesize` takes it
    SearchRow row{};
};

/// An algorithm of the catalogue on the network of a run.
struct BetterKnown {
    std::string algorithm{};
    std::int64_t rounds = 0;
    engine::Bytes bytes = 0;  ///< serialized
    engine::Picoseconds time{};
    bool direct = true;  ///< only neighbours exchange messages
};

/// A run and the schedules that would beat it. Blocks are serialized: those of the largest message of each round, added
/// up, in contributions or blocks of the vector, rounded up.
struct Better {
    std::string algorithm{};
    std::int32_t rounds = 0;
    std::int32_t blocks = 0;
    engine::Bytes block = 1;     ///< the largest
    engine::Bytes bytes = 0;     ///< serialized
    engine::Picoseconds time{};  ///< of the run
    bool counted = true;         ///< blocks are so equal that their number is proportional to the bytes
    /// Searched were only schedules in which neighbours exchange messages, since others would cross ranks.
    bool neighboursOnly = false;
    bool written = true;  ///< `synthesize` finds the same on the network of the answer
    /// The fastest one of the catalogue with no more rounds and serialized bytes, and fewer of one of them; nothing
    /// where an answer has a schedule that needs no more, or time did not suffice.
    std::optional<BetterKnown> known{};
    // Nothing where no search was made: the run has one round or block, no blocks, or, where `composed`, two of them,
    // or blocks are not `counted`.
    std::optional<BetterAnswer> fewerBlocks{};  ///< in at most as many rounds
    std::optional<BetterAnswer> fewerRounds{};  ///< with at most as many blocks
    bool composed = false;  ///< only allreduces that are a reduce-scatter and then an allgather were searched
};

/// Whether a search may find a schedule that is better than this run in virtual time: it needs more rounds or
/// serialized bytes than their bounds, and lookForBetter takes its problem.
bool mayBeImproved(const Report& report);

/// Searches on the network and with the ports of a run in virtual time, for at most `limit`. `problem` is what was
/// wished for. Throws Error where nothing can be searched; Cancelled.
Better lookForBetter(const Report& report, const ProblemWish& problem, std::chrono::milliseconds limit,
                     const engine::Progress& progress = {});

/// Whether both searches found schedules with as many rounds and blocks.
bool foundTheSame(const Better& better);

/// One sentence for each answer.
std::vector<std::string> inWords(const Better& better);

/// "torus-belts takes 5 rounds and 8 serialized blocks; a schedule with 4 rounds and 8 serialized blocks exists, as few
/// as the lower bounds": of the answers that are about a bound which the run does not attain.
std::string inOneSentence(const Better& better, const Report& report);

/// The command that writes the schedule of an answer to a file; empty where none does.
std::string commandOf(const Better& better, const BetterAnswer& answer);

}  // namespace app
