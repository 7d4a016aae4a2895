// SPDX-License-Identifier: BSD-3-Clause
// Metrics: written, read, cut, and moved with the clock that they were recorded by. What other tools write is read in
// tests/scripts/traces/otf2_metrics_test.py.
#include "tests/traces/samples.hpp"
#include "traces/clocks/clocks.hpp"
#include "traces/export/copy.hpp"
#include "traces/export/excerpt.hpp"
#include "traces/recording/archive.hpp"
#include "traces/recording/recording_builder.hpp"

namespace of_metrics {
namespace {

using traces::Column;
using traces::MetricTiming;
using traces::MetricValue;
using traces::Picoseconds;
using traces::Rank;
using traces::Recording;
using traces::samples::contentOf;
using traces::samples::put;
using traces::samples::Scratch;

constexpr Picoseconds us(std::int64_t time) { return Picoseconds{time * 1'000'000}; }

/// Two ranks that count, and a node whose power rank 1 records together with the load.
Recording measured() {
    traces::RecordingBuilder b{2};
    for (const int rank : {0, 1}) {
        b.enter(rank, us(0), "main");
        b.leave(rank, us(100));
    }
    const std::int32_t count = b.metric({.name = "PAPI_TOT_INS",
                                         .description = "done",
                                         .unit = "#",
                                         .value = MetricValue::accumulated,
                                         .timing = MetricTiming::start});
    const std::int32_t power = b.metric({.name = "power", .description = "", .unit = "W"});
    const std::int32_t load = b.metric(
        {.name = "load", .description = "", .unit = "", .value = MetricValue::relative, .timing = MetricTiming::last});
    b.samples(0, count, {us(0), us(10), us(10), us(70)}, {0, 1e15, 1e15 + 1, 9007199254740991});
    b.samples(1, count, {us(5), us(95)}, {1, 2});
    b.rest().samples.push_back({.location = 1,
                                .rank = traces::noRank,
                                .about = "node 7",
                                .metrics = {power, load},
                                .time = std::vector<Picoseconds>{us(20), us(40), us(60)},
                                .values = {std::vector<double>{-1.5, 200, 0}, std::vector<double>{1, 0.1, 1e-300}}});
    return b.finish();
}

TEST(Metrics, comeBackFromAnArchive) {
    const Scratch scratch;
    const Recording original = measured();
    traces::writeCopy(original, scratch / "copy");
    const traces::RecordingPtr copy = traces::readRecording(scratch / "copy");
    EXPECT_EQ(copy->metrics, original.metrics);
    EXPECT_EQ(copy->samples, original.samples);
    EXPECT_TRUE(copy->remarks.empty());
    for (const traces::NotRecorded& absence : copy->absences)
        EXPECT_NE(absence.what, traces::Absence::passedOver) << absence.words;
}

TEST(Metrics, stayWithinABudget) {
    const Scratch scratch;
    traces::RecordingBuilder b{1};
    std::vector<Picoseconds> time;
    std::vector<double> values;
    for (int i = 0; i < 300'000; ++i) time.push_back(us(i)), values.push_back(i % 97);
    b.samples(0, b.metric({.name = "load", .description = "", .unit = ""}), time, values);
    const Recording original = b.finish();
    traces::writeCopy(original, scratch / "copy");
    const traces::RecordingPtr copy =
        traces::readRecording(scratch / "copy", {}, {.bytes = 1 << 20, .folder = scratch.path()});
    EXPECT_EQ(copy->samples, original.samples) << "columns that lie in files";
}

TEST(Metrics, areCutWithAPart) {
    const Recording part =
        traces::excerptOf(measured(), {.span = traces::TimeSpan{us(10), us(60)}, .ranks = {Rank{1}}});
    ASSERT_EQ(part.samples.size(), 1U) << "rank 1 counted nothing meanwhile, rank 0 is left out";
    EXPECT_EQ(part.samples[0].time, Column<Picoseconds>(std::vector{us(20), us(40)}));
    EXPECT_EQ(part.samples[0].values[0], Column<double>(std::vector{-1.5, 200.0}));
    EXPECT_EQ(part.samples[0].values[1], Column<double>(std::vector{1.0, 0.1}));
}

TEST(Metrics, moveWithTheClockOfTheirRecorder) {
    const Recording original = measured();
    traces::ClockFit fit;
    fit.byRank = {{}, {.offset = us(7)}};
    fit.tied = {true, true};
    fit.slack = {{}, {}};
    const Recording moved = traces::corrected(original, fit);
    EXPECT_EQ(moved.samples[0].time, original.samples[0].time);
    EXPECT_EQ(moved.samples[1].time, Column<Picoseconds>(std::vector{us(12), us(102)}));
    EXPECT_EQ(moved.samples[2].time, Column<Picoseconds>(std::vector{us(27), us(47), us(67)}));
}

/// A record whose set of metrics is not defined is left out, and said.
TEST(Metrics, thatAreNotDefinedAreLeftOut) {
    const Scratch scratch;
    traces::RecordingBuilder b{1};
    b.samples(0, b.metric({.name = "load", .description = "", .unit = ""}), {us(0), us(1)}, {1, 2});
    traces::writeCopy(b.finish(), scratch / "copy");
    const auto file = scratch / "copy" / "traces" / "0.evt";
    std::string content = contentOf(file);
    // The second record: its kind, its length, then the set of metrics, which is 0 and so a byte.
    const std::size_t first = content.find('\x1f');
    const std::size_t second = content.find('\x1f', first + 1);
    ASSERT_NE(second, std::string::npos);
    ASSERT_EQ(content.substr(second + 2, 1), std::string(1, '\0'));
    content.replace(second + 1, 2, {static_cast<char>(content[second + 1] + 1), '\x01', '\x09'});
    put(file, content);
    const traces::RecordingPtr recording = traces::readRecording(scratch / "copy");
    ASSERT_EQ(recording->samples.size(), 1U);
    EXPECT_EQ(recording->samples[0].values[0], Column<double>(std::vector{1.0}));
    ASSERT_EQ(recording->remarks.size(), 1U);
    EXPECT_EQ(recording->remarks[0], "1 record of metrics is left out: their definition is missing or contradictory");
}

}  // namespace
}  // namespace of_metrics
