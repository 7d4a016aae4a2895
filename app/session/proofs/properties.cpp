// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/proofs/properties.hpp"

#include "app/analysis/format/cell_format.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/algorithm_file.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <set>
#include <utility>

namespace app {
namespace {

using engine::text;

/// Small problems of every kind of shape: one rank, odd and even ones, powers of two, more senders and fewer, a torus.
std::vector<engine::Problem> trials(engine::Collective collective) {
    std::vector<engine::Problem> problems;
    if (!isIntergroup(collective)) {
        for (const int n : {16, 12, 1, 2, 3, 5, 13}) problems.push_back(makeProblem(collective, {.ranks = n}));
        return problems;
    }
    for (const auto& [p, q] : {std::pair{4, 6}, {6, 4}, {4, 4}, {8, 8}, {1, 1}, {1, 2}, {2, 1}, {3, 5}, {5, 3}, {3, 4}})
        problems.push_back(makeProblem(collective, {.groupA = p, .groupB = q}));
    problems.push_back(makeProblem(collective, {.groupA = 8, .groupB = 8}));
    problems.back().torus = {4, 4};
    return problems;
}

std::string shapeOf(const engine::Problem& problem) {
    return isIntergroup(problem.collective) ? text("p = ", problem.groupA, ", q = ", problem.groupB)
                                            : text(problem.groupA, " ranks");
}

/// The sentence without its numbers: two refusals that differ in numbers only have one reason.
std::string reasonOf(std::string_view sentence) {
    std::string reason;
    for (const char c : sentence)
        if (std::isdigit(static_cast<unsigned char>(c)) == 0) reason += c;
    return reason;
}

/// "a power-of-two number of ranks; allreduce/circulant supports any number": what an objection to a problem asks for.
std::string requirementOf(std::string_view objection, const engine::Problem& problem) {
    constexpr std::string_view needs = "needs ", but = ", not ";
    const std::size_t asked = objection.find(but);
    if (!objection.starts_with(needs) || asked == std::string_view::npos)
        return text("some problems are refused, such as ", shapeOf(problem), ": ", objection);
    const std::size_t rest = std::min(objection.find(';', asked), objection.size());
    return text(objection.substr(needs.size(), asked - needs.size()), objection.substr(rest));
}

/// The one problem of a file that says its own.
std::string ownProblemOf(const engine::Algorithm& algorithm, const engine::Problem& problem) {
    std::string words = shapeOf(problem) + " alone";
    if (hasRoot(problem.collective)) words += text(", root = ", problem.root);
    if (engine::schedules::takesAnySize(algorithm)) return words + ", and contributions that its chunks share evenly";
    return problem.collective == engine::Collective::barrier ? words : words + ", with the sizes that it specifies";
}

/// Which ranks exchange messages, where few words describe all of them; empty otherwise.
std::string patternOf(const engine::Plan& plan) {
    const engine::Facts& facts = plan.schedule->facts();
    const std::int64_t ranks = facts.ranks;
    if (isIntergroup(plan.problem.collective) || ranks < 4) return {};
    std::set<std::int64_t> distances;  // the shorter way round the ranks
    std::set<std::int32_t> partnersOfAll;
    bool up = true, wraps = false, oneBit = true;
    engine::Turn turn;
    for (engine::Round round{0}; round.value < facts.rounds; ++round)
        for (engine::Rank rank{0}; rank.value < ranks; ++rank) {
            plan.schedule->turn(rank, round, turn);
            for (const engine::Message& send : turn.sends()) {
                const std::int64_t step = (send.peer.value - rank.value + ranks) % ranks;
                const std::set<std::int32_t> ends{rank.value, send.peer.value};
                if (distances.empty()) partnersOfAll = ends;
                std::erase_if(partnersOfAll, [&](std::int32_t each) { return !ends.contains(each); });
                distances.insert(std::min(step, ranks - step));
                up = up && step == 1;
                wraps = wraps || ends == std::set<std::int32_t>{0, static_cast<std::int32_t>(ranks - 1)};
                oneBit = oneBit && std::has_single_bit(static_cast<std::uint32_t>(rank.value ^ send.peer.value));
            }
        }
    if (distances.empty()) return {};
    if (*distances.rbegin() == 1)
        return text(wraps ? "ring" : "chain", up ? ": each rank sends to rank r + 1 and receives from rank r - 1"
                                                 : ": each rank communicates with ranks r - 1 and r + 1");
    if (!partnersOfAll.empty()) return "star: one rank communicates with every other rank";
    if (oneBit) return "hypercube: ranks whose numbers differ in one bit communicate";
    if (std::cmp_equal(distances.size(), ranks / 2)) return "ranks communicate over all distances";
    std::vector<std::string> words;
    for (const std::int64_t distance : distances) words.push_back(text(distance));
    return text("ranks communicate over the distances ", analysis::listed(words), " (", shapeOf(plan.problem), ")");
}

std::string wiringWords(const engine::Plan& plan) {
    const engine::Wiring& wiring = plan.schedule->facts().wiring;
    switch (wiring.kind()) {
        case engine::Wiring::Kind::any: {
            const std::string pattern = patternOf(plan);
            return pattern.empty() ? "any, by default fully connected"
                                   : pattern + "; runs on any network, by default a fully connected one";
        }
        case engine::Wiring::Kind::ring: return "ring: each rank communicates with its two neighbours only";
        case engine::Wiring::Kind::torus: return "torus: each rank communicates with its neighbours only";
        case engine::Wiring::Kind::named: return wiring.name() + ": each rank communicates with its neighbours only";
    }
    return {};
}

std::vector<std::string> boundWords(const engine::Plan& plan) {
    const emulation::NetworkPtr network = networkFor(plan);
    const engine::Bounds bounds =
        analysis::limitsOf(plan, std::nullopt, {.model = {}, .network = network.get()}).bounds;
    const auto sentence = [&](const std::string& value, const auto& bound) {
        return text("at least ", value, " for ", shapeOf(plan.problem), ", ",
                    bound.attained.empty() ? "not known to be attained" : text("attained by ", bound.attained), ": ",
                    bound.why, " (", bound.source, ")");
    };
    std::vector<std::string> words{sentence(analysis::counted(bounds.startups.value, "startup"), bounds.startups)};
    if (bounds.volume.value > 0)
        words.push_back(sentence(text(engine::showBytes(bounds.volume.value), " through one port, with m = ",
                                      engine::showBytes(plan.problem.layout.largest()), ","),
                                 bounds.volume));
    if (const auto& both = bounds.together)
        words.push_back(sentence(
            text(analysis::counted(both->value.startups, "startup"),
                 bounds.exchange ? " if no port carries more than " : " and ", engine::showBytes(both->value.volume),
                 bounds.exchange ? "," : " through one port, both on one rank,"),
            *both));
    if (bounds.unitRounds)
        words.push_back(
            sentence(analysis::counted(bounds.unitRounds->value, "round") + " if each message carries one block,",
                     *bounds.unitRounds));
    return words;
}

/// Adds what a problem's plan says.
void describe(const engine::Plan& plan, Explanation& explanation) {
    explanation.wiring = wiringWords(plan);
    if (plan.schedule->facts().unstated.empty()) explanation.bounds = boundWords(plan);
}

}  // namespace

Explanation explain(const engine::Algorithm& algorithm, const engine::Plan* asked) {
    Explanation explanation;
    if (algorithm.plan == nullptr) {
        explanation.refusals.emplace_back("an MPI library; it runs only over MPI, with run --on mpi");
        return explanation;
    }
    if (const engine::Problem* own = engine::schedules::problemOf(algorithm)) {
        explanation.refusals.push_back(ownProblemOf(algorithm, *own));
        describe(engine::makePlan(algorithm, *own, {}), explanation);
        if (asked != nullptr) explanation.bounds = boundWords(*asked);
        return explanation;
    }
    std::vector<std::string> reasons;
    for (const engine::Problem& problem : trials(algorithm.collective)) {
        const engine::Options options{algorithm.id, algorithm.options, {}};
        const engine::Objection objection = algorithm.objects ? algorithm.objects(problem, options) : std::nullopt;
        if (!objection) {
            if (!explanation.wiring.empty()) continue;
            describe(engine::makePlan(algorithm, problem, {}), explanation);
            continue;
        }
        if (std::find(reasons.begin(), reasons.end(), reasonOf(*objection)) != reasons.end()) continue;
        reasons.push_back(reasonOf(*objection));
        explanation.refusals.push_back(requirementOf(*objection, problem));
    }
    if (asked != nullptr) describe(*asked, explanation);
    return explanation;
}

}  // namespace app
