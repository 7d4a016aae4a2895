// SPDX-License-Identifier: BSD-3-Clause
// What a replay can change, as words: there and back, as a command, and as a trace offers it.
#include "app/session/replay/replay_changes.hpp"

#include "app/analysis/overview/analysis_queue.hpp"
#include "app/session/options/run_options.hpp"
#include "app/session/options/specification.hpp"
#include "app/session/replay/replay_offers.hpp"
#include "app/session/replay/replay_words.hpp"
#include "engine/base/error.hpp"
#include "tests/app/session/replay_samples.hpp"
#include "traces/recording/archive.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace app {
namespace {

using samples::headToHead;
using samples::scratchOf;
using samples::uneven;
using samples::us;

ReplayWish everything() {
    ReplayWish wish{.with = {"barrier=best", "allreduce=allreduce/ring:segments=4"},
                    .ownTime = {{"0.5"}, {"rank 2: assemble", "main"}, {"assemble"}},
                    .overlap = true,
                    .inPorts = emulation::InPorts::byByte};
    wish.asked.add("alpha", "2us");
    wish.asked.add("slow-ranks", "1:2.5");
    return wish;
}

TEST(ReplayWords, areReadBack) {
    const ReplayWords words = wordsOf(everything());
    const ReplayWish back = replayWishFrom(words);
    EXPECT_EQ(wordsOf(back), words);
    EXPECT_EQ(back.with, everything().with);
    EXPECT_EQ(back.ownTime.without, everything().ownTime.without);
    EXPECT_TRUE(back.overlap);
    EXPECT_EQ(back.inPorts, emulation::InPorts::byByte);
    EXPECT_EQ(back.asked.word("alpha"), "2us");
    EXPECT_TRUE(wordsOf({}).empty());
    EXPECT_THROW(replayWishFrom({{"size", {"4KiB"}}}), engine::Error) << "a replay has the sizes that were recorded";
    EXPECT_THROW(replayWishFrom({{"in-ports", {"bytes"}}}), engine::Error);
}

TEST(ReplayWords, areACommandThatAShellTakes) {
    EXPECT_EQ(commandOf("out/my trace", everything()),
              "collscope replay 'out/my trace' --with barrier=best --with allreduce=allreduce/ring:segments=4 "
              "--compute 0.5 --without 'rank 2: assemble' --without main --even assemble --overlap --in-ports byte "
              "--alpha 2us --slow-ranks 1:2.5");
    EXPECT_EQ(commandOf("belts", {}), "collscope replay belts");
}

TEST(ReplayWords, nameFieldsOfTheOneTable) {
    for (const std::string_view key : replayConditions) EXPECT_NE(fields::find(key), nullptr) << key;
    for (const ReplayChange& change : replayChanges())
        EXPECT_EQ(std::ranges::find(replayConditions, change.key), replayConditions.end()) << change.key;
}

std::vector<std::string> wordsOf(const std::vector<ReplayOffer>& offers) {
    std::vector<std::string> words;
    for (const ReplayOffer& offer : offers) words.push_back(offer.words);
    return words;
}

TEST(ReplayOffers, areWhatTheTraceHas) {
    const Trace trace = uneven();
    analysis::AnalysisQueue queue{trace};
    const analysis::TracedProgramPtr program = queue.program();
    const ReplayOffers offers = replayOffers(trace, program.get());
    EXPECT_EQ(offers.with.front().words, "barrier=best");
    // Ranks compute 60 us in assemble, and 5 and 3 us in main itself.
    EXPECT_EQ(wordsOf(offers.even), (std::vector<std::string>{"main/assemble", "main"}));
    EXPECT_EQ(wordsOf(offers.compute), (std::vector<std::string>{"0.5", "main/assemble=0.5", "main=0.5"}));
    ASSERT_FALSE(offers.without.empty());
    EXPECT_EQ(offers.without.front().words, "rank 2: main/assemble");
    EXPECT_EQ(offers.without.front().why, "caused 60 us of waiting");
    // Whatever is offered can be replayed.
    for (const ReplayOffer& offer : offers.with) EXPECT_NO_THROW(replayed(trace, {.with = {offer.words}}));
    for (const ReplayOffer& offer : offers.without)
        EXPECT_NO_THROW(replayed(trace, {.ownTime = {.without = {offer.words}}}));
    for (const ReplayOffer& offer : offers.even) EXPECT_NO_THROW(replayed(trace, {.ownTime = {.even = {offer.words}}}));
    EXPECT_THROW(replayed(trace, {.ownTime = {.even = {"main/MPI_Barrier"}}}), engine::Error) << "it computes nothing";
    for (const ReplayOffer& offer : offers.compute)
        EXPECT_NO_THROW(replayed(trace, {.ownTime = {.compute = {offer.words}}}));
}

TEST(ReplayOffers, knowOneCollectiveOfARun) {
    const Trace trace{.report = execute({.algorithm = "allreduce/ring", .problem = {.ranks = 8, .size = 4096}})};
    const ReplayOffers offers = replayOffers(trace, nullptr);
    const std::vector<std::string> with = wordsOf(offers.with);
    EXPECT_EQ(with.front(), "allreduce=best");
    EXPECT_NE(std::ranges::find(with, "allreduce=allreduce/bruck"), with.end());
    EXPECT_TRUE(offers.without.empty());
}

TEST(ReplayOffers, areNetworksOfSoManyRanks) {
    const std::vector<std::string> networks = networksFor(12);
    EXPECT_NE(std::ranges::find(networks, "torus:4x3"), networks.end());
    EXPECT_NE(std::ranges::find(networks, "ring"), networks.end());
    for (const std::string& network : networks) EXPECT_NO_THROW(emulation::makeNetwork(network, 12)) << network;
}

TEST(ReplayFacts, beginWithTheErrorOfTheRecording) {
    const Replaying made = replayed(uneven(), {.ownTime = {.without = {"rank 2: assemble"}}});
    EXPECT_EQ(titleOf(made), "3 ranks, 1 collective; 50 us");
    const std::vector<ReplayFact> facts = factsOf(made);
    ASSERT_EQ(facts.size(), 6U);
    EXPECT_EQ(facts[0].what, "unchanged");
    EXPECT_EQ(facts[1].what, "model error");
    EXPECT_EQ(facts[3].what, "with changes");
    EXPECT_EQ(facts[3].words, "20 us, 60% less than unchanged");
    EXPECT_TRUE(stuckIn(made).empty());
    ReplayWish rendezvous;
    rendezvous.asked.add("eager", "4KiB");
    EXPECT_EQ(stuckIn(replayed(headToHead(), rendezvous)).size(), 2U);
}

TEST(ReplayedTrace, isTheOneThatIsWrittenAndReadAgain) {
    const Replaying made = replayed(uneven(), {.ownTime = {.without = {"rank 2: assemble"}}, .kept = true});
    const std::optional<Trace> trace = traceOf(made);
    ASSERT_TRUE(trace);
    EXPECT_FALSE(trace->isCollscopeRun());
    const std::filesystem::path folder = scratchOf("shown");
    writeReplayed(made, folder);
    const Trace read = analysis::openTrace(folder);
    std::filesystem::remove_all(folder);
    EXPECT_EQ(trace->report.run->duration, read.report.run->duration);
    EXPECT_EQ(trace->recording->collectives.participants, read.recording->collectives.participants);
    EXPECT_EQ(trace->recording->states.front().begin, read.recording->states.front().begin);
    // Its replay is as long.
    EXPECT_EQ(replayed(*trace, {}).asRecorded.result.duration, us(20));
    EXPECT_FALSE(traceOf(replayed(uneven(), {}))) << "nothing was kept";
}

}  // namespace
}  // namespace app
