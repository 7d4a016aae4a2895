// SPDX-License-Identifier: BSD-3-Clause
// Which calls of a program are replaced by which algorithm: a small file of words, one rule a line. The first rule that
// fits a call decides.
//
//   # operation   communicator   ranks    bytes       by what
//   bcast         intra          8..      64KiB..     bcast/pipelined-chain:segments=16
//   allgatherv    inter          *        *           intergroup-allgatherv/balanced
//   allreduce     intra          *        ..4KiB      native
//   ireduce       intra          *        *           reduce/binomial-tree
#pragma once

#include "engine/algorithm/algorithm.hpp"
#include "engine/live/records/collective_records.hpp"

#include <limits>
#include <map>

namespace engine::live {

/// A range, ends included.
struct Extent {
    std::int64_t low = 0;
    std::int64_t high = std::numeric_limits<std::int64_t>::max();

    [[nodiscard]] bool has(std::int64_t number) const { return low <= number && number <= high; }
    friend bool operator==(const Extent&, const Extent&) = default;
};

/// "8", "64KiB..", "..4KiB", "1KiB..4KiB" or "*". Throws Error.
Extent bytesFromText(const std::string& words);

struct Rule {
    Called called = Called::bcast;
    bool intra = true;
    bool inter = false;
    Extent ranks{};  ///< of the communicator, both groups together
    Extent bytes{};  ///< bcast: the message; reductions: the vector; barrier: 0; others: all contributions together
    const Algorithm* algorithm = nullptr;  ///< null: the library's own
    std::map<std::string, std::string> options{};
    std::string words{};  ///< "bcast/pipelined-chain:segments=16", or "native"
};

inline constexpr std::size_t mostRules = 255;

/// Reads the text of a rules file. Throws Error that names `file` and the line; an algorithm of another collective, an
/// unknown option, and an option that makes the algorithm wrong on purpose are errors.
std::vector<Rule> rulesFromText(std::string_view words, const std::string& file);

}  // namespace engine::live
