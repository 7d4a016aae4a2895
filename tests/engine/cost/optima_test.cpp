// SPDX-License-Identifier: BSD-3-Clause
// No bound is above the optimum that a solver found (tests/golden/optima.py), and one that is below does not pretend to
// be attained.
#include "engine/base/text.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "engine/cost/bounds.hpp"
#include "engine/synthesis/cnf_formula.hpp"
#include "engine/synthesis/counting_bounds.hpp"
#include "engine/synthesis/sat_search.hpp"
#include "tests/support/places.hpp"

#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <functional>
#include <map>

namespace engine {
namespace {

/// One row of the table.
struct Optimum {
    Problem problem;
    Wiring wiring;
    std::string kind;  ///< "any", "whole" or "first": optima.py says what they are
    std::int64_t rounds = 0;
    std::string line;
};

constexpr Bytes each = 8;  // of a contribution that has bytes

Layout layoutOf(const std::string& mask) {
    std::vector<Bytes> sizes;
    for (const std::string& one : split(mask, ',')) sizes.push_back(one == "1" ? each : 0);
    if (mask.find('0') == std::string::npos) return Layout::regular(static_cast<std::int32_t>(sizes.size()), each);
    return Layout::irregular(sizes);
}

bool adjacentOnMesh(const std::vector<int>& lengths, std::int32_t a, std::int32_t b) {
    int steps = 0;
    for (auto length = lengths.rbegin(); length != lengths.rend(); ++length) {
        steps += std::abs(a % *length - b % *length);
        a /= *length;
        b /= *length;
    }
    return steps == 1;
}

Wiring wiringOf(const std::string& network) {
    if (network == "full") return Wiring::any();
    const std::vector<int> lengths = readDimensions(network.substr(network.find(':') + 1), "optima.tsv");
    if (network.starts_with("mesh"))
        return Wiring::named(network, [lengths](Rank a, Rank b) { return adjacentOnMesh(lengths, a.value, b.value); });
    return lengths.size() == 1 ? Wiring::ring(lengths[0]) : Wiring::torus(lengths);
}

/// All contributions of the senders in `mask` have bytes.
Layout alltoallOf(const std::string& mask) {
    const std::vector<std::string> senders = split(mask, ',');
    if (mask.find('0') == std::string::npos)
        return Layout::regular(static_cast<std::int32_t>(senders.size() * senders.size()), each);
    std::vector<Bytes> sizes;
    for (const std::string& sender : senders) sizes.insert(sizes.end(), senders.size(), sender == "1" ? each : 0);
    return Layout::irregular(sizes);
}

/// What the column "sizes or root" says.
void readSizes(Problem& problem, const std::string& cell) {
    const auto slash = cell.find('/');
    switch (problem.collective) {
        case Collective::bcast:
        case Collective::intergroupBcast:
            problem.layout = Layout::regular(1, each);
            problem.root = Rank{std::stoi(cell)};
            return;
        case Collective::reduce:
        case Collective::intergroupReduce: problem.root = Rank{std::stoi(cell)}; [[fallthrough]];
        case Collective::scan: problem.layout = Layout::regular(problem.ranks(), each); return;
        case Collective::gatherv:
        case Collective::scatterv:
            problem.root = Rank{std::stoi(cell.substr(0, slash))};
            problem.layout = layoutOf(cell.substr(slash + 1));
            return;
        case Collective::alltoallv: problem.layout = alltoallOf(cell); return;
        case Collective::intergroupAlltoallv:
            problem.layout = Layout::regular(2 * problem.groupA * problem.groupB, each);
            return;
        default: problem.layout = layoutOf(cell);
    }
}

void eachOptimum(const std::function<void(const Optimum&)>& use) {
    std::ifstream file{support::goldenFolder() / "optima.tsv"};
    ASSERT_TRUE(file) << "tests/golden/optima.tsv cannot be read";
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with('#')) continue;
        const std::vector<std::string> cells = split(line, '\t');
        ASSERT_EQ(cells.size(), 9U) << line;
        ASSERT_EQ(cells[7], cells[8]) << "the solver decided: " << line;
        Optimum one{{.collective = collectiveNamed(cells[0])}, wiringOf(cells[3]), cells[6], std::stol(cells[7]), line};
        one.problem.groupA = std::stoi(cells[1]);
        one.problem.groupB = std::stoi(cells[2]);
        one.problem.ports = std::stoi(cells[4]);
        readSizes(one.problem, cells[5]);
        use(one);
    }
}

