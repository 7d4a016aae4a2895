// SPDX-License-Identifier: BSD-3-Clause
#include "tests/app/cli/command.hpp"
#include "tests/support/places.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace app::cli {
namespace {

using nlohmann::json;

TEST(ShowJson, ofABroadcast) {
    EXPECT_EQ(command("show bcast/binomial-tree -n 5 --size 1KiB --root 2 --format json").out, R"({
  "algorithm": "bcast/binomial-tree",
  "collective": "bcast",
  "ranks": 5,
  "ports": 1,
  "rounds": 3,
  "root": 2,
  "contributions": [
    {"rank":2,"bytes":1024}
  ],
  "options": {"groups":1,"inside":"same"},
  "messages": [
    {"round":0,"from":2,"to":1,"bytes":1024,"ranges":[[0,1024]]},
    {"round":1,"from":2,"to":4,"bytes":1024,"ranges":[[0,1024]]},
    {"round":2,"from":2,"to":3,"bytes":1024,"ranges":[[0,1024]]},
    {"round":2,"from":4,"to":0,"bytes":1024,"ranges":[[0,1024]]}
  ]
}
)");
}

TEST(ShowJson, ofAnIntergroupGather) {
    const json shown = jsonOf("show intergroup-allgatherv/balanced -p 2 -q 3 --size 6 --size-b 4 --format json");
    EXPECT_EQ(shown["groups"], (json{{"a", 2}, {"b", 3}}));
    EXPECT_FALSE(shown.contains("root"));
    EXPECT_FALSE(shown.contains("final"));
    std::vector<int> bytes;
    for (const json& contribution : shown["contributions"]) bytes.push_back(contribution["bytes"]);
    EXPECT_EQ(bytes, (std::vector<int>{6, 6, 4, 4, 4}));
    EXPECT_EQ(shown["contributions"][4]["rank"], 4);
}

/// Simulates what the listing says: every message must carry what its sender holds before the round.
TEST(ShowJson, isEnoughToFollowAReduction) {
    for (const std::string id : {"allreduce/bruck", "allreduce/binomial-tree", "allreduce/pairwise-exchange"}) {
        const json shown = jsonOf("show " + id + " -n 6 --size 8 --format json");
        const std::size_t ranks = shown["ranks"];
        ASSERT_EQ(shown["final"].size(), ranks);
        for (const json& result : shown["final"]) {
            auto terms = result.get<std::vector<int>>();
            std::sort(terms.begin(), terms.end());
            EXPECT_EQ(terms, (std::vector<int>{0, 1, 2, 3, 4, 5})) << id;
        }
        for (const json& message : shown["messages"]) {
            EXPECT_TRUE(message["receive"] == "keep" || message["receive"] == "combine");
            EXPECT_FALSE(message["terms"].empty());
            EXPECT_FALSE(message.contains("ranges"));
            if (message["round"] == 0) {
                EXPECT_EQ(message["terms"], json({message["from"]})) << id;
            }
        }
        EXPECT_FALSE(shown.contains("groups"));
    }
}

TEST(ShowJson, countsRoundsFromZeroAndTextFromOne) {
    const json cut = jsonOf("show bcast/binomial-tree -n 8 --format json --rounds 1..2");
    EXPECT_EQ(cut["rounds"], 3);
    EXPECT_EQ(cut["messages"].size(), 2U + 4U);
    EXPECT_EQ(cut["messages"][0]["round"], 1);
    const Answer same = command("show bcast/binomial-tree -n 8 --rounds 2..3");
    EXPECT_EQ(std::count(same.out.begin(), same.out.end(), '>'), 6);
    const json rank = jsonOf("show allreduce/bruck -n 5 --format json --rank 3");
    for (const json& message : rank["messages"]) EXPECT_TRUE(message["from"] == 3 || message["to"] == 3);
    EXPECT_TRUE(rank["final"][2].is_null());
    EXPECT_EQ(rank["final"][3].size(), 5U);
}

TEST(ShowJson, givesTheBarrierContributionsWithoutBytes) {
    const json shown = jsonOf("show barrier/dissemination -n 3 --format json");
    EXPECT_EQ(shown["contributions"],
              (json{{{"rank", 0}, {"bytes", 0}}, {{"rank", 1}, {"bytes", 0}}, {{"rank", 2}, {"bytes", 0}}}));
    EXPECT_EQ(shown["final"].size(), 3U);
}

TEST(ShowJson, listsDummies) {
    const json shown = jsonOf("show halfduplex-allgather/ring-streams -p 3 -q 5 --format json");
    EXPECT_EQ(shown["ranks"], 8 + shown["dummies"].get<int>());
}

TEST(ShowJson, movesWhatTheContractAsksFor) {
    const json shown = jsonOf("show allgatherv/pipelined-ring -n 5 --sizes linear --size 100 --format json");
    std::vector<long> received(5);
    for (const json& message : shown["messages"]) {
        long sum = 0;
        for (const json& range : message["ranges"]) sum += range[1].get<long>() - range[0].get<long>();
        EXPECT_EQ(sum, message["bytes"].get<long>());
        received[message["to"]] += sum;
    }
    for (std::size_t rank = 0; rank < 5; ++rank)
        EXPECT_EQ(received[rank], 500 - shown["contributions"][rank]["bytes"].get<long>());
}

