// SPDX-License-Identifier: BSD-3-Clause
// GOAL text: operations become rounds, what messages carry follows from their sizes or is not claimed to, and what is
// wrong with a file is said with its line.
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/proof/verify.hpp"
#include "engine/schedule_files/goal/goal_schedule.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace engine {
namespace {

schedules::Stored read(const std::string& content) { return schedules::goal::storedFrom(content, "mine.goal"); }

std::string refusalOf(const std::string& content) {
    try {
        read(content);
        return "";
    } catch (const Error& error) {
        return error.what();
    }
}

std::string counterExampleIn(const std::string& content) {
    const schedules::Stored stored = read(content);
    return verify(*schedules::scheduleOf(stored), stored.problem).counterExample;
}

/// "0: 0>1 1>0; 1: 1>2": who sends to whom in each round.
std::string roundsOf(const schedules::Stored& stored) {
    std::string all;
    std::int64_t last = -1;
    for (const auto& message : stored.messages) {
        if (message.round.value != last) all += text(last < 0 ? "" : "; ", message.round, ":");
        last = message.round.value;
        all += text(" ", message.from, ">", message.to);
    }
    return all;
}

const std::string relay = R"(num_ranks 3
rank 0 {
l1: send 10b to 1 tag 7
}
rank 1 {
a: recv 10b from 0 tag 7
b: send 10b to 2
b requires a
}
rank 2 {
recv 10b from 1
}
)";

std::string with(std::string words, const std::string& from, const std::string& to) {
    const auto at = words.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return words.replace(at, from.size(), to);
}

TEST(Goal, putsMessagesIntoTheFirstRoundInWhichBothEndsAreReady) {
    EXPECT_EQ(roundsOf(read(relay)), "0: 0>1; 1: 1>2");
    EXPECT_EQ(roundsOf(read(with(relay, "b requires a\n", ""))), "0: 0>1 1>2");
    EXPECT_EQ(roundsOf(read(with(relay, "b requires a", "c: calc 5\nc requires a\nb requires c"))), "0: 0>1; 1: 1>2");
}

TEST(Goal, pairsMessagesOfOneTagInTheirOrder) {
    const std::string twice =
        "num_ranks 2\nrank 0 {\na: send 1b to 1\nb: send 2b to 1\nb requires a\n}\n"
        "rank 1 {\nc: recv 1b from 0\nd: recv 2b from 0\nd requires c\n}\n";
    const schedules::Stored stored = read(twice);
    ASSERT_EQ(stored.messages.size(), 2U);
    EXPECT_EQ(stored.messages[0].bytes, 1);
    EXPECT_EQ(stored.messages[1].bytes, 2);
    EXPECT_EQ(refusalOf(with(twice, "recv 1b", "recv 3b")), "mine.goal:8: rank 1 receives 3 bytes, but line 3 sends 1");
}

TEST(Goal, letsASendGoBeforeItsReceiverWaits) {
    const std::string exchange =
        "num_ranks 2\nrank 0 {\na: send 8b to 1\nb: recv 8b from 1\nb requires a\n}\n"
        "rank 1 {\na: send 8b to 0\nb: recv 8b from 0\nb requires a\n}\n";
    EXPECT_EQ(roundsOf(read(exchange)), "0: 0>1 1>0");
    EXPECT_EQ(counterExampleIn(exchange), "");
    // The other way round both wait for ever.
    const std::string never = with(with(exchange, "b requires a", "a requires b"), "b requires a", "a requires b");
    EXPECT_EQ(counterExampleIn(never), "these wait for each other, a deadlock: rank 0 in line 3, rank 1 in line 8");
}

TEST(Goal, namesTheEndThatIsMissing) {
    EXPECT_EQ(counterExampleIn(with(relay, "recv 10b from 1", "calc 3")),
              "rank 1 sends a message to rank 2 in line 7; rank 2 does not receive it");
    const std::string unsent = with(relay, "send 10b to 1 tag 7", "calc 3");
    EXPECT_EQ(counterExampleIn(unsent), "rank 1 waits in line 6 for a message from rank 0 with tag 7 that is not sent");
    EXPECT_EQ(roundsOf(read(unsent)), "");
}

