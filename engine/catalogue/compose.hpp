// SPDX-License-Identifier: BSD-3-Clause
// Any collective in two levels: the ranks form groups, and what is done among the leaders of the groups and what inside
// all groups at once makes the whole. Written once, over the algorithms of the catalogue, whose files know nothing of
// it.
//
//   broadcast    between, then inside                scatter      between, then inside
//   reduce       inside, then between                gather       inside, then between
//   allgather    gather inside, allgather between, broadcast inside
//   allreduce    reduce inside, allreduce between, broadcast inside
//   barrier      signs of life as in allreduce
//
// Source: Hasanov, Quintin, Lastovetsky 2014, section 3 and Algorithm 1 for the broadcast, with the choice of leaders
// corrected (see shapes/grouping.hpp); the others are its future work, and what Open MPI's coll/han does. Cost: that of
// the steps one after the other, the largest group's where they are inside.
#pragma once

#include "engine/algorithm/algorithm.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

/// What the stage is called in which the leaders of the groups, and nobody else, exchange messages.
inline constexpr std::string_view betweenGroups = "between the groups";

/// Lets every algorithm among `algorithms` that can run in two levels do so: gives it the option `groups`, how many
/// groups (`auto`: the number with the least predicted time under the model, among those a prediction exists for), and
/// `inside`, what runs in the groups. In one group it is as its file says.
void offerLevels(std::vector<Algorithm>& algorithms);

/// Whether options name what runs inside groups, but leave the number of groups at its default, 1: without `inside`
/// they give the same plan.
bool hasInsideOfOneGroup(const std::map<std::string, std::string>& options);

/// Refuses more groups than ranks.
Objection objectsToGroups(const Problem& problem, const Options& options);

}  // namespace engine
