// SPDX-License-Identifier: BSD-3-Clause
// Ranks that compute one after the other are named as a chain.
#include "app/analysis/critical_path/serial_chain.hpp"
#include "app/analysis/overview/first_page.hpp"
#include "tests/app/analysis/calls/calling_program.hpp"
#include "tests/support/first_page.hpp"

#include <gtest/gtest.h>

namespace app::analysis::calling {
namespace {

/// Four ranks hand a token on, each after 50 us of computation; a barrier follows, if any. So many times.
Trace chain(int times, bool barrier) {
    constexpr int ranks = 4;
    Program program{ranks};
    std::int64_t now = 0;
    std::vector<std::int64_t> free(ranks, 0);
    for (int i = 0; i < times; ++i) {
        for (int rank = 0; rank < ranks; ++rank) {
            now += 50;
            if (rank + 1 < ranks || (!barrier && i + 1 < times)) {
                const int next = (rank + 1) % ranks;
                program.call(rank, now, now + 1, "MPI_Send");
                program.call(next, free[static_cast<std::size_t>(next)], now + 2, "MPI_Recv");
                program.message(rank, next, now, now + 1, free[static_cast<std::size_t>(next)], now + 2);
                free[static_cast<std::size_t>(rank)] = now + 1;
                now += 2;
            } else {
                free[static_cast<std::size_t>(rank)] = now;
            }
        }
        if (!barrier) continue;
        std::vector<traces::Participant> parts;
        for (int rank = 0; rank < ranks; ++rank) {
            program.call(rank, free[static_cast<std::size_t>(rank)], now + 1, "MPI_Barrier");
            parts.push_back(part(rank, free[static_cast<std::size_t>(rank)], now + 1));
            free[static_cast<std::size_t>(rank)] = now + 1;
        }
        program.collective(traces::Operation::barrier, std::move(parts));
        ++now;
    }
    if (!barrier) program.call(ranks - 1, now, now + 1, "MPI_Comm_rank");
    return program.trace();
}

std::string pageOf(const Trace& trace) {
    TraceAnalysis analysis{trace, {}};
    std::string all;
    for (const std::string& sentence : support::firstPageInWords(analysis)) all += sentence + "\n";
    return all;
}

TEST(SerialChain, isNamedOnTheFirstPage) {
    const std::string bounded = pageOf(chain(5, true));
    EXPECT_NE(
        bounded.find("Serialization: ranks 0, 1, 2 and 3 compute one after the other, 5 times, first from 0 s on."),
        std::string::npos)
        << bounded;
    const std::string ring = pageOf(chain(3, false));
    EXPECT_NE(ring.find("Serialization: ranks 0, 1, 2 and 3 compute one after the other, 3 times, first from 0 s on."),
              std::string::npos)
        << ring;
}

TEST(SerialChain, isNoneWhereRanksComputeTogether) {
    Program program{3};
    for (int i = 0; i < 4; ++i) {
        std::vector<traces::Participant> parts;
        for (int rank = 0; rank < 3; ++rank) {
            const std::int64_t came = 100 * i + 50 + (rank == 1 ? 40 : 0);
            program.call(rank, came, 100 * i + 95, "MPI_Barrier");
            parts.push_back(part(rank, came, 100 * i + 95));
        }
        program.collective(traces::Operation::barrier, std::move(parts));
    }
    const Trace trace = program.trace();
    TraceAnalysis analysis{trace, {}};
    EXPECT_FALSE(serialChainOf(criticalPath(*trace.recording, analysis.blockingCalls(), {{}, us(400)}), 3));
    EXPECT_EQ(pageOf(trace).find("Serialization:"), std::string::npos);
}

/// Three of four ranks, in some order in each round, each with 20 us; then all meet.
std::vector<PathStep> turns(const std::vector<std::vector<int>>& rounds, bool byLock) {
    std::vector<PathStep> path;
    std::int64_t now = 0;
    const auto step = [&](int rank, std::int64_t length) -> PathStep& {
        path.push_back({.rank = Rank{rank}, .to = Rank{rank}, .begin = us(now), .end = us(now + length)});
        now += length;
        return path.back();
    };
    for (const std::vector<int>& ranks : rounds) {
        for (const int rank : ranks) {
            if (rank != ranks.front()) step(rank, 1).isAfterLock = byLock;
            step(rank, 20);
        }
        step(0, 1).instance = 0;
    }
    return path;
}

TEST(SerialChain, ofALockNeedsNoOrder) {
    const std::vector<std::vector<int>> rounds{{2, 1, 3}, {1, 2, 3}, {3, 1, 2}, {2, 3, 1}};
    const std::optional<SerialChain> chain = serialChainOf(turns(rounds, true), 4);
    ASSERT_TRUE(chain);
    EXPECT_EQ(inWords(*chain),
              "ranks 1, 2 and 3 hold the lock of a window one after the other, 4 times, first from 0 s on");
    EXPECT_EQ(chain->computation, us(4 * 62));
    EXPECT_FALSE(serialChainOf(turns(rounds, false), 4)) << "without a lock the order is the chain";
}

TEST(SerialChain, ofManyRanksIsShort) {
    SerialChain many{.ranks = {}, .times = 1, .begin = us(7)};
    for (int rank = 0; rank < 64; ++rank) many.ranks.emplace_back(rank);
    EXPECT_EQ(inWords(many), "64 ranks, from rank 0 over 1 and 2 to rank 63, compute one after the other from 7 us on");
}

/// Rank 0 computes, rank 1 waits for it in a barrier in which the path is cut off.
TEST(CriticalPath, endsOnARankThatDoesNotWaitThere) {
    Program program{2};
    program.call(0, 100, 105, "MPI_Barrier");
    program.call(1, 10, 105, "MPI_Barrier");
    program.collective(traces::Operation::barrier, {part(0, 100, 105), part(1, 10, 105)});
    const Trace trace = program.trace();
    TraceAnalysis analysis{trace, {}};
    for (const std::int64_t end : {50, 99, 100}) {
        const std::vector<PathStep> path = criticalPath(*trace.recording, analysis.blockingCalls(), {us(0), us(end)});
        ASSERT_FALSE(path.empty()) << end;
        for (const PathStep& step : path) EXPECT_EQ(step.rank, Rank{0}) << "until " << end;
        EXPECT_EQ(path.front().begin, us(0));
        EXPECT_EQ(path.back().end, us(end));
    }
}

}  // namespace
}  // namespace app::analysis::calling
