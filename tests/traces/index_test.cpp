// SPDX-License-Identifier: BSD-3-Clause
// What is kept of a large trace is the trace as it was read, or it is not taken.
#include "engine/base/error.hpp"
#include "tests/support/places.hpp"
#include "tests/traces/samples.hpp"
#include "traces/index/index_file.hpp"
#include "traces/recording/archive.hpp"
#include "traces/recording/recording_builder.hpp"
#include "traces/storage/cache.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>

#include <sys/stat.h>
#include <unistd.h>

namespace {

using traces::Keep;
using traces::Opening;
using traces::Picoseconds;
using traces::Rank;
using traces::Recording;
using traces::RecordingPtr;
using traces::samples::contentOf;
using traces::samples::listing;
using traces::samples::put;
using traces::samples::Scratch;
namespace fs = std::filesystem;
namespace index = traces::index;

constexpr std::uint64_t budget = std::uint64_t{1} << 30;

/// The cache of one test.
class Index : public testing::Test {
protected:
    Index() {
        if (const char* former = std::getenv("XDG_CACHE_HOME")) former_ = former;
        ::setenv("XDG_CACHE_HOME", (scratch / "cache").c_str(), 1);
    }
    ~Index() override {
        if (former_.empty()) ::unsetenv("XDG_CACHE_HOME");
        else ::setenv("XDG_CACHE_HOME", former_.c_str(), 1);
    }

    fs::path ring() {
        traces::write(traces::samples::tokenRing(), scratch / "ring");
        return scratch / "ring";
    }
    [[nodiscard]] std::vector<fs::path> kept() const {
        std::vector<fs::path> files;
        std::error_code none;
        for (const auto& entry : fs::directory_iterator{scratch / "cache" / "collscope", none})
            files.push_back(entry.path());
        return files;
    }

