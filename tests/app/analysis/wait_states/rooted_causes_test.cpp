// SPDX-License-Identifier: BSD-3-Clause
// The rank that computes longest is the first cause, whichever rooted collective the others wait in for it.
#include "app/analysis/trace/trace_analysis.hpp"
#include "tests/support/programs/rooted_program.hpp"
#include "traces/recording/run_from_recording.hpp"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <random>

namespace app::analysis {
namespace {

using support::RootedCollective;
using support::RootedProgram;

Trace traceOf(const RootedProgram& program) {
    auto recording = std::make_shared<const traces::Recording>(program.run().first);
    return {.report = reportOn(std::make_shared<const engine::Run>(traces::runOf(*recording))), .recording = recording};
}

/// The rank that the costliest cause names, and where; -1 where there is none.
std::pair<std::int32_t, std::string> blamed(const RootedProgram& program) {
    const Trace trace = traceOf(program);
    TraceAnalysis analysis{trace, {}};
    if (analysis.causes().empty()) return {-1, ""};
    const Cause& first = analysis.causes().front();
    return {first.rank.value, nameOf(first, *analysis.callPaths())};
}

std::string describe(const RootedProgram& program) {
    const RootedCollective& its = program.collective;
    std::string words =
        engine::text(its.name, ", tree ", static_cast<int>(its.tree), its.rendezvous ? ", rendezvous" : ", eager",
                     ", root ", its.root, ", late ", program.late, " by ", program.delay, " us, transfer ",
                     its.transfer, ", meets ", program.meetEvery, ", members");
    for (const engine::Rank rank : program.members) words += engine::text(' ', rank);
    return words;
}

TEST(RootedCauses, nameTheRankThatComputesLongest) {
    std::mt19937 random{40};
    int tried = 0, right = 0;
    std::string wrong;
    while (tried < 2000) {
        const RootedProgram program = support::randomRootedProgram(random);
        const std::int64_t delayed = program.delay * ((program.iterations + program.every - 1) / program.every);
        if (program.harm() < delayed / 2) continue;  // nobody waited for it
        ++tried;
        const auto [rank, place] = blamed(program);
        const bool found =
            rank == program.members[static_cast<std::size_t>(program.late)].value && place == "main/compute";
        right += found ? 1 : 0;
        if (!found && wrong.size() < 2000)
            wrong += describe(program) + engine::text(": rank ", rank, ", ", place, '\n');
    }
    EXPECT_GE(right, tried * 99 / 100) << right << " of " << tried << '\n' << wrong;
}

/// The same programs, with the messages inside: nothing is inferred any more.
TEST(RootedCauses, areProvenByTheMessagesInside) {
    std::mt19937 random{40};
    int tried = 0, right = 0;
    std::string wrong;
    while (tried < 2000) {
        RootedProgram program = support::randomRootedProgram(random);
        const std::int64_t delayed = program.delay * ((program.iterations + program.every - 1) / program.every);
        if (program.harm() < delayed / 2) continue;
        program.recordsInside = true;
        ++tried;
        const Trace trace = traceOf(program);
        TraceAnalysis analysis{trace, {}};
        for (const Wait& wait : analysis.waits()) ASSERT_FALSE(wait.isInferred()) << describe(program);
        ASSERT_FALSE(analysis.causes().empty()) << describe(program);
        for (const Cause& cause : analysis.causes()) ASSERT_FALSE(cause.isInferred) << describe(program);
        const Cause& first = analysis.causes().front();
        const bool found = first.rank == program.members[static_cast<std::size_t>(program.late)] &&
                           nameOf(first, *analysis.callPaths()) == "main/compute";
        right += found ? 1 : 0;
        if (!found && wrong.size() < 2000) wrong += describe(program) + engine::text(": rank ", first.rank, '\n');
    }
    EXPECT_GE(right, tried * 99 / 100) << right << " of " << tried << '\n' << wrong;
}

/// In a chain of rendezvous 0 -> 1 -> 2 -> 3 of 100 us, 3 enters 5 ms late: 2 waits for it, and passes that on to
/// nobody above, whose messages it had taken before. In a chain that goes up to 0, 2 waits for 3, 1 for 2, and 0 for 1.
TEST(RootedCauses, leadThroughTheTree) {
    const auto waitsOf = [](bool down) {
        RootedProgram program;
        program.worldRanks = 4;
        for (int rank = 0; rank < 4; ++rank) program.members.emplace_back(rank);
        program.collective = {.operation = down ? traces::Operation::bcast : traces::Operation::reduce,
                              .name = down ? "MPI_Bcast" : "MPI_Reduce",
                              .down = down,
                              .tree = RootedCollective::Tree::chain,
                              .rendezvous = true,
                              .transfer = 100,
                              .ranks = 4,
                              .root = 0};
        program.late = 3;
        program.iterations = 1;
        program.recordsInside = true;
        const Trace trace = traceOf(program);
        TraceAnalysis analysis{trace, {}};
        std::vector<std::array<std::int32_t, 4>> waits;
        for (const Wait& wait : analysis.waits())
            if (wait.time > engine::Picoseconds{1'000'000'000})
                waits.push_back({wait.rank.value, wait.late.value, wait.origin.value, wait.hops});
        std::ranges::sort(waits);
        return waits;
    };
    using Waits = std::vector<std::array<std::int32_t, 4>>;
    EXPECT_EQ(waitsOf(true), (Waits{{2, 3, 3, 0}}));
    EXPECT_EQ(waitsOf(false), (Waits{{0, 1, 3, 2}, {1, 2, 3, 1}, {2, 3, 3, 0}}));
}

/// The program is simulated again without the delay; the gain is worked out from its trace alone.
TEST(RootedCauses, gainWhatAProgramWithoutThemSaves) {
    std::mt19937 random{41};
    int tried = 0, right = 0;
    std::string wrong;
    while (tried < 1000) {
        const RootedProgram program = support::randomRootedProgram(random);
        const std::int64_t delayed = program.delay * ((program.iterations + program.every - 1) / program.every);
        if (program.harm() < delayed / 2) continue;
        const Trace trace = traceOf(program);
        TraceAnalysis analysis{trace, {}};
        if (analysis.causes().empty()) continue;
        const Cause& first = analysis.causes().front();
        if (first.rank != program.members[static_cast<std::size_t>(program.late)]) continue;
        const std::optional<engine::Picoseconds> gain = analysis.gainWithout(first);
        ++tried;
        if (!gain) {
            wrong += describe(program) + engine::text(": unknown, ", nameOf(first, *analysis.callPaths()), '\n');
            continue;
        }
        const std::vector<std::int64_t> with = program.run().second, without = program.run(false).second;
        const std::int64_t saved = *std::ranges::max_element(with) - *std::ranges::max_element(without);
        const double said = static_cast<double>(gain->count()) / 1e6;
        const bool near = std::abs(said - static_cast<double>(saved)) <= 0.1 * static_cast<double>(delayed);
        right += near ? 1 : 0;
        if (!near && wrong.size() < 2000)
            wrong += describe(program) + engine::text(": ", said, " us instead of ", saved, " us\n");
    }
    EXPECT_GE(right, tried * 95 / 100) << right << " of " << tried << '\n' << wrong;
}

/// A root that leaves before a member has entered did not wait for it, nor does a member of a gather for its root.
TEST(RootedCauses, blameNobodyForEagerMessages) {
    for (const bool down : {true, false}) {
        RootedProgram program;
        program.worldRanks = 4;
        for (int rank = 0; rank < 4; ++rank) program.members.emplace_back(rank);
        program.collective = {.operation = down ? traces::Operation::bcast : traces::Operation::gather,
                              .name = down ? "MPI_Bcast" : "MPI_Gather",
                              .down = down,
                              .ranks = 4,
                              .root = 0};
        program.late = down ? 2 : 0;
        program.iterations = 1;
        const Trace trace = traceOf(program);
        TraceAnalysis analysis{trace, {}};
        for (const Wait& wait : analysis.waits())
            EXPECT_LT(wait.time, engine::Picoseconds{100'000'000}) << name(wait.kind);
    }
}

/// In a rendezvous the root stands in the broadcast until a late member has entered, and whoever it serves later with
/// it.
TEST(RootedCauses, findWhoWaitsInsideForAMember) {
    RootedProgram program;
    program.worldRanks = 4;
    for (int rank = 0; rank < 4; ++rank) program.members.emplace_back(rank);
    program.collective = {
        .tree = RootedCollective::Tree::binomial, .rendezvous = true, .transfer = 100, .ranks = 4, .root = 0};
    program.late = 3;
    program.iterations = 10;
    program.meetEvery = 1;
    EXPECT_EQ(blamed(program), (std::pair<std::int32_t, std::string>{3, "main/compute"}));
    const Trace trace = traceOf(program);
    TraceAnalysis analysis{trace, {}};
    bool member = false;
    for (const Wait& wait : analysis.waits())
        member = member || (wait.kind == WaitKind::lateMember && wait.late.value == 3);
    EXPECT_TRUE(member);
}

}  // namespace
}  // namespace app::analysis