/// How many rows of a kind there are, and for how many the bound is the optimum.
struct Tally {
    int rows = 0;
    int tight = 0;

    friend bool operator==(const Tally&, const Tally&) = default;
    friend std::ostream& operator<<(std::ostream& out, const Tally& tally) {
        return out << tally.tight << " of " << tally.rows;
    }
};

/// The algorithm that is said to attain `bound` needs no more rounds.
void expectAttained(const Optimum& one, const Bound<std::int64_t>& bound) {
    if (bound.attained.empty()) return;
    EXPECT_EQ(bound.value, one.rounds) << one.line << ": below the optimum, but told as attained";
    const Plan plan = makePlan(algorithmNamed(bound.attained), one.problem, {});
    EXPECT_EQ(plan.schedule->facts().rounds, bound.value) << one.line << ": " << bound.attained;
    EXPECT_LE(plan.schedule->facts().ports, one.problem.ports) << one.line << ": " << bound.attained;
    EXPECT_TRUE(one.wiring == Wiring::any() || one.wiring == plan.schedule->facts().wiring) << one.line;
}

/// A schedule of so many rounds, each message of which is one contribution, is above all bounds: on the bytes of a
/// port, and on the time, whatever is dear.
void expectWholeAbove(const Optimum& one, const Bounds& bounds) {
    EXPECT_LE(bounds.volume.value, one.rounds * each) << one.line << ": a false bound on volume";
    for (const auto& [alpha, beta] :
         std::vector<std::array<std::int64_t, 2>>{{1000, 1}, {90, 10}, {10, 10}, {1, 1000}}) {
        const Model model{.alpha = Picoseconds{alpha}, .beta = Rate{beta * 1000}};
        const Picoseconds least = model.message(each) * one.rounds;
        EXPECT_LE(timeBound(bounds, model), least) << one.line << ": a false bound on time, alpha " << alpha;
        EXPECT_LE(timeBound(bounds, Blocks::whole, model).value_or(Picoseconds{}), least)
            << one.line << ": a false bound on time, alpha " << alpha;
    }
}

TEST(Optima, areNotBelowTheBounds) {
    std::map<std::string, Tally> tallies;
    eachOptimum([&](const Optimum& one) {
        const Bounds bounds = boundsOf(one.problem, one.wiring);
        ASSERT_TRUE(one.kind != "whole" || bounds.unitRounds.has_value()) << one.line;
        const std::int64_t bound = one.kind == "any"     ? bounds.startups.value
                                   : one.kind == "whole" ? bounds.unitRounds->value
                                                         : bounds.firstByte;
        if (one.kind == "whole") expectWholeAbove(one, bounds);
        EXPECT_LE(bound, one.rounds) << one.line << ": a false bound";
        if (one.kind == "any") expectAttained(one, bounds.startups);
        if (one.kind == "whole") expectAttained(one, *bounds.unitRounds);
        Tally& tally = tallies[text(name(one.problem.collective), " ", one.kind)];
        ++tally.rows;
        tally.tight += bound == one.rounds ? 1 : 0;
    });
    const std::map<std::string, Tally> known{{"allgatherv any", {288, 283}},
                                             {"allgatherv first", {288, 192}},
                                             {"allgatherv whole", {288, 270}},
                                             {"alltoallv any", {96, 94}},
                                             {"alltoallv whole", {96, 83}},
                                             {"bcast any", {84, 84}},
                                             {"gatherv any", {336, 335}},
                                             {"gatherv whole", {336, 336}},
                                             {"halfduplex-allgather any", {992, 913}},
                                             {"halfduplex-allgather first", {992, 977}},
                                             {"halfduplex-allgather whole", {992, 970}},
                                             {"intergroup-allgatherv any", {1014, 956}},
                                             {"intergroup-allgatherv first", {1014, 687}},
                                             {"intergroup-allgatherv whole", {1014, 933}},
                                             {"intergroup-alltoallv any", {62, 52}},
                                             {"intergroup-alltoallv whole", {38, 32}},
                                             {"intergroup-bcast any", {256, 250}},
                                             {"intergroup-reduce any", {256, 250}},
                                             {"scan any", {22, 22}},
                                             {"scatterv any", {336, 335}},
                                             {"scatterv whole", {336, 336}}};
    EXPECT_EQ(tallies, known);
}

