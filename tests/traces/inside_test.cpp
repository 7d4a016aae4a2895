// SPDX-License-Identifier: BSD-3-Clause
// Messages that the MPI library sent within calls: read as its own, each with its collective, and none of the
// program's.
#include "tests/traces/samples.hpp"
#include "traces/clocks/clocks.hpp"
#include "traces/export/copy.hpp"
#include "traces/export/excerpt.hpp"
#include "traces/recording/archive.hpp"
#include "traces/recording/recording_builder.hpp"
#include "traces/recording/vocabulary.hpp"

#include <algorithm>
#include <tuple>

namespace {

using traces::Message;
using traces::Operation;
using traces::Participant;
using traces::Picoseconds;
using traces::Rank;
using traces::Recording;
using traces::RecordingBuilder;
using traces::samples::Scratch;

constexpr Picoseconds after(std::int64_t time) { return Picoseconds{time * 1'000'000}; }
constexpr traces::MessageFlags posted = traces::flag::sendNonBlocking | traces::flag::receiveNonBlocking;

Message inside(int from, int to, traces::Bytes bytes, std::int64_t begin, std::uint32_t tag = 4294967284) {
    return {.from = Rank{from},
            .to = Rank{to},
            .tag = tag,
            .bytes = bytes,
            .sendBegin = after(begin),
            .sendEnd = after(begin + 1),
            .receiveBegin = after(begin),
            .receiveEnd = after(begin + 2),
            .flags = posted};
}

enum class Insides : std::uint8_t { recorded, leftOut };

/// Ranks 0 and 1 exchange a message in an allreduce, then two broadcasts are posted, which both end in one MPI_Waitall:
/// their messages alternate. Between them the program sends a message of its own, with the tag that the library has.
Recording program(Insides insides) {
    RecordingBuilder b{2};
    const auto each = [&](const char* region, std::int64_t begin, std::int64_t end) {
        for (const int rank : {0, 1}) b.enter(rank, after(begin), region), b.leave(rank, after(end));
    };
    const auto both = [&](std::int64_t begin, std::int64_t end, bool nonBlocking) {
        std::vector<Participant> parts;
        for (const int rank : {0, 1})
            parts.push_back({.rank = Rank{rank},
                             .begin = after(begin),
                             .end = after(end),
                             .sent = 8,
                             .received = 8,
                             .nonBlocking = nonBlocking});
        return parts;
    };
    const bool recorded = insides == Insides::recorded;
    for (const int rank : {0, 1}) b.enter(rank, after(0), "main");
    each("MPI_Allreduce", 10, 20);
    b.collective(Operation::allreduce, 0, traces::noRank, both(10, 20, false));
    if (recorded) {
        b.ranInside("allreduce_intra_recursivedoubling", "tuned");
        b.inside(inside(0, 1, 8, 12));
        b.inside(inside(1, 0, 8, 13));
    }
    b.enter(0, after(21), "MPI_Send"), b.leave(0, after(23));
    b.enter(1, after(21), "MPI_Recv"), b.leave(1, after(24));
    b.message({.from = Rank{0},
               .to = Rank{1},
               .tag = 4294967284,
               .bytes = 77,
               .sendBegin = after(21),
               .sendEnd = after(23),
               .receiveBegin = after(21),
               .receiveEnd = after(24)});
    each("MPI_Ibcast", 30, 31);
    each("MPI_Ibcast", 32, 33);
    each("MPI_Waitall", 40, 60);
    b.collective(Operation::bcast, 0, Rank{0}, both(30, 59, true));
    if (recorded) {
        b.ranInside("", "libnbc");
        b.inside(inside(0, 1, 100, 41, 1));
        b.inside(inside(0, 1, 101, 45, 1));
    }
    b.collective(Operation::bcast, 0, Rank{0}, both(32, 60, true));
    if (recorded) {
        b.ranInside("", "libnbc");
        b.inside(inside(0, 1, 200, 43, 2));
        b.inside(inside(0, 1, 201, 47, 2));
        b.rest().properties[traces::own::inside] = "yes";
        b.rest().properties[traces::own::library] = "library Some MPI 1.0";
    }
    for (const int rank : {0, 1}) b.leave(rank, after(70));
    return b.finish();
}

/// By collective, the bytes of its messages as they were posted.
std::vector<std::vector<traces::Bytes>> bytesOf(const Recording& recording) {
    std::vector<std::vector<traces::Bytes>> bytes(recording.collectives.instances.size());
    const traces::Library& its = recording.library;
    for (std::size_t i = 0; i < its.messages.size(); ++i) {
        EXPECT_GE(its.collective[i], 0);
        if (its.collective[i] >= 0) bytes[engine::asSize(its.collective[i])].push_back(its.messages.bytes[i]);
    }
    return bytes;
}

TEST(Inside, isReadAsItWasWritten) {
    const Scratch scratch;
    traces::writeCopy(program(Insides::recorded), scratch / "copy");
    const traces::RecordingPtr read = traces::readRecording(scratch / "copy");
    const Recording whole = program(Insides::recorded);
    EXPECT_EQ(read->library.messages, whole.library.messages);
    EXPECT_EQ(read->library.collective, whole.library.collective);
    EXPECT_EQ(bytesOf(*read), (std::vector<std::vector<traces::Bytes>>{{8, 8}, {100, 101}, {200, 201}}));
    ASSERT_EQ(read->collectives.instances.size(), 3U);
    const auto& [allreduce, first, second] =
        std::tie(read->collectives.instances[0], read->collectives.instances[1], read->collectives.instances[2]);
    EXPECT_EQ(read->library.algorithms[engine::asSize(allreduce.ofLibrary)], "allreduce_intra_recursivedoubling");
    EXPECT_EQ(read->library.components[engine::asSize(allreduce.component)], "tuned");
    EXPECT_EQ(read->library.components[engine::asSize(first.component)], "libnbc");
    EXPECT_EQ(read->properties.at(traces::own::library), "library Some MPI 1.0");
    EXPECT_EQ(read->communicators.size(), 1U);
    EXPECT_TRUE(read->remarks.empty());
}

/// Whatever the library sent, the program did what it did.
TEST(Inside, isNoneOfTheProgram) {
    const Scratch scratch;
    traces::writeCopy(program(Insides::recorded), scratch / "with");
    traces::writeCopy(program(Insides::leftOut), scratch / "without");
    const traces::RecordingPtr with = traces::readRecording(scratch / "with");
    const traces::RecordingPtr without = traces::readRecording(scratch / "without");
    EXPECT_EQ(with->messages, without->messages);
    EXPECT_EQ(with->messages.size(), 1U);
    EXPECT_EQ(with->halves, without->halves);
    EXPECT_EQ(with->regions, without->regions);
    EXPECT_EQ(with->states, without->states);
    EXPECT_EQ(with->communicators, without->communicators);
    EXPECT_EQ(with->collectives.participants, without->collectives.participants);
    const auto lacks = [](const Recording& recording) {
        return std::ranges::any_of(recording.absences, [](const traces::NotRecorded& absence) {
            return absence.what == traces::Absence::insideCollectives;
        });
    };
    EXPECT_TRUE(lacks(*without));
    EXPECT_FALSE(lacks(*with));
}

/// Two broadcasts of no data, for which the library sends nothing.
TEST(Inside, isNotMissingWhereNoDataMove) {
    const auto absencesOf = [](bool recorded) {
        RecordingBuilder b{2};
        for (const int rank : {0, 1}) b.enter(rank, after(0), "MPI_Bcast"), b.leave(rank, after(9));
        const auto parts = [](traces::Bytes bytes) {
            return std::vector<Participant>{
                {.rank = Rank{0}, .begin = after(1), .end = after(2), .sent = bytes, .received = bytes},
                {.rank = Rank{1}, .begin = after(1), .end = after(2), .received = bytes}};
        };
        b.collective(Operation::bcast, 0, Rank{0}, parts(0));
        b.collective(Operation::barrier, 0, traces::noRank, parts(0));
        b.collective(Operation::bcast, 0, Rank{0}, parts(8));
        // Of one rank on its own, which sends no messages in any library.
        const std::int32_t self = b.communicator("MPI_COMM_SELF", {});
        b.rest().communicators[static_cast<std::size_t>(self)].kind = traces::CommunicatorKind::self;
        b.collective(Operation::barrier, self, traces::noRank, {{.rank = Rank{0}, .begin = after(3), .end = after(4)}});
        if (recorded) b.rest().properties[traces::own::inside] = "yes";
        return traces::collectivesWithoutMessages(b.finish()).collectives;
    };
    EXPECT_EQ(absencesOf(true), 2);
    EXPECT_EQ(absencesOf(false), 3);
}

/// An archive without the property holds no messages inside: a copy of what was built without it gets one.
TEST(Inside, isMarkedInEveryCopy) {
    const Scratch scratch;
    Recording one = program(Insides::recorded);
    one.properties.erase(traces::own::inside);
    traces::writeCopy(one, scratch / "copy");
    const traces::RecordingPtr read = traces::readRecording(scratch / "copy");
    EXPECT_TRUE(read->properties.contains(traces::own::inside));
    EXPECT_EQ(read->messages.size(), 1U);
    EXPECT_EQ(read->library.messages.size(), 6U);
}

TEST(Inside, goesIntoAnExcerptWithItsCollective) {
    const Recording part =
        traces::excerptOf(program(Insides::recorded), {.span = {{after(25), after(70)}}, .ranks = {}});
    EXPECT_EQ(bytesOf(part), (std::vector<std::vector<traces::Bytes>>{{100, 101}, {200, 201}}));
    const Recording alone = traces::excerptOf(program(Insides::recorded), {.span = {}, .ranks = {Rank{1}}});
    EXPECT_TRUE(alone.library.messages.empty());
}

/// Rank 1's clock is 5 us ahead: of the six messages inside, the one to rank 0 arrives 5 - 2 = 3 us before it was sent.
TEST(Inside, showsClocksThatDoNotAgree) {
    const Recording right = program(Insides::recorded);
    EXPECT_EQ(traces::checkClocks(right).violations(), 0);
    Recording ahead = right;
    std::vector<Picoseconds> sent(right.library.messages.sendBegin.begin(), right.library.messages.sendBegin.end());
    for (std::size_t i = 0; i < sent.size(); ++i)
        if (right.library.messages.from[i] == Rank{1}) sent[i] += after(5);
    ahead.library.messages.sendBegin = std::move(sent);
    const traces::ClockCheck check = traces::checkClocks(ahead);
    EXPECT_EQ(check.messages, 7);
    EXPECT_EQ(check.received, 1);
    EXPECT_EQ(check.earliest, after(3));
    traces::ClockFit fit = traces::fitClocks(right);
    fit.byRank = {{}, {.offset = after(5)}};
    const Recording moved = traces::corrected(right, fit);
    EXPECT_EQ(moved.library.messages.from[0], Rank{0});
    EXPECT_EQ(moved.library.messages.sendBegin[0], right.library.messages.sendBegin[0]);
    EXPECT_EQ(moved.library.messages.receiveEnd[0], right.library.messages.receiveEnd[0] + after(5));
}

}  // namespace