TEST(Goal, provesOnlyWhereAProblemIsGivenAndContentsFollow) {
    EXPECT_NE(read(relay).facts.unstated, "");
    const schedules::Stored stored = read("// problem: bcast n=3 sizes=1x10 root=0\n" + relay);
    EXPECT_EQ(stored.facts.unstated, "");
    EXPECT_TRUE(verify(*schedules::scheduleOf(stored), stored.problem).proved);
    EXPECT_EQ(counterExampleIn("// problem: bcast n=3 sizes=1x10 root=0\n" +
                               with(with(relay, "b: send 10b to 2\nb requires a\n", ""), "recv 10b from 1", "calc 1")),
              "after the last round rank 2 lacks the message");
    // Half of what the root holds, once: the others never get the rest, whichever half it is.
    std::string half = relay;
    for (auto at = half.find("10b"); at != std::string::npos; at = half.find("10b")) half.replace(at, 3, "5b");
    EXPECT_EQ(read("// problem: bcast n=3 sizes=1x10 root=0\n" + half).facts.unstated,
              "which of the 10 bytes that rank 0 holds before round 1 are the 5 that it sends in line 4; of what would "
              "come too late otherwise first, after the last round rank 1 lacks byte 5 of the message");
}

/// Messages "from to bytes", one round after the other; within a round in any order.
std::string goalOf(const std::string& problem, int ranks, const std::vector<std::vector<std::array<int, 3>>>& rounds) {
    std::vector<std::string> lines(asSize(ranks));
    std::vector<std::string> before(asSize(ranks));
    int label = 0;
    for (const auto& round : rounds) {
        std::vector<std::string> now(asSize(ranks));
        for (const auto& [from, to, bytes] : round)
            for (const int rank : {from, to}) {
                const std::string name = text("l", ++label);
                lines[asSize(rank)] += text(name, ": ", rank == from ? "send " : "recv ", bytes, "b ",
                                            rank == from ? "to " : "from ", rank == from ? to : from, '\n');
                for (const std::string& other : split(before[asSize(rank)], ' '))
                    if (!other.empty()) lines[asSize(rank)] += text(name, " requires ", other, '\n');
                now[asSize(rank)] += name + ' ';
            }
        for (std::size_t rank = 0; rank < now.size(); ++rank)
            if (!now[rank].empty()) before[rank] = now[rank];
    }
    std::string all = text("// problem: ", problem, "\nnum_ranks ", ranks, '\n');
    for (std::size_t rank = 0; rank < lines.size(); ++rank) all += text("rank ", rank, " {\n", lines[rank], "}\n");
    return all;
}

TEST(Goal, provesSegmentsThatSolveTheProblem) {
    // Three segments down a chain: each is passed on a round after it came.
    const std::vector<std::vector<std::array<int, 3>>> chain{
        {{0, 1, 4}}, {{0, 1, 4}, {1, 2, 4}}, {{0, 1, 4}, {1, 2, 4}}, {{1, 2, 4}}};
    const schedules::Stored stored = read(goalOf("bcast n=3 sizes=1x12 root=0", 3, chain));
    EXPECT_EQ(stored.facts.unstated, "");
    EXPECT_TRUE(verify(*schedules::scheduleOf(stored), stored.problem).proved);
    // The same without the last: rank 2 gets eight bytes, and no choice makes them twelve.
    const schedules::Stored less = read(goalOf("bcast n=3 sizes=1x12 root=0", 3, {chain.begin(), chain.end() - 1}));
    EXPECT_NE(less.facts.unstated.find("rank 2 lacks byte 8 of the message"), std::string::npos) << less.facts.unstated;
    // A scatter along a tree: what rank 2 gets is its own and what it passes on, not the first bytes.
    const schedules::Stored tree =
        read(goalOf("scatterv n=4 sizes=4x3 root=0", 4, {{{0, 2, 6}}, {{0, 1, 3}, {2, 3, 3}}}));
    EXPECT_EQ(tree.facts.unstated, "");
    EXPECT_TRUE(verify(*schedules::scheduleOf(tree), tree.problem).proved);
}

TEST(Goal, provesPartsOfAVector) {
    // Two ranks exchange halves and give the sums back.
    const schedules::Stored stored =
        read(goalOf("allreduce n=2 sizes=2x16", 2, {{{0, 1, 8}, {1, 0, 8}}, {{0, 1, 8}, {1, 0, 8}}}));
    EXPECT_EQ(stored.facts.unstated, "");
    EXPECT_TRUE(verify(*schedules::scheduleOf(stored), stored.problem).proved);
    EXPECT_NE(read(goalOf("allreduce n=2 sizes=2x16", 2, {{{0, 1, 8}, {1, 0, 8}}})).facts.unstated, "");
}

TEST(Goal, marksThoseWhoWaitForEachOther) {
    const std::string content =
        "num_ranks 2\nrank 0 {\na: send 8b to 1\nb: recv 8b from 1\na requires b\n}\n"
        "rank 1 {\na: send 8b to 0\nb: recv 8b from 0\na requires b\n}\n";
    const std::vector<Waiter> circle = read(content).facts.wrong.place.circle;
    EXPECT_EQ(circle,
              (std::vector<Waiter>{{Rank{0}, Rank{1}, "line 3", "line 8"}, {Rank{1}, Rank{0}, "line 8", "line 3"}}));
}

