// SPDX-License-Identifier: BSD-3-Clause
// No bound is above the optimum that a solver found (tests/golden/optima.py), and one that is below does not pretend to
// be attained.
#include "engine/catalogue.hpp"
#include "engine/cost/bounds.hpp"
#include "engine/text.hpp"
#include "tests/support/places.hpp"

#include <gtest/gtest.h>

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
        if (one.problem.collective == Collective::bcast) {
            one.problem.layout = Layout::regular(1, each);
            one.problem.root = Rank{std::stoi(cells[5])};
        } else {
            one.problem.layout = layoutOf(cells[5]);
        }
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

TEST(Optima, areNotBelowTheBounds) {
    std::map<std::string, Tally> tallies;
    eachOptimum([&](const Optimum& one) {
        const Bounds bounds = boundsOf(one.problem, one.wiring);
        ASSERT_TRUE(bounds.unitRounds.has_value()) << one.line;
        const std::int64_t bound = one.kind == "any"     ? bounds.startups.value
                                   : one.kind == "whole" ? bounds.unitRounds->value
                                                         : bounds.firstByte;
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
                                             {"bcast any", {84, 84}},
                                             {"halfduplex-allgather any", {992, 913}},
                                             {"halfduplex-allgather first", {992, 977}},
                                             {"halfduplex-allgather whole", {992, 970}},
                                             {"intergroup-allgatherv any", {1014, 956}},
                                             {"intergroup-allgatherv first", {1014, 687}},
                                             {"intergroup-allgatherv whole", {1014, 933}}};
    EXPECT_EQ(tallies, known);
}

/// Who combines, or only gives a sign of life, has to hear of everyone as one who gathers does.
TEST(Optima, ofReductionsAreThoseOfHearingOfEveryone) {
    Tally tally;
    eachOptimum([&](const Optimum& one) {
        if (one.problem.collective != Collective::allgatherv || one.kind != "any" || !one.problem.layout.isRegular())
            return;
        for (const Collective collective : {Collective::allreduce, Collective::barrier}) {
            Optimum reduction = one;
            reduction.problem.collective = collective;
            if (collective == Collective::barrier) reduction.problem.layout = {};
            const Bounds bounds = boundsOf(reduction.problem, one.wiring);
            EXPECT_LE(bounds.startups.value, one.rounds) << one.line << ": a false bound";
            expectAttained(reduction, bounds.startups);
            ++tally.rows;
            tally.tight += bounds.startups.value == one.rounds ? 1 : 0;
        }
    });
    EXPECT_EQ(tally, (Tally{72, 66}));
}

}  // namespace
}  // namespace engine
