// SPDX-License-Identifier: BSD-3-Clause
// Whether an unsegmented schedule is better than a run: found, or proved impossible.
#pragma once

#include "app/session/synthesis/synthesis.hpp"

namespace app {

/// One answer about schedules that are better than a run.
struct BetterAnswer {
    SynthesisWish wish{};  ///< the question, as `synthesize` takes it
    SearchRow row{};
};

/// A run and the schedules that would beat it. Blocks are serialized: those of the largest message of each round, added
/// up, in contributions or blocks of the vector, rounded up.
struct Better {
    std::string algorithm{};
    std::int32_t rounds = 0;
    std::int32_t blocks = 0;
    // Nothing where no search was made: the run has one round or block, no blocks, or, where `composed`, two of them.
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

/// One sentence for each answer.
std::vector<std::string> inWords(const Better& better);

/// "torus-belts takes 5 rounds and 8 serialized blocks; a schedule with 4 rounds and 8 serialized blocks exists (found
/// in 3 ms)": of the answers that are about a bound which the run does not attain.
std::string inOneSentence(const Better& better, const Report& report);

/// The command that writes the schedule of an answer to a file.
std::string commandOf(const Better& better, const BetterAnswer& answer);

}  // namespace app
