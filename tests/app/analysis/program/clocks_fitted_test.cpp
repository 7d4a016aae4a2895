// SPDX-License-Identifier: BSD-3-Clause
// Clocks that contradict each other: times are fitted unless asked otherwise, and that is said wherever times are.
#include "app/analysis/overview/first_page.hpp"
#include "app/analysis/overview/run_diff.hpp"
#include "app/analysis/tables/table_definition.hpp"
#include "app/analysis/wait_states/root_causes.hpp"
#include "tests/support/first_page.hpp"
#include "tests/traces/samples.hpp"
#include "traces/clocks/clocks.hpp"
#include "traces/export/copy.hpp"
#include "traces/recording/recording_builder.hpp"

#include <gtest/gtest.h>

namespace app::analysis {
namespace {

using engine::Picoseconds;
using engine::Rank;

constexpr Picoseconds us(std::int64_t time) { return Picoseconds{time * 1'000'000}; }

/// Two ranks answer each other; the clock of rank 1 shows `ahead` more.
traces::Recording answers(Picoseconds ahead) {
    traces::RecordingBuilder b{2};
    for (int k = 0; k < 4; ++k) {
        b.message({.from = Rank{0},
                   .to = Rank{1},
                   .bytes = 8,
                   .sendBegin = us(100 + 10 * k),
                   .sendEnd = us(101 + 10 * k),
                   .receiveBegin = us(99 + 10 * k) + ahead,
                   .receiveEnd = us(102 + 10 * k) + ahead});
        b.message({.from = Rank{1},
                   .to = Rank{0},
                   .bytes = 8,
                   .sendBegin = us(105 + 10 * k) + ahead,
                   .sendEnd = us(106 + 10 * k) + ahead,
                   .receiveBegin = us(104 + 10 * k),
                   .receiveEnd = us(107 + 10 * k)});
    }
    return b.finish();
}

class ClocksFitted : public testing::Test {
protected:
    /// Opens such a trace as any verb does.
    [[nodiscard]] Trace opened(const std::string& name, Picoseconds ahead,
                               std::optional<Clocks> clocks = std::nullopt) const {
        if (!std::filesystem::exists(scratch / name)) traces::writeCopy(answers(ahead), scratch / name);
        return clocks ? openTrace(scratch / name, *clocks) : openTrace(scratch / name);
    }
    static std::int64_t contradictions(const Trace& trace) {
        return traces::checkClocks(*trace.recording).violations();
    }
    static std::string page(const Trace& trace) {
        TraceAnalysis analysis{trace, {}};
        std::string all;
        for (const std::string& sentence : support::firstPageInWords(analysis)) all += sentence + "\n";
        return all;
    }

    traces::samples::Scratch scratch;
};

TEST_F(ClocksFitted, unlessTheyAgree) {
    const Trace trace = opened("agree", us(0));
    EXPECT_FALSE(trace.recording->corrected);
    EXPECT_EQ(clockWords(trace), "");
    EXPECT_EQ(page(trace).find("clocks"), std::string::npos) << page(trace);
}

TEST_F(ClocksFitted, andHowSureTheyAreStandsBesideWhatTheyTell) {
    // Messages take 2 us each way.
    const Trace trace = opened("off", us(1000));
    EXPECT_EQ(trace.uncertainty(), us(2));
    TraceAnalysis analysis{trace, {}};
    const engine::Table waits = computeTable(tableNamed("waits"), analysis);
    EXPECT_NE(std::find(waits.remarks.begin(), waits.remarks.end(),
                        "clocks are fitted: times between ranks have an uncertainty of 2 us"),
              waits.remarks.end());
    EXPECT_EQ(opened("off", us(1000), Clocks::recorded).uncertainty(), us(0));
}

TEST(Causes, smallerThanClocksAreSureAreNotNamed) {
    const std::vector<Cause> causes{{.rank = Rank{0}, .time = us(50), .longest = us(3)},
                                    {.rank = Rank{1}, .time = us(90), .longest = us(2)}};
    const std::vector<Cause> sure = causesAboveUncertainty(causes, us(2));
    ASSERT_EQ(sure.size(), 1U);
    EXPECT_EQ(sure[0], causes[0]);
    EXPECT_EQ(causesAboveUncertainty(causes, us(0)), causes);
}

TEST_F(ClocksFitted, whereTheyContradictEachOther) {
    const Trace trace = opened("apart", us(-40));
    EXPECT_TRUE(trace.recording->corrected);
    EXPECT_EQ(contradictions(trace), 0);
    EXPECT_EQ(trace.report.run->messages[0].receiveEnd - trace.report.run->messages[0].sendBegin, us(2))
        << "the run that is drawn has the fitted times";
    const std::string said = page(trace);
    EXPECT_EQ(said.find("Take care, clocks of ranks do not agree: 4 of 8 messages arrive before they are sent"), 0U)
        << said;
    EXPECT_NE(said.find("times are fitted, by up to 40 us, and right within 2 us from rank to rank."),
              std::string::npos)
        << said;
    const auto& remarks = trace.report.run->remarks;
    EXPECT_EQ(std::count(remarks.begin(), remarks.end(), clockWords(trace)), 1);
}

TEST_F(ClocksFitted, notWhereTheyAreAskedForAsRecorded) {
    const Trace trace = opened("apart", us(-40), Clocks::recorded);
    EXPECT_FALSE(trace.recording->corrected);
    EXPECT_EQ(contradictions(trace), 4);
    EXPECT_NE(page(trace).find("fitted corrects them"), std::string::npos) << page(trace);
}

TEST_F(ClocksFitted, areNamedBesideEachOther) {
    const std::vector<Contestant> both{{"one", opened("agree", us(0))}, {"two", opened("apart", us(-40))}};
    const engine::Table table = compareRuns(both);
    ASSERT_FALSE(table.remarks.empty());
    EXPECT_EQ(table.remarks.back(), "two: " + clockWords(both[1].trace));
    for (const std::string& remark : table.remarks) EXPECT_NE(remark.find("one: "), 0U);
}

}  // namespace
}  // namespace app::analysis