TEST(ShowText, isATable) {
    EXPECT_EQ(command("show halfduplex-allgather/ring-streams -p 2 -q 4").out,
              R"(halfduplex-allgather/ring-streams: 4 rounds, 1 above the lower bound of 3
2 senders, 4 receivers, 64 KiB each; 11 messages, 704 KiB in total

round  from    to          size  contributions
enter
    1     0 -> 5         64 KiB  0
          1 -> 2         64 KiB  1
pass
    2     0 -> 1         64 KiB  0
          1 -> 0         64 KiB  1
          2 -> 3         64 KiB  1
          5 -> 4         64 KiB  0
    3     0 -> 5         64 KiB  1
          1 -> 2         64 KiB  0
          3 -> 4         64 KiB  1
meet
    4     2 -> 3         64 KiB  0
          4 -> 5         64 KiB  1
)");
}

TEST(ShowText, comparesNoWrongScheduleWithABound) {
    const std::string out =
        command("show " + (support::sourceFolder() / "resources/scripts/ring-allgather-wrong.lua").string() + " -n 4")
            .out;
    EXPECT_TRUE(out.starts_with("wrong: Rank ")) << out;
    EXPECT_EQ(out.find("lower bound"), std::string::npos) << out;
}

TEST(ShowText, countsTheMessagesThatItShows) {
    EXPECT_NE(command("show allreduce/ring -n 4 --rank 0").out.find("12 of 24 messages shown\n"), std::string::npos);
    EXPECT_EQ(command("show allreduce/ring -n 4").out.find(" shown"), std::string::npos);
}

TEST(ShowText, namesPartsAndOrders) {
    EXPECT_NE(command("show intergroup-allgatherv/segmented -p 2 -q 4 --size 100").out.find("  0 [50, 100)\n"),
              std::string::npos);
    EXPECT_NE(command("show allreduce/bruck -n 5 --ports 2").out.find("4 + 0 (right operand)"), std::string::npos);
}

/// There is one contribution, that of the root: a number would be taken for a rank.
TEST(ShowText, namesBytesOfTheMessageOfABroadcast) {
    const std::string whole = command("show bcast/binomial-tree -n 4 --root 2").out;
    EXPECT_NE(whole.find("  bytes of the message\n"), std::string::npos) << whole;
    EXPECT_NE(whole.find("    1     2 -> 0         64 KiB  all\n"), std::string::npos) << whole;
    const std::string cut = command("show bcast/scatter-ring-allgather -n 4 --size 100").out;
    EXPECT_NE(cut.find("  [50, 100)\n"), std::string::npos) << cut;
}

/// A barrier combines nothing and has no contributions: its messages report which ranks have entered.
TEST(ShowText, namesTheRanksThatHaveEnteredABarrier) {
    const std::string out = command("show barrier/butterfly -n 5").out;
    EXPECT_NE(out.find("  size  ranks entered\n"), std::string::npos) << out;
    EXPECT_NE(out.find("    1     0 -> 1            0 B  0\n"), std::string::npos) << out;
    EXPECT_NE(out.find("          3 -> 2            0 B  0..3\n"), std::string::npos) << "rising, each once: " << out;
    EXPECT_EQ(out.find("operand"), std::string::npos) << out;
}

TEST(ShowText, namesSenderAndReceiverOfAnAlltoallsContributions) {
    const std::string out = command("show alltoallv/bruck -n 4").out;
    EXPECT_NE(out.find("    1     0 -> 1        128 KiB  0 to 1, 0 to 3\n"), std::string::npos) << out;
    EXPECT_NE(out.find("    2     0 -> 2        128 KiB  0 to 2, 3 to 2\n"), std::string::npos) << out;
}

TEST(ShowText, keepsItsLinesShort) {
    for (const std::string line :
         {"show allgatherv/bruck -n 64 --sizes linear", "show allreduce/bruck -n 64",
          "run allgatherv/bruck -n 64 --topology ring", "list", "verify all -n 1..9 -p 1..3 -q 1..3",
          "describe halfduplex-allgather/ring-streams", "list libraries", "show barrier/butterfly -n 5", "run --help",
          "verify --help", "--help"}) {
        const Answer answer = command(line);
        EXPECT_EQ(answer.code, 0) << line << answer.err;
        for (const std::string& row : engine::split(answer.out, '\n'))
            EXPECT_LE(row.size(), 100U) << line << "\n" << row;
    }
}

TEST(ShowDot, hasAnArrowPerMessage) {
    EXPECT_EQ(command("show bcast/binomial-tree -n 3 --size 8 --format dot").out, R"(digraph "bcast/binomial-tree" {
  node [shape=circle];
  0;
  1;
  2;
  0 -> 2 [label="0: 0"];
  0 -> 1 [label="1: 0"];
}
)");
}

TEST(ShowGoal, ordersTheRoundsOfEachRank) {
    EXPECT_EQ(command("show bcast/binomial-tree -n 3 --size 8 --format goal").out,
              R"(// problem: bcast n=3 sizes=8 root=0
num_ranks 3

rank 0 {
l1: send 8b to 2 tag 0
l2: send 8b to 1 tag 1
l2 requires l1
}

rank 1 {
l1: recv 8b from 0 tag 1
}

rank 2 {
l1: recv 8b from 0 tag 0
}
)");
}

}  // namespace
}  // namespace app::cli
