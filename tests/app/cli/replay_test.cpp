// SPDX-License-Identifier: BSD-3-Clause
// replay, as a shell calls it.
#include "tests/app/cli/command.hpp"
#include "traces/export/copy.hpp"
#include "traces/recording/recording_builder.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace app::cli {
namespace {

using nlohmann::json;

class ReplayVerb : public testing::Test {
protected:
    void SetUp() override {
        std::filesystem::remove_all(folder_);
        const Answer recorded =
            command("run halfduplex-allgather/ring-belts -p 4 -q 6 --size 64KiB --trace " + folder_.string());
        ASSERT_EQ(recorded.code, 0) << recorded.err;
    }
    void TearDown() override {
        std::filesystem::remove_all(folder_);
        std::filesystem::remove_all(other());
    }
    /// A second folder; nothing is there.
    [[nodiscard]] std::string other() const { return folder_.string() + "-other"; }
    [[nodiscard]] Answer replay(const std::string& flags) const {
        return command("replay " + folder_.string() + flags);
    }

private:
    std::filesystem::path folder_ =
        std::filesystem::temp_directory_path() /
        (std::string{"collscope-replay-"} + ::testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(ReplayVerb, beginsWithTheErrorUnderRecordedConditions) {
    const Answer answer = replay(" --beta 0.8ns/B");
    EXPECT_EQ(answer.code, 0) << answer.err;
    EXPECT_TRUE(answer.out.starts_with(R"(10 ranks, 1 collective; 163 us

  unchanged     163 us, as long as recorded
  model error   none
  network       ring, alpha 1 us, beta 0.4 ns/B, gamma 0 ns/B; as recorded
  with changes  321 us, 96.3% more than unchanged
  conditions    ring, alpha 1 us, beta 0.8 ns/B, gamma 0 ns/B
  messages      30, 1.88 MiB in total

activities  mean time per rank by activity; difference = changed - replayed
  activity                                              recorded  replayed   changed  difference
  computation                                                0 s       0 s       0 s         0 s
)")) << answer.out;
}

TEST_F(ReplayVerb, takesUnderLogGPWhatARunTakes) {
    const std::string flags = " --format json --loggp L=5us,o=1us,g=2us,G=1ns/B,O=0.1ns/B --eager 4KiB";
    const Answer run = command("run halfduplex-allgather/ring-belts -p 4 -q 6 --size 64KiB" + flags);
    const Answer again = replay(flags);
    EXPECT_EQ(again.code, 0) << again.err;
    EXPECT_EQ(json::parse(again.out)["changed"]["time_s"], json::parse(run.out)["time_s"]) << again.out;
}

TEST_F(ReplayVerb, tellsLargeChangesByTheirMultiple) {
    const Answer answer = replay(" --beta 8ns/B");
    EXPECT_NE(answer.out.find("with changes  3.15 ms, 19.3 times as long as unchanged\n"), std::string::npos)
        << answer.out;
}

TEST_F(ReplayVerb, recordsARunOfOurs) {
    const std::string again = other();
    const Answer answer = replay(" --beta 0.8ns/B --trace " + again);
    EXPECT_EQ(answer.code, 0) << answer.err;
    EXPECT_TRUE(answer.out.ends_with("\nrecorded in " + again + "; collscope open or collscope view show it\n"));
    const Answer opened = command("open " + again + " --tables rounds --format csv");
    EXPECT_EQ(opened.out, command("run halfduplex-allgather/ring-belts -p 4 -q 6 --size 64KiB --beta 0.8ns/B --trace " +
                                  again + "-run --format json")
                                      .code == 0
                              ? command("open " + again + "-run --tables rounds --format csv").out
                              : "");
    std::filesystem::remove_all(again + "-run");
    const Answer refused = replay(" --trace " + again);
    EXPECT_EQ(refused.code, 2);
    EXPECT_TRUE(refused.out.empty()) << "before any work";
    EXPECT_NE(refused.err.find(again), std::string::npos) << refused.err;
    EXPECT_EQ(replay(" --trace " + again + " --force").code, 0);
}

/// Two ranks that compute, and do nothing else.
traces::Recording alone() {
    traces::RecordingBuilder builder{2};
    for (const int rank : {0, 1}) {
        builder.enter(rank, engine::Picoseconds{0}, "main");
        builder.leave(rank, engine::Picoseconds{50'000'000});
    }
    return builder.finish();
}

TEST_F(ReplayVerb, saysNothingOfWhatIsNotThere) {
    traces::writeCopy(alone(), other());
    const Answer answer = command("replay " + other() + " --compute 0.5");
    EXPECT_EQ(answer.code, 0) << answer.err;
    EXPECT_TRUE(answer.out.starts_with(R"(2 ranks, no communication; 50 us

  unchanged     50 us, as long as recorded
  model error   none
  network       full, alpha 1 us, beta 0.4 ns/B, gamma 0 ns/B; assumed
  with changes  25 us, 50% less than unchanged
  conditions    full, alpha 1 us, beta 0.4 ns/B, gamma 0 ns/B
  messages      none
)")) << answer.out;
    EXPECT_EQ(answer.out.find("are assumed"), std::string::npos) << answer.out;
    EXPECT_TRUE(
        json::parse(command("replay " + other() + " --format json").out)["error_beside_computing_share"].is_null());
}

TEST_F(ReplayVerb, recordsARunOfOursByTheNameOfItsAnchor) {
    const std::string again = other() + "-again.otf2";
    EXPECT_EQ(replay(" --beta 0.8ns/B --trace " + again).code, 0);
    EXPECT_EQ(json::parse(command("replay " + again + " --format json").out)["recorded_s"],
              json::parse(replay(" --beta 0.8ns/B --format json").out)["changed"]["time_s"]);
    EXPECT_EQ(replay(" --beta 0.8ns/B --trace " + again + " --force").code, 2);
    const std::string run = other() + "-run.otf2";
    EXPECT_EQ(command("run bcast/chain -n 4 --trace " + run).code, 0);
    EXPECT_EQ(json::parse(command("open " + run + " --format json").out).is_object(), true);
    for (const char* const what : {"-again", "-run"})
        for (const char* const ending : {".otf2", ".def", ""}) std::filesystem::remove_all(other() + what + ending);
}

TEST_F(ReplayVerb, writesATimeIndependentTrace) {
    const Answer answer = replay(" --time-independent " + other());
    EXPECT_EQ(answer.code, 0) << answer.err;
    EXPECT_NE(answer.out.find("\nwrote " + other() + "; replay it with smpirun -replay traces"), std::string::npos);
    std::ostringstream traces, third;
    traces << std::ifstream{other() + "/traces"}.rdbuf();
    third << std::ifstream{other() + "/rank-3"}.rdbuf();
    EXPECT_TRUE(traces.str().starts_with("rank-0\nrank-1\n")) << traces.str();
    EXPECT_TRUE(third.str().starts_with("3 init\n3 ")) << third.str();
    EXPECT_TRUE(third.str().ends_with("\n3 finalize\n")) << third.str();
    EXPECT_EQ(replay(" --time-independent " + other()).code, 2);
}

TEST_F(ReplayVerb, recordsAProgramWithItsRegions) {
    traces::writeCopy(alone(), other());
    const std::string again = other() + "-again.otf2";
    ASSERT_EQ(command("replay " + other() + " --compute 0.5 --trace " + again + " --format json").code, 0);
    EXPECT_EQ(command("open " + again + " --tables profile --format csv").code, 0);
    EXPECT_NE(command("open " + again + " --tables profile --format csv").out.find("main"), std::string::npos);
    EXPECT_EQ(json::parse(command("replay " + again + " --format json").out)["recorded_s"], 25e-6);
    EXPECT_EQ(command("replay " + other() + " --force --trace " + again).err,
              "collscope: " + again + " is there already; name another file\n");
    for (const char* const ending : {".otf2", ".def", ""}) std::filesystem::remove_all(other() + "-again" + ending);
}

TEST_F(ReplayVerb, writesGoal) {
    const std::string file = other() + ".goal";
    const auto read = [&] {
        std::ostringstream words;
        words << std::ifstream{file}.rdbuf();
        return words.str();
    };
    const Answer answer = replay(" --goal " + file);
    EXPECT_TRUE(answer.out.ends_with("\nwrote " + file + "\n")) << answer.out;
    const std::string goal = read();
    EXPECT_TRUE(goal.starts_with("num_ranks 10\n\nrank 0 {\nl1: send 65536b to ")) << goal.substr(0, 200);
    const Answer refused = replay(" --goal " + file);
    EXPECT_EQ(refused.code, 2);
    EXPECT_EQ(refused.err, "collscope: --goal: " + file + " is there already; choose another name or add --force\n");
    EXPECT_TRUE(refused.out.empty()) << "before any work";
    EXPECT_EQ(replay(" --goal " + file + " --force").code, 0);
    EXPECT_EQ(read(), goal);
    std::filesystem::remove(file);
}

TEST_F(ReplayVerb, refusesItsFilesBeforeAnyWork) {
    const std::string out = other();
    for (const std::string& flags :
         {" --trace " + out + " --goal " + out + "/nowhere/x.goal", " --trace " + out + " --goal " + out,
          " --trace " + out + " --force --goal " + testing::TempDir(), " --time-independent " + out + " --trace " + out,
          " --time-independent " + testing::TempDir(), " --time-independent " + out + "/nowhere/x"}) {
        const Answer refused = replay(flags);
        EXPECT_EQ(refused.code, 2) << flags;
        EXPECT_EQ(refused.out, "") << flags;
        EXPECT_EQ(std::ranges::count(refused.err, '\n'), 1) << refused.err;
        EXPECT_FALSE(std::filesystem::exists(out)) << flags;
    }
}

TEST_F(ReplayVerb, tellsMachinesTheSame) {
    const json all = json::parse(replay(" --beta 0.8ns/B --format json").out);
    EXPECT_EQ(all["error_share"], 0);
    EXPECT_EQ(all["conditions"], "recorded");
    EXPECT_EQ(all["recorded_s"], all["replayed"]["time_s"]);
    EXPECT_EQ(all["changed"]["messages"], 30);
    EXPECT_EQ(all["tables"]["activities"]["rows"].size(), 8U);
    EXPECT_EQ(all["tables"]["ranks"]["rows"].size(), 10U);
    EXPECT_EQ(all["tables"]["collectives"]["rows"][0]["algorithm"], "halfduplex-allgather/ring-belts");
    const std::string rows = replay(" --tables ranks --format csv").out;
    EXPECT_TRUE(rows.starts_with(
        "rank,recorded_s,replayed_s,computing_s,waiting_s,moving_s,collectives_s,waiting_in_collectives_s,other_mpi_s\n0,"))
        << rows;
}

TEST_F(ReplayVerb, refusesInOneSentence) {
    const auto refused = [&](const std::string& flags, const std::string& sentence) {
        const Answer answer = replay(flags);
        EXPECT_EQ(answer.code, 2) << flags;
        EXPECT_EQ(answer.err, "collscope: " + sentence + "\n") << flags;
    };
    refused(" --with ring",
            "--with: 'ring' is not COLLECTIVE=ID; write for example allreduce=allreduce/ring:segments=4, "
            "allreduce=best, or best");
    refused(" --with bcast=bcast/chain", "--with: the program has no bcast");
    refused(" --with bcats=bcast/chain", "--with: unknown collective 'bcats'; did you mean bcast?");
    refused(" --with allreduce=bcast/binomial-tree",
            "--with: bcast/binomial-tree does not solve allreduce; did you mean allreduce/binomial-tree?");
    refused(" --with alltoall=allgatherv/bruk:n=2",
            "unknown algorithm 'allgatherv/bruk'; did you mean allgatherv/bruck?");
    refused(" --with reduce-scatter-block=allreduce/ring",
            "--with: allreduce/ring does not solve reduce-scatter-block; did you mean reduce-scatter/ring?");
    refused(" --with allreduce=ring", "--with: unknown algorithm 'ring'; did you mean allreduce/ring?");
    refused(" --with barrier=bcast/pipelined-chain",
            "--with: bcast/pipelined-chain does not solve barrier; barrier/butterfly does");
    refused(" --sharing fair --eager 4KiB",
            "--sharing fair does not support eager limit; choose --sharing "
            "bottleneck");
    refused(" --sharing fair --loggp o=1us",
            "--sharing fair does not support LogGP; choose --sharing "
            "bottleneck");
    refused(" --topology torus:3x3", "--topology torus:3x3 has 9 places, but there are 10 ranks; torus:5x2 would fit");
    refused(" --tables rank", "--tables: unknown table 'rank'; did you mean ranks?");
    refused(" --tables check", "--tables: unknown table 'check'; choose from activities, collectives, ranks");
    refused(" --format csv", "--format csv writes one table; name it with --tables");
    // Before the replay, which would refuse to check a run of ours.
    refused(" --check mpirun --tables chekc", "--tables: unknown table 'chekc'; did you mean check?");
    refused(" --check mpirun --measured /nowhere/there", "--measured: folder '/nowhere' not found");
}

}  // namespace
}  // namespace app::cli
