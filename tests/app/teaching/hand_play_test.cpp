// SPDX-License-Identifier: BSD-3-Clause
// A schedule that is played by hand: wrong moves are refused in a sentence, and each round is judged.
#include "app/teaching/exercises/hand_play.hpp"
#include "app/teaching/exercises/grading.hpp"
#include "engine/base/error.hpp"
#include "engine/catalogue/algorithm_file.hpp"
#include "engine/proof/verify.hpp"

#include <gtest/gtest.h>

namespace app {
namespace {

using namespace std::chrono_literals;

HandPlay onMesh() {
    return HandPlay{
        puzzleOf(makeProblem(engine::Collective::bcast, {.ranks = 9, .size = 64}), {.topology = "mesh:3x3"})};
}

void play(HandPlay& game, const std::vector<std::vector<std::pair<int, int>>>& rounds) {
    for (const auto& round : rounds) {
        for (const auto& [from, to] : round) game.send(from, to, 0);
        game.endRound();
    }
}

std::string refusal(HandPlay& game, int from, int to, int block) {
    try {
        game.send(from, to, block);
    } catch (const engine::Error& error) {
        return error.words();
    }
    return {};
}

std::string verdictOf(HandPlay& game) {
    game.judge(30s);
    return game.verdict();
}

// Rank 8 is four links from rank 0.
TEST(HandPlay, judgesEachRound) {
    HandPlay game = onMesh();
    EXPECT_EQ(game.verdict(), "");
    EXPECT_EQ(verdictOf(game), "The optimum is 4 rounds.");
    play(game, {{{0, 1}}});
    EXPECT_EQ(verdictOf(game), "The optimum of 4 rounds can still be reached: 3 rounds are left.");
    play(game, {{{0, 3}}});  // the message is no nearer to rank 8
    EXPECT_EQ(verdictOf(game),
              "Round 2 cost 1 round. For the optimum of 4 rounds, rank 8 cannot receive block 0 in time. With the best "
              "moves, 3 rounds are still needed, 5 in all.");
    game.undo();
    game.undo();
    play(game, {{{0, 3}, {1, 4}}, {{1, 2}, {3, 6}, {4, 5}}, {{4, 7}, {5, 8}}});
    EXPECT_TRUE(game.isOver());
    EXPECT_EQ(verdictOf(game), "All ranks have what they need after 4 rounds. This is the optimum.");
}

TEST(HandPlay, countsTheRoundsAboveTheOptimum) {
    HandPlay game = onMesh();
    play(game, {{{0, 3}}, {{0, 1}}, {{1, 4}, {3, 6}}, {{1, 2}, {4, 5}, {6, 7}}, {{5, 8}}});
    EXPECT_EQ(verdictOf(game), "All ranks have what they need after 5 rounds. 1 round more than the optimum.");
}

TEST(HandPlay, refusesWrongMovesInASentence) {
    HandPlay game = onMesh();
    EXPECT_EQ(refusal(game, 0, 4, 0), "ranks 0 and 4 are not neighbours on the network");
    EXPECT_EQ(refusal(game, 1, 2, 0), "rank 1 does not hold block 0");
    EXPECT_EQ(refusal(game, 0, 9, 0), "rank 9 does not exist; the last rank is 8");
    EXPECT_EQ(refusal(game, 0, 0, 0), "rank 0 needs no message to itself");
    EXPECT_EQ(refusal(game, 0, 1, 1), "the problem has no block 1");
    EXPECT_THROW(game.endRound(), engine::Error) << "nothing was sent";
    game.send(0, 1, 0);
    EXPECT_EQ(refusal(game, 0, 3, 0), "rank 0 sends 1 message in this round already, as many as it has ports");
    EXPECT_EQ(refusal(game, 0, 1, 0), "rank 1 already receives block 0 in this round");
    EXPECT_EQ(refusal(game, 1, 2, 0), "rank 1 does not hold block 0 before the next round");
    game.endRound();
    EXPECT_EQ(refusal(game, 0, 1, 0), "rank 1 already holds block 0");
    EXPECT_EQ(game.moves().size(), 1U) << "a refused move changes nothing";
    EXPECT_THROW(puzzleOf(makeProblem(engine::Collective::allreduce, {.ranks = 4}), {}), engine::Error);
}

TEST(HandPlay, takesBackMessagesAndRounds) {
    HandPlay game = onMesh();
    game.undo();
    play(game, {{{0, 1}}});
    game.send(0, 3, 0);
    game.undo();
    EXPECT_EQ(game.played(), 1);
    EXPECT_TRUE(game.present().empty());
    game.undo();
    EXPECT_EQ(game.played(), 0);
    EXPECT_EQ(game.present().size(), 1U);
    game.restart();
    EXPECT_FALSE(game.isBegun());
}

// Several blocks on one way are one message.
TEST(HandPlay, sendsSeveralBlocksInAMessage) {
    HandPlay game{
        puzzleOf(makeProblem(engine::Collective::allgatherv, {.ranks = 3, .size = 64}), {.topology = "ring"})};
    EXPECT_EQ(game.blocksFor(0, 1), std::vector<std::int32_t>{0});
    game.send(0, 1, 0);
    EXPECT_TRUE(game.blocksFor(0, 1).empty());
    game.endRound();
    EXPECT_EQ(game.blocksFor(1, 2), (std::vector<std::int32_t>{0, 1}));
    game.send(1, 2, 0);
    game.send(1, 2, 1);
    EXPECT_EQ(game.present().size(), 2U);
    EXPECT_EQ(refusal(game, 1, 0, 1), "rank 1 sends 1 message in this round already, as many as it has ports");
}

TEST(HandPlay, writesAnAlgorithmFileThatTheTaskAccepts) {
    HandPlay game = onMesh();
    play(game, {{{0, 1}}, {{0, 3}, {1, 4}}, {{1, 2}, {3, 6}, {4, 5}}, {{4, 7}, {5, 8}}});
    const std::string path = "collscope-played.json";
    engine::schedules::setDraft(path, game.schedule());
    const engine::Plan plan = makePlan(engine::schedules::algorithmIn(path), {.size = 64}, {});
    EXPECT_TRUE(engine::verify(*plan.schedule, plan.problem).proved);
    const Task task = taskFromText(
        "collective: bcast\ncheck: rounds at most optimum + 0, 4 points: -n 9 --size 64 --topology mesh:3x3\n",
        "t.task");
    ASSERT_TRUE(puzzleOf(task));
    EXPECT_EQ(puzzleOf(task)->key, game.puzzle().key);
    const Outcome outcome = markFor(task, task.checks.front(), path);
    EXPECT_TRUE(outcome.held) << outcome.said;
    engine::schedules::dropDraft(path);
}

TEST(HandPlay, countsALostRoundOnceWhereTheNextIsUndecided) {
    HandPlay game = onMesh();
    play(game, {{{0, 1}}, {{0, 3}}});
    EXPECT_EQ(verdictOf(game).rfind("Round 2 cost 1 round.", 0), 0U);
    play(game, {{{1, 4}, {3, 6}}});
    game.judge(0ms);
    EXPECT_EQ(game.verdict(),
              "The optimum is 4 rounds. The search for the rounds that are still needed took too long.");
    HandPlay later = game;
    play(later, {{{1, 2}, {4, 5}, {6, 7}}});
    EXPECT_EQ(verdictOf(later), "1 round is lost. With the best moves, 1 round is still needed, 5 in all.");
    game.learnFrom(later);
    EXPECT_EQ(game.verdict(), "1 round is lost. With the best moves, 2 rounds are still needed, 5 in all.");
}

TEST(HandPlay, searchesAgainForWhatTookTooLong) {
    HandPlay game{puzzleOf(makeProblem(engine::Collective::bcast, {.ranks = 6, .size = 64}), {.topology = "mesh:2x3"})};
    game.judge(0ms);
    EXPECT_EQ(game.verdict(), "The optimum is unknown: the search took too long.");
    game.restart();
    EXPECT_EQ(game.verdict(), "");
    EXPECT_EQ(verdictOf(game), "The optimum is 3 rounds.");
}

// What was searched for a state of the game is of use as far as the rounds are the same.
TEST(HandPlay, learnsWhatIsStillTrue) {
    HandPlay game = onMesh();
    play(game, {{{0, 1}}, {{0, 3}}});
    HandPlay judged = game;
    judged.judge(30s);
    game.undo();
    game.undo();
    game.send(1, 4, 0);
    game.endRound();
    game.learnFrom(judged);
    EXPECT_EQ(game.verdict(), "") << "another second round";
    game.undo();
    game.undo();
    EXPECT_EQ(game.verdict(), "The optimum of 4 rounds can still be reached: 3 rounds are left.");
    std::stop_source stopped;
    stopped.request_stop();
    HandPlay large{
        puzzleOf(makeProblem(engine::Collective::allgatherv, {.ranks = 5, .size = 64}), {.topology = "ring"})};
    EXPECT_THROW(large.judge(30s, {.stop = stopped.get_token()}), engine::Cancelled);
}

}  // namespace
}  // namespace app
