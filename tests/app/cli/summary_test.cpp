// SPDX-License-Identifier: BSD-3-Clause
// Sentences of run, compare, sweep, describe and list without which their numbers are misread.
#include "app/session/proofs/properties.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "tests/app/cli/command.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace app::cli {
namespace {

/// Output in which a sentence is not broken into lines.
std::string saidBy(const std::string& line) {
    const Answer answer = command(line);
    EXPECT_EQ(answer.code, 0) << line << answer.err;
    return joined(answer.out);
}

struct Said {
    const char* line;
    const char* words;
};
class Says : public ::testing::TestWithParam<Said> {};

TEST_P(Says, theSentence) {
    const std::string out = saidBy(GetParam().line);
    EXPECT_NE(out.find(GetParam().words), std::string::npos) << GetParam().line << '\n' << out;
}

// What a bound on time contains: always, and why that is not the rounds and bytes above it.
INSTANTIATE_TEST_SUITE_P(
    Bounds, Says,
    ::testing::Values(
        Said{"run reduce/binomial-tree -n 9 --gamma 1ns/B",
             "the time bound of 82.6 us is 1 startup, 56.9 KiB of serialized transfer and 56.9 KiB combined; "
             "each bound is proved separately"},
        Said{"run intergroup-reduce/binomial-tree -p 8 -q 8 --gamma 1ns/B", "it contains no combining"},
        Said{"run allreduce/bruck -n 5 --size 8", "every schedule needs at least 13 B"},
        Said{"run allreduce/ring -n 8 --gamma 1ns/B",
             "is 1 startup, 112 KiB of serialized transfer and 56 KiB combined; each bound is proved separately"},
        Said{"run barrier/dissemination -n 8", "the time bound of 3 us is 3 startups "},
        Said{"run alltoallv/pairwise-exchange -n 9",
             "bound: the time bound of 218 us is 8 startups and 512 KiB of serialized transfer; schedules with fewer "
             "startups need more bytes and take no less time"},
        Said{"run allreduce/bruck -n 9 --ports 2 --size 8B",
             "is 2 startups and 16 B of serialized transfer; schedules with fewer bytes need more startups and take no "
             "less time"},
        Said{"run reduce/binomial-tree -n 9 --loggp o=1us,L=1us,g=1us,G=1ns/B --gamma 0.1ns/B",
             "is 3 us until the last rank has its first byte and 65.5 us for 64 KiB at its port (g, G); it contains no "
             "combining"},
        Said{"run bcast/binomial-tree -n 7 --loggp L=5us,o=1us,g=2us,G=1ns/B", "processor idle "},
        Said{"run bcast/flat -n 4 --loggp L=1us,G=1ns/B",
             "one-block bound: the time bound of 133 us is the time until the last rank has its first block"},
        Said{"run alltoallv/bruck -n 7 --size 100 --loggp L=5us,o=1us,g=2us,G=1ns/B",
             "the time bound of 15 us is the time until a rank can have received from all ranks on which it depends"},
        Said{"run bcast/binomial-tree -n 8",
             "The one-block bound is for messages of one whole contribution each, the bound for any messages."},
        Said{"run alltoallv/pairwise-exchange -n 9", "as fast as the lower bound "},
        Said{"run allgatherv/bruck -n 8 --topology ring --sharing fair", "the time bound of "}));

// Formulas are evaluated where they hold, and else the reason is printed.
INSTANTIATE_TEST_SUITE_P(
    Formulas, Says,
    ::testing::Values(
        Said{"run gatherv/flat -n 6 --sizes linear", "formula      (p - 1) alpha + beta M "},
        Said{"run alltoallv/pairwise-exchange -n 9 --topology fat-tree:3x3,taper=3 --size 8KiB",
             "(it does not contain shared links)"},
        Said{"run allreduce/bine -n 16 --topology torus:4x4", "(it does not contain shared links)"},
        Said{"run bcast/pipelined-chain -n 7 --set segments=5", "(alpha + beta m/X) parameters "},
        Said{"run bcast/circulant -n 7 --set segments=4", "(alpha + beta m/X) parameters "},
        Said{"run bcast/chain -n 7 --set fanout=2", "parameters   p ranks, m bytes, f chains"},
        Said{"run alltoallv/bruck -n 9 --set radix=3", "R alpha + D beta m for equal sizes"},
        Said{"run scan/linear -n 7 --set exclusive=yes", "(alpha + beta m + gamma m) parameters "},
        Said{"run scan/linear -n 7 --set exclusive=yes --gamma 1ns/B",
             "(printed for the default options; the column 'formula' is computed with the options of this run)"},
        Said{"run allreduce/ring -n 6", "(not evaluated: 6 does not divide the 16,384 elements)"},
        Said{"run allreduce/ring -n 8 --set segments=3",
             "(not evaluated: the 16,384 elements cannot be cut into equal blocks)"},
        Said{"run intergroup-allgatherv/segmented -p 4 -q 6", "(not evaluated: 4 does not divide 6)"},
        Said{"run intergroup-allgatherv/segmented -p 4 -q 6 --size-b 128KiB", "(not evaluated: 4 does not divide 6)"},
        Said{"run allgatherv/bruck -n 7 --sizes linear", "(not evaluated: the contributions have unequal sizes)"},
        Said{"run allgatherv/pipelined-ring -n 8 --sizes broadcast --set block=16KiB",
             "(not evaluated: contributions are empty or no multiples of the block)"},
        Said{"run intergroup-allgatherv/balanced -p 4 -q 6 --sizes linear",
             "(not evaluated: 4 does not divide 6 and the contributions have unequal sizes)"}));

INSTANTIATE_TEST_SUITE_P(
    Conditions, Says,
    ::testing::Values(
        Said{"run allreduce/ring -n 8 --arrival late:3,1ms --slow-ranks 3:4 --slow-links 0-1:2.5 --topology ring",
             "rank 3 starts 1 ms late, rank 3 takes 4 times as long, link 0 -> 1 takes 2.5 times as long per byte"},
        Said{"run bcast/binomial-tree -n 7 --root 2 --arrival late:2,50us --slow-ranks 3:3",
             "imbalance  104 us  rank 2 starts 50 us late, rank 3 takes 3 times as long"},
        Said{"run alltoallv/pairwise-exchange -n 8 --topology ring", "congestion      184 us  shared links"},
        Said{"run allreduce/ring -n 8 --arrival ramp:1ms", "ranks start in turn, the last one 1 ms late"},
        Said{"run allreduce/ring -n 8 --arrival random:1ms,7", "ranks start at random times within 1 ms (seed 7)"},
        Said{"run allreduce/ring -n 8 --ports 2",
             "1 of 2 used: a rank sends, and receives, at most 1 message in a round"},
        Said{
            "run allreduce/dissemination -n 9 --set n=2",
            "1: a rank sends or receives up to 2 messages in a round, one after the other; with --ports 2 they move at "
            "once"},
        Said{"sweep allreduce/ring allreduce/bruck -n 9 --ports 1,2",
             "More ports do not change the time of allreduce/ring."},
        Said{
            "run allreduce/adapted-dissemination -n 6",
            "in the last round each rank receives 1 message, with the sum of the sender's first 2 contributions (tuple "
            "1,1,-1,1,0)"},
        Said{"run allreduce/adapted-dissemination -n 8 --set n=2 --ports 2",
             "in the last round each rank receives 2 messages: 1 with the sum of the sender's 3 contributions and 1 "
             "with the sum of the sender's first 2 (tuple 2,1,-1,1,0)"},
        Said{"run intergroup-alltoallv/pairwise-exchange -p 2 -q 3",
             "2 ranks in A, 3 in B, 64 KiB from each rank to each of the other group"}));

INSTANTIATE_TEST_SUITE_P(
    Tables, Says,
    ::testing::Values(
        Said{"compare allreduce/ring allreduce/bruck -n 8",
             "all runs: 8 ranks, sum of int32, 64 KiB each; fully "
             "connected network"},
        Said{"compare bcast/flat bcast/chain -n 4 --root 2 --arrival late:2,1ms",
             "all runs: 4 ranks, root 2, 64 KiB; fully connected network; rank 2 starts 1 ms late"},
        Said{"compare allreduce/ring allreduce/bruck -n 8 --format csv", ",bytes,serialized_bytes,time_s,"},
        Said{"compare allreduce/ring allreduce/dissemination -n 9 --set n=2", "12 more startups"},
        Said{"compare reduce/flat reduce/binomial-tree -n 9", "in another round"},
        Said{"sweep bcast/binomial-tree bcast/pipelined-chain -n 8", "bound time  one-block  time/bound"},
        Said{"sweep bcast/binomial-tree -n 2..8",
             "'bound time' (in csv bound_of_all_s) holds for any schedule. 'one-block' (bound_time_s) holds for "
             "schedules with one-block messages, and so do bounds of rounds (bound_rounds) with (one-block)."},
        Said{"sweep bcast/binomial-tree bcast/pipelined-chain -n 8", " 3 (one-block) "},
        Said{"sweep bcast/flat -n 9 --root 2 --arrival random:1ms,1 --repeat 5",
             "9 ranks, 64 KiB, root 2, alpha 1 us, beta 0.4 ns/B, gamma 0 ns/B, --arrival random:1ms,1 --repeat 5 "
             "'time' is the median of the repeated runs, and 'range' their shortest and longest time."},
        Said{"sweep bcast/binomial-tree -n 8,16 --topology cluster:4,inside=0.3us+0.1ns/B,between=2us+0.8ns/B",
             "Alpha and beta alone do not give the cost of a message: links of the network have values of their own."},
        Said{"list", "Recursive doubling allreduce/reduce-scatter-allgather"},
        Said{"list libraries", "name in the library "},
        Said{"list libraries", "is its value in the parameter coll_tuned_COLLECTIVE_algorithm."},
        Said{"describe allreduce/ring", "Open MPI allreduce ring (4 in coll_tuned_allreduce_algorithm)"},
        Said{"describe allreduce/ring", "MPICH allreduce ring"},
        Said{"describe scan/linear -n 7", "the vectors of ranks 0 to r"},
        Said{"describe scan/linear -n 7 --set exclusive=yes", "ranks 0 to r - 1; rank 0 receives nothing"},
        Said{"describe scan/linear",
             "Open MPI exscan linear (1 in coll_tuned_exscan_algorithm), with --set exclusive=yes"},
        Said{"list libraries", " scan/linear --set exclusive=yes "},
        Said{"list models", "L, o, g, G and O are the parameters of LogGP"},
        Said{"describe intergroup-allgatherv/segmented",
             "the bounds below are for 4 ranks in A, 6 in B, 64 KiB each; -p 8 -q 4 --size 1MiB sets another"}));

/// An error names what can be done instead.
TEST(Errors, nameTheRemedy) {
    const auto refused = [](const std::string& line) { return joined(command(line).err); };
    EXPECT_NE(refused("run exscan/linear -n 7").find("such as scan/linear with --set exclusive=yes"), std::string::npos)
        << refused("run exscan/linear -n 7");
    EXPECT_NE(refused("synthesize scan -n 4").find("supported are bcast, reduce,"), std::string::npos)
        << refused("synthesize scan -n 4");
}

/// Time for which no rank waits is not called waiting: messages waited for a port of their other rank.
TEST(Gaps, nameTimeInWhichPortsWereOccupied) {
    const std::filesystem::path script = std::filesystem::path{testing::TempDir()} / "all-at-once.lua";
    std::ofstream{script} << R"(algorithm {collective = "allgatherv", title = "All at once", idea = "", ports = 2}
function rounds() return 1 end
function turn(rank, round)
  for other = 0, n - 1 do
    if other ~= rank then send(other, block(rank)) receive(other, block(other)) end
  end
end)";
    const std::string said = saidBy("run " + script.string() + " -n 3");
    std::filesystem::remove(script);
    EXPECT_NE(said.find(" 0% waiting"), std::string::npos) << said;
    EXPECT_NE(said.find("ports  27.2 us  messages waited until a port of the other rank was free"), std::string::npos)
        << said;
}

