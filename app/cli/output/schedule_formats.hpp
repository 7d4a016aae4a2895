// SPDX-License-Identifier: BSD-3-Clause
// A schedule in the formats of `show`. All of them write while they enumerate.
#pragma once

#include "app/cli/output/console.hpp"
#include "app/session/proofs/listing.hpp"

namespace app::cli {

void showText(const engine::Plan& plan, const emulation::Network& network, const Cut& cut, const Console& console);
void showJson(const engine::Plan& plan, const Cut& cut, const Console& console);
/// A Graphviz digraph: an arrow per message, labelled with its round and what it carries.
void showDot(const engine::Plan& plan, const Cut& cut, const Console& console);
/// LogGOPSim's text form: a block per rank, in which every message requires all of the rank's round before.
void showGoal(const engine::Plan& plan, const Console& console);

/// MSCCL's XML; what it cannot carry is said on stderr.
void showMsccl(const engine::Plan& plan, const Console& console);

/// "2, 3..5" for whole contributions, "2 [0, 512)" for parts of one: what the ranges of the byte line carry.
std::string contentWords(const engine::Layout& layout, std::span<const engine::Range> ranges);
/// "3..0, 7": the contributions of a partial result in their order, and of which bytes where the vector is cut.
std::string contentWords(const Telling& reduction);

}  // namespace app::cli
