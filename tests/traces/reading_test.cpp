// SPDX-License-Identifier: BSD-3-Clause
// What archives of other tools hold, record by record. The real ones lie outside the repository; where they are
// missing, tests say so.
#include "engine/base/error.hpp"
#include "tests/support/places.hpp"
#include "tests/traces/samples.hpp"
#include "traces/clocks/clocks.hpp"
#include "traces/recording/archive.hpp"
#include "traces/recording/run_from_recording.hpp"

#include <algorithm>
#include <map>

namespace {

using traces::Absence;
using traces::Picoseconds;
using traces::Rank;
using traces::Recording;
namespace fs = std::filesystem;

std::map<std::string, std::uint64_t> countsOf(const Recording& recording) {
    std::map<std::string, std::uint64_t> counts;
    for (const traces::RecordCount& record : recording.records) counts[record.name] = record.count;
    return counts;
}

bool lacks(const Recording& recording, Absence what) {
    return std::any_of(recording.absences.begin(), recording.absences.end(),
                       [&](const traces::NotRecorded& absence) { return absence.what == what; });
}

struct Held {
    const char* folder;
    std::size_t messages;
    std::size_t collectives;
    std::map<std::string, std::uint64_t> records;  ///< as otf2-print lists them
};

void PrintTo(const Held& held, std::ostream* out) { *out << held.folder; }

class SharedRecording : public testing::TestWithParam<Held> {
protected:
    void SetUp() override {
        const fs::path folder = support::sharedTraces() / GetParam().folder;
        if (!fs::exists(folder)) GTEST_SKIP() << folder << " is not there; COLLSCOPE_SHARED_TRACES names its parent";
        recording = traces::readRecording(folder);
    }
    traces::RecordingPtr recording;
};

TEST_P(SharedRecording, holdsWhatOtf2PrintLists) {
    EXPECT_EQ(countsOf(*recording), GetParam().records);
    EXPECT_EQ(recording->messages.size(), GetParam().messages);
    EXPECT_TRUE(recording->halves.empty());
    EXPECT_EQ(recording->collectives.instances.size(), GetParam().collectives);
    for (const traces::Collective& instance : recording->collectives.instances) {
        EXPECT_TRUE(instance.complete);
        EXPECT_TRUE(instance.ordered);
    }
    EXPECT_TRUE(lacks(*recording, Absence::rounds));
    EXPECT_EQ(lacks(*recording, Absence::insideCollectives), GetParam().collectives > 0);
}

TEST_P(SharedRecording, hasClocksThatAgree) {
    const traces::ClockCheck check = traces::checkClocks(*recording);
    EXPECT_EQ(check.violations(), 0) << traces::describe(check);
    EXPECT_EQ(check.messages, static_cast<std::int64_t>(GetParam().messages));
    const Recording fitted = traces::corrected(*recording, traces::fitClocks(*recording));
    EXPECT_EQ(traces::checkClocks(fitted).violations(), 0);
    EXPECT_EQ(fitted.messages.bytes, recording->messages.bytes);
}

TEST_P(SharedRecording, keepsStatesInOrder) {
    for (const traces::States& states : recording->states)
        for (std::size_t i = 0; i < states.size(); ++i) {
            EXPECT_LE(states.begin[i], states.end[i]);
            if (i > 0) {
                EXPECT_LE(states.begin[i - 1], states.begin[i]);
            }
        }
    const traces::TimeSpan span = traces::communicationOf(*recording);
    EXPECT_GT(span.begin, Picoseconds{0}) << "a first view does not show MPI_Init";
    EXPECT_LE(span.end, recording->duration);
}

INSTANTIATE_TEST_SUITE_P(Shared, SharedRecording,
                         testing::Values(Held{"pipit-ping-pong",
                                              16,
                                              0,
                                              {{"ENTER", 42},
                                               {"LEAVE", 42},
                                               {"MPI_SEND", 16},
                                               {"MPI_RECV", 16},
                                               {"PROGRAM_BEGIN", 2},
                                               {"PROGRAM_END", 2}}},
                                         Held{"sstmacro-mpi-coverage-10",
                                              1440,
                                              680,
                                              {{"ENTER", 7010},
                                               {"LEAVE", 7010},
                                               {"MPI_ISEND", 1440},
                                               {"MPI_ISEND_COMPLETE", 1440},
                                               {"MPI_IRECV_REQUEST", 1440},
                                               {"MPI_IRECV", 1440},
                                               {"MPI_COLLECTIVE_BEGIN", 1200},
                                               {"MPI_COLLECTIVE_END", 1200}}},
                                         Held{"tracer-stencil4d-32",
                                              512,
                                              3,
                                              {{"MEASUREMENT_ON_OFF", 96},
                                               {"ENTER", 1251},
                                               {"LEAVE", 1249},
                                               {"MPI_SEND", 512},
                                               {"MPI_IRECV_REQUEST", 512},
                                               {"MPI_IRECV", 512},
                                               {"MPI_COLLECTIVE_BEGIN", 96},
                                               {"MPI_COLLECTIVE_END", 96}}}),
                         [](const auto& test) {
                             std::string name = test.param.folder;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

TEST(Recorded, endsEarlyWhereAFileIsCut) {
    const traces::samples::Scratch scratch;
    traces::write(traces::samples::tokenRing(), scratch / "a");
    const fs::path file = scratch / "a" / "traces" / "1.evt";
    const std::string whole = traces::samples::contentOf(file);
    traces::samples::put(file, whole.substr(0, whole.size() / 2));
    const traces::RecordingPtr recording = traces::readRecording(scratch / "a");
    ASSERT_EQ(recording->earlyEnds.size(), 1U);
    EXPECT_EQ(recording->earlyEnds[0].location, 1);
    EXPECT_TRUE(lacks(*recording, Absence::file));
    EXPECT_FALSE(recording->halves.empty());
    fs::remove(file);
    EXPECT_EQ(traces::readRecording(scratch / "a")->earlyEnds[0].why, "the events of rank 1 are missing");
}

TEST(Recorded, saysWhoseDefinitionsAreMissing) {
    const fs::path shared = support::sharedTraces();
    if (!fs::exists(shared)) GTEST_SKIP() << shared << " is not there; COLLSCOPE_SHARED_TRACES names it";
    const traces::samples::Scratch scratch;
    fs::copy(shared / "pipit-ping-pong", scratch / "a", fs::copy_options::recursive);
    const auto said = [&] {
        const traces::RecordingPtr recording = traces::readRecording(scratch / "a");
        std::string words;
        for (const traces::NotRecorded& absence : recording->absences)
            if (absence.what == Absence::file) words += absence.words;
        return words;
    };
    EXPECT_EQ(said(), "");
    fs::permissions(scratch / "a" / "traces", fs::perms::owner_all, fs::perm_options::add);
    fs::remove(scratch / "a" / "traces" / "0.def");
    EXPECT_EQ(said(),
              "the local definitions of rank 0 are missing: communicators, calls and times are used as recorded there");
    fs::remove(scratch / "a" / "traces" / "1.def");
    EXPECT_EQ(said().substr(0, 42), "the local definitions of all locations are");
}

/// More messages than fit a block of memory, in files: the same recording.
TEST(Recorded, liesInFilesBeyondTheBudget) {
    const traces::samples::Scratch scratch;
    engine::RunBuilder builder{2, 40'000, {}};
    for (int k = 0; k < 40'000; ++k) builder.message(traces::samples::message(0, 1, k, 8, 10 * k, 10 * k + 9), {});
    traces::write(builder.finish(), scratch / "a");
    const traces::RecordingPtr inMemory = traces::readRecording(scratch / "a");
    const traces::RecordingPtr inFiles =
        traces::readRecording(scratch / "a", {}, {.bytes = 0, .folder = scratch.path()});
    EXPECT_EQ(*inFiles, *inMemory);
    EXPECT_EQ(traces::samples::listing(scratch.path()), std::vector<std::string>{"a/"}) << "files have no names";
    EXPECT_THROW(traces::readRecording(scratch / "a", {}, {.bytes = 0, .folder = scratch / "no"}), engine::Error);
    traces::Expected expected;
    traces::readRecording(scratch / "a", {}, {}, nullptr, [&](const traces::Expected& told) { expected = told; });
    std::uint64_t events = 0;
    std::uint64_t bytes = 0;
    for (const traces::Location& location : inMemory->locations) events += location.events;
    for (const auto& file : std::filesystem::recursive_directory_iterator{scratch / "a"})
        if (file.path().extension() == ".evt") bytes += file.file_size();
    EXPECT_EQ(expected.events, events) << "it is known before";
    EXPECT_EQ(expected.eventBytes, bytes);
}

}  // namespace
