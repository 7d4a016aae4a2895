// SPDX-License-Identifier: BSD-3-Clause
// The archive of a program under the drop-in library, from records to instances.
#include "traces/recording/calls.hpp"
#include "app/analysis/calls/calls_by_size.hpp"
#include "app/analysis/calls/computation_times.hpp"
#include "app/analysis/collectives/collective_instances.hpp"
#include "app/analysis/overview/first_page.hpp"
#include "app/analysis/tables/table_definition.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/live/records/call_records.hpp"
#include "tests/support/first_page.hpp"
#include "traces/export/copy.hpp"
#include "traces/recording/archive.hpp"
#include "traces/recording/run_from_recording.hpp"
#include "traces/recording/vocabulary.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

using namespace engine::live;
namespace fs = std::filesystem;

namespace {

using Rank = engine::Rank;

struct Program {
    std::vector<std::vector<Call>> calls{};
    std::vector<std::string> teams{};
    std::int64_t dropped = 0;
    std::vector<std::vector<Step>> steps{};  ///< behind the calls, by process; may be empty

    [[nodiscard]] Calls all() const {
        return {.processes = static_cast<std::int32_t>(calls.size()),
                .teamFiles = teams,
                .recordOf = [this](std::int32_t process) {
                    Record record{.process = process,
                                  .processes = static_cast<std::int32_t>(calls.size()),
                                  .host = process < 2 ? "alpha" : "beta",
                                  .dropped = dropped,
                                  .turnBegan = 9000};
                    for (const Call& call : calls[static_cast<std::size_t>(process)])
                        record.events.push_back(std::bit_cast<Event>(call));
                    if (!steps.empty())
                        for (const Step& step : steps[static_cast<std::size_t>(process)])
                            record.events.push_back(std::bit_cast<Event>(step));
                    record.events.emplace_back();  // a place that was taken and not written
                    return record;
                }};
    }
};

class CallsArchive : public testing::Test {
protected:
    void SetUp() override {
        folder_ = fs::path{testing::TempDir()} /
                  ("calls-" + std::string{testing::UnitTest::GetInstance()->current_test_info()->name()});
        fs::remove_all(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }

    traces::RecordingPtr written(const Program& program) {
        written_ = traces::writeCalls(program.all(), folder_);
        return traces::readRecording(folder_);
    }

    fs::path folder_;
    traces::CallsWritten written_;
};

std::vector<std::string> pageOf(const traces::RecordingPtr& recording) {
    const app::analysis::Trace trace{
        .report = app::analysis::reportOn(std::make_shared<const engine::Run>(traces::runOf(*recording))),
        .recording = recording};
    app::analysis::TraceAnalysis analysis{trace, {}};
    return support::firstPageInWords(analysis);
}

const std::string world = teamLine(0, {.members = {0, 1, 2, 3}, .name = "MPI_COMM_WORLD"});
const std::string between =
    teamLine(1, {.kind = TeamKind::inter, .members = {0, 1}, .others = {2, 3}, .name = "between"});

/// What stood only on the program's stderr would be lost with it.
TEST_F(CallsArchive, saysWhatTheRecorderLeftOutAndWhichRulesItDidNotFollow) {
    const std::string swing = noteLine(5, "allreduce/swing needs a power-of-two\nnumber of ranks");
    Program program{
        .teams = {world + swing, world + swing, world, world + noteLine(2, "the call moves more than 2 GiB")},
        .dropped = 62};
    program.calls.assign(4, {{.begin = 1000, .end = 2000, .called = Called::barrier}});
    const auto recording = written(program);
    ASSERT_GE(recording->absences.size(), 3U);
    const auto words = [&](std::size_t i) { return recording->absences[i].words; };
    EXPECT_EQ(words(0),
              "248 calls were not recorded: the records of 4 ranks were full (record with larger --calls or "
              "COLLSCOPE_CALLS)");
    EXPECT_EQ(words(1),
              "a rule was not followed in 5 calls of a rank: allreduce/swing needs a power-of-two number of ranks");
    EXPECT_EQ(words(2), "a rule was not followed in 2 calls of a rank: the call moves more than 2 GiB");
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(recording->absences[i].what, traces::Absence::limit);
    const fs::path copy = folder_ / "copy";
    traces::writeCopy(*recording, copy);
    const auto copied = traces::readRecording(copy);
    EXPECT_EQ(std::ranges::count(copied->absences, traces::Absence::limit, &traces::NotRecorded::what), 3);
}

TEST_F(CallsArchive, saysWhatIsKnownOfInsides) {
    Program program{.teams = {world + wordsLine("inside", 1, "no components") + wordsLine("library", 0, "Open MPI") +
                                  wordsLine("asked", 0, "coll=tuned") + wordsLine("unrecorded", 5, ""),
                              world + wordsLine("inside", 1, "") + wordsLine("unrecorded", 2, ""), world, world}};
    program.calls.assign(4, {{.begin = 1000, .end = 2000, .called = Called::barrier}});
    const auto recorded = written(program);
    EXPECT_EQ(recorded->properties.at(traces::own::library), "library Open MPI\nasked coll=tuned");
    EXPECT_EQ(
        recorded->properties.at(traces::own::inside),
        "yes\nno components\n7 messages and algorithms within collectives were not recorded: the records of 2 ranks "
        "were full (record with larger --calls or COLLSCOPE_CALLS)");
    fs::remove_all(folder_);
    program.teams = {world, world + wordsLine("inside", 0, "COLLSCOPE_INSIDE is no"), world, world};
    EXPECT_EQ(written(program)->properties.at(traces::own::inside), "no: COLLSCOPE_INSIDE is no");
    fs::remove_all(folder_);
    program.teams.assign(4, world);
    EXPECT_FALSE(written(program)->properties.contains(traces::own::inside));
}

/// Two reductions that do not block begin with a copy: the library posts their messages in MPI_Waitall, each with a tag
/// of its own. The barrier between them sends with another one, which is none of theirs.
TEST_F(CallsArchive, hasMessagesThatNonblockingCollectivesPostLater) {
    const std::string two = teamLine(0, {.members = {0, 1}, .name = "MPI_COMM_WORLD"}) + wordsLine("inside", 1, "") +
                            wordsLine("library", 0, "Open MPI");
    Program program{.teams = {two, two}};
    const auto reduction = [](Kind kind, std::int64_t begin, std::int64_t end, std::int64_t request) {
        return Call{.begin = begin,
                    .end = end,
                    .received = kind == Kind::request ? request : 8,
                    .sent = 8,
                    .root = 0,
                    .kind = kind,
                    .called = Called::reduce};
    };
    program.calls.assign(2, {reduction(Kind::request, 1000, 1100, 7),
                             reduction(Kind::request, 1200, 1300, 8),
                             {.begin = 1400, .end = 1500, .called = Called::barrier},
                             reduction(Kind::complete, 7, 0, 0),
                             reduction(Kind::complete, 8, 0, 0)});
    const auto message = [](int process, std::int64_t begin, std::int32_t tag, std::int64_t bytes) {
        return Step{.begin = begin,
                    .end = begin + 20,
                    .bytes = bytes,
                    .tag = tag,
                    .peer = 1 - process,
                    .kind = Kind::internal,
                    .deed = process == 1 ? CallEffect::postSend : CallEffect::postReceive};
    };
    for (const int process : {0, 1})
        program.steps.push_back({message(process, 1410, -16, 0),
                                 message(process, 1610, -30, 70),
                                 message(process, 1620, -31, 80),
                                 message(process, 1650, -30, 71),
                                 {.begin = 1600, .end = 1700, .what = Other::Waitall}});
    const auto recording = written(program);
    std::map<std::string, std::vector<std::int64_t>> bytes;
    const traces::Library& its = recording->library;
    for (std::size_t i = 0; i < its.messages.size(); ++i) {
        ASSERT_GE(its.collective[i], 0) << i;
        const traces::Collective& one = recording->collectives.instances[engine::asSize(its.collective[i])];
        bytes[engine::text(static_cast<int>(one.operation), ' ', its.collective[i])].push_back(its.messages.bytes[i]);
    }
    std::vector<std::vector<std::int64_t>> each;
    for (const auto& [name, sizes] : bytes) each.push_back(sizes);
    std::ranges::sort(each);
    EXPECT_EQ(each, (std::vector<std::vector<std::int64_t>>{{0}, {70, 71}, {80}}));
}

/// OTF2 has no operations for the first two.
TEST_F(CallsArchive, hasCollectivesAmongNeighboursFencesAndFiles) {
    const std::vector<Step> steps{
        {.bytes = 80, .kind = Kind::part, .deed = CallEffect::sentToNeighbours, .what = Other::Neighbor_alltoall},
        {.begin = 1000,
         .end = 2000,
         .bytes = 160,
         .tag = 2,
         .deed = CallEffect::doneWithNeighbours,
         .what = Other::Neighbor_alltoall},
        {.begin = 3000, .end = 4000, .request = 1, .deed = CallEffect::meet, .what = Other::Win_fence},
        {.bytes = 4096,
         .request = 1,
         .kind = Kind::part,
         .deed = CallEffect::writeFile,
         .what = Other::File_write_at_all},
        {.begin = 5000, .end = 7000, .deed = CallEffect::join, .what = Other::File_write_at_all}};
    Program program{.teams = std::vector<std::string>(4, world + fileLine(0, 1, "out.h5"))};
    program.calls.resize(4);
    for (std::vector<Call>& own : program.calls)
        for (const Step& step : steps) own.push_back(std::bit_cast<Call>(step));
    const auto recorded = written(program);
    const fs::path copy = folder_ / "copy";
    traces::writeCopy(*recorded, copy);
    for (const auto& recording : {recorded, traces::readRecording(copy)}) {
        ASSERT_EQ(recording->collectives.instances.size(), 2U);
        const traces::Collective& exchange = recording->collectives.instances[0];
        EXPECT_EQ(exchange.operation, traces::Operation::neighborAlltoall);
        ASSERT_EQ(recording->collectives.of(exchange).size(), 4U);
        EXPECT_EQ(recording->collectives.of(exchange)[1].sent, 80);
        EXPECT_EQ(recording->collectives.of(exchange)[1].received, 160);
        EXPECT_EQ(recording->collectives.instances[1].operation, traces::Operation::fence);
        ASSERT_EQ(recording->files.size(), 1U);
        EXPECT_EQ(recording->files[0].name, "out.h5");
        const auto& notices = recording->notices.at(1);
        const auto write = std::ranges::find(notices, traces::NoticeKind::endOperation, &traces::Notice::kind);
        ASSERT_NE(write, notices.end());
        EXPECT_EQ(write->number, 4096U);
        EXPECT_EQ(
            write->time - std::ranges::find(notices, traces::NoticeKind::beginOperation, &traces::Notice::kind)->time,
            engine::Picoseconds{2'000'000});
    }
}

/// main calls solve, which calls MPI twice, and then MPI itself; a path that does not go back to the C library is one
/// whose callers are unknown.
TEST_F(CallsArchive, hasTheFunctionsThatLedToACall) {
    const std::string paths = siteLine(1, {.object = "/a", .offset = 1, .function = "_start"}) +
                              siteLine(2, {.object = "/lib/libc.so.6", .offset = 2}) + callerLine(2, 1) +
                              siteLine(3, {.object = "/a", .offset = 3, .function = "main"}) + callerLine(3, 2) +
                              siteLine(4, {.object = "/a", .offset = 4, .function = "solve"}) + callerLine(4, 3) +
                              siteLine(5, {.object = "/a", .offset = 5, .function = "callback"}) +
                              wordsLine("alone", 1, "");
    Program program{.teams = {world + paths, world, world, world}};
    program.calls.assign(4, {});
    for (const auto& [begin, site] : {std::pair{1000, 4}, std::pair{2000, 4}, std::pair{3000, 3}, std::pair{4000, 5}})
        program.calls[0].push_back(
            {.begin = begin, .end = begin + 500, .site = static_cast<std::uint16_t>(site), .called = Called::barrier});
    const auto recording = written(program);
    const traces::States& states = recording->states[0];
    std::string found;
    for (std::size_t i = 0; i < states.size(); ++i)
        found += std::to_string(states.depth[i]) + ' ' + recording->regions[engine::asSize(states.region[i])].title() +
                 ' ' + std::to_string((states.end[i] - states.begin[i]).count() / 1000) + '\n';
    EXPECT_EQ(found,
              "0 main 2500\n1 solve 1500\n2 MPI_Barrier (solve in a) 500\n2 MPI_Barrier (solve in a) 500\n"
              "1 MPI_Barrier (main in a) 500\n0 (callers not recorded) 500\n1 callback 500\n"
              "2 MPI_Barrier (callback in a) 500\n");
    EXPECT_NE(recording->properties.at(traces::own::limits).find("1 call was recorded without callers"),
              std::string::npos);
}

/// Ranks 0 and 1 run on alpha, ranks 2 and 3 on beta.
TEST_F(CallsArchive, saysWhereRanksShareProcessors) {
    const std::vector<std::int32_t> one{5}, three{0, 1, 7};
    Program program{.teams = {world + processorsLine(0, one) + processorsLine(12, one), world + processorsLine(30, one),
                              world + processorsLine(1, three), world}};
    program.calls.assign(4, {{.begin = 1000, .end = 2000, .called = Called::barrier}});
    const auto recording = written(program);
    EXPECT_EQ(recording->properties.at(traces::own::sharing),
              "2 ranks share 1 processor of host alpha (42 involuntary context switches)");
    const std::vector<std::string> page = pageOf(recording);
    EXPECT_EQ(page.at(0),
              "Caution: 2 ranks share 1 processor of host alpha (42 involuntary context switches). All times include "
              "waiting for a processor.");
    const std::vector<std::string> damaged{world + "processors 3 x\n"};
    EXPECT_THROW((void)teamsOf(damaged), engine::Error);
}

/// Each of two ranks calls MPI from two threads; three processors are too few for four threads.
TEST_F(CallsArchive, saysWhereThreadsShareProcessors) {
    const std::vector<std::int32_t> three{0, 1, 7};
    const std::string teams = world + teamLine(1, {.kind = TeamKind::self}), its = teams + processorsLine(0, three);
    Program program{.teams = {its, its, teams, teams}};
    program.calls.assign(4, {{.begin = 1000, .end = 2000, .called = Called::barrier}});
    for (const std::size_t rank : {0U, 1U})
        program.calls[rank].push_back({.begin = 2500, .end = 2600, .team = 1, .called = Called::barrier, .thread = 1});
    EXPECT_EQ(written(program)->properties.at(traces::own::sharing),
              "4 threads of 2 ranks share 3 processors of host alpha");
}

TEST_F(CallsArchive, saysWhichRanksPolled) {
    const auto polls = [](std::int64_t calls, std::int64_t nanoseconds, const char* call) {
        return pollsLine({.calls = calls, .nanoseconds = nanoseconds, .call = call});
    };
    Program program{.teams = {world + polls(30, 400, "MPI_Test") + polls(10, 300, "MPI_Iprobe"), world,
                              world + polls(5, 40, "MPI_Testall"), world}};
    program.calls.assign(4, {{.begin = 1000, .end = 2000, .called = Called::barrier}});
    const auto recording = written(program);
    EXPECT_EQ(recording->properties.at(traces::own::polling),
              "0 30 400 MPI_Test 0\n0 10 300 MPI_Iprobe 0\n2 5 40 MPI_Testall 0");
    EXPECT_EQ(pageOf(recording).at(0),
              "Caution: rank 0 polled with MPI_Iprobe and MPI_Test for 700 ns (40 calls found nothing). Their time "
              "counts as computation, even if the rank only waited: efficiency and load balance are too high.");
}

/// Rank 0 posts a receive, computes for 10 us and looks for the message for 20 us, until rank 1 has sent it.
TEST_F(CallsArchive, countsCallsThatFoundNothingAsWaiting) {
    Program program{
        .teams = {world + pollsLine({.calls = 40, .nanoseconds = 21'000, .call = "MPI_Test", .within = 20'000}), world,
                  world, world}};
    program.calls.assign(4, {{.begin = 1000, .end = 2000, .called = Called::barrier}});
    program.steps.resize(4);
    program.steps[0] = {
        {.begin = 2000, .end = 2100, .request = 1, .peer = 1, .deed = CallEffect::postReceive, .what = Other::Irecv},
        {.begin = 12'100, .end = 32'100, .bytes = 40, .deed = CallEffect::foundNothing, .what = Other::Test},
        {.begin = 32'110,
         .end = 32'200,
         .bytes = 8,
         .request = 1,
         .peer = 1,
         .deed = CallEffect::received,
         .what = Other::Test}};
    program.steps[1] = {
        {.begin = 32'000, .end = 32'150, .bytes = 8, .peer = 0, .deed = CallEffect::send, .what = Other::Send}};
    const auto recording = written(program);
    const auto us = [](double time) { return engine::Picoseconds{std::llround(time * 1e6)}; };
    const app::analysis::ComputationTimes computation{*recording};
    const engine::Picoseconds start = recording->collectives.of(recording->collectives.instances[0])[0].end;
    EXPECT_EQ(computation.of(Rank{0}, start, start + us(30.2)), us(10.01));
    const auto kinds = app::analysis::callGroups(*recording, {});
    const auto tests = std::ranges::find(kinds, "MPI_Test (found nothing)", &app::analysis::CallGroup::operation);
    ASSERT_NE(tests, kinds.end());
    EXPECT_EQ(tests->calls, 40);
    EXPECT_EQ(tests->time, us(20));
    const app::analysis::Trace trace{
        .report = app::analysis::reportOn(std::make_shared<const engine::Run>(traces::runOf(*recording))),
        .recording = recording};
    app::analysis::TraceAnalysis analysis{trace, {}};
    ASSERT_EQ(analysis.waits().size(), 1U);
    EXPECT_EQ(analysis.waits()[0].kind, app::analysis::WaitKind::lateSender);
    EXPECT_EQ(analysis.waits()[0].time, us(19.9));
    EXPECT_NE(pageOf(recording).at(0).find("The time outside of these calls counts as computation"), std::string::npos);
}

/// Rank 0 computes for 500 ns between calls of MPI_Iprobe that find nothing within 6 ns: it hardly polls, unlike rank 0
/// of the test above, and no message was missing.
TEST_F(CallsArchive, reportsNoPollingWhereItIsAlmostAllComputation) {
    Program program{
        .teams = {world + pollsLine({.calls = 40, .nanoseconds = 20'240, .call = "MPI_Iprobe", .within = 240}), world,
                  world, world}};
    program.calls.assign(4, {{.begin = 1000, .end = 2000, .called = Called::barrier}});
    program.steps.resize(4);
    for (std::int64_t begin = 2'500; begin < 2'500 + 40 * 506; begin += 506)
        program.steps[0].push_back(
            {.begin = begin, .end = begin + 6, .bytes = 1, .deed = CallEffect::foundNothing, .what = Other::Iprobe});
    const auto recording = written(program);
    const std::vector<std::string> page = pageOf(recording);
    EXPECT_EQ(engine::joined(page, "\n").find("polled"), std::string::npos) << engine::joined(page, "\n");
    // Where the recorder had no room for some calls, those that were counted have their time too.
    auto full = *recording;
    full.absences.push_back({.what = traces::Absence::interval, .words = {}});
    full.properties[traces::own::polling] = "0 400 202400 MPI_Iprobe 2400";
    for (const traces::Recording& its : {*recording, full}) {
        const auto kinds = app::analysis::callGroups(its, {});
        const auto probes =
            std::ranges::find(kinds, "MPI_Iprobe (found nothing)", &app::analysis::CallGroup::operation);
        ASSERT_NE(probes, kinds.end());
        EXPECT_EQ(probes->time / probes->calls, engine::Picoseconds{6000});
        const app::analysis::Trace trace{
            .report = app::analysis::reportOn(std::make_shared<const engine::Run>(traces::runOf(its))),
            .recording = std::make_shared<const traces::Recording>(its)};
        app::analysis::TraceAnalysis analysis{trace, {}};
        const auto table = app::analysis::computeTable(app::analysis::tableNamed("calls"), analysis);
        EXPECT_EQ(engine::joined(table.remarks, "; ").find("were counted to the end") != std::string::npos,
                  its.absences.size() > recording->absences.size());
    }
}

TEST_F(CallsArchive, tellsWhoCameWhenAndWhatReplacedIt) {
    Program program{.teams = {world + "way 1 bcast/chain:segments=4\n", world, world, world}};
    for (std::int64_t p = 0; p < 4; ++p)
        program.calls.push_back({{.begin = 1000 + 100 * p,
                                  .end = 2000,
                                  .received = 64,
                                  .sent = p == 2 ? 64 : 0,
                                  .root = 2,
                                  .called = Called::bcast,
                                  .way = 1},
                                 {.begin = 3000, .end = 4000 + p, .called = Called::barrier}});
    const auto recording = written(program);
    EXPECT_EQ(written_.calls, 8);
    EXPECT_EQ(written_.replaced, 4);
    EXPECT_EQ(recording->ranks, 4);
    EXPECT_EQ(recording->locations[3].path.back(), "beta");
    const auto instances = app::analysis::instancesOf(*recording, {});
    ASSERT_EQ(instances.size(), 2U);
    EXPECT_EQ(instances[0].communicator, "MPI_COMM_WORLD");
    EXPECT_EQ(instances[0].operation, "bcast");
    EXPECT_EQ(instances[0].root, Rank{2});
    ASSERT_TRUE(instances[0].problem);
    EXPECT_EQ(toText(*instances[0].problem), "bcast n=4 sizes=64 root=2");
    EXPECT_EQ(app::analysis::arrivalsOf(instances[0]).spread, engine::Picoseconds{300'000});
    EXPECT_EQ(instances[1].operation, "barrier");
    EXPECT_EQ(instances[1].duration(), engine::Picoseconds{1'003'000});
    EXPECT_TRUE(recording->absences.empty() || recording->absences.front().what != traces::Absence::interval);
}

TEST_F(CallsArchive, knowsTwoGroups) {
    Program program{.teams = {world + between, world + between, world + between, world + between}};
    for (std::int64_t p = 0; p < 4; ++p) {
        const bool inA = p < 2;
        const std::int32_t root = p == 1 ? root::self : inA ? root::sameGroup : 1;
        program.calls.push_back({{.begin = 1000,
                                  .end = 1500,
                                  .received = inA ? 40 : 20,
                                  .sent = inA ? 10 : 20,
                                  .team = 1,
                                  .called = Called::allgather},
                                 {.begin = 2000,
                                  .end = 2500,
                                  .received = inA ? 0 : 8,
                                  .sent = p == 1 ? 8 : 0,
                                  .root = root,
                                  .team = 1,
                                  .called = Called::bcast}});
    }
    const auto instances = app::analysis::instancesOf(*written(program), {});
    ASSERT_EQ(instances.size(), 2U);
    EXPECT_EQ(instances[0].groupA, 2);
    EXPECT_EQ(instances[0].groupB, 2);
    ASSERT_TRUE(instances[0].problem) << instances[0].whyNoProblem;
    EXPECT_EQ(toText(*instances[0].problem), "intergroup-allgatherv p=2 q=2 sizes=2x10,2x20");
    EXPECT_EQ(instances[1].root, Rank{1});
}

TEST_F(CallsArchive, givesThreadsPlacesOfTheirOwnAndSaysWhereRoomEnded) {
    Program program{.teams = {teamLine(0, {.members = {0}}) + teamLine(1, {.kind = TeamKind::self})}, .dropped = 3};
    program.calls = {
        {{.begin = 1000, .end = 5000, .called = Called::barrier},
         {.begin = 2000, .end = 3000, .received = 4, .sent = 4, .team = 1, .called = Called::allreduce, .thread = 1}}};
    const auto recording = written(program);
    EXPECT_EQ(written_.dropped, 3);
    ASSERT_EQ(recording->locations.size(), 2U);
    EXPECT_EQ(recording->locations[1].rank, Rank{0});
    EXPECT_EQ(recording->collectives.instances.size(), 2U);
    bool told = false;
    for (const traces::NotRecorded& absence : recording->absences) told |= absence.what == traces::Absence::interval;
    EXPECT_TRUE(told);
}

/// Messages of the library have a record of their own, which had room for longer than that of the calls.
TEST_F(CallsArchive, stopsWithTheLastCallForWhichThereWasRoom) {
    Program program{.teams = {teamLine(0, {.members = {0, 1}}), teamLine(0, {.members = {0, 1}})}, .dropped = 3};
    program.calls.assign(2, {{.begin = 1000, .end = 2000, .called = Called::barrier}});
    for (const int process : {0, 1})
        for (const std::int64_t begin : {1400, 8000})
            program.steps.resize(2), program.steps[static_cast<std::size_t>(process)].push_back(
                                         {.begin = begin,
                                          .end = begin + 20,
                                          .bytes = 8,
                                          .tag = -16,
                                          .peer = 1 - process,
                                          .kind = Kind::internal,
                                          .deed = process == 1 ? CallEffect::postSend : CallEffect::postReceive});
    const auto recording = written(program);
    std::vector<engine::Picoseconds> stops;
    for (const traces::NotRecorded& absence : recording->absences)
        if (absence.what == traces::Absence::interval) stops.push_back(absence.end - absence.begin);
    EXPECT_EQ(stops, (std::vector<engine::Picoseconds>(2, engine::Picoseconds{7'000'000}))) << "from 2000 to 9000 ns";
}

TEST_F(CallsArchive, refusesATakenFolderAndDamage) {
    Program program{.calls = {{{.begin = 1, .end = 2, .team = 7}}}, .teams = {teamLine(0, {.members = {0}})}};
    EXPECT_THROW((void)traces::writeCalls(program.all(), folder_), engine::Error);
    EXPECT_FALSE(fs::exists(folder_)) << "half an archive is left";
    program.calls[0][0].team = 0;
    (void)written(program);
    EXPECT_THROW((void)traces::writeCalls(program.all(), folder_), engine::Error);
}

}  // namespace
