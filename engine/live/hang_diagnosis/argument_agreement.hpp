// SPDX-License-Identifier: BSD-3-Clause
// Whether the arguments of one collective agree between its processes as the MPI standard asks: root, operation, bytes.
// Bytes are those of the type signatures: different counts of different types may agree.
#pragma once

#include "engine/live/records/collective_records.hpp"

#include <string>
#include <vector>

namespace engine::live {

/// What the numbers of bytes mean.
enum class ByteCounts : std::uint8_t {
    arguments,  ///< what the arguments name, as Call has it
    totals,     ///< what a rank moves in all, as Score-P counts
    unknown
};

/// What one process passes. Bytes below 0 are not known.
struct Passed {
    std::int32_t rank = 0;  ///< in the communicator; of two groups in its own
    bool inGroupB = false;
    std::int32_t root = root::none;  ///< as Call has it
    std::uint8_t operation = 0;  ///< of operationNames, or any other number that tells operations apart; 0: not known
    Bytes sent = -1;
    Bytes received = -1;
};

enum class Verb : std::uint8_t { passes, sends, expects, calls };

/// "sends"
std::string_view nameOf(Verb verb);

/// Processes that pass the same.
struct PassAlike {
    std::vector<std::size_t> who{};  ///< places in what was compared, rising
    Verb verb = Verb::passes;
    std::string what{};      ///< "root 2", "40 B"
    std::int64_t value = 0;  ///< the root, the bytes; of an operation its number

    friend bool operator==(const PassAlike&, const PassAlike&) = default;
};

struct Disagreement {
    enum class About : std::uint8_t { call, root, operation, bytes };
    About about = About::root;
    std::vector<PassAlike> sides{};  ///< the fewest first

    friend bool operator==(const Disagreement&, const Disagreement&) = default;
};
/// "root"
std::string_view nameOf(Disagreement::About about);

/// The processes of `collective` that were looked at: all of them, or some.
struct Compared {
    Called collective{};
    std::span<const Passed> passed{};
    std::int32_t sizeA = 0;  ///< of the communicator, or of group A
    std::int32_t sizeB = 0;  ///< 0: there is one group
    ByteCounts counts = ByteCounts::arguments;
    /// Names an operation by its number; null: operationNames does.
    const std::vector<std::string>* operations = nullptr;
};
/// What they disagree about: nothing for calls that the standard allows.
std::vector<Disagreement> disagreements(const Compared& compared);

/// "rank 2 passes root 2, ranks 0, 1, 3 pass root 0". `ranks` by place in what was compared.
std::string sentenceOf(const Disagreement& disagreement, std::span<const std::int32_t> ranks);
/// "rank 2", "ranks 0, 1, 3".
std::string rankWords(std::vector<std::int32_t> ranks);
/// Sorts sides, fewest processes first.
void sortSides(Disagreement& disagreement);

}  // namespace engine::live
