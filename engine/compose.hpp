// SPDX-License-Identifier: BSD-3-Clause
// Any broadcast in two levels: the ranks form groups, the message goes to one leader of each group, and then all groups
// broadcast at once. Written once, over every broadcast of the catalogue.
//
// Source: Hasanov, Quintin, Lastovetsky 2014, section 3 and Algorithm 1, with the choice of leaders corrected (see
// shapes/grouping.hpp). Cost: that of the outer broadcast on G ranks and of the inner one on the largest group.
#pragma once

#include "engine/algorithm.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace engine {

/// A broadcast before it is put in two levels: what its file writes, for any root and ignoring `groups` and `inside`.
struct OneLevel {
    std::string_view id;
    SchedulePtr (*plan)(const Problem&, const Options&) = nullptr;
    std::optional<Cost> (*predict)(const Problem&, const Options&) = nullptr;
};

/// The broadcast's own options and after them `groups` and `inside`.
std::vector<Option> withGroups(std::vector<Option> own = {});

/// Refuses more groups than ranks.
Objection objectsToGroups(const Problem& problem, const Options& options);

/// How many groups the options ask for; `auto` is the number with the least predicted time under the default model,
/// among those a prediction exists for.
std::int32_t groupsOf(const OneLevel& broadcast, const Problem& problem, const Options& options);

/// The broadcast in the groups that the options ask for; as it is when there is one group.
SchedulePtr inGroups(const OneLevel& broadcast, const Problem& problem, const Options& options);

/// Cost of that schedule; nothing when a level has no closed form, or when unequal groups send different sizes in the
/// same round.
std::optional<Cost> costInGroups(const OneLevel& broadcast, const Problem& problem, const Options& options);

}  // namespace engine
