// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/proofs/properties.hpp"

#include "app/analysis/format/cell_format.hpp"
#include "app/analysis/messages/schedule_totals.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/algorithm_file.hpp"
#include "engine/catalogue/catalogue.hpp"

#include <algorithm>
#include <array>
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

/// Where no algorithm is recorded as attaining a bound: the first, of the plan's own and then of the catalogue, whose
/// predicted cost is the bound; the plan's own also where its busiest rank meets the bound on bytes. The catalogue's
/// for any wiring only, since bounds are those of a network.
void nameOthersThatAttain(engine::Bounds& bounds, const engine::Plan& plan) {
    const auto add = [](auto& bound, bool met, const std::string& id) {
        if (met && bound.attained.empty()) bound.attained = id;
    };
    const auto addPredicted = [&](const engine::Algorithm& algorithm, const engine::Options& options) {
        const auto cost = algorithm.predict ? algorithm.predict(plan.problem, options) : std::nullopt;
        if (!cost) return;
        add(bounds.startups, cost->startups == bounds.startups.value, algorithm.id);
        add(bounds.volume, cost->volume == bounds.volume.value, algorithm.id);
        if (auto& both = bounds.together)
            add(*both, cost->startups == both->value.startups && cost->volume == both->value.volume, algorithm.id);
    };
    addPredicted(*plan.algorithm, plan.options);
    if (plan.problem.ports == 1 && bounds.volume.attained.empty())
        if (const auto totals = analysis::totalsOf(plan))
            add(bounds.volume, totals->busiest == bounds.volume.value, plan.algorithm->id);
    if (plan.schedule->facts().wiring.kind() != engine::Wiring::Kind::any) return;
    for (const engine::Algorithm* const algorithm : engine::catalogue()) {
        if (algorithm->collective != plan.problem.collective) continue;
        const engine::Options options{algorithm->id, algorithm->options, {}};
        if (!algorithm->objects || !algorithm->objects(plan.problem, options)) addPredicted(*algorithm, options);
    }
}

