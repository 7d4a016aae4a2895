// SPDX-License-Identifier: BSD-3-Clause
// The conditions of MPICH's selection files: which of them exist, which calls they can ask about, which of them exclude
// each other, and which ones an algorithm needs, although MPICH selects it without them.
#pragma once

#include "engine/live/replacement_rules.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace app::tune {

/// What a comparison is about: "comm_size", "avg_msg_size", "total_msg_size" or "count", with its limits as MPICH reads
/// them; the range is of values that meet it. Nothing for other conditions.
struct Threshold {
    std::string of;
    engine::live::Extent range{};
    bool exact = true;  ///< whether the text is just that number
};
std::optional<Threshold> thresholdOf(const std::string& key);
/// Whether the condition holds for all: "avg_msg_size=any".
bool isAny(const std::string& key);
bool isMpichCondition(const std::string& key);
/// Whether MPICH can ask this of the call; elsewhere it ends the program.
bool isKnownOf(std::string call, const std::string& key);
/// "is_commutative=no" of "is_commutative=yes": conditions of which one always holds. Empty: it has none.
std::string oppositeOf(const std::string& key);

/// What is known of the calls that come to a branch.
class MpichPath {
public:
    /// Enters the branch of `key`; false if no call reaches it.
    bool enter(const std::string& key);
    /// Continues with the next branch; false if `key` takes all calls.
    bool pass(const std::string& key);

    /// Whether all calls meet the condition.
    [[nodiscard]] bool holds(const std::string& key) const;
    /// Whether none does.
    [[nodiscard]] bool excludes(const std::string& key) const;
    [[nodiscard]] engine::live::Extent valuesOf(const std::string& quantity) const;
    /// Before any branch: only calls with these values come.
    void limit(const std::string& quantity, const engine::live::Extent& values) { values_[quantity] = values; }

private:
    std::map<std::string, engine::live::Extent> values_;
    std::set<std::string> held_;
    std::set<std::string> excluded_;
};

/// A condition that must hold, or must not, where an algorithm is selected.
struct MpichNeed {
    std::string key;
    bool met = true;      ///< else it must not hold
    bool aborts = false;  ///< whether the program ends with an assertion without it; else results may be wrong
};
/// `algorithm`: the name behind _intra_. In the order in which they are checked.
std::vector<MpichNeed> needsOf(const std::string& call, const std::string& algorithm);
bool meets(const MpichPath& path, const MpichNeed& need);
/// What the need asks for, after "needs": "a number of ranks that is a power of two".
std::string toText(const MpichNeed& need);

/// The largest power of two that is at most `number`.
std::int64_t powerOfTwoWithin(std::int64_t number);

}  // namespace app::tune
