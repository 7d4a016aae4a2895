// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/records/record_merging.hpp"

#include "engine/base/error.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "engine/catalogue/native_collectives.hpp"
#include "engine/schedule/kernel.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <functional>
#include <limits>

namespace engine::live {
namespace {

using namespace support;

/// Rank 0 sends 12 bytes to rank 1.
Plan pair() {
    static const Algorithm nameless = [] {
        Algorithm algorithm;
        algorithm.id = "of/the-test";
        return algorithm;
    }();
    Plan plan;
    plan.algorithm = &nameless;
    plan.problem = bcast(2);
    plan.schedule = schedule(Facts{.ranks = 2, .rounds = 1}, [](Rank rank, Round, auto& out) {
        if (rank.value == 0) out.send(Rank{1}, Range{0, 12});
        else out.receive(Rank{0}, Range{0, 12});
    });
    return plan;
}

/// A process whose events are at the given times of its own clock: begin, the message, end.
Record process(std::int32_t rank, std::int64_t begin, std::int64_t from, std::int64_t to, std::int64_t end,
               std::int32_t repeat = 0) {
    Record record{.process = rank, .processes = 2, .host = "here", .state = State::done};
    record.ranks.fill(-1);
    record.ranks[0] = rank;
    const Kind kind = rank == 0 ? Kind::send : Kind::receive;
    record.events = {{.begin = begin, .end = begin, .repeat = repeat, .kind = Kind::begin},
                     {.begin = from, .end = to, .bytes = 12, .peer = 1 - rank, .repeat = repeat, .kind = kind},
                     {.begin = from, .end = to, .repeat = repeat, .kind = Kind::turn},
                     {.begin = begin, .end = end, .repeat = repeat, .kind = Kind::end}};
    return record;
}

Picoseconds ns(std::int64_t count) { return Picoseconds{count * 1000}; }

TEST(Live, joinsTheTwoEndsOfAMessageOnOneClock) {
    Record late = process(1, 1'000'010, 1'000'012, 1'000'080, 1'000'090);
    late.clock = {ClockSample{.at = 5, .offset = 1'000'000}, ClockSample{.at = 5, .offset = 1'000'000}};
    const std::vector<Record> records{process(0, 5, 30, 50, 60), late};
    const Plan plan = pair();
    const Execution execution = joined(records, 0, 0, &plan, "");
    EXPECT_TRUE(execution.correct) << execution.fault;
    ASSERT_EQ(execution.run.messageCount, 1);
    // The receiver was there at 12, the sender at 30: until then the port stood still.
    const MessageRecord message = execution.run.messages[0];
    EXPECT_EQ(message.sendBegin, ns(25));
    EXPECT_EQ(message.sendEnd, ns(45));
    EXPECT_EQ(message.receiveBegin, ns(25));
    EXPECT_EQ(message.receiveEnd, ns(75));
    EXPECT_EQ(execution.run.messages.what(0)[0], (Range{0, 12}));
    EXPECT_EQ(execution.run.duration, ns(85));
    EXPECT_EQ(samplesOf(records, 0), (std::vector<Sample>{{0, ns(80), ns(85)}}));
    // Each came when its execution began, on the clock of process 0.
    EXPECT_EQ(execution.run.entered, (std::vector{ns(0), ns(5)}));
}

TEST(Live, lateClocksMayDrift) {
    Record record;
    record.clock = {ClockSample{.at = 1000, .offset = 100}, ClockSample{.at = 2000, .offset = 200}};
    EXPECT_EQ(record.common(1000), 900);
    EXPECT_EQ(record.common(1500), 1350);
    EXPECT_EQ(record.common(2000), 1800);
}

TEST(Live, saysWhoEndedWhenAndKeepsTheRest) {
    Record dead = process(1, 5, 12, 40, 90, 3);
    dead.events.resize(1);
    dead.state = State::started;
    dead.pid = 4711;
    dead.turnBegan = 12;
    dead.repeat = 3;
    Record other = process(0, 5, 30, 50, 60, 3);
    other.state = State::stopped;
    const std::vector<Record> records{other, dead};
    EXPECT_EQ(brokenOff(records), (std::pair{0, 3}));
    const Plan plan = pair();
    const Execution execution = joined(records, 0, 3, &plan, "");
    EXPECT_FALSE(execution.correct);
    EXPECT_EQ(execution.fault, "rank 1 ended without a word after 7 ns, in round 1 (process 4711 on here)");
    EXPECT_EQ(execution.run.messageCount, 0);
    EXPECT_EQ(execution.run.remarks, (std::vector<std::string>{"messages sent but not received: 1", execution.fault}));
    EXPECT_TRUE(samplesOf(records, 0).empty());
}

TEST(Live, knowsNoTimeOfADeathWhileWarmingUp) {
    Record dead = process(1, 5, 12, 40, 90);
    dead.events.clear();
    dead.repeat = -1;
    dead.state = State::failed;
    dead.fault = "rank 1, round 1: rank 0 is no direct neighbour";
    dead.turnBegan = 7'000'000;
    Record other = process(0, 5, 30, 50, 60);
    other.events.clear();
    other.state = State::stopped;
    const std::vector<Record> records{other, dead};
    const Plan plan = pair();
    EXPECT_EQ(
        joined(records, 0, 0, &plan, "").fault,
        "rank 1 gave up while warming up, in round 1 (process 0 on here): rank 1, round 1: rank 0 is no direct neighbour");
}

TEST(Live, neverTakesThoseWhoWereEndedForDone) {
    const Plan plan = pair();
    std::vector<Record> records{process(0, 5, 30, 50, 60, 3), process(1, 5, 12, 40, 90, 3)};
    for (Record& record : records) record.events.resize(1), record.repeat = 3, record.turnBegan = 12;
    const auto told = [&](State first, State second) {
        records[0].state = first;
        records[1].state = second;
        EXPECT_EQ(brokenOff(records), (std::pair{0, 3}));
        const Execution execution = joined(records, 0, 3, &plan, "");
        EXPECT_FALSE(execution.correct);
        return execution.fault;
    };
    using enum State;
    EXPECT_EQ(told(stopped, ended), "rank 1 was ended by SIGTERM after 7 ns, in round 1 (process 0 on here)");
    EXPECT_EQ(told(started, ended), told(stopped, ended)) << "killed with it by the launcher: no cause";
    EXPECT_EQ(told(started, failed), told(stopped, failed));
    EXPECT_EQ(told(done, stopped),
              "rank 1 was stopped by what had started it after 7 ns, in round 1 (process 0 on here)");
    EXPECT_EQ(told(stopped, stopped),
              "rank 0 was stopped by what had started it after 7 ns, in round 1 (process 0 on here); so was 1 other");
    EXPECT_EQ(told(stopped, failed), "rank 1 gave up after 7 ns, in round 1 (process 0 on here)");
    for (Record& record : records) record.state = done;
    EXPECT_FALSE(brokenOff(records));
    // Who ended before it had a record cannot be told of, but that it is missing can.
    records[0].state = stopped;
    records[0].processes = 2;
    EXPECT_EQ(joined(std::span{records}.first(1), 0, 3, &plan, "").fault,
              "rank 0 was stopped by what had started it after 7 ns, in round 1 (process 0 on here); process 1 left no "
              "record, and may have ended first");
}

TEST(Live, knowsOfNoTimeBeforeAnExecution) {
    Record dead = process(1, 5, 12, 40, 90, 3);
    dead.events.clear();
    dead.state = State::ended;
    dead.repeat = 3;
    dead.turnBegan = 4;
    const Plan plan = pair();
    const std::vector<Record> records{process(0, 5, 30, 50, 60, 3), dead};
    EXPECT_EQ(joined(records, 0, 3, &plan, "").fault,
              "rank 1 was ended by SIGTERM before execution 4 began (process 0 on here)");
}

TEST(Live, takesThoseForStoppedThatWereKilledWhenOneGaveUp) {
    const auto folder = std::filesystem::temp_directory_path() / "collscope-stopped";
    const auto statesAfter = [&](State last) {
        std::filesystem::create_directories(folder);
        for (const std::int32_t process : {0, 1, 2}) {
            Header header;
            header.process = process;
            header.state = process == 2 ? last : State::started;
            std::ofstream file{fileOf(folder, process), std::ios::binary};
            file.write(reinterpret_cast<const char*>(&header), sizeof header);
        }
        noteStopped(folder);
        std::vector<State> states;
        for (const Record& record : readRecords(folder)) states.push_back(record.state);
        std::filesystem::remove_all(folder);
        return states;
    };
    using enum State;
    EXPECT_EQ(statesAfter(failed), (std::vector{stopped, stopped, failed}));
    EXPECT_EQ(statesAfter(done), (std::vector{started, started, done})) << "nobody gave up";
}

TEST(Live, blamesNobodyWhereAllEndedWithoutAWord) {
    std::vector<Record> records{process(0, 5, 30, 50, 60), process(1, 5, 12, 40, 90)};
    for (Record& record : records) record.state = State::started;
    const Plan plan = pair();
    const Execution execution = joined(records, 0, 0, &plan, "");
    EXPECT_NE(execution.fault.find("rank 0 ended without a word"), std::string::npos) << execution.fault;
    EXPECT_NE(execution.fault.find("so did 1 other, since a launcher"), std::string::npos) << execution.fault;
    EXPECT_EQ(execution.run.remarks.size(), 2U);
}

TEST(Live, takesTheMiddleSample) {
    const std::vector<Sample> samples{{0, ns(9), ns(1)}, {1, ns(2), ns(2)}, {2, ns(5), ns(3)}, {3, ns(7), ns(4)}};
    EXPECT_EQ(medianBy(&Sample::slowest, samples).repeat, 2);
    EXPECT_EQ(medianBy(&Sample::span, samples).repeat, 1);
}

TEST(Live, refusesFilesThatAreNoRecords) {
    const auto file = std::filesystem::temp_directory_path() / "collscope-no-record.rec";
    std::ofstream{file} << "words";
    EXPECT_THROW(readRecord(file), Error);
    std::filesystem::remove(file);
}

TEST(Live, refusesRecordsOfWhatCannotHaveBeen) {
    using Spoil = std::function<void(Header&, Event&)>;
    constexpr std::int64_t large = std::int64_t{1} << 61;
    const auto bytesOf = [](const Spoil& spoil) {
        Header header;
        header.processes = 2;
        header.capacity = header.count = 1;
        Event event;
        spoil(header, event);
        std::vector<std::byte> bytes(sizeof header + sizeof event);
        std::memcpy(bytes.data(), static_cast<const void*>(&header), sizeof header);
        std::memcpy(bytes.data() + sizeof header, &event, sizeof event);
        return bytes;
    };
    const auto file = std::filesystem::temp_directory_path() / "collscope-spoilt.rec";
    const auto read = [&](const std::vector<std::byte>& bytes) {
        std::ofstream{file, std::ios::binary}.write(reinterpret_cast<const char*>(bytes.data()),
                                                    static_cast<std::streamsize>(bytes.size()));
        EXPECT_EQ(recordFrom(bytes).events.size(), 1U);
        return readRecord(file);
    };
    EXPECT_EQ(read(bytesOf([](Header&, Event&) {})).events.size(), 1U);
    EXPECT_EQ(read(bytesOf([](Header& header, Event&) { header.fault.fill('x'); })).fault.size(), 504U)
        << "without a zero at its end";
    const std::vector<std::pair<const char*, Spoil>> spoilt{
        {"process", [](Header& header, Event&) { header.process = 2; }},
        {"processes", [](Header& header, Event&) { header.processes = std::numeric_limits<std::int32_t>::max(); }},
        {"rank", [](Header& header, Event&) { header.ranks[3] = 2; }},
        {"clock", [](Header& header, Event&) { header.clock[1].offset = -large; }},
        {"count", [](Header& header, Event&) { header.count = -1; }},
        {"capacity", [](Header& header, Event&) { header.count = header.capacity = std::int64_t{1} << 59; }},
        {"dropped", [](Header& header, Event&) { header.dropped = -1; }},
        {"time", [](Header&, Event& event) { event.end = large; }},
    };
    for (const auto& [what, spoil] : spoilt) {
        const std::vector<std::byte> bytes = bytesOf(spoil);
        EXPECT_THROW((void)recordFrom(bytes), Error) << what;
        EXPECT_THROW((void)read(bytes), Error) << what;
        EXPECT_THROW((void)readRecord(file), Error) << what;
    }
    std::filesystem::remove(file);
}

TEST(Live, joinsNoRecordsOfAnotherSchedule) {
    const Plan plan = pair();
    const auto join = [&](const std::function<void(std::vector<Event>&)>& spoil) {
        std::vector<Record> records{process(0, 5, 30, 50, 60), process(1, 5, 12, 40, 90)};
        spoil(records[0].events);
        return joined(records, 0, 0, &plan, "");
    };
    const auto send = [](std::vector<Event>& events) -> Event& {
        return *std::find_if(events.begin(), events.end(), [](const Event& event) { return event.kind == Kind::send; });
    };
    EXPECT_NO_THROW((void)join([](std::vector<Event>&) {}));
    EXPECT_THROW((void)join([&](std::vector<Event>& events) { send(events).round = 9; }), Error);
    EXPECT_THROW((void)join([&](std::vector<Event>& events) { send(events).peer = 2; }), Error);
    EXPECT_THROW((void)join([&](std::vector<Event>& events) { send(events).bytes = -1; }), Error);
    EXPECT_THROW((void)join([&](std::vector<Event>& events) { send(events).place = 7; }), Error);
}

TEST(Natives, areOneForEachCollectiveAndNeverAnAlgorithm) {
    for (const Algorithm* algorithm : catalogue())
        EXPECT_NE(nativeNamed(std::string{name(algorithm->collective)} + "/native"), nullptr) << algorithm->id;
    try {
        algorithmNamed("bcast/native");
        FAIL() << "a native collective has no schedule";
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(),
                     "bcast/native is the MPI library's own MPI_Bcast, whose messages are unknown; it runs only "
                     "with on mpi");
    }
}

}  // namespace
}  // namespace engine::live