std::vector<std::string> boundWords(const engine::Plan& plan) {
    const emulation::NetworkPtr network = networkFor(plan);
    engine::Bounds bounds = analysis::limitsOf(plan, std::nullopt, {.model = {}, .network = network.get()}).bounds;
    nameOthersThatAttain(bounds, plan);
    const auto sentence = [&](const std::string& value, const auto& bound) {
        return text("any ", name(plan.problem.collective), " on this network needs at least ", value, " for ",
                    shapeOf(plan.problem), ", ",
                    bound.attained.empty() ? "and no algorithm is recorded as attaining it"
                                           : text("attained by ", bound.attained),
                    ": ", bound.why, " (", bound.source, ")");
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
    if (!plan.schedule->facts().unstated.empty()) return;
    explanation.bounds = boundWords(plan);
    explanation.problem = plan.problem;
}

/// What a formula may need of a problem and its options.
struct Need {
    bool equalSizes = false;
    std::int64_t blocks = 0;  ///< equal blocks: so many, or `anyNumber` of them; 0: no matter
    bool dividingGroups = false;
    bool enoughPorts = false;
    bool defaultOptions = false;

    static constexpr std::int64_t anyNumber = -1;
};

/// The size of A's contributions and of B's, which may differ between the groups only; else the largest for both.
std::array<engine::Bytes, 2> sizesOf(const engine::Problem& problem) {
    const engine::Layout& layout = problem.layout;
    if (problem.collective == engine::Collective::intergroupAllgatherv)
        return {layout.size(0), layout.size(problem.groupA)};
    return {layout.largest(), layout.largest()};
}

bool hasUnequalSizes(const engine::Problem& problem) {
    const engine::Layout& layout = problem.layout;
    if (layout.isRegular()) return false;
    const auto [ofA, ofB] = sizesOf(problem);
    for (std::int32_t i = 0; i < layout.count(); ++i)
        if (layout.size(i) != (i < problem.groupA ? ofA : ofB)) return true;
    return false;
}

bool isShortNumber(std::string_view words) {
    return words.size() < 6 && std::ranges::all_of(words, [](unsigned char c) { return std::isdigit(c) != 0; });
}

/// The plan's options, with the numbers that its algorithm chose for its problem.
engine::Options withChoices(const engine::Plan& plan) {
    std::map<std::string, std::string> given = plan.options.given();
    for (const auto& [name, value] : plan.options.all())
        if (value == "ports") given[name] = std::to_string(plan.problem.ports);
    for (const engine::Choice& choice : engine::choicesOf(plan))
        if (isShortNumber(choice.value)) given[choice.option] = choice.value;
    return {plan.algorithm->id, plan.algorithm->options, given, plan.options.around()};
}

/// The plan's problem, changed so that it meets the needs.
engine::Problem meeting(const Need& need, const engine::Plan& plan, const engine::Options& options) {
    engine::Problem problem = plan.problem;
    if (need.enoughPorts) problem.ports = std::max(problem.ports, plan.schedule->facts().ports);
    if (!need.equalSizes && need.blocks == 0 && !need.dividingGroups) return problem;
    auto [ofA, ofB] = sizesOf(problem);
    if (need.equalSizes) ofA = ofB = problem.layout.largest();
    if (need.dividingGroups) {
        auto& less = problem.groupA < problem.groupB ? problem.groupA : problem.groupB;
        auto& more = problem.groupA < problem.groupB ? problem.groupB : problem.groupA;
        more = (more + less - 1) / less * less;
    }
    if (need.blocks != 0) {
        constexpr engine::Bytes divisible = 5040;  // by all numbers up to 10
        engine::Bytes unit = unitOf(problem);
        if (need.blocks == Need::anyNumber) unit *= divisible * problem.groupA * std::max(1, problem.groupB);
        else unit *= need.blocks;
        for (const auto& [name, value] : options.all())
            if (need.blocks == Need::anyNumber && isShortNumber(value)) unit *= options.number(name);
        for (engine::Bytes* const size : {&ofA, &ofB}) *size = (*size + unit - 1) / unit * unit;
    }
    ProblemWish wish{.size = ofA};
    if (isIntergroup(problem.collective)) wish.groupA = problem.groupA, wish.groupB = problem.groupB;
    else wish.ranks = problem.groupA;
    if (ofA != ofB) wish.sizeB = ofB;
    problem.layout = makeProblem(problem.collective, wish).layout;
    return problem;
}

/// Whether the formula has a value for a problem and options that meet the needs.
bool isPredicted(const Need& need, const engine::Plan& plan) {
    const engine::Algorithm& algorithm = *plan.algorithm;
    try {
        const engine::Options options = need.defaultOptions ? engine::Options{algorithm.id, algorithm.options, {}}
                                        : need.blocks != 0 || need.enoughPorts ? withChoices(plan)
                                                                               : plan.options;
        const engine::Problem problem = meeting(need, plan, options);
        return !(algorithm.objects && algorithm.objects(problem, options)) &&
               algorithm.predict(problem, options).has_value();
    } catch (const engine::Error&) {
        return false;
    }
}

/// Which of the needs the plan does not meet, in words.
std::string lackIn(const Need& need, const engine::Plan& plan) {
    const engine::Problem& problem = plan.problem;
    std::vector<std::string> lacks;
    if (need.dividingGroups)
        lacks.push_back(text(std::min(problem.groupA, problem.groupB), " does not divide ",
                             std::max(problem.groupA, problem.groupB)));
    // A formula of contributions with an index needs only that blocks have one size and none is empty.
    if (need.equalSizes)
        lacks.emplace_back(plan.algorithm->formula.find("_i") == std::string::npos
                               ? "the contributions have unequal sizes"
                               : "contributions are empty or no multiples of the block");
    if (need.blocks != 0) {
        const engine::Bytes size = problem.layout.largest();
        const std::string whole = combinesVectors(problem.collective)
                                      ? text("the ", analysis::counted(size / unitOf(problem), "element"))
                                      : engine::showBytes(size);
        lacks.push_back(need.blocks == Need::anyNumber ? text(whole, " cannot be cut into equal blocks")
                                                       : text(need.blocks, " does not divide ", whole));
    }
    if (need.enoughPorts)
        lacks.push_back(text("a rank has ", analysis::counted(problem.ports, "port"), " for ",
                             plan.schedule->facts().ports, " messages of a round"));
    if (need.defaultOptions) lacks.emplace_back("it is for the default options");
    return analysis::listed(lacks);
}

}  // namespace

std::string whyNotPredicted(const engine::Plan& plan) {
    const engine::Problem& problem = plan.problem;
    if (!plan.algorithm->predict || isPredicted({}, plan)) return {};
    const bool unequal = hasUnequalSizes(problem);
    const std::int32_t less = std::min(problem.groupA, problem.groupB);
    const bool divides = less == 0 || std::max(problem.groupA, problem.groupB) % less == 0;
    std::vector<Need> needs;
    for (const bool equalSizes : {false, true})
        for (const std::int64_t blocks :
             {std::int64_t{0}, std::int64_t{problem.groupA}, std::int64_t{problem.groupB}, Need::anyNumber})
            for (const bool dividingGroups : {false, true})
                for (const bool enoughPorts : {false, true})
                    for (const bool defaultOptions : {false, true})
                        needs.push_back({equalSizes, blocks, dividingGroups, enoughPorts, defaultOptions});
    // Few needs first, the options last; a number of blocks before any.
    std::ranges::stable_sort(needs, {}, [](const Need& need) {
        const int ofProblem = need.equalSizes + (need.blocks != 0) + need.dividingGroups + need.enoughPorts;
        return 2 * ofProblem + 3 * need.defaultOptions;
    });
    for (const Need& need : needs) {
        if ((need.equalSizes && !unequal) || (need.dividingGroups && divides)) continue;
        if (need.enoughPorts && plan.schedule->facts().ports <= problem.ports) continue;
        if (unequal && !need.equalSizes && (need.blocks != 0 || need.dividingGroups)) continue;
        if (isPredicted(need, plan)) return lackIn(need, plan);
    }
    return "it does not hold for this problem";
}

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
