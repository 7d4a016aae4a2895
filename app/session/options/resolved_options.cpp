// SPDX-License-Identifier: BSD-3-Clause
// From what the user wrote to checked problems, plans and networks.
#include "app/session/options/run_options.hpp"
#include "app/session/session.hpp"

#include "emulation/networks/rank_placement.hpp"
#include "emulation/networks/ring_embedding.hpp"
#include "emulation/relay/relay.hpp"
#include "engine/base/lines.hpp"
#include "engine/base/small_file.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/algorithm_file.hpp"
#include "engine/problem/sizes.hpp"

#include <cctype>
#include <limits>

namespace app {
namespace {

using engine::Bytes;
using engine::Collective;
using engine::Error;
using engine::Field;
using engine::Layout;
using engine::Problem;
using engine::text;

constexpr std::int64_t mostRanks = std::numeric_limits<std::int32_t>::max() - 8;
constexpr Bytes mostBytes = Bytes{1} << 62;
constexpr std::int64_t mostSizes = std::int64_t{1} << 28;  // bytes of a file

std::int32_t count(std::optional<std::int64_t> given, Collective collective, Field flag, char letter) {
    if (!given) throw Error{text(name(collective), " needs ", flag, " (-", letter, "), such as -", letter, " 8")};
    if (*given < 1) throw Error{text(flag, ": ", *given, " is too small; it must be at least 1")};
    if (*given > mostRanks) throw Error{text(flag, ": ", *given, " is too large; the largest value is ", mostRanks)};
    return static_cast<std::int32_t>(*given);
}

/// Throws Error for what is asked of the problem though its collective has no such thing.
void refuseForeign(Collective collective, const ProblemWish& wish) {
    const Specification asked{.run = {.algorithm = {}, .problem = wish}};
    for (const fields::Entry& entry : fields::all())
        // Everybody has a size, whether it matters or not.
        if (entry.otherwise != nullptr && entry.key != "size" && !entry.isOf(collective) && !entry.print(asked).empty())
            throw Error{text(name(collective), " takes no ", entry.field(), ": ", entry.otherwise())};
}

void takeRanks(Problem& problem, const ProblemWish& wish) {
    const Collective collective = problem.collective;
    if (isIntergroup(collective)) {
        problem.groupA = count(wish.groupA, collective, engine::field::groupA, 'p');
        problem.groupB = count(wish.groupB, collective, engine::field::groupB, 'q');
    } else {
        problem.groupA = count(wish.ranks, collective, engine::field::ranks, 'n');
    }
}

void takeExtras(Problem& problem, const ProblemWish& wish) {
    const Collective collective = problem.collective;
    if (hasRoot(collective)) {
        if (wish.root < 0 || wish.root >= problem.ranks())
            throw Error{text(engine::field::root, ": ", wish.root, " is outside 0..", problem.ranks() - 1)};
        problem.root = engine::Rank{static_cast<std::int32_t>(wish.root)};
    }
    problem.operation = wish.operation;
    problem.element = wish.element;
    problem.ports = wish.ports;
}

/// "64 KiB 1000" has two: a unit belongs to the number before it.
std::vector<std::string> quantitiesIn(std::string_view line) {
    std::vector<std::string> quantities;
    for (const std::string& word : engine::wordsOfLine(line)) {
        const bool unit = std::isalpha(static_cast<unsigned char>(word.front())) != 0;
        if (unit && !quantities.empty()) quantities.back() += word;
        else quantities.push_back(word);
    }
    return quantities;
}

/// One size or several per line.
Layout sizesFromFile(const std::string& path) {
    const std::string words =
        engine::contentOf(path, mostSizes, text(engine::field::sizes, ": cannot read '", path, "'"));
    std::vector<Bytes> sizes;
    Bytes total = 0;
    engine::eachLine(words, text(engine::field::sizes, ": ", path), engine::Comments::wholeLines,
                     [&](std::string_view line, std::int64_t) {
                         for (const std::string& word : quantitiesIn(line)) {
                             sizes.push_back(engine::readBytes(word, "size"));
                             if (total > mostBytes - sizes.back())
                                 throw Error{"the sizes up to here have more than 2^62 bytes in total"};
                             total += sizes.back();
                         }
                     });
    return Layout::irregular(sizes);
}

/// `what`: of which there are so many with so many bytes each.
void requireSum(std::int64_t count, const char* what, Bytes each, Field flag) {
    if (each < 0) throw Error{text(flag, ": ", each, " is negative; it must be 0 or more")};
    if (static_cast<__int128>(count) * each > mostBytes)
        throw Error{
            text(flag, ": ", count, " ", what, " of ", engine::showBytes(each), " are more than 2^62 bytes in total")};
}

Layout joined(const Layout& a, const Layout& b) {
    if (a.isRegular() && b.isRegular() && a.largest() == b.largest())
        return Layout::regular(a.count() + b.count(), a.largest());
    std::vector<Bytes> sizes;
    for (const Layout* layout : {&a, &b})
        for (std::int32_t i = 0; i < layout->count(); ++i) sizes.push_back(layout->size(i));
    return Layout::irregular(sizes);
}

/// Sizes of contributions to several ranks each: every rank brings what the rule gives `receivers` ranks.
Layout rowsOf(const engine::Distribution& distribution, std::int32_t senders, std::int32_t receivers, Bytes size) {
    const Layout row = distribution.sizes(receivers, size);
    if (row.isRegular()) return Layout::regular(senders * receivers, row.largest());
    std::vector<Bytes> sizes;
    for (std::int32_t sender = 0; sender < senders; ++sender)
        for (std::int32_t receiver = 0; receiver < receivers; ++receiver) sizes.push_back(row.size(receiver));
    return Layout::irregular(sizes);
}

/// How many sizes a file has to name.
std::int64_t sizesWanted(const Problem& problem) {
    switch (problem.collective) {
        case Collective::halfduplexAllgather: return problem.groupA;
        case Collective::alltoallv: return std::int64_t{problem.groupA} * problem.groupA;
        case Collective::intergroupAlltoallv: return std::int64_t{2} * problem.groupA * problem.groupB;
        default: return problem.ranks();
    }
}

Layout layoutFor(const Problem& problem, const ProblemWish& wish) {
    const Collective collective = problem.collective;
    if (collective == Collective::barrier) return {};
    const std::int64_t wanted = sizesWanted(problem);
    if (wanted > mostRanks)
        throw Error{text(isIntergroup(collective) ? engine::field::groupA : engine::field::ranks, ": ",
                         name(collective), " has a contribution for each pair of ranks, ", wanted, " here; at most ",
                         mostRanks, " can be numbered")};
    if (wish.sizes.starts_with('@')) {
        Layout layout = sizesFromFile(wish.sizes.substr(1));
        if (layout.count() != wanted)
            throw Error{text(engine::field::sizes, ": ", wish.sizes.substr(1), " has ", layout.count(), " sizes for ",
                             wanted, " contributions")};
        return layout;
    }
    const Bytes sizeB = wish.sizeB.value_or(wish.size);
    const bool copies = collective == Collective::bcast || collective == Collective::intergroupBcast;
    const char* what = copies ? "copies" : isReduction(collective) ? "vectors" : "contributions";
    requireSum(wanted, what, std::max(wish.size, sizeB),
               wish.sizeB && sizeB > wish.size ? engine::field::sizeB : engine::field::size);
    const std::int32_t p = problem.groupA;
    const std::int32_t q = problem.groupB;
    const engine::Distribution& distribution = engine::distributionNamed(wish.sizes);
    switch (collective) {
        case Collective::bcast:
        case Collective::intergroupBcast: return Layout::regular(1, wish.size);
        case Collective::alltoallv: return rowsOf(distribution, p, p, wish.size);
        case Collective::intergroupAlltoallv:
            return joined(rowsOf(distribution, p, q, wish.size), rowsOf(distribution, q, p, sizeB));
        case Collective::intergroupReduce:
        case Collective::intergroupAllreduce: return Layout::regular(p + q, wish.size);
        case Collective::intergroupAllgatherv:
            return joined(distribution.sizes(p, wish.size), distribution.sizes(q, sizeB));
        default: return distribution.sizes(p, wish.size);
    }
}

/// The sizes in "torus:4x4,ties=simgrid placement=snake"; nothing for other networks.
std::string torusSizes(std::string_view topology) {
    constexpr std::string_view torus = "torus:";
    if (!topology.starts_with(torus)) return {};
    topology.remove_prefix(torus.size());
    return std::string{topology.substr(0, topology.find_first_of(", "))};
}

/// Whether the algorithm lays its ranks on a torus, of its own choice if the user names none.
bool wantsTorus(const engine::Algorithm& algorithm, const Problem& problem,
                const std::map<std::string, std::string>& options) {
    const engine::Options checked{algorithm.id, algorithm.options, options};
    if (algorithm.objects != nullptr && algorithm.objects(problem, checked)) return true;
    return algorithm.plan(problem, checked)->facts().wiring.kind() == engine::Wiring::Kind::torus;
}

/// Throws Error where the algorithm does not support the problem on any torus: another torus would not help then.
void requireSupported(const engine::Algorithm& algorithm, Problem problem,
                      const std::map<std::string, std::string>& options) {
    if (algorithm.objects == nullptr) return;
    const engine::Options checked{algorithm.id, algorithm.options, options};
    const engine::Objection here = algorithm.objects(problem, checked);
    problem.torus.clear();
    if (here && here == algorithm.objects(problem, checked)) throw Error{text(algorithm.id, ": ", *here)};
}

}  // namespace

Problem makeProblem(Collective collective, const ProblemWish& wish) {
    Problem problem;
    problem.collective = collective;
    refuseForeign(collective, wish);
    takeRanks(problem, wish);
    takeExtras(problem, wish);
    if (problem.groupA > mostRanks - problem.groupB)
        throw Error{
            text(engine::field::groupA, " and ", engine::field::groupB, ": more than ", mostRanks, " ranks in total")};
    problem.layout = layoutFor(problem, wish);
    validate(problem);
    return problem;
}

namespace {

/// The problem wished for; of an algorithm that has one problem alone, that one.
Problem problemFor(const engine::Algorithm& algorithm, const ProblemWish& wish) {
    const Problem* own = engine::schedules::problemOf(algorithm);
    if (own == nullptr) return makeProblem(algorithm.collective, wish);
    refuseForeign(algorithm.collective, wish);
    Problem problem = *own;
    const auto agree = [&](std::optional<std::int64_t> asked, std::int64_t value, Field field) {
        if (asked && *asked != value)
            throw Error{text(field, ": ", algorithm.id, " contains the schedule for ", value, ", not for ", *asked)};
    };
    const bool two = isIntergroup(problem.collective);
    agree(two ? std::nullopt : wish.ranks, problem.groupA, engine::field::ranks);
    agree(two ? wish.groupA : std::nullopt, problem.groupA, engine::field::groupA);
    agree(two ? wish.groupB : std::nullopt, problem.groupB, engine::field::groupB);
    if (wish.root != 0) agree(wish.root, problem.root.value, engine::field::root);
    if (engine::schedules::takesAnySize(algorithm))
        problem.layout = engine::Layout::regular(problem.layout.count(), wish.size);
    else if (wish.size != ProblemWish{}.size && problem.layout.isRegular() && problem.layout.count() > 0)
        agree(wish.size, problem.layout.largest(), engine::field::size);
    if (wish.operation != ProblemWish{}.operation) problem.operation = wish.operation;  // else that of the file
    problem.element = wish.element;
    problem.ports = wish.ports;
    validate(problem);
    return problem;
}

}  // namespace

engine::Plan makePlan(const engine::Algorithm& algorithm, const ProblemWish& wish,
                      const std::map<std::string, std::string>& options, const NetworkWish& network,
                      const engine::Progress& progress, const engine::Model& model) {
    Problem problem = problemFor(algorithm, wish);
    const std::string sizes = torusSizes(network.topology);
    if (!sizes.empty() && wantsTorus(algorithm, problem, options)) {
        problem.torus = engine::readDimensions(sizes, text(engine::field::topology, " torus"));
        // Ranks that are placed on a larger torus have one of their own.
        std::int64_t places = 1;
        for (const int length : problem.torus) places *= length;
        if (!network.placement.empty() && places > problem.ranks()) problem.torus.clear();
        if (places != problem.ranks()) requireSupported(algorithm, problem, options);
        validate(problem);
    }
    // Only what asks for the nodes, or for a way, pays for the network.
    const auto named = [network, ranks = problem.ranks()]() -> emulation::NetworkPtr {
        if (network.topology.empty()) return nullptr;
        return emulation::makeNetwork(emulation::toText({network.topology, network.placement}), ranks);
    };
    const auto nodes = [named] {
        const emulation::NetworkPtr there = named();
        return there ? emulation::nodesOf(*there) : std::vector<std::int32_t>{};
    };
    const auto way = [named, found = std::make_shared<std::vector<std::int32_t>>()] {
        if (const emulation::NetworkPtr there = found->empty() ? named() : nullptr)
            *found = emulation::wayThrough(*there);
        return *found;
    };
    engine::Plan plan = engine::makePlan(algorithm, problem, options, {.model = model, .nodes = nodes, .way = way});
    if (network.neighboursOnly)
        plan.schedule =
            emulation::neighboursOnly(std::move(plan.schedule), plan.problem, networkFor(plan, network), progress);
    return plan;
}

engine::Plan makePlan(const RunWish& wish, const engine::Progress& progress) {
    return makePlan(engine::algorithmNamed(wish.algorithm), wish.problem, wish.options, wish.network, progress,
                    wish.model);
}

namespace {

/// Throws Error; where the network would do for the ranks that were asked for, it names those that the algorithm adds.
emulation::NetworkPtr networkWithDummies(const std::string& topology, std::int32_t ranks, std::int32_t dummies) {
    try {
        return emulation::makeNetwork(topology, ranks);
    } catch (const engine::Error& error) {
        if (dummies == 0) throw;
        (void)emulation::makeNetwork(topology, ranks - dummies);
        throw engine::Error{text(error.words(), "; ", dummies, " of the ranks are dummies that the algorithm adds")};
    }
}

}  // namespace

emulation::NetworkPtr networkFor(const engine::Plan& plan, const NetworkWish& wish) {
    const engine::Facts& facts = plan.schedule->facts();
    const std::string own = facts.wiring.kind() == engine::Wiring::Kind::any ? "full" : facts.wiring.name();
    return networkWithDummies(emulation::toText({wish.topology.empty() ? own : wish.topology, wish.placement}),
                              facts.ranks, facts.ranks - plan.problem.ranks());
}

RunWish pinned(RunWish wish) {
    if (!wish.network.topology.empty()) return wish;
    try {
        wish.network.topology = networkFor(makePlan(wish))->name();
    } catch (const engine::Error&) {
        // Running it reports the reason.
    }
    return wish;
}

RunWish rivalOf(RunWish wish, const std::string& algorithm) {
    wish.algorithm = algorithm;
    wish.options.clear();
    return wish;
}

}  // namespace app