/// Who combines, or only gives a sign of life, has to hear of everyone as one who gathers does; and so has everyone in
/// an alltoall.
TEST(Optima, ofReductionsAreThoseOfHearingOfEveryone) {
    Tally tally;
    eachOptimum([&](const Optimum& one) {
        const bool within = one.problem.collective == Collective::allgatherv;
        const bool between = one.problem.collective == Collective::intergroupAllgatherv;
        if ((!within && !between) || one.kind != "any" || !one.problem.layout.isRegular()) return;
        for (const Collective collective : {Collective::allreduce, Collective::barrier, Collective::reduceScatter,
                                            Collective::alltoallv, Collective::intergroupAllreduce}) {
            if (isIntergroup(collective) != between) continue;
            Optimum other = one;
            const std::int32_t ranks = other.problem.ranks();
            other.problem.collective = collective;
            if (collective == Collective::barrier) other.problem.layout = {};
            if (collective == Collective::reduceScatter) other.problem.layout = Layout::regular(ranks, each * ranks);
            if (collective == Collective::alltoallv) other.problem.layout = Layout::regular(ranks * ranks, each);
            const Bounds bounds = boundsOf(other.problem, one.wiring);
            EXPECT_LE(bounds.startups.value, one.rounds) << one.line << ": a false bound";
            expectAttained(other, bounds.startups);
            ++tally.rows;
            tally.tight += bounds.startups.value == one.rounds ? 1 : 0;
        }
    });
    EXPECT_EQ(tally, (Tally{276, 247}));
}

/// A partial result of everyone's vector is as far from the root as their contributions.
TEST(Optima, ofReducesAreThoseOfGathers) {
    Tally tally;
    eachOptimum([&](const Optimum& one) {
        if (one.problem.collective != Collective::gatherv || one.kind != "any" || !one.problem.layout.isRegular())
            return;
        Optimum reduce = one;
        reduce.problem.collective = Collective::reduce;
        const Bounds bounds = boundsOf(reduce.problem, one.wiring);
        EXPECT_LE(bounds.startups.value, one.rounds) << one.line << ": a false bound";
        expectAttained(reduce, bounds.startups);
        ++tally.rows;
        tally.tight += bounds.startups.value == one.rounds ? 1 : 0;
    });
    EXPECT_EQ(tally, (Tally{40, 40}));
}

/// What a scan leaves out of a result makes it no easier: the last rank hears of all others.
TEST(Optima, ofExclusiveScansAreThoseOfScans) {
    eachOptimum([](const Optimum& one) {
        if (one.problem.collective != Collective::scan) return;
        Optimum exclusive = one;
        exclusive.problem.exclusive = true;
        const Bounds bounds = boundsOf(exclusive.problem, one.wiring);
        EXPECT_LE(bounds.startups.value, one.rounds) << one.line << ": a false bound";
        if (bounds.startups.attained.empty()) return;
        EXPECT_EQ(bounds.startups.value, one.rounds) << one.line;
        const Plan plan = makePlan(algorithmNamed(bounds.startups.attained), exclusive.problem, {{"exclusive", "yes"}});
        EXPECT_EQ(plan.schedule->facts().rounds, one.rounds) << one.line;
    });
}

/// Whether so many rounds are enough for each rank to hold one contribution that it needs; messages carry anything.
bool servesFirst(const synthesis::Fabric& fabric, const std::vector<synthesis::Chunk>& chunks, std::int64_t rounds) {
    using synthesis::Literal;
    synthesis::Formula formula;
    const Literal always = formula.fresh();
    formula.add({always});
    const auto ranks = asSize(fabric.ranks);
    const auto ports = asSize(fabric.ports);
    std::vector<std::vector<Literal>> holds(chunks.size(), std::vector<Literal>(ranks));  // 0: it cannot
    for (std::size_t c = 0; c < chunks.size(); ++c) holds[c][asSize(chunks[c].owner)] = always;
    for (std::int64_t round = 0; round < rounds; ++round) {
        std::vector<std::vector<Literal>> out(ranks);
        std::vector<std::vector<Literal>> into(ranks);
        std::vector<std::vector<std::vector<Literal>>> brings(chunks.size(), std::vector<std::vector<Literal>>(ranks));
        for (const synthesis::Channel& channel : fabric.channels) {
            const Literal message = formula.fresh();
            out[asSize(channel.from)].push_back(message);
            into[asSize(channel.to)].push_back(message);
            for (std::size_t c = 0; c < chunks.size(); ++c) {
                const Literal source = holds[c][asSize(channel.from)];
                if (source == 0 || holds[c][asSize(channel.to)] == always) continue;
                const Literal carries = formula.fresh();
                formula.add({-carries, message});
                formula.add({-carries, source});
                brings[c][asSize(channel.to)].push_back(carries);
            }
        }
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            for (const auto* ends : {&out[rank], &into[rank]})
                if (ends->size() > ports) formula.add({-formula.counts(*ends, ports + 1)[ports]});
            for (std::size_t c = 0; c < chunks.size(); ++c) {
                std::vector<Literal>& reasons = brings[c][rank];
                if (reasons.empty()) continue;
                if (holds[c][rank] != 0) reasons.push_back(holds[c][rank]);
                holds[c][rank] = formula.fresh();
                reasons.push_back(-holds[c][rank]);
                formula.add(reasons);
            }
        }
    }
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        std::vector<Literal> served;
        bool needs = false;
        for (std::size_t c = 0; c < chunks.size(); ++c) {
            if (!chunks[c].needed[rank] || asSize(chunks[c].owner) == rank) continue;
            needs = true;
            if (holds[c][rank] != 0) served.push_back(holds[c][rank]);
        }
        if (needs) formula.add(served);
    }
    return formula.decide({}, {}) == synthesis::Truth::satisfiable;
}