    Scratch scratch;
    Opening always{.memory = {}, .keep = Keep::inCache, .smallest = 0};

private:
    std::string former_;
};

/// Every field of every structure holds something.
Recording full() {
    traces::RecordingBuilder b{2};
    const std::int32_t pair = b.communicator("pair", {Rank{1}}, {Rank{0}});
    b.enter(0, Picoseconds{1}, "main");
    b.enter(1, Picoseconds{2}, "MPI_Recv");
    b.leave(1, Picoseconds{9});
    b.message({.from = Rank{0},
               .to = Rank{1},
               .tag = 7,
               .bytes = 5,
               .sendBegin = Picoseconds{3},
               .sendEnd = Picoseconds{4},
               .receiveBegin = Picoseconds{2},
               .receiveEnd = Picoseconds{9},
               .flags = traces::flag::bytesDiffer});
    b.half({.side = traces::Side::receive,
            .self = Rank{1},
            .peer = Rank{0},
            .communicator = pair,
            .tag = 1,
            .bytes = 2,
            .begin = Picoseconds{5},
            .end = Picoseconds{6},
            .nonBlocking = true});
    b.collective(traces::Operation::bcast, 0, Rank{1}, {{Rank{0}, Picoseconds{10}, Picoseconds{12}, 3, 4, true}});
    Recording& rest = b.rest();
    rest.name = "a name";
    rest.creator = "someone";
    rest.clock = {1000, 17};
    rest.locations[0].properties = {{"busy", "12"}};
    rest.unfinished = {{Rank{1}, 0, Picoseconds{11}}};
    rest.topologies = {{"grid", 0, {2, 1}, {true, false}, {{0, 0}, {1, 0}}}};
    rest.clockOffsets = {{1, 5, -3, 0.25}};
    rest.absences = {{traces::Absence::file, 1, 0, 3, Picoseconds{1}, Picoseconds{2}, "words"}};
    rest.earlyEnds = {{1, Picoseconds{9}, "cut off"}};
    rest.records = {{"MPI_SEND", 3}};
    rest.remarks = {"a remark", ""};
    rest.properties = {{"KEY", std::string{"a\0b", 3}}};
    rest.algorithms = {"bcast/chain", ""};
    rest.own = traces::OwnColumns{std::vector<std::int64_t>{4}, std::vector<std::uint64_t>{0},
                                  std::vector<std::uint64_t>{0, 1}, std::vector<engine::Range>{{0, 5}}};
    rest.metrics = {{"power", "of the node", "W", traces::MetricValue::relative, traces::MetricTiming::last}};
    rest.samples = {{1, Rank{0}, "node 7", {0}, std::vector{Picoseconds{3}, Picoseconds{4}}, {std::vector{1.5, -2.0}}}};
    rest.corrected = true;
    return b.finish();
}

TEST_F(Index, keepsEveryField) {
    const Recording recording = full();
    const fs::path file = scratch / "index";
    ASSERT_TRUE(index::write(recording, {.sum = 5}, file));
    EXPECT_EQ(fs::file_size(file), index::sizeOf(recording));
    const RecordingPtr loaded = index::load(file, {.sum = 5}, budget);
    ASSERT_NE(loaded, nullptr);
    EXPECT_EQ(*loaded, recording);
    EXPECT_EQ(index::load(file, {.sum = 6}, budget), nullptr) << "of another archive";
    EXPECT_EQ(index::load(scratch / "none", {.sum = 5}, budget), nullptr);
    fs::remove(file);
    EXPECT_EQ(*loaded, recording) << "it keeps the file that lost its name";
}

TEST_F(Index, anyDamageMakesItNone) {
    const Recording recording = full();
    const fs::path file = scratch / "index";
    ASSERT_TRUE(index::write(recording, {.sum = 5}, file));
    const std::string whole = contentOf(file);
    std::size_t refused = 0;
    const auto damaged = [&](const std::string& content) {
        put(file, content);
        const RecordingPtr loaded = index::load(file, {.sum = 5}, budget);
        if (!loaded) {
            ++refused;
            return;
        }
        EXPECT_EQ(*loaded, recording) << "only a gap between columns was hit";
    };
    for (std::size_t at = 0; at < whole.size(); ++at) {
        std::string content = whole;
        content[at] = static_cast<char>(content[at] ^ (1 << (at % 8)));
        damaged(content);
    }
    for (std::size_t length = 0; length < whole.size(); length += 7) damaged(whole.substr(0, length));
    damaged(whole + "x");
    EXPECT_GT(refused, whole.size() / 4);
}

/// Sums are right, and values are none that a reading makes.
TEST_F(Index, withValuesThatNobodyReadIsNone) {
    const fs::path file = scratch / "index";
    using Spoil = std::function<void(Recording&)>;
    const auto column = [](auto values) { return traces::Column{std::move(values)}; };
    const auto first = [](auto& values, auto change) {
        std::vector changed(values.begin(), values.end());
        change(changed.at(0));
        values = std::move(changed);
    };
    const auto part = [&](Recording& r, auto change) { first(r.collectives.participants, change); };
    const auto instance = [&](Recording& r, auto change) { first(r.collectives.instances, change); };
    const std::vector<std::pair<const char*, Spoil>> spoilt{
        {"ranks", [](Recording& r) { r.ranks = 1 << 30; }},
        {"ranks below 0", [](Recording& r) { r.ranks = -1; }},
        {"clock", [](Recording& r) { r.clock.ticksPerSecond = 0; }},
        {"duration", [](Recording& r) { r.duration = Picoseconds{-1}; }},
        {"rank of a location", [](Recording& r) { r.locations[0].rank = Rank{7}; }},
        {"kind of a location", [](Recording& r) { r.locations[0].kind = static_cast<traces::LocationKind>(99); }},
        {"states", [](Recording& r) { r.states.pop_back(); }},
        {"region of a state",
         [&](Recording& r) { r.states[0].region = column(std::vector<std::int32_t>(r.states[0].size(), 99)); }},
        {"depths", [&](Recording& r) { r.states[0].depth = column(std::vector<std::uint16_t>(99)); }},
        {"open state", [](Recording& r) { r.states[0].open = {99}; }},
        {"call", [](Recording& r) { r.regions[0].call = static_cast<traces::Call>(99); }},
        {"member", [](Recording& r) { r.communicators[0].members[0] = Rank{-7}; }},
        {"parent", [](Recording& r) { r.communicators[0].parent = 99; }},
        {"sender", [&](Recording& r) { r.messages.from = column(std::vector<Rank>(r.messages.size(), Rank{9})); }},
        {"receiver", [&](Recording& r) { r.messages.to = column(std::vector<Rank>(r.messages.size(), Rank{-1})); }},
        {"communicator of a message",
         [&](Recording& r) { r.messages.communicator = column(std::vector<std::int32_t>(r.messages.size(), 99)); }},
        {"bytes", [&](Recording& r) { r.messages.bytes = column(std::vector<engine::Bytes>(r.messages.size(), -1)); }},
        {"time of a message",
         [&](Recording& r) {
             r.messages.sendEnd = column(std::vector<Picoseconds>(r.messages.size(), Picoseconds::max()));
         }},
        {"tags", [](Recording& r) { r.messages.tag = {}; }},
        {"half", [&](Recording& r) { first(r.halves, [](auto& one) { one.self = Rank{9}; }); }},
        {"operation",
         [&](Recording& r) { instance(r, [](auto& one) { one.operation = static_cast<traces::Operation>(99); }); }},
        {"participants", [&](Recording& r) { instance(r, [](auto& one) { one.first = 99; }); }},
        {"count of participants", [&](Recording& r) { instance(r, [](auto& one) { one.count = ~std::size_t{0}; }); }},
        {"root", [&](Recording& r) { instance(r, [](auto& one) { one.root = Rank{9}; }); }},
        {"participant", [&](Recording& r) { part(r, [](auto& one) { one.rank = Rank{9}; }); }},
        {"unfinished", [](Recording& r) { r.unfinished.at(0).region = 99; }},
        {"coordinates",
         [](Recording& r) {
             r.topologies.at(0).coordinates[0] = {0, 9};
         }},
        {"lengths", [](Recording& r) { r.topologies.at(0).lengths.push_back(2); }},
        {"mode of a metric", [](Recording& r) { r.metrics.at(0).value = static_cast<traces::MetricValue>(9); }},
        {"metric of samples", [](Recording& r) { r.samples.at(0).metrics = {1}; }},
        {"recorder of samples", [](Recording& r) { r.samples.at(0).location = -1; }},
        {"times of samples",
         [](Recording& r) {
             r.samples.at(0).time = std::vector{Picoseconds{4}, Picoseconds{3}};
         }},
        {"values of samples", [](Recording& r) { r.samples.at(0).values[0] = std::vector{1.5}; }},
        {"a value that is no number",
         [](Recording& r) {
             r.samples.at(0).values[0] = std::vector{1.5, std::nan("")};
         }},
        {"offset", [](Recording& r) { r.clockOffsets.at(0).location = 99; }},
        {"absence", [](Recording& r) { r.absences.at(0).what = static_cast<traces::Absence>(99); }},
        {"early end", [](Recording& r) { r.earlyEnds.at(0).location = -9; }},
        {"ranges",
         [&](Recording& r) {
             r.own->whatStart = column(std::vector<std::uint64_t>{0, 99});
         }},
        {"columns of our own",
         [](Recording& r) {
             r.own.reset();
             r.properties["COLLSCOPE::FORMAT"] = "1";
         }},
        {"begins of ranges", [&](Recording& r) { r.own->whatStart = column(std::vector<std::uint64_t>{1}); }},
    };
    for (const auto& [what, spoil] : spoilt) {
        Recording recording = full();
        spoil(recording);
        ASSERT_TRUE(index::write(recording, {.sum = 5}, file));
        EXPECT_EQ(index::load(file, {.sum = 5}, budget), nullptr) << what;
    }
}

TEST_F(Index, ofSomebodyElseIsNone) {
    if (::geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
    const fs::path archive = ring();
    const fs::path file = scratch / "index";
    ASSERT_TRUE(index::write(full(), {.sum = 5}, file));
    const fs::path anchor = archive / "traces.otf2";
    EXPECT_NE(index::load(file, {.sum = 5}, budget, anchor), nullptr);
    ASSERT_EQ(::chown(file.c_str(), 12345, 12345), 0);
    EXPECT_EQ(index::load(file, {.sum = 5}, budget, anchor), nullptr) << "neither ours nor of the owner of the trace";
    ASSERT_EQ(::chown(anchor.c_str(), 12345, 12345), 0);
    EXPECT_NE(index::load(file, {.sum = 5}, budget, anchor), nullptr) << "who wrote the trace may have kept its index";
}

TEST_F(Index, isTakenTheSecondTime) {
    const fs::path archive = ring();
    const RecordingPtr first = traces::openRecording(archive, always);
    ASSERT_EQ(kept().size(), 1U);
    // Whoever finds this in place of the trace has not read the trace.
    Recording other = *first;
    other.remarks.emplace_back("from the index");
    ASSERT_TRUE(index::write(other, index::fingerprintOf(archive / "traces.otf2"), kept().front()));
    const RecordingPtr second = traces::openRecording(archive / "traces.otf2", always);
    ASSERT_FALSE(second->remarks.empty());
    EXPECT_EQ(second->remarks.back(), "from the index");
    EXPECT_EQ(second->name, (archive / "traces.otf2").string()) << "the name is as it was asked for now";
    EXPECT_EQ(traces::openRecording(archive, {.memory = {}, .keep = Keep::nowhere, .smallest = 0})->remarks,
              first->remarks);
}

TEST_F(Index, isKeptLaterWhereItMayWait) {
    const fs::path archive = ring();
    std::function<void(const engine::Progress&)> rest;
    Opening waiting = always;
    waiting.later = [&](auto work) { rest = std::move(work); };
    const RecordingPtr first = traces::openRecording(archive, waiting);
    ASSERT_TRUE(rest);
    EXPECT_TRUE(kept().empty());
    std::stop_source stopped;
    stopped.request_stop();
    EXPECT_THROW(rest({.report = {}, .stop = stopped.get_token()}), engine::Cancelled);
    EXPECT_TRUE(kept().empty()) << "it is there whole or not at all";
    rest({});
    EXPECT_EQ(kept().size(), 1U);
    rest = {};
    EXPECT_EQ(*traces::openRecording(archive, waiting), *first);
    EXPECT_FALSE(rest) << "nothing is left to do where the index was there";
}

TEST_F(Index, isNotKeptOfAnArchiveThatChangedMeanwhile) {
    const fs::path archive = ring();
    Opening waiting = always;
    std::function<void(const engine::Progress&)> rest;
    waiting.later = [&](auto work) { rest = std::move(work); };
    traces::openRecording(archive, waiting);
    const fs::path events = archive / "traces" / "1.evt";
    put(events, contentOf(events) + "x");
    rest({});
    EXPECT_TRUE(kept().empty());
}

TEST_F(Index, followsTheArchive) {
    const fs::path archive = ring();
    const RecordingPtr before = traces::openRecording(archive, always);
    const fs::path events = archive / "traces" / "1.evt";
    const auto time = fs::last_write_time(events);
    const std::string whole = contentOf(events);
    put(events, whole.substr(0, whole.size() - 30));
    fs::last_write_time(events, time);
    const RecordingPtr cut = traces::openRecording(archive, always);
    EXPECT_NE(cut->messages.size(), before->messages.size()) << "another size";
    std::string zeros = whole.substr(0, whole.size() - 30) + std::string(30, '\0');
    put(events, zeros);
    fs::last_write_time(events, time);
    EXPECT_EQ(traces::openRecording(archive, always)->messages, traces::readRecording(archive)->messages)
        << "the same size and time, other contents";
    put(events, whole);
    EXPECT_EQ(*traces::openRecording(archive, always), *before);
    fs::remove(events);
    EXPECT_EQ(traces::openRecording(archive, always)->earlyEnds.size(), 1U) << "a file that is gone";
    EXPECT_EQ(kept().size(), 1U) << "one trace has one index";
}

TEST_F(Index, doesNotWaitForWhatIsNoFile) {
    const fs::path archive = ring();
    fs::remove(archive / "traces" / "1.evt");
    ASSERT_EQ(::mkfifo((archive / "traces" / "1.evt").c_str(), 0600), 0);
    EXPECT_EQ(traces::openRecording(archive, always)->earlyEnds.size(), 1U);
}

TEST_F(Index, isMadeAgainWhenItWasDamaged) {
    const fs::path archive = ring();
    const RecordingPtr first = traces::openRecording(archive, always);
    const std::string whole = contentOf(kept().front());
    put(kept().front(), whole.substr(0, whole.size() / 2));
    EXPECT_EQ(*traces::openRecording(archive, always), *first);
    EXPECT_EQ(contentOf(kept().front()).size(), whole.size());
}

TEST_F(Index, isNotForSmallTraces) {
    traces::openRecording(ring());
    EXPECT_TRUE(kept().empty());
}

TEST_F(Index, liesBesideTheTraceOnRequest) {
    const fs::path archive = ring();
    const Opening beside{.memory = {}, .keep = Keep::besideTrace, .smallest = 0};
    const RecordingPtr first = traces::openRecording(archive, beside);
    EXPECT_TRUE(fs::exists(archive / "traces.otf2.index"));
    EXPECT_TRUE(kept().empty());
    EXPECT_EQ(*traces::openRecording(archive, beside), *first);
}

TEST_F(Index, holdsTheSharedTraces) {
    const fs::path shared = support::sharedTraces();
    if (!fs::exists(shared)) GTEST_SKIP() << shared << " is not there; COLLSCOPE_SHARED_TRACES names it";
    for (const char* name : {"pipit-ping-pong", "sstmacro-mpi-coverage-10", "tracer-stencil4d-32"}) {
        traces::openRecording(shared / name, always);
        EXPECT_EQ(*traces::openRecording(shared / name, always), *traces::readRecording(shared / name)) << name;
    }
    EXPECT_EQ(kept().size(), 3U);
}

TEST_F(Index, besideATraceTakesNobodysPlace) {
    const fs::path trace = scratch / "kept";
    traces::write(traces::samples::tokenRing(), trace);
    const fs::path place = trace / "traces.otf2.index";
    traces::Opening beside = always;
    beside.keep = traces::Keep::besideTrace;
    put(place, "mine");
    EXPECT_THROW(traces::openRecording(trace, beside), engine::Error);
    EXPECT_THROW(traces::requireOpenable(trace, beside), engine::Error);
    EXPECT_EQ(contentOf(place), "mine");
    fs::remove(place);
    traces::openRecording(trace, beside);
    EXPECT_TRUE(index::isIndex(place));
    put(place, contentOf(place).substr(0, 100));
    traces::openRecording(trace, beside);
    EXPECT_GT(fs::file_size(place), 100U) << "a damaged one of ours is made anew";
}

TEST_F(Index, theOldestMakeRoom) {
    const fs::path folder = scratch / "cache";
    fs::create_directories(folder);
    const auto now = fs::file_time_type::clock::now();
    for (const auto& [name, hours] :
         {std::pair{"a.index", 3}, std::pair{"b.index", 9}, std::pair{"c.index", 1}, std::pair{".collscope-d", 30},
          std::pair{".collscope-e", 1}, std::pair{"f", 99}}) {
        put(folder / name, std::string(100, 'x'));
        fs::last_write_time(folder / name, now - std::chrono::hours{hours});
    }
    EXPECT_TRUE(index::makeRoom(folder, 50, 360));
    EXPECT_EQ(listing(folder), (std::vector<std::string>{".collscope-e", "a.index", "b.index", "c.index", "f"}));
    EXPECT_TRUE(index::makeRoom(folder, 150, 300));
    EXPECT_EQ(listing(folder), (std::vector<std::string>{".collscope-e", "c.index", "f"}));
    EXPECT_FALSE(index::makeRoom(folder, 301, 300));
    EXPECT_EQ(listing(folder).size(), 3U) << "nothing goes for what would not fit";
}

}  // namespace
