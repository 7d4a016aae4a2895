// SPDX-License-Identifier: BSD-3-Clause
// Bytes that each rank sends and receives in collectives, and the one that moves far more than the others.
#include "app/analysis/collectives/amounts.hpp"
#include "app/analysis/calls/calls_by_size.hpp"
#include "app/analysis/collectives/collective_instances.hpp"
#include "app/analysis/overview/first_page.hpp"
#include "app/analysis/program/call_path_profile.hpp"
#include "app/analysis/tables/table_definition.hpp"
#include "tests/app/analysis/calls/calling_program.hpp"
#include "tests/support/first_page.hpp"
#include "tests/support/small_runs.hpp"

#include <gtest/gtest.h>

namespace app::analysis::calling {
namespace {

using traces::Operation;

/// Ranks 0..3 pass these many bytes, twice.
Trace traceOf(Operation operation, std::vector<engine::Bytes> sent, std::vector<engine::Bytes> received,
              Rank root = traces::noRank) {
    Program program{4};
    for (const std::int64_t begin : {0, 100}) {
        std::vector<traces::Participant> parts;
        for (int rank = 0; rank < 4; ++rank) {
            program.call(rank, begin, begin + 10, "MPI_Alltoallv");
            traces::Participant its = part(rank, begin, begin + 10);
            its.sent = sent[static_cast<std::size_t>(rank)];
            its.received = received[static_cast<std::size_t>(rank)];
            parts.push_back(its);
        }
        program.collective(operation, std::move(parts), root);
    }
    return program.trace();
}

std::string wordsOf(const Trace& trace) {
    const std::vector<Amounts> all = amountsOf(*trace.recording, {});
    return all.empty() ? "none" : unevenWords(all.front());
}

TEST(Amounts, nameTheRankThatMovesFarMoreThanTheOthers) {
    EXPECT_EQ(wordsOf(traceOf(Operation::alltoallv, {1024, 1024, 1024, 1024}, {100, 3796, 100, 100})),
              "Rank 1 receives 3.71 KiB per call, the others 100 B on average, their own blocks included.");
    EXPECT_EQ(wordsOf(traceOf(Operation::alltoallv, {8, 8, 8, 4096}, {1030, 1030, 1030, 1030})),
              "Rank 3 sends 4 KiB per call, the others 8 B on average, their own blocks included.");
    EXPECT_EQ(wordsOf(traceOf(Operation::alltoallv, {8, 8, 8, 4096}, {100, 3796, 100, 100})),
              "Rank 1 receives 3.71 KiB per call, the others 100 B on average, their own blocks included. Rank 3 sends "
              "4 KiB per call, the others 8 B on average, their own blocks included.");
    EXPECT_EQ(wordsOf(traceOf(Operation::gatherv, {8, 8, 8, 4096}, {4120, 0, 0, 0}, Rank{0})),
              "Rank 3 contributes 4 KiB per call, the others 8 B on average, their own blocks included.");
    EXPECT_EQ(wordsOf(traceOf(Operation::alltoallv, {8, 8, 8, 9}, {8, 9, 8, 8})), "");
    EXPECT_EQ(wordsOf(traceOf(Operation::gather, {8, 8, 8, 8}, {32, 0, 0, 0}, Rank{0})), "")
        << "a root receives all by its nature";
    EXPECT_EQ(wordsOf(traceOf(Operation::barrier, {0, 0, 0, 0}, {0, 0, 0, 0})), "none");
    EXPECT_EQ(wordsOf(traceOf(Operation::alltoallv, {0, 0, 0, 0}, {0, 0, 0, 0})), "");
}

/// Rank 0 puts 8 and 16 bytes to rank 1, gets 100 from it at a second window, and accumulates 4 at rank 2.
TEST(Amounts, ofOneSidedCommunicationCountBothWays) {
    using traces::NoticeKind;
    traces::RecordingBuilder builder{3};
    builder.rest().windows = {{.communicator = 0}, {.communicator = 0}};
    const auto add = [&](std::int64_t time, NoticeKind kind, int target, std::uint32_t window, std::uint64_t bytes) {
        builder.notice(0, {.time = us(time), .number = bytes, .subject = window, .kind = kind, .peer = Rank{target}});
    };
    add(1, NoticeKind::put, 1, 0, 8);
    add(2, NoticeKind::put, 1, 0, 16);
    add(3, NoticeKind::get, 1, 1, 100);
    add(4, NoticeKind::atomic, 2, 0, 4);
    const traces::Recording recording = builder.finish();
    const RankAmount putter{.rank = Rank{0}, .calls = 2, .sent = 24}, put{.rank = Rank{1}, .received = 24};
    const RankAmount getter{.rank = Rank{0}, .calls = 1, .received = 100}, got{.rank = Rank{1}, .sent = 100};
    const RankAmount changer{.rank = Rank{0}, .calls = 1, .sent = 4}, changed{.rank = Rank{2}, .received = 4};
    const std::vector<OneSidedAmounts> expected{{0, NoticeKind::put, {putter, put}},
                                                {0, NoticeKind::atomic, {changer, changed}},
                                                {1, NoticeKind::get, {getter, got}}};
    EXPECT_EQ(oneSidedAmountsOf(recording, {}), expected);
    const Selection late{.part = {.from = us(2), .ranks = {Rank{1}}}, .communicators = {}};
    EXPECT_EQ(oneSidedAmountsOf(recording, late).front().ranks,
              std::vector{(RankAmount{.rank = Rank{1}, .received = 16})});
}

/// What Collscope's recorder counts of an alltoall are the arguments: the bytes for one rank.
TEST(Amounts, ofAnAlltoallAreThoseForAllRanks) {
    Program program{4};
    std::vector<traces::Participant> parts;
    for (int rank = 0; rank < 4; ++rank) {
        program.call(rank, 0, 10, "MPI_Alltoall");
        traces::Participant its = part(rank, 0, 10);
        its.sent = its.received = 400;
        parts.push_back(its);
    }
    program.collective(Operation::alltoall, std::move(parts));
    const Trace trace = program.trace();
    const auto sums = [&](const char* creator) {
        auto recording = std::make_shared<traces::Recording>(*trace.recording);
        recording->creator = creator;
        const std::vector<Amounts> all = amountsOf(*recording, {});
        const CallGroup calls = callGroups(*recording, {}).front();
        const CallPaths paths{*recording};
        engine::Bytes ofRegions = 0;
        const CallProfile profile{paths, {}, {}};
        for (const Spent& spent : profile.regions()) ofRegions += spent.sent;
        engine::Bytes instances = 0;
        eachCollective(*recording, {}, [&](Instance&& one) { instances += one.bytes; });
        return std::vector{all.front().ranks.front().sent, calls.sent, instances, ofRegions};
    };
    EXPECT_EQ(sums("Collscope"), (std::vector<engine::Bytes>{1600, 6400, 6400, 6400}));
    EXPECT_EQ(sums("Score-P 7.1"), (std::vector<engine::Bytes>{400, 1600, 1600, 1600}));
}

TEST(Amounts, areATableAndOnTheFirstPage) {
    const Trace trace = traceOf(Operation::alltoallv, {1024, 1024, 1024, 1024}, {100, 3796, 100, 100});
    TraceAnalysis analysis{trace, {}};
    EXPECT_EQ(samples::rowsOf(computeTable(tableNamed("amounts"), analysis)),
              "alltoallv MPI_COMM_WORLD 0 2 2048 200 0.09766\nalltoallv MPI_COMM_WORLD 1 2 2048 7592 3.707\n"
              "alltoallv MPI_COMM_WORLD 2 2 2048 200 0.09766\nalltoallv MPI_COMM_WORLD 3 2 2048 200 0.09766\n");
    const std::vector<std::string> page = support::firstPageInWords(analysis);
    EXPECT_TRUE(std::ranges::any_of(page, [](const std::string& sentence) {
        return sentence.find("Rank 1 receives 3.71 KiB per call") != std::string::npos;
    }));
    TraceAnalysis ofOne{trace, {.part = {.ranks = {Rank{1}}}}};
    EXPECT_EQ(samples::rowsOf(computeTable(tableNamed("amounts"), ofOne)),
              "alltoallv MPI_COMM_WORLD 1 2 2048 7592 1\n");
}

}  // namespace
}  // namespace app::analysis::calling