/// Runs of both classes are compared with the bound that holds for both.
TEST(Sweeps, haveTimesOverTheBoundOfAllSchedules) {
    const auto last = [](const std::string& line) {
        const auto lines = engine::split(command(line).out, '\n');
        return lines.at(1);
    };
    EXPECT_NE(last("sweep bcast/binomial-tree -n 8").find("81.6 us     29.2 us    81.6 us        2.79"),
              std::string::npos)
        << command("sweep bcast/binomial-tree -n 8").out;
}

/// A formula for equal sizes has no value for others.
TEST(Formulas, holdForTheSizesThatTheyName) {
    int ofEqual = 0;
    for (const engine::Algorithm* algorithm : engine::catalogue()) {
        if (algorithm->formula.find("equal sizes") == std::string::npos) continue;
        ++ofEqual;
        const bool two = isIntergroup(algorithm->collective);
        const ProblemWish wish =
            two ? ProblemWish{.groupA = 4, .groupB = 8, .sizes = "linear"} : ProblemWish{.ranks = 8, .sizes = "linear"};
        const engine::Plan plan = makePlan(*algorithm, makeProblem(algorithm->collective, wish), {});
        EXPECT_FALSE(algorithm->predict(plan.problem, plan.options)) << algorithm->id;
        EXPECT_EQ(whyNotPredicted(plan), "the contributions have unequal sizes") << algorithm->id;
    }
    EXPECT_GT(ofEqual, 15);
}

/// The reason why a formula has no value is found for each algorithm.
TEST(Formulas, haveAReasonWhereTheyHaveNoValue) {
    for (const engine::Algorithm* algorithm : engine::catalogue()) {
        if (!algorithm->predict) continue;
        const bool two = isIntergroup(algorithm->collective);
        std::vector<ProblemWish> wishes;
        for (const char* sizes : {"regular", "linear"})
            for (const int n : {4, 6, 7}) {
                wishes.push_back(two ? ProblemWish{.groupA = 4, .groupB = n} : ProblemWish{.ranks = n});
                if (isUneven(algorithm->collective)) wishes.back().sizes = sizes;
            }
        for (const ProblemWish& wish : wishes) {
            std::optional<engine::Plan> plan;
            try {
                plan = makePlan(*algorithm, makeProblem(algorithm->collective, wish), {});
            } catch (const engine::Error&) {
                continue;
            }
            const std::string why = whyNotPredicted(*plan);
            EXPECT_EQ(why.empty(), algorithm->predict(plan->problem, plan->options).has_value());
            EXPECT_EQ(why.find("it does not hold"), std::string::npos) << algorithm->id << ": " << why;
        }
    }
}

}  // namespace
}  // namespace app::cli
