// SPDX-License-Identifier: BSD-3-Clause
// An archive that several processes read together is the same one.
#include "engine/base/error.hpp"
#include "tests/support/places.hpp"
#include "tests/support/programs/two_processes.hpp"
#include "tests/traces/samples.hpp"
#include "traces/export/copy.hpp"
#include "traces/reading/locations/location_bytes.hpp"
#include "traces/recording/archive.hpp"
#include "traces/recording/recording_builder.hpp"

#include <thread>

namespace of_crews {
namespace {

namespace fs = std::filesystem;
using traces::Picoseconds;
using traces::Rank;
using traces::samples::Scratch;

traces::RecordingPtr readByTwo(const fs::path& path, support::TwoProcesses& both,
                               const traces::MemoryBudget& memory = {}) {
    const std::jthread other{[&] { traces::helpReading(path, both.second(), memory); }};
    return traces::readRecording(path, {}, memory, &both.first());
}

TEST(WorkerProcesses, readsWhatOneProcessReads) {
    const fs::path shared = support::sharedTraces();
    if (!fs::exists(shared)) GTEST_SKIP() << shared << " is not there; COLLSCOPE_SHARED_TRACES names it";
    int archives = 0;
    for (const auto& entry : fs::directory_iterator{shared}) {
        try {
            traces::requireReadable(entry.path());
        } catch (const engine::Error&) {
            continue;
        }
        support::TwoProcesses both;
        EXPECT_EQ(*readByTwo(entry.path(), both), *traces::readRecording(entry.path())) << entry.path();
        ++archives;
    }
    EXPECT_GT(archives, 0);
}

/// Calls, messages and metrics of a location that is several pieces long, with and without room in memory.
TEST(WorkerProcesses, tellsLargeLocationsInPieces) {
    const Scratch scratch;
    traces::RecordingBuilder builder{2};
    std::vector<Picoseconds> time;
    std::vector<double> values;
    for (int k = 0; k < 40'000; ++k) {
        const Picoseconds begin{1000 * k};
        for (const int rank : {0, 1}) {
            builder.enter(rank, begin, "MPI_Sendrecv");
            builder.leave(rank, begin + Picoseconds{900});
        }
        builder.message({.from = Rank{k % 2},
                         .to = Rank{1 - k % 2},
                         .bytes = k,
                         .sendBegin = begin + Picoseconds{100},
                         .sendEnd = begin + Picoseconds{900},
                         .receiveBegin = begin,
                         .receiveEnd = begin + Picoseconds{800}});
        time.push_back(begin), values.push_back(k % 97);
    }
    builder.samples(1, builder.metric({.name = "load", .description = "", .unit = ""}), time, values);
    traces::writeCopy(builder.finish(), scratch / "a");
    const traces::RecordingPtr alone = traces::readRecording(scratch / "a");
    for (const std::uint64_t bytes : {std::uint64_t{0}, std::uint64_t{1} << 30}) {
        support::TwoProcesses both;
        EXPECT_EQ(*readByTwo(scratch / "a", both, {.bytes = bytes, .folder = scratch.path()}), *alone);
        EXPECT_GT(both.pieces, 1);
    }
}

TEST(WorkerProcesses, refusesBytesOfSomethingElse) {
    traces::reading::Arriving location{nullptr};
    EXPECT_THROW(location.take("short"), engine::Defect);
    EXPECT_THROW(location.take(std::string(16, '\x7f')), engine::Defect);
    std::string head(16, '\0');
    head[0] = 100;  // there is no such member
    EXPECT_THROW(location.take(head), engine::Defect);
}

}  // namespace
}  // namespace of_crews
