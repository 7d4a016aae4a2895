// SPDX-License-Identifier: BSD-3-Clause
// Delays that nobody waits for, since another rank comes even later to the same call.
#include "app/analysis/trace/trace_analysis.hpp"
#include "tests/app/analysis/calls/calling_program.hpp"
#include "tests/support/first_page.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace app::analysis::calling {
namespace {

using traces::Operation;

constexpr int iterations = 12;

/// Ranks compute for so long before a collective, which takes 2 us from the last entry, again and again.
Trace meeting(const std::vector<std::int64_t>& computed, Operation operation, const char* name,
              Rank root = traces::noRank) {
    Program program{static_cast<int>(computed.size())};
    std::vector<std::int64_t> now(computed.size());
    for (int i = 0; i < iterations; ++i) {
        std::int64_t last = 0;
        for (std::size_t rank = 0; rank < now.size(); ++rank) last = std::max(last, now[rank] + computed[rank]);
        std::vector<traces::Participant> parts;
        for (std::size_t rank = 0; rank < now.size(); ++rank) {
            const std::int64_t begin = now[rank] + computed[rank];
            // Who contributes to a root goes on.
            const bool waits = root == traces::noRank || root.index() == rank;
            now[rank] = (waits ? last : begin) + 2;
            program.call(static_cast<int>(rank), begin, now[rank], name);
            parts.push_back(part(static_cast<int>(rank), begin, now[rank]));
        }
        program.collective(operation, std::move(parts), root);
    }
    return program.trace();
}

std::optional<Picoseconds> gainWithoutAll(TraceAnalysis& analysis, const HiddenCauses& behind) {
    std::vector<Cause> all{analysis.causes().front()};
    all.insert(all.end(), behind.causes.begin(), behind.causes.end());
    return analysis.gainWithout(all);
}

TEST(HiddenDelays, ofRanksThatComeAtTheSameTime) {
    const Trace trace = meeting({10, 40, 10, 40}, Operation::allreduce, "MPI_Allreduce");
    TraceAnalysis analysis{trace, {}};
    const Cause& first = analysis.causes().front();
    const HiddenCauses behind = analysis.hiddenBehind(first);
    ASSERT_EQ(behind.causes.size(), 1U);
    const Cause& hidden = behind.causes.front();
    EXPECT_EQ(std::set({first.rank, hidden.rank}), std::set({Rank{1}, Rank{3}}));
    EXPECT_EQ(hidden.path, first.path);
    EXPECT_EQ(hidden.before, first.before);
    EXPECT_EQ(hidden.time, us(iterations * 30));
    EXPECT_EQ(hidden.delays, iterations);
    EXPECT_EQ(behind.longestWaits, us(iterations * 30));
    EXPECT_EQ(analysis.gainWithout(first), us(0));
    EXPECT_EQ(gainWithoutAll(analysis, behind), us(iterations * 30));
}

TEST(HiddenDelays, ofRanksThatComeShortlyBefore) {
    // The second is 24 of 30 us late, the third only 12.
    const Trace trace = meeting({10, 40, 34, 22}, Operation::barrier, "MPI_Barrier");
    TraceAnalysis analysis{trace, {}};
    const Cause& first = analysis.causes().front();
    EXPECT_EQ(first.rank, Rank{1});
    const HiddenCauses behind = analysis.hiddenBehind(first);
    ASSERT_EQ(behind.causes.size(), 1U);
    EXPECT_EQ(behind.causes.front().rank, Rank{2});
    EXPECT_EQ(behind.causes.front().time, us(iterations * 24));
    EXPECT_EQ(analysis.gainWithout(first), us(iterations * 6));
    EXPECT_EQ(gainWithoutAll(analysis, behind), us(iterations * 18)) << "until the third rank comes";
}

TEST(HiddenDelays, ofContributorsToARoot) {
    const Trace trace = meeting({10, 40, 40}, Operation::reduce, "MPI_Reduce", Rank{0});
    TraceAnalysis analysis{trace, {}};
    const Cause& first = analysis.causes().front();
    const HiddenCauses behind = analysis.hiddenBehind(first);
    ASSERT_FALSE(behind.causes.empty());
    for (const Cause& one : behind.causes) EXPECT_EQ(one.rank, Rank{3 - first.rank.value});
}

TEST(HiddenDelays, areNoneOfWhoReceivesABroadcastLate) {
    Program program{3};
    for (int i = 0; i < iterations; ++i) {
        const std::int64_t now = i * 50;
        std::vector<traces::Participant> parts;
        for (const int rank : {0, 1, 2}) {
            const std::int64_t begin = now + (rank == 2 ? 10 : 40);
            program.call(rank, begin, now + 42, "MPI_Bcast");
            parts.push_back(part(rank, begin, now + 42));
        }
        program.collective(Operation::bcast, std::move(parts), Rank{0});
    }
    const Trace trace = program.trace();
    TraceAnalysis analysis{trace, {}};
    const Cause& first = analysis.causes().front();
    EXPECT_EQ(first.rank, Rank{0});
    EXPECT_TRUE(analysis.hiddenBehind(first).causes.empty());
}

TEST(HiddenDelays, areOnTheFirstPage) {
    const Trace trace = meeting({5, 40, 39, 40}, Operation::allreduce, "MPI_Allreduce");
    TraceAnalysis analysis{trace, {}};
    const std::vector<Finding> page = firstPage(analysis, AnalysisUse::pageAndMore);
    const auto waits = std::ranges::find(page, FindingKind::waitStates, &Finding::kind);
    ASSERT_NE(waits, page.end());
    const auto fact = std::ranges::find(waits->facts, "as_late", &Fact::name);
    ASSERT_NE(fact, waits->facts.end());
    EXPECT_EQ(std::get<std::string>(fact->value), "2; 3");
    const std::vector<std::string> words = inWords(page);
    EXPECT_FALSE(support::sentenceWith(words,
                                       "In the calls in which others waited for rank 1, ranks 2 and 3 were nearly "
                                       "as late; only rank 0 was earlier.")
                     .empty())
        << engine::joined(words, "\n");
    EXPECT_FALSE(support::sentenceWith(words,
                                       "Without the delays of ranks 1, 2 and 3 before MPI_Allreduce together, "
                                       "the program would take about 420 us")
                     .empty())
        << engine::joined(words, "\n");
}

}  // namespace
}  // namespace app::analysis::calling
