// SPDX-License-Identifier: BSD-3-Clause
// Ranks whose numbers differ in one digit signal each other, digit by digit.
//
// Source: End et al. 2016, section III.A; Brooks 1986 for n = 1 and P = 2^k. P ranks, N = n + 1, k = ceil(log_N P).
// There are N^k roles; rank r plays roles r, r + P, r + 2P, ... P = 3, n = 1, roles 0..3, role 3 played by rank 0:
//
//   round   roles              ranks
//     1     0 <-> 1  2 <-> 3   0 <-> 1  2 <-> 0
//     2     0 <-> 2  1 <-> 3   0 <-> 2  1 <-> 0
//
// Rounds k, alpha each. A rank needs n ports per role: 2 for n = 1 unless P is a power of two. A signal between two
// ranks that share several pairs of roles is sent once; one between roles of the same rank is not sent. Correct because
// after round t a role has heard of all roles that agree with it in all but the lowest t digits.
// missing=fold, for n = 1: the ranks above a power of two signal the first ones, those run the butterfly, and signal
// back (stages/butterfly.hpp): k rounds if P = 2^k, otherwise floor(log2 P) + 2, on one port.
#include "engine/stages/butterfly.hpp"
#include "engine/algorithm/algorithm.hpp"
#include "engine/algorithms/ports_option.hpp"
#include "engine/base/text.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/shapes/powers.hpp"

#include <algorithm>
#include <vector>

namespace engine::algorithms::barrier_butterfly {
namespace {

/// Ranks that `rank` signals, and hears from, in `round`: each once, in the order of their roles.
void collectPartners(std::int32_t ranks, std::int64_t base, Rank rank, Round round, std::vector<Rank>& partners) {
    const std::int64_t roles = shapes::power(base, shapes::ceilLog(base, ranks));
    const std::int64_t weight = shapes::power(base, round.value);
    partners.clear();
    for (std::int64_t role = rank.value; role < roles; role += ranks) {
        const std::int64_t digit = role / weight % base;
        for (std::int64_t other = 0; other < base; ++other) {
            const Rank partner{static_cast<std::int32_t>((role + (other - digit) * weight) % ranks)};
            if (partner != rank && std::find(partners.begin(), partners.end(), partner) == partners.end())
                partners.push_back(partner);
        }
    }
}

/// Ports, for all the roles of one rank.
std::int32_t needed(std::int32_t ranks, std::int32_t base) {
    const std::int64_t roles = shapes::power(base, shapes::ceilLog(base, ranks));
    return static_cast<std::int32_t>((base - 1) * ((roles + ranks - 1) / ranks));
}

/// Nothing where the roles of a rank need more ports than it has: how their messages follow each other then has no
/// closed form.
std::optional<Cost> costOf(const Problem& problem, std::int32_t n) {
    if (needed(problem.groupA, n + 1) > problem.ports) return std::nullopt;
    return Cost{.startups = shapes::ceilLog(n + 1, problem.groupA)};
}

std::int32_t messagesOf(const Problem& problem, const Options& options) {
    return portsOf(problem, options, [&](std::int32_t n) { return costOf(problem, n); });
}

SchedulePtr plan(const Problem& problem, const Options& options) {
    const std::int32_t ranks = problem.groupA;
    if (options.is("missing", "fold")) return stages::butterflyWithEnds(ranks, 0);
    const std::int32_t base = messagesOf(problem, options) + 1;
    const std::int32_t rounds = shapes::ceilLog(base, ranks);
    return then(Facts{.ranks = ranks, .ports = needed(ranks, base)},
                Part{"butterfly", rounds, [=](Rank rank, Round round, auto& out) {
                         thread_local std::vector<Rank> partners;
                         collectPartners(ranks, base, rank, round, partners);
                         for (const Rank partner : partners) {
                             out.sendPartial(partner, 0, 0);
                             out.receivePartial(partner, 1, Action::append, 0);
                         }
                     }});
}

Objection objects(const Problem& problem, const Options& options) {
    if (!options.is("missing", "fold") || messagesOf(problem, options) == 1) return std::nullopt;
    return text("missing=fold is for n=1, and n is ", messagesOf(problem, options),
                "; barrier/dissemination supports any number");
}

std::optional<Cost> predict(const Problem& problem, const Options& options) {
    if (options.is("missing", "fold")) return Cost{.startups = stages::Division{problem.groupA}.allRounds()};
    return costOf(problem, messagesOf(problem, options));
}

Choices choose(const Problem& problem, const Options& options) {
    return chosenPorts(options, messagesOf(problem, options));
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "barrier/butterfly",
        .collective = Collective::barrier,
        .title = "n-way butterfly",
        .idea =
            "Ranks whose numbers differ in one digit signal each other, one digit per round. If p is not a power of n + 1, ranks also stand in for the missing ones, on further ports.",
        .source = "End et al. 2016, section III.A; Brooks 1986",
        .formula = "ceil(log_N p) alpha, on 2 n ports if p is no power of N",
        .letters = "p ranks, N = n + 1, n messages per role and round (option n)",
        .knownAs = {{"Open MPI", "barrier", "recursive_doubling", 3}},
        .options = {portsOption(),
                    {.name = "missing",
                     .kind = Option::Kind::choice,
                     .fallback = "roles",
                     .meaning = "where P is no power of n + 1: ranks play further roles; or, for n = 1, those above a "
                                "power of two fold into the first ones (as Open MPI's recursive doubling)",
                     .choices = {"roles", "fold"}}},
        .objects = objects,
        .plan = plan,
        .predict = predict,
        .choose = choose,
    };
}

}  // namespace engine::algorithms::barrier_butterfly
