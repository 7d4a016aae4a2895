// SPDX-License-Identifier: BSD-3-Clause
// Delays that grow, shrink, alternate, come once in every n calls, or move from rank to rank.
#include "app/analysis/wait_states/delay_trend.hpp"
#include "app/analysis/overview/first_page.hpp"
#include "app/analysis/overview/program_view.hpp"
#include "app/analysis/tables/table_definition.hpp"
#include "tests/support/first_page.hpp"
#include "tests/support/programs/random_program.hpp"
#include "tests/support/traced.hpp"
#include "traces/recording/run_from_recording.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace app::analysis::in_trends {
namespace {

using engine::Picoseconds;
using engine::Rank;

constexpr Picoseconds ms(std::int64_t time) { return Picoseconds{time * 1'000'000'000}; }

using samples::traceOf;

TEST(Trends, areFoundInTheOrderOfDelays) {
    const auto trend = [](std::vector<std::int64_t> values) {
        std::vector<Picoseconds> times;
        for (const std::int64_t value : values) times.push_back(ms(value));
        return trendOf(times);
    };
    EXPECT_EQ(trend({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}), (TrendOf{Trend::grows, ms(1), ms(12)}));
    EXPECT_EQ(trend({1, 3, 2, 4, 5, 7, 6, 8, 10, 9}).trend, Trend::grows) << "not in each step";
    EXPECT_EQ(trend({12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1}), (TrendOf{Trend::shrinks, ms(12), ms(1)}));
    EXPECT_EQ(trend({2, 10, 3, 11, 2, 10, 2, 12, 2, 10}), (TrendOf{Trend::alternates, ms(2), ms(10)}));
    EXPECT_EQ(trend({10, 10, 11, 10, 9, 10, 10, 11, 10, 9}), TrendOf{});
    EXPECT_EQ(trend({10, 10, 11, 11, 12, 13, 13, 14, 14, 14}), TrendOf{}) << "it grows by less than half";
    EXPECT_EQ(trend({1, 20, 3, 40, 30, 2, 1, 9, 4, 30}), TrendOf{});
    EXPECT_EQ(trend(std::vector<std::int64_t>(12)), TrendOf{});
    EXPECT_EQ(trend({1, 2, 3, 4, 5, 6, 7, 8, 9}), TrendOf{}) << "too few";
    // Values at random have hardly ever one.
    std::mt19937 random{7};
    int found = 0;
    for (int i = 0; i < 1000; ++i) {
        std::vector<std::int64_t> values(10 + static_cast<std::size_t>(i) % 8);
        for (std::int64_t& value : values) value = 1 + static_cast<std::int64_t>(random() % 100);
        found += trend(values).trend != Trend::none ? 1 : 0;
    }
    EXPECT_LE(found, 10);
}

/// Rank 1 computes 1 ms longer in each of twelve iterations.
TEST(Trends, standInTheTableAndOnTheFirstPage) {
    traces::RecordingBuilder b{3};
    for (int i = 0; i < 12; ++i)
        for (int rank = 0; rank < 3; ++rank) {
            b.enter(rank, ms(100 * i + 10 + (rank == 1 ? i : 0)), "MPI_Barrier");
            b.leave(rank, ms(100 * i + 30));
        }
    for (int i = 0; i < 12; ++i) {
        std::vector<traces::Participant> parts;
        for (int rank = 0; rank < 3; ++rank)
            parts.push_back(
                {.rank = Rank{rank}, .begin = ms(100 * i + 10 + (rank == 1 ? i : 0)), .end = ms(100 * i + 30)});
        b.collective(traces::Operation::barrier, 0, traces::noRank, std::move(parts));
    }
    const Trace trace = traceOf(b.finish());
    TraceAnalysis analysis{trace, {}};
    const engine::Table table = computeTable(tableNamed("causes"), analysis);
    ASSERT_FALSE(table.rows.empty());
    EXPECT_EQ(std::get<std::string>(table.rows[0].back()), "grows");
    const std::vector<std::string> page = support::firstPageInWords(analysis);
    EXPECT_TRUE(std::ranges::any_of(page, [](const std::string& sentence) {
        return sentence.find(
                   ": late 11 times; the delay grows from about 1 ms to 11 ms; the longest is 11 ms (at 1.11 s of the trace).") !=
               std::string::npos;
    })) << page.front();
}

TEST(Trends, knowDelaysOfEveryNthCall) {
    const auto every = [](const std::vector<std::pair<std::size_t, std::int64_t>>& late) {
        std::vector<Picoseconds> delays;
        std::vector<std::size_t> calls;
        for (const auto& [call, delay] : late) calls.push_back(call), delays.push_back(ms(delay));
        const std::optional<Period> period = periodOf(delays, calls);
        return std::pair{period ? period->every : 0, period ? period->delays.size() : 0};
    };
    using Found = std::pair<std::size_t, std::size_t>;
    EXPECT_EQ(every({{2, 40}, {6, 41}, {10, 44}, {14, 40}}), (Found{4, 4}));
    EXPECT_EQ(every({{1, 1}, {2, 40}, {5, 1}, {6, 41}, {10, 44}, {11, 2}, {14, 40}}), (Found{4, 4})) << "noise between";
    EXPECT_EQ(every({{2, 40}, {6, 41}, {10, 44}}), Found{}) << "too few";
    EXPECT_EQ(every({{2, 40}, {6, 41}, {11, 44}, {15, 40}}), Found{});
    EXPECT_EQ(every({{2, 40}, {3, 41}, {4, 44}, {5, 40}}), Found{}) << "each call";
    EXPECT_EQ(every({{0, 9}, {2, 9}, {4, 9}, {6, 9}, {8, 9}}), Found{}) << "chance";
    EXPECT_EQ(every({{0, 9}, {2, 9}, {4, 9}, {6, 9}, {8, 9}, {10, 9}}), (Found{2, 6}));
    EXPECT_EQ(every({{2, 9}, {6, 9}, {7, 2}, {8, 2}, {9, 2}, {10, 9}, {14, 9}}), Found{}) << "much of another kind";
}

/// Rank 2 of three computes 40 ms longer in every fourth of sixteen iterations, and 5 ms in three others.
TEST(Trends, nameDelaysOfEveryNthCallOnTheFirstPage) {
    traces::RecordingBuilder b{3};
    const auto came = [](int iteration, int rank) {
        const bool isNoise = iteration == 3 || iteration == 6 || iteration == 11;
        return ms(100 * iteration + 10 + (rank != 2 ? 0 : iteration % 4 == 1 ? 40 : isNoise ? 5 : 0));
    };
    for (int i = 0; i < 16; ++i) {
        std::vector<traces::Participant> parts;
        for (int rank = 0; rank < 3; ++rank) {
            b.enter(rank, came(i, rank), "MPI_Barrier");
            b.leave(rank, ms(100 * i + 60));
            parts.push_back({.rank = Rank{rank}, .begin = came(i, rank), .end = ms(100 * i + 60)});
        }
        b.collective(traces::Operation::barrier, 0, traces::noRank, std::move(parts));
    }
    const Trace trace = traceOf(b.finish());
    TraceAnalysis analysis{trace, {}};
    const std::vector<std::string> page = support::firstPageInWords(analysis);
    EXPECT_TRUE(std::ranges::any_of(page, [](const std::string& sentence) {
        return sentence.find(": late 4 times, once in every 4 calls, by 40 ms each") != std::string::npos &&
               sentence.find("Without all delays there") != std::string::npos;
    })) << engine::joined(page, "\n");
    const std::vector<Finding> findings = firstPage(analysis);
    const auto its = std::ranges::find(findings, FindingKind::waitStates, &Finding::kind);
    ASSERT_NE(its, findings.end());
    EXPECT_EQ(std::get<std::int64_t>(std::ranges::find(its->facts, "delays", &Fact::name)->value), 4);
    EXPECT_EQ(std::get<std::int64_t>(std::ranges::find(its->facts, "every_calls", &Fact::name)->value), 4);
}

/// Rank 2 of three computes longer in every third of 45 iterations, 20 ms the first time and 5 ms more each time; in
/// each of the others it is 1 ms late.
TEST(Trends, nameDelaysOfEveryNthCallThatGrow) {
    traces::RecordingBuilder b{3};
    const auto came = [](int iteration, int rank) {
        return ms(200 * iteration + 10 + (rank != 2 ? 0 : iteration % 3 == 1 ? 20 + 5 * (iteration / 3) : 1));
    };
    for (int i = 0; i < 45; ++i) {
        std::vector<traces::Participant> parts;
        for (int rank = 0; rank < 3; ++rank) {
            b.enter(rank, came(i, rank), "MPI_Barrier");
            b.leave(rank, ms(200 * i + 150));
            parts.push_back({.rank = Rank{rank}, .begin = came(i, rank), .end = ms(200 * i + 150)});
        }
        b.collective(traces::Operation::barrier, 0, traces::noRank, std::move(parts));
    }
    const Trace trace = traceOf(b.finish());
    TraceAnalysis analysis{trace, {}};
    const std::vector<std::string> page = support::firstPageInWords(analysis);
    EXPECT_FALSE(support::sentenceWith(page,
                                       ": late 15 times, once in every 3 calls; the delay grows from about 20 ms to "
                                       "90 ms; the longest is 90 ms (at ")
                     .empty())
        << engine::joined(page, "\n");
    EXPECT_FALSE(support::sentenceWith(page, " Wait state: wait at barrier.").empty()) << engine::joined(page, "\n");
}

TEST(Trends, knowRanksThatAreLateInTurn) {
    const auto turns = [](std::vector<int> late) {
        std::vector<Rank> ranks;
        for (const int rank : late) ranks.emplace_back(rank);
        std::vector<int> found;
        for (const Rank rank : ranksInTurn(ranks)) found.push_back(rank.value);
        return found;
    };
    using Ranks = std::vector<int>;
    EXPECT_EQ(turns({2, 0, 1, 2, 0, 1}), (Ranks{2, 0, 1}));
    EXPECT_EQ(turns({0, 1, 0, 1, 0, 1, 0}), (Ranks{0, 1}));
    EXPECT_EQ(turns({0, 1, 0, 1}), Ranks{}) << "too few";
    EXPECT_EQ(turns({0, 1, 2, 3, 0, 1, 2}), Ranks{}) << "rank 3 was late once";
    EXPECT_EQ(turns({0, 0, 0, 0, 0, 0, 0}), Ranks{});
    EXPECT_EQ(turns({0, 1, 0, 1, 1, 0, 1, 0}), Ranks{});
    EXPECT_EQ(turns({0, 0, 1, 1, 0, 0, 1, 1}), Ranks{});
}

TEST(Trends, findRanksThatAreLateOneAfterTheOther) {
    const auto blocks = [](const std::vector<int>& late) {
        std::vector<Rank> ranks;
        for (const int rank : late) ranks.emplace_back(rank);
        return ranksInBlocks(ranks).size();
    };
    EXPECT_EQ(blocks({0, 0, 1, 1, 1, 2, 2}), 3U);
    EXPECT_EQ(blocks({3, 3, 3, 0, 0, 2, 2, 1, 1}), 4U);
    EXPECT_EQ(blocks({0, 0, 1, 1}), 0U) << "two ranks";
    EXPECT_EQ(blocks({0, 0, 1, 1, 2, 2, 0, 0}), 0U) << "rank 0 comes again";
    EXPECT_EQ(blocks({0, 0, 1, 2, 2}), 0U) << "rank 1 was late once";
}

/// Each of four ranks comes 9 ms late in its turn; or three times in succession.
TEST(Trends, nameRanksThatAreLateInTurnOnTheFirstPage) {
    for (const bool inBlocks : {false, true}) {
        const auto came = [&](int iteration, int rank) {
            return ms(100 * iteration + 10 + ((inBlocks ? iteration / 3 : iteration % 4) == rank ? 9 : 0));
        };
        traces::RecordingBuilder b{4};
        for (int i = 0; i < 12; ++i) {
            std::vector<traces::Participant> parts;
            for (int rank = 0; rank < 4; ++rank) {
                b.enter(rank, came(i, rank), "MPI_Barrier");
                b.leave(rank, ms(100 * i + 20));
                parts.push_back({.rank = Rank{rank}, .begin = came(i, rank), .end = ms(100 * i + 20)});
            }
            b.collective(traces::Operation::barrier, 0, traces::noRank, std::move(parts));
        }
        const Trace trace = traceOf(b.finish());
        TraceAnalysis analysis{trace, {}};
        const std::string words = support::sentenceOnWaits(support::firstPageInWords(analysis));
        EXPECT_NE(words.find("No rank stands out"), std::string::npos) << words;
        EXPECT_NE(words.find(inBlocks ? " Ranks 0, 1, 2 and 3 were late one after the other, each several times in "
                                        "succession: 12 times, typically by 9 ms."
                                      : " were late in turn, one at a time: 12 times, typically by 9 ms."),
                  std::string::npos)
            << words;
        EXPECT_EQ(TracedProgram{analysis}.headline(),
                  inBlocks ? "324 ms of waiting; ranks 0, 1, 2 and 3 are late, each for a while"
                           : "324 ms of waiting; ranks 0, 1, 2 and 3 are late in turn");
    }
}

}  // namespace
}  // namespace app::analysis::in_trends
