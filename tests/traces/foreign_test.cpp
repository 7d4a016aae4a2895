// SPDX-License-Identifier: BSD-3-Clause
// Archives that other tools recorded. The real ones lie outside the repository; where they are missing, tests say so.
#include "traces/recording/archive.hpp"

#include "engine/base/error.hpp"
#include "tests/support/places.hpp"
#include "tests/traces/samples.hpp"

#include <algorithm>
#include <set>

namespace {

using engine::MessageRecord;
using engine::Picoseconds;
using traces::samples::Scratch;
namespace fs = std::filesystem;

struct Recorded {
    const char* folder;
    int ranks;
    std::size_t messages;
    std::int64_t bytes;
    int collectives;
};

void PrintTo(const Recorded& recorded, std::ostream* out) { *out << recorded.folder; }

class ForeignArchive : public testing::TestWithParam<Recorded> {
protected:
    void SetUp() override {
        if (!fs::exists(folder()))
            GTEST_SKIP() << folder() << " is not there; COLLSCOPE_SHARED_TRACES names its parent";
    }
    [[nodiscard]] static fs::path folder() { return support::sharedTraces() / GetParam().folder; }
};

TEST_P(ForeignArchive, matchesAllItsMessages) {
    const engine::Run run = traces::read(folder());
    EXPECT_EQ(run.setting.on, "trace");
    EXPECT_EQ(run.ranks, GetParam().ranks);
    EXPECT_EQ(run.messages.size(), GetParam().messages);
    EXPECT_EQ(run.messageCount, static_cast<std::int64_t>(GetParam().messages));
    EXPECT_EQ(run.byteCount, GetParam().bytes);
    for (std::size_t i = 0; i < run.messages.size(); ++i) {
        const MessageRecord message = run.messages[i];
        EXPECT_LE(Picoseconds{0}, message.sendBegin);
        EXPECT_LE(message.sendBegin, message.sendEnd);
        EXPECT_LE(message.receiveBegin, message.receiveEnd);
        EXPECT_LE(message.sendEnd, run.duration);
        EXPECT_LE(message.receiveEnd, run.duration);
        EXPECT_LT(message.sendBegin, message.receiveEnd) << "clocks of these traces agree well enough for that";
    }
}

TEST_P(ForeignArchive, doesNotPretendToKnowRounds) {
    const engine::Run run = traces::read(folder());
    std::vector<std::string> remarks{"rounds were not recorded", "message contents were not recorded"};
    if (GetParam().collectives > 0)
        remarks.push_back(std::to_string(GetParam().collectives) +
                          " calls of collectives were recorded without their messages");
    ASSERT_GE(run.remarks.size(), remarks.size());
    EXPECT_TRUE(std::equal(remarks.begin(), remarks.end(), run.remarks.begin()));
    EXPECT_TRUE(run.stages.empty());
    EXPECT_EQ(run.rounds, 1);
}

TEST_P(ForeignArchive, sharesOutTheTimeOfEveryRank) {
    const engine::Run run = traces::read(folder());
    ASSERT_EQ(run.perRank.size(), static_cast<std::size_t>(GetParam().ranks));
    for (const engine::RankTimes& times : run.perRank) {
        EXPECT_GT(times.busy, Picoseconds{0});
        EXPECT_GE(times.noCommunication, Picoseconds{0});
        EXPECT_GE(times.finishedEarly, Picoseconds{0});
        EXPECT_EQ(times.busy + times.noCommunication + times.finishedEarly, run.duration);
    }
}

TEST_P(ForeignArchive, canBeSavedAsOneOfOurs) {
    const Scratch scratch;
    const engine::Run run = traces::read(folder());
    traces::write(run, scratch / "saved");
    EXPECT_EQ(traces::read(scratch / "saved"), run);
}

INSTANTIATE_TEST_SUITE_P(Shared, ForeignArchive,
                         testing::Values(Recorded{"pipit-ping-pong", 2, 16, 8355840, 0},
                                         Recorded{"sstmacro-mpi-coverage-10", 10, 1440, 23592600, 720},
                                         Recorded{"tracer-stencil4d-32", 32, 512, 67108864, 96}),
                         [](const auto& test) {
                             std::string name = test.param.folder;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

}  // namespace