/// What the search spreads. Of a reduction between groups that is its reverse, which the root sends to all that it
/// hears of; in a scan each rank hears of those before it.
std::vector<synthesis::Chunk> chunksOf(const Problem& problem) {
    const std::int32_t ranks = problem.ranks();
    std::vector<synthesis::Chunk> chunks;
    const auto add = [&](std::int32_t owner, const auto& needs) {
        chunks.push_back({.owner = owner, .block = owner});
        for (std::int32_t rank = 0; rank < ranks; ++rank) chunks.back().needed.push_back(needs(rank));
    };
    if (problem.collective == Collective::intergroupReduce) {
        const bool rootInA = problem.root.value < problem.groupA;
        add(problem.root.value, [&](std::int32_t rank) { return rootInA != (rank < problem.groupA); });
    } else if (problem.collective == Collective::scan) {
        for (std::int32_t owner = 0; owner + 1 < ranks; ++owner)
            add(owner, [&](std::int32_t rank) { return rank > owner; });
    } else {
        chunks = synthesis::searchProblemOf(problem, 1).chunks;
    }
    return chunks;
}

/// All rows of the table again, by the search: as many steps as that has rounds, and where a message is one
/// contribution, steps of one round.
TEST(Optima, areFoundAgainByTheSearch) {
    int held = 0;
    eachOptimum([&](const Optimum& one) {
        if (one.rounds == 0) return;
        const bool whole = one.kind == "whole";
        synthesis::Fabric fabric{.ranks = one.problem.ranks(), .ports = whole ? 0 : one.problem.ports};
        // Of whole contributions each is a message, which goes out through a port and comes in through one.
        if (whole) fabric.lanes.assign(asSize(2 * fabric.ranks), one.problem.ports);
        for (std::int32_t a = 0; a < fabric.ranks; ++a)
            for (std::int32_t b = 0; b < fabric.ranks; ++b) {
                if (a == b || !one.wiring.adjacent(Rank{a}, Rank{b})) continue;
                fabric.channels.push_back({a, b, {a, fabric.ranks + b}});
                if (whole) continue;
                fabric.channels.back().links = {static_cast<std::int32_t>(fabric.lanes.size())};
                fabric.lanes.push_back(1);
            }
        const std::vector<synthesis::Chunk> chunks = chunksOf(one.problem);
        const auto holds = [&](std::int64_t rounds) {
            if (one.kind == "first") return servesFirst(fabric, chunks, rounds);
            const auto steps = static_cast<std::int32_t>(rounds);
            if (steps < fewestSteps(fabric, chunks).value()) return false;
            if (whole && steps < heaviestLoad(fabric, chunks).rounds()) return false;
            const std::int32_t most = whole ? steps : steps * static_cast<std::int32_t>(chunks.size());
            return synthesis::Search{fabric, chunks, steps, most}.decide(most, {}).truth ==
                   synthesis::Truth::satisfiable;
        };
        EXPECT_TRUE(holds(one.rounds)) << one.line;
        EXPECT_FALSE(one.rounds > 1 && holds(one.rounds - 1)) << one.line;
        ++held;
    });
    EXPECT_EQ(held, 9136);
}

}  // namespace
}  // namespace engine
