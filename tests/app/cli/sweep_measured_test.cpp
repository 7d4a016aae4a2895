// SPDX-License-Identifier: BSD-3-Clause
// Sweeps over MPI: what is started, and what is told of what was measured.
#include "tests/app/cli/command.hpp"

#include "app/cli/sweep/sweep_chart.hpp"
#include "app/cli/sweep/sweep_live.hpp"

#include <gtest/gtest.h>

namespace app::cli {
namespace {

TEST(SweepMeasured, keepsWhatWasMeasured) {
    SweepRow row{std::vector<std::string>(coordinateNames().size()), {}};
    row.coordinates[0] = "bcast/chain";
    row.result.time = engine::Picoseconds{2'000'000};
    row.result.lowest = row.result.highest = row.result.time;
    row.result.measured = {.median = engine::Picoseconds{2'100'000},
                           .lowest = engine::Picoseconds{1'900'001},
                           .highest = engine::Picoseconds{3'000'000}};
    SweepRow failed = row;
    failed.result.measured.reset();
    failed.result.unmeasured = "mpirun: 64 processes, but 16 hosts";
    SweepRow slow = row;
    slow.result.measured->median = engine::Picoseconds{3'000'000};
    for (const SweepRow& each : {row, failed}) EXPECT_EQ(sweepRowFromCsv(toCsv(each))->result, each.result);
    EXPECT_EQ(sweepJson({row})[0]["measured_s"], 2.1e-6);
    EXPECT_EQ(sweepJson({failed})[0]["not_measured"], failed.result.unmeasured);
    EXPECT_EQ(
        measuredWords({row, failed, slow}),
        "Measured over MPI: 1.05 to 1.5 times as long as in virtual time; 1 of 2 points within 10%; 1 not measured.");
    EXPECT_EQ(measuredWords({}), "");
}

TEST(SweepMeasured, measuresWithWhatProcessesKnow) {
    Arguments arguments;
    arguments.repeats = "5";
    arguments.asked.add("on", "mpi");
    arguments.asked.add("lab", "");
    arguments.asked.add("granted", "");
    arguments.asked.add("ranks", "4");
    arguments.asked.add("sharing", "fair");
    const auto live = takeLive(arguments);
    ASSERT_TRUE(live);
    EXPECT_EQ(live->words, "--on mpi --repeat 5 --granted --lab");
    EXPECT_FALSE(arguments.repeats || arguments.asked.has("lab") || arguments.asked.has("on"));
    const std::vector<Point> points = readPoints(arguments, {"bcast/chain:groups=2"});
    ASSERT_EQ(points.size(), 1U);
    const Specification run = liveRun(points[0], *live);
    EXPECT_EQ(lineOf(run), "bcast/chain -n 4 --size 64KiB --set groups=2 --on mpi --repeat 5 --granted --lab");
    EXPECT_EQ(points[0].wish.on, "virtual");
}

TEST(SweepMeasured, decidesOnceWhetherMessagesAreGranted) {
    // At 0.4 ns/B a startup of 1 us is 5% of the time of 50,000 bytes.
    for (const auto& [sizes, decision] :
         {std::pair{"25000,50000,100000", " --no-grants"}, std::pair{"50000,100000", " --granted"}}) {
        Arguments arguments;
        for (const auto& [key, words] : {std::pair{"on", "mpi"},
                                         {"hostfile", "hosts"},
                                         {"topology", "ring"},
                                         {"neighbours-only", ""},
                                         {"group-a", "4"},
                                         {"group-b", "4"},
                                         {"size", sizes}})
            arguments.asked.add(key, words);
        auto live = takeLive(arguments);
        ASSERT_TRUE(live);
        std::vector<Point> points = readPoints(arguments, {"halfduplex-allgather/ring-streams"});
        ASSERT_GT(points.size(), 1U);
        const std::string before = live->words;
        decideGrants(points, *live);
        EXPECT_EQ(live->words, before + decision);
        for (const Point& point : points)
            EXPECT_NE(lineOf(liveRun(point, *live)).find(decision), std::string::npos) << lineOf(liveRun(point, *live));
        sayHowMeasured(points, *live);
        EXPECT_NE(points[0].coordinates.back().find(decision), std::string::npos);
    }
}

TEST(SweepMeasured, measuresTheLibrarysOwnBesideOthers) {
    Arguments arguments;
    arguments.asked.add("on", "mpi");
    arguments.asked.add("ranks", "2,4");
    arguments.asked.add("sharing", "fair");
    const auto live = takeLive(arguments);
    ASSERT_TRUE(live);
    const std::vector<Point> points = readPoints(arguments, {"bcast/chain", "bcast/native"}, Native::taken);
    ASSERT_EQ(points.size(), 4U);
    EXPECT_EQ(lineOf(liveRun(points[3], *live)), "bcast/native -n 4 --size 64KiB --on mpi");
    // They differ in the algorithm alone, so that they are lines of one chart.
    EXPECT_EQ(std::vector(points[1].coordinates.begin() + 1, points[1].coordinates.end()),
              std::vector(points[3].coordinates.begin() + 1, points[3].coordinates.end()));
    std::vector<SweepRow> rows;
    for (const Point& point : points) {
        SweepRow row{point.coordinates, sweepPoint(point.specification())};
        row.result.measured = {.median = engine::Picoseconds{7'000'000}};
        EXPECT_EQ(sweepRowFromCsv(toCsv(row))->result.measured, row.result.measured);
        rows.push_back(std::move(row));
    }
    EXPECT_FALSE(rows[3].result.refusal.empty());
    const Chart chart = chartOf(rows, points);
    ASSERT_EQ(chart.lines.size(), 1U);
    ASSERT_EQ(chart.measured.size(), 2U);
    EXPECT_EQ(chart.measured[1].name, "bcast/native");
    EXPECT_EQ(chart.measured[1].points.size(), 2U);
    EXPECT_EQ(command("sweep bcast/native -n 4").code, 2);
}

TEST(SweepMeasured, refusesWhatCannotBeMeasured) {
    for (const auto& [flags, words] : std::initializer_list<std::pair<const char*, const char*>>{
             {"--on threads", "run --on threads"},
             {"--on mip", "did you mean mpi?"},
             {"--lab", "add --on mpi"},
             {"--granted", "add --on mpi"},
             {"--on mpi --granted --no-grants", "leave one of them out"},
             {"--on mpi --mpirun no-such-program", "no-such-program"},
             {"--on mpi --repeat 0", "--repeat"},
         }) {
        const Answer answer = command(std::string{"sweep bcast/chain -n 4 "} + flags);
        EXPECT_EQ(answer.code, 2) << flags;
        EXPECT_NE(answer.err.find(words), std::string::npos) << answer.err;
    }
    EXPECT_EQ(command("sweep allreduce/dissemination -n 4 --split-phase --on mpi").code, 2);
}

}  // namespace
}  // namespace app::cli