TEST(Goal, readsACommentBehindAnOperationOnce) {
    const std::string words = with(relay, "to 2\n", "to 2 // problem: bcast n=3 sizes=1x10 root=0\n");
    EXPECT_EQ(refusalOf(words), "");
    EXPECT_EQ(read(words).facts.unstated, "");
}

TEST(Goal, tellsTimesInTheirUnits) {
    const auto remark = [](const std::string& calc) {
        return read(with(relay, "l1: send", calc + "\nl1: send")).facts.remarks.at(0);
    };
    EXPECT_TRUE(remark("calc 986295000").starts_with("1 calc of together 986 ms takes")) << remark("calc 986295000");
    EXPECT_TRUE(remark("calc 9000000000000000000").starts_with("1 calc of together 9e+09 s takes"))
        << remark("calc 9000000000000000000");
}

TEST(Goal, saysThatReceivesGoWithSendsOnlyWhereThatHelps) {
    EXPECT_TRUE(read(with(relay, "recv 10b from 1", "calc 0")).facts.remarks.size() == 1) << "of the calc";
    EXPECT_TRUE(read(with(relay, "recv 10b from 1\n", "")).facts.remarks.empty());
}

TEST(Goal, namesWhatItCannotCarry) {
    const std::vector<std::string> remarks =
        read(with(with(relay, "l1: send 10b to 1 tag 7",
                       "c: calc 100\nl1: send 10b to 1 tag 7 cpu 1 nic 0\nl1 irequires c"),
                  "rank 2 {\nrecv 10b from 1\n}\n", "") +
             "rank 2 {\nrecv 10b from 1 /* here */\n} // end\n")
            .facts.remarks;
    EXPECT_EQ(remarks,
              (std::vector<std::string>{"1 calc of together 100 ns takes no time here: a schedule computes nothing",
                                        "1 irequires is read as requires: here nothing waits for a begin alone",
                                        "cpu and nic are left out: a rank has one of each here"}));
}

TEST(Goal, saysWhatIsWrongWithAFileByItsLine) {
    const auto refused = [](const std::string& from, const std::string& to) {
        return refusalOf(with(relay, from, to));
    };
    EXPECT_EQ(refused("send 10b to 1", "send 10 to 1"), "mine.goal:3: b is missing after the size, as in 10b");
    EXPECT_EQ(refused("send 10b to 1", "send 10b from 1"), "mine.goal:3: 'to' and a rank are missing after the size");
    EXPECT_EQ(refused("send 10b to 1", "send 10b to 3"),
              "mine.goal:3: the receiver must be a whole number from 0 to 2, not '3'");
    EXPECT_EQ(refused("send 10b to 1", "send 10b to 0"), "mine.goal:3: rank 0 sends to itself");
    EXPECT_EQ(refused("l1: send", "l1: sned"), "mine.goal:3: send, recv or calc is missing after 'l1:'");
    EXPECT_EQ(refused("b requires a", "b requires z"), "mine.goal:8: rank 1 has no operation 'z' before this line");
    EXPECT_EQ(refused("b requires a", "b requires b"), "mine.goal:8: 'b' waits for itself");
    EXPECT_EQ(refused("b: send", "a: send"), "mine.goal:7: rank 1 has another operation 'a'");
    EXPECT_EQ(refused("recv 10b from 1", "recv 10b from -1"),
              "mine.goal:11: a receive from any rank (-1) is not read: a schedule names the sender");
    EXPECT_EQ(refused("rank 2", "rank 1"), "mine.goal:10: rank 1 is there twice");
    EXPECT_EQ(refused("num_ranks 3\n", ""), "mine.goal:1: num_ranks must come before the first rank");
    EXPECT_EQ(refused("num_ranks 3", "num_ranks 0"),
              "mine.goal:1: num_ranks must be a whole number from 1 to 1048576, not '0'");
    EXPECT_EQ(refusalOf(relay.substr(0, relay.size() - 2)), "mine.goal:11: the file ends within rank 2: } is missing");
    EXPECT_EQ(refusalOf(""), "mine.goal:1: the file names no num_ranks; write for example num_ranks 8");
    EXPECT_EQ(refusalOf("/* num_ranks 3\n"), "mine.goal:1: the file ends within a comment: */ is missing");
    EXPECT_EQ(refusalOf("// problem: bcast n=4 sizes=1x10\n" + relay),
              "mine.goal: its problem has 4 ranks, but num_ranks is 3");
    EXPECT_EQ(refusalOf("// problem: bcats n=3\n" + relay).substr(0, 27), "mine.goal:1: the problem: u");
}

}  // namespace
}  // namespace engine
