// SPDX-License-Identifier: BSD-3-Clause
// What the window shows of a training job: the numbers of its first page, in the words of those who train.
#include "app/analysis/overview/first_page.hpp"
#include "app/gui/scenes/common/gap_bar.hpp"
#include "app/gui/scenes/text/headline.hpp"
#include "app/gui/scenes/text/summary.hpp"

#include <QTemporaryDir>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace app::gui {
namespace {

/// Four steps of 10 ms on two ranks: rank 0 computes for 4 ms of each, rank 1 for 6 ms. An all_reduce of 1 ms runs
/// beside that; another one ends on both ranks 0.5 ms after rank 1 has computed.
void writeJob(const std::filesystem::path& folder) {
    for (const int rank : {0, 1}) {
        std::ofstream file{folder / ("rank" + std::to_string(rank) + ".json")};
        file << R"({"distributedInfo": {"rank": )" << rank
             << R"(, "world_size": 2}, "baseTimeNanoseconds": 1732000000000000000, "traceEvents": [)";
        const int compute = rank == 0 ? 4000 : 6000;
        const auto kernel = [&](const char* name, int stream, int begin, int duration, const char* facts) {
            file << R"({"ph": "X", "cat": "kernel", "name": ")" << name << R"(", "pid": 0, "tid": )" << stream
                 << R"(, "ts": )" << begin << R"(, "dur": )" << duration << R"(, "args": {"device": 0, "stream": )"
                 << stream << facts << "}},\n";
        };
        constexpr auto facts = R"(, "Collective name": "allreduce", "In msg nelems": 1024, "Out msg nelems": 1024,
            "Group size": 2, "dtype": "Float", "Process Group Name": "0", "Process Group Description": "default_pg",
            "Process Group Ranks": "[0, 1]")";
        for (int step = 0; step < 4; ++step) {
            const int begin = 1000 + 10'000 * step;
            kernel("gemm", 7, begin + 100, compute, "");
            kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL(x)", 20, begin + 200, 1000, facts);
            kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL(x)", 20, begin + 100 + compute, 6500 - compute, facts);
            file << R"({"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#)" << step
                 << R"(", "pid": 9, "tid": 9, "ts": )" << begin << R"(, "dur": 10000, "args": {}})"
                 << (step < 3 ? ",\n" : "]}");
        }
    }
}

TEST(TrainingScenes, theHeadlineShowsTheNumbersOfTheFirstPage) {
    const QTemporaryDir folder;
    writeJob(folder.path().toStdString());
    Trace trace = analysis::openTrace(folder.path().toStdString());
    analysis::TraceAnalysis analysis{trace, {}, {}};
    std::string page;
    for (const analysis::Finding& finding : analysis::firstPage(analysis, analysis::AnalysisUse::pageOnly))
        page += finding.words + '\n';
    EXPECT_NE(page.find("spend 50% in compute, 15% in exposed communication, and 35% idle"), std::string::npos) << page;
    const DrawableRun subject{std::move(trace.report), std::move(trace.recording)};
    (void)subject.programmed();
    const Headline headline = headlineOf(subject);
    EXPECT_EQ(headline.result.toStdString(),
              "8 ms of waiting for rank 1, the straggler: it enters all_reduce 2 ms late in 4 of 4 steps");
    EXPECT_TRUE(headline.better.contains("4 steps of 10 ms (median)")) << headline.better.toStdString();
    const std::vector<GapPart> parts = spentPartsOf(subject, subject.programmed().program.get(), false);
    ASSERT_EQ(parts.size(), 3U);
    EXPECT_EQ(parts[0].base, "of the step time");
    EXPECT_EQ(parts[0].name, "compute");
    EXPECT_EQ(parts[0].size, "50%");
    EXPECT_EQ(parts[1].name, "exposed communication");
    EXPECT_EQ(parts[1].size, "15%");
    EXPECT_EQ(parts[2].name, "idle");
    EXPECT_EQ(parts[2].size, "35%");
    EXPECT_TRUE(runInALine(subject).startsWith("2 ranks, 8 collectives, ")) << runInALine(subject).toStdString();
}

}  // namespace
}  // namespace app::gui
