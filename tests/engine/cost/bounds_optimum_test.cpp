// SPDX-License-Identifier: BSD-3-Clause
// No bound is above what the best of all schedules needs, and where one is below, it stands here.
#include "engine/base/text.hpp"
#include "engine/cost/bounds.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/reference/least_rounds.hpp"

#include <gtest/gtest.h>

#include <map>

namespace engine {
namespace {

using namespace support;

Problem ported(Problem problem, int ports) {
    problem.ports = ports;
    return problem;
}

Problem intergroup(int p, int q, Bytes size = 1) {
    return {.collective = Collective::intergroupAllgatherv,
            .groupA = p,
            .groupB = q,
            .layout = Layout::regular(p + q, size)};
}

Problem equalAllgather(int ranks, Bytes size = 1) {
    return allgatherv(std::vector<Bytes>(static_cast<std::size_t>(ranks), size));
}

std::vector<Wiring> wiringsOf(int ranks) {
    std::vector<Wiring> all{Wiring::any(), Wiring::ring(ranks)};
    if (ranks == 4) all.push_back(Wiring::torus({2, 2}));
    if (ranks == 6) all.push_back(Wiring::torus({2, 3})), all.push_back(Wiring::torus({3, 2}));
    return all;
}

/// Calls use(problem, wiring) for every collective of bytes with contributions of one byte, on two to six ranks and one
/// and two ports, as far as contributions x ranks is at most `work`: more would take long to search.
template <class Use>
void eachProblem(int work, Use use) {
    for (int ranks = 2; ranks <= 6; ++ranks)
        for (const Wiring& wiring : wiringsOf(ranks))
            for (const int ports : {1, 2}) {
                const auto given = [&](const Problem& problem) {
                    if (problem.layout.count() * ranks <= work) use(ported(problem, ports), wiring);
                };
                given(bcast(ranks, ranks / 2, 1));
                given(equalAllgather(ranks));
                for (int p = 1; p < ranks; ++p) given(halfduplex(p, ranks - p, 1));
                for (int p = 1; p < ranks; ++p) given(intergroup(p, ranks - p));
            }
}

std::string nameOf(const Problem& problem, const Wiring& wiring) {
    std::string words = text(name(problem.collective), " ", problem.groupA);
    if (problem.groupB > 0) words += text("+", problem.groupB);
    return text(words, " ", wiring.name(), problem.ports > 1 ? text(" ports ", problem.ports) : "");
}

std::vector<int> piecesOf(const Problem& problem) {
    std::vector<int> pieces;
    for (std::int32_t b = 0; b < problem.layout.count(); ++b)
        pieces.push_back(static_cast<int>(problem.layout.size(b)));
    return pieces;
}

/// What the best schedule needs beyond the bound, by problem.
using Gaps = std::map<std::string, std::int64_t>;

void compare(Gaps& gaps, const std::string& problem, std::int64_t bound, int least) {
    EXPECT_LE(bound, least) << problem << ": a false bound";
    if (bound < least) gaps[problem] = least - bound;
}

TEST(BoundsOptimum, startupsAreThoseOfTheBestSchedule) {
    Gaps gaps;
    eachProblem(20, [&](const Problem& problem, const Wiring& wiring) {
        LeastRounds judge{problem, wiring, piecesOf(problem), Load::everything};
        compare(gaps, nameOf(problem, wiring), boundsOf(problem, wiring).startups.value, judge.untilDone());
    });
    const Gaps known{{"halfduplex-allgather 2+3 any", 1},      {"halfduplex-allgather 2+3 ring", 1},
                     {"halfduplex-allgather 3+2 any", 1},      {"halfduplex-allgather 3+2 ring", 1},
                     {"halfduplex-allgather 3+3 any", 1},      {"halfduplex-allgather 3+3 torus:2x3", 1},
                     {"halfduplex-allgather 3+3 torus:3x2", 1}};
    EXPECT_EQ(gaps, known);
}

TEST(BoundsOptimum, theFirstByteArrivesNoSooner) {
    Gaps gaps;
    eachProblem(20, [&](const Problem& problem, const Wiring& wiring) {
        LeastRounds judge{problem, wiring, piecesOf(problem), Load::onePiece};
        compare(gaps, nameOf(problem, wiring), boundsOf(problem, wiring).firstByte, judge.untilServed());
    });
    // Between groups it is told for the one that takes in more bytes.
    Gaps known{{"intergroup-allgatherv 1+2 any", 1},
               {"intergroup-allgatherv 1+2 ring", 1},
               {"intergroup-allgatherv 2+1 any", 1},
               {"intergroup-allgatherv 2+1 ring", 1}};
    for (const char* groups : {"1+3", "3+1"})
        for (const char* wiring : {"any", "ring", "torus:2x2"})
            for (const char* ports : {"", " ports 2"})
                known[text("intergroup-allgatherv ", groups, " ", wiring, ports)] = 1;
    EXPECT_EQ(gaps, known);
}

TEST(BoundsOptimum, unitRoundsAreThoseOfTheBestScheduleOfWholeContributions) {
    Gaps gaps;
    eachProblem(20, [&](const Problem& problem, const Wiring& wiring) {
        const auto bound = boundsOf(problem, wiring).unitRounds;
        if (!bound) return;
        LeastRounds judge{problem, wiring, piecesOf(problem), Load::onePiece};
        compare(gaps, nameOf(problem, wiring), bound->value, judge.untilDone());
    });
    const Gaps known;
    EXPECT_EQ(gaps, known);
}

Problem sized(Problem problem, const std::vector<Bytes>& sizes, int ports = 1) {
    problem.layout = Layout::irregular(sizes);
    problem.ports = ports;
    return problem;
}

/// Contributions of several bytes, of unequal bytes, and of none.
std::vector<Problem> unevenProblems() {
    std::vector<Problem> all;
    for (const int ports : {1, 2}) {
        for (const int ranks : {2, 3, 4})
            for (const Bytes bytes : {2, 3}) all.push_back(ported(bcast(ranks, 0, bytes), ports));
        for (const std::vector<Bytes>& sizes : std::vector<std::vector<Bytes>>{
                 {2, 2}, {3, 1}, {2, 0}, {2, 2, 2}, {3, 1, 2}, {0, 3, 1}, {0, 0, 2}, {0, 2, 1, 1}, {0, 0, 1, 0}})
            all.push_back(ported(allgatherv(sizes), ports));
        for (const int q : {1, 2, 3})
            for (const std::vector<Bytes>& sizes :
                 std::vector<std::vector<Bytes>>{{3}, {2, 2}, {3, 1}, {0, 2}, {1, 0, 1}, {0, 0, 2}})
                all.push_back(sized(halfduplex(static_cast<int>(sizes.size()), q), sizes, ports));
        all.push_back(sized(intergroup(1, 1), {3, 2}, ports));
        all.push_back(sized(intergroup(1, 2), {2, 0, 1}, ports));
        all.push_back(sized(intergroup(2, 1), {0, 2, 1}, ports));
        all.push_back(sized(intergroup(2, 2), {0, 1, 1, 0}, ports));
        all.push_back(sized(intergroup(1, 3), {0, 1, 0, 1}, ports));
        all.push_back(sized(intergroup(3, 1), {0, 0, 1, 0}, ports));
        all.push_back(sized(intergroup(1, 3), {2, 0, 0, 0}, ports));
    }
    return all;
}

std::string sizedName(const Problem& problem) {
    std::string sizes;
    for (std::int32_t b = 0; b < problem.layout.count(); ++b)
        sizes += text(b == 0 ? " of " : ",", problem.layout.size(b));
    return nameOf(problem, Wiring::any()) + sizes;
}

TEST(BoundsOptimum, bytesAreNoMoreThanThoseOfTheBestScheduleThatCutsAsItLikes) {
    for (const Problem& problem : unevenProblems())
        EXPECT_LE(boundsOf(problem, Wiring::any()).volume.value,
                  (LeastRounds{problem, Wiring::any(), piecesOf(problem), Load::onePiece}.untilDone()))
            << sizedName(problem) << ": a false bound";
}

TEST(BoundsOptimum, contributionsWithoutBytesNeedNoStartups) {
    Gaps gaps;
    for (const Problem& problem : unevenProblems()) {
        const Bounds bounds = boundsOf(problem, Wiring::any());
        LeastRounds judge{problem, Wiring::any(), piecesOf(problem), Load::everything};
        compare(gaps, sizedName(problem), bounds.startups.value, judge.untilDone());
        EXPECT_LE(bounds.firstByte, judge.untilServed()) << sizedName(problem) << ": a false bound";
    }
    const Gaps known{{"halfduplex-allgather 2+3 any of 2,2", 1},
                     {"halfduplex-allgather 2+3 any of 3,1", 1},
                     {"halfduplex-allgather 3+3 any of 1,0,1", 1}};
    EXPECT_EQ(gaps, known);
}

/// Everyone hears of everyone: what a reduction needs, whatever it does with what it hears.
TEST(BoundsOptimum, reductionsHearOfEveryoneInTheStartupsOfTheBestSchedule) {
    for (int ranks = 1; ranks <= 5; ++ranks)
        for (const int ports : {1, 2, 3})
            for (const Problem& reduction : {ported(allreduce(ranks), ports), ported(barrier(ranks), ports)})
                EXPECT_EQ(boundsOf(reduction, Wiring::any()).startups.value,
                          (LeastRounds{reduction, Wiring::any(), std::vector<int>(static_cast<std::size_t>(ranks), 1),
                                       Load::everything}
                               .untilDone()))
                    << toText(reduction);
}

}  // namespace
}  // namespace engine
