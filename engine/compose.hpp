// SPDX-License-Identifier: BSD-3-Clause
// Any broadcast in two levels: the ranks form groups, the message goes to one leader of each group, and then all groups
// broadcast at once. Written once, over every broadcast of the catalogue, whose files know nothing of it.
//
// Source: Hasanov, Quintin, Lastovetsky 2014, section 3 and Algorithm 1, with the choice of leaders corrected (see
// shapes/grouping.hpp). Cost: that of the outer broadcast on G ranks and of the inner one on the largest group.
#pragma once

#include "engine/algorithm.hpp"

#include <vector>

namespace engine {

/// Lets every broadcast among `algorithms` run in two levels: gives it the option `groups`, how many groups (`auto`:
/// the number with the least predicted time under the model, among those a prediction exists for), and
/// `inside`, which of these broadcasts runs in the groups. In one group it is as its file says.
void offerLevels(std::vector<Algorithm>& algorithms);

/// Refuses more groups than ranks.
Objection objectsToGroups(const Problem& problem, const Options& options);

}  // namespace engine
