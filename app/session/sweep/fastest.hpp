// SPDX-License-Identifier: BSD-3-Clause
// Which algorithm is fastest in virtual time, by ranks and bytes, as rules for any MPI program
// (engine/live/replacement_rules.hpp): the static tables, one for each network, that End et al. 2016, section IV, ask
// for.
#pragma once

#include "app/session/session.hpp"

#include <vector>

namespace app {

/// The fastest way to solve one problem.
struct Fastest {
    std::int64_t ranks = 0;
    engine::Bytes bytes = 0;  ///< as rules count them: all contributions together, or the vector of a reduction
    std::string way;          ///< "allreduce/bruck:n=3"
    engine::Picoseconds time{};

    friend bool operator==(const Fastest&, const Fastest&) = default;
};

/// `algorithm` as it is, and with each option that can be left to it: candidates for rules.
std::vector<std::string> waysOf(const engine::Algorithm& algorithm);

/// The fastest of `candidates`, which solve one collective, for each number of ranks and bytes, rising; of equally fast
/// ones the first. Refused ones do not count, nor do problems that all refuse. Throws Error with the first refusal
/// where nothing else comes; where two candidates of one name solve a problem of one size: rules know nothing else;
/// Cancelled.
std::vector<Fastest> fastestOf(const std::vector<RunWish>& candidates, int threads, const engine::Progress& progress);

/// Rules for every call that the collective is, one a line, of which the first one that fits decides. A way holds from
/// its size to the next larger one that was tried, and likewise for ranks. No rule reaches beyond the smallest and
/// largest numbers of ranks and bytes that were tried.
std::string rulesOf(engine::Collective collective, const std::vector<Fastest>& all);

/// The grid behind these rules, as comments of their file: "# tried on 4 ranks, bytes: 8, 64", a line for each number
/// of ranks.
std::string triedIn(const std::vector<Fastest>& all);

}  // namespace app
