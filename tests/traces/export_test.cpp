// SPDX-License-Identifier: BSD-3-Clause
// What leaves again: parts of recordings, copies as OTF2.
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "tests/support/places.hpp"
#include "tests/traces/samples.hpp"
#include "traces/export/copy.hpp"
#include "traces/export/excerpt.hpp"
#include "traces/recording/recording_builder.hpp"
#include "traces/recording/vocabulary.hpp"

#include <algorithm>

namespace {

using traces::Operation;
using traces::Picoseconds;
using traces::Rank;
using traces::Recording;
using traces::RecordingBuilder;
using traces::samples::Scratch;
namespace fs = std::filesystem;

Picoseconds us(int time) { return Picoseconds{1'000'000} * time; }

/// Ranks 0 and 1 exchange messages inside calls, 1 and 2 form a communicator, everyone meets in a barrier.
Recording sample() {
    RecordingBuilder b{3};
    const std::int32_t pair = b.communicator("pair", {Rank{2}, Rank{1}});
    for (int rank = 0; rank < 3; ++rank) b.enter(rank, us(rank == 0 ? 0 : 1), "main");
    b.enter(0, us(10), "MPI_Send");
    b.message({.from = Rank{0},
               .to = Rank{1},
               .tag = 5,
               .bytes = 100,
               .sendBegin = us(10),
               .sendEnd = us(12),
               .receiveBegin = us(8),
               .receiveEnd = us(14)});
    b.leave(0, us(12));
    b.enter(1, us(8), "MPI_Recv");
    b.leave(1, us(14));
    b.message({.from = Rank{1},
               .to = Rank{2},
               .communicator = pair,
               .bytes = 7,
               .sendBegin = us(20),
               .sendEnd = us(29),
               .receiveBegin = us(18),
               .receiveEnd = us(25),
               .flags = traces::flag::sendNonBlocking | traces::flag::receiveNonBlocking});
    b.half({.side = traces::Side::send,
            .self = Rank{2},
            .peer = Rank{0},
            .communicator = 0,
            .bytes = 3,
            .begin = us(30),
            .end = us(30)});
    std::vector<traces::Participant> parts;
    for (int rank = 0; rank < 3; ++rank) {
        b.enter(rank, us(40 + rank), "MPI_Barrier");
        parts.push_back({Rank{rank}, us(40 + rank), us(45)});
        b.leave(rank, us(45));
        b.leave(rank, us(50));
    }
    b.collective(Operation::barrier, 0, traces::noRank, parts);
    return b.finish();
}

TEST(Excerpt, keepsWhatLiesInside) {
    const Recording part =
        traces::excerptOf(sample(), {.span = traces::TimeSpan{us(12), us(41)}, .ranks = {Rank{1}, Rank{2}}});
    ASSERT_EQ(part.messages.size(), 1U);
    EXPECT_EQ(part.messages.bytes[0], 7);
    ASSERT_EQ(part.halves.size(), 2U) << "the send of rank 2, and the receive of rank 1 whose sender is not chosen";
    EXPECT_EQ(part.halves[1].side, traces::Side::receive);
    EXPECT_TRUE(part.collectives.instances.empty());
    EXPECT_EQ(part.states[0].size(), 0U);
    EXPECT_EQ(part.states[1].begin[0], us(12));
    EXPECT_EQ(part.states[1].end[0], us(41));
    EXPECT_THROW(traces::excerptOf(sample(), {.ranks = {Rank{3}}}), engine::Error);
}

/// Nothing of a part lies outside of it.
TEST(Excerpt, cutsWhatBeganBeforeAndEndsBehind) {
    const Recording part = traces::excerptOf(sample(), {.span = traces::TimeSpan{us(19), us(26)}});
    ASSERT_EQ(part.messages.size(), 1U);
    EXPECT_EQ(part.messages.receiveBegin[0], us(19)) << "posted at 18";
    EXPECT_EQ(part.messages.sendBegin[0], us(20));
    EXPECT_EQ(part.messages.receiveEnd[0], us(25));
    EXPECT_EQ(part.messages.sendEnd[0], us(26)) << "complete at 29";
    const Scratch scratch;
    traces::writeCopy(part, scratch / "copy");
    EXPECT_EQ(traces::readRecording(scratch / "copy")->duration, us(7));
}

TEST(Copy, readsBackTheSame) {
    const Scratch scratch;
    const Recording original = sample();
    traces::writeCopy(original, scratch / "copy");
    const traces::RecordingPtr copy = traces::readRecording(scratch / "copy");
    EXPECT_EQ(copy->messages, original.messages);
    EXPECT_EQ(copy->halves, original.halves);
    EXPECT_EQ(copy->collectives, original.collectives);
    EXPECT_EQ(copy->states, original.states);
    EXPECT_EQ(copy->communicators[1].members, original.communicators[1].members);
    EXPECT_EQ(copy->duration, original.duration);
}

/// A message that is there when a call ends, and one that leaves when the next call begins, at the same time.
TEST(Copy, tellsCallsApartThatMeet) {
    const Scratch scratch;
    RecordingBuilder b{2};
    for (const int rank : {0, 1}) {
        b.enter(rank, us(0), rank == 0 ? "MPI_Send" : "MPI_Recv");
        b.leave(rank, us(10));
        b.enter(rank, us(10), rank == 0 ? "MPI_Recv" : "MPI_Send");
        b.leave(rank, us(rank == 0 ? 17 : 12));
    }
    b.message({.from = Rank{0}, .to = Rank{1}, .bytes = 1, .sendEnd = us(10), .receiveEnd = us(10)});
    b.message({.from = Rank{1},
               .to = Rank{0},
               .bytes = 2,
               .sendBegin = us(10),
               .sendEnd = us(12),
               .receiveBegin = us(10),
               .receiveEnd = us(17)});
    const Recording original = b.finish();
    traces::writeCopy(original, scratch / "copy");
    EXPECT_EQ(traces::readRecording(scratch / "copy")->messages, original.messages);
}

/// How bytes were counted, and what collectives ran by, is not lost.
TEST(Copy, namesWhoRecordedAndByWhat) {
    const Scratch scratch;
    Recording original = sample();
    original.creator = "Score-P 7.1";
    original.properties = {{"COLLSCOPE_REPLAY::MODEL", "words"}, {"COLLSCOPE::FORMAT", "1"}};
    original.algorithms = {"barrier/tree", "barrier/butterfly:n=3"};
    std::vector<traces::Collective> instances{original.collectives.instances.begin(),
                                              original.collectives.instances.end()};
    instances[0].algorithm = 1;
    original.collectives.instances = std::move(instances);
    traces::writeCopy(original, scratch / "copy");
    const traces::RecordingPtr copy = traces::readRecording(scratch / "copy");
    EXPECT_EQ(copy->creator, "Score-P 7.1, copied by Collscope");
    EXPECT_EQ(copy->properties, (std::map<std::string, std::string>{{"COLLSCOPE_REPLAY::MODEL", "words"}}));
    EXPECT_EQ(copy->algorithms, std::vector<std::string>{"barrier/butterfly:n=3"});
    ASSERT_EQ(copy->collectives.instances.size(), 1U);
    EXPECT_EQ(copy->collectives.instances[0].algorithm, 0);
    traces::writeCopy(*copy, scratch / "again");
    EXPECT_EQ(traces::readRecording(scratch / "again")->creator, copy->creator);
}

/// A program that begins before its first call, and ends after its last one.
TEST(Copy, beginsAndEndsAsTheProgramDid) {
    const Scratch scratch;
    RecordingBuilder b{1};
    b.enter(0, us(5), "main");
    b.leave(0, us(9));
    Recording original = b.finish();
    original.locations[0].first = us(2);
    original.locations[0].last = us(20);
    traces::writeCopy(original, scratch / "copy");
    const traces::RecordingPtr copy = traces::readRecording(scratch / "copy");
    EXPECT_EQ(copy->duration, us(18));
    EXPECT_EQ(copy->states[0].begin[0], us(3));
    const Recording part = traces::excerptOf(original, {.span = traces::TimeSpan{us(4), us(8)}});
    traces::writeCopy(part, scratch / "part");
    EXPECT_EQ(traces::readRecording(scratch / "part")->duration, us(4));
}

/// The conditions of a replay may be long words; an anchor file has no room for them.
TEST(Copy, keepsLongWordsOfAReplay) {
    const Scratch scratch;
    Recording original = sample();
    const std::string few = "torus:4x4";
    std::string many;
    while (many.size() < 500'000) many += engine::text("link ", many.size(), ' ');
    original.properties = {{traces::own::replayed::topology, many}, {traces::own::replayed::sharing, few}};
    traces::writeCopy(original, scratch / "copy");
    const traces::RecordingPtr copy = traces::readRecording(scratch / "copy");
    EXPECT_EQ(copy->properties, original.properties);
    EXPECT_EQ(copy->messages, original.messages);
}

/// What makes times doubtful does so in a part as well.
TEST(Copy, keepsThatRanksSharedProcessors) {
    const Scratch scratch;
    Recording original = sample();
    original.properties[traces::own::sharing] = "4 ranks share 2 processors of host alpha";
    traces::writeCopy(traces::excerptOf(original, {.span = traces::TimeSpan{us(4), us(8)}}), scratch / "part");
    EXPECT_EQ(traces::readRecording(scratch / "part")->properties.at(traces::own::sharing),
              original.properties[traces::own::sharing]);
}

TEST(Copy, hasTheNameOfItsAnchor) {
    const Scratch scratch;
    const Recording original = sample();
    traces::writeCopy(original, scratch / "part.otf2");
    EXPECT_EQ(traces::samples::listing(scratch.path()), (std::vector<std::string>{"part.def", "part.otf2", "part/"}));
    EXPECT_EQ(traces::readRecording(scratch / "part.otf2")->messages, original.messages);
    EXPECT_THROW(traces::writeCopy(original, scratch / "part.otf2"), engine::Error) << "it is there already";
    fs::remove(scratch / "part.otf2");
    EXPECT_THROW(traces::writeCopy(original, scratch / "part.otf2"), engine::Error) << "something of its name is";
    EXPECT_THROW(traces::writeCopy(original, scratch / "none" / "part.otf2"), engine::Error);
    EXPECT_EQ(traces::samples::listing(scratch.path()), (std::vector<std::string>{"part.def", "part/"}));
}

/// What an archive did not record it does not become by being copied: who paused, whose file was cut off, what nothing
/// looked at.
TEST(Copy, saysWhatWasNotRecorded) {
    using traces::Absence;
    const Scratch scratch;
    Recording original = sample();
    original.absences = {
        {.what = Absence::interval,
         .location = 1,
         .count = 1,
         .begin = us(15),
         .end = us(30),
         .words = "rank 1 did not record for 15 us"},
        {.what = Absence::interval,
         .location = 0,
         .count = 1,
         .begin = us(16),
         .end = us(17),
         .words = "rank 0 did not record for 1 us"},
        {.what = Absence::file,
         .location = 2,
         .count = 1,
         .begin = us(44),
         .end = us(50),
         .words = "the events of rank 2 are cut off after 44 us"},
        {.what = Absence::passedOver, .count = 3, .words = "3 operations on files are in the trace"},
        {.what = Absence::sizes, .count = 2, .words = "2 messages have other sizes at their ends"},
    };
    original.earlyEnds = {{2, us(44), "the events of rank 2 are cut off after 44 us"}};
    original.remarks = {"5 timestamps lie before their predecessors"};
    const auto wordsOf = [](const Recording& recording) {
        std::vector<std::string> words;
        for (const traces::NotRecorded& one : recording.absences)
            if (one.what == Absence::interval || one.what == Absence::file || one.what == Absence::passedOver ||
                one.what == Absence::sizes)
                words.push_back(one.words);
        return words;
    };
    traces::writeCopy(original, scratch / "copy");
    const traces::RecordingPtr copy = traces::readRecording(scratch / "copy");
    const std::vector<std::string> wanted{"rank 1 did not record for 15 us", "rank 0 did not record for 1 us",
                                          "the events of rank 2 are cut off after 44 us",
                                          "in what was copied: 3 operations on files are in the trace",
                                          "in what was copied: 2 messages have other sizes at their ends"};
    EXPECT_EQ(wordsOf(*copy), wanted);
    EXPECT_EQ(copy->remarks,
              std::vector<std::string>{"in what was copied: 5 timestamps lie before their predecessors"});
    EXPECT_EQ(copy->earlyEnds, original.earlyEnds);
    const auto paused = std::find_if(copy->absences.begin(), copy->absences.end(),
                                     [](const auto& one) { return one.what == Absence::interval; });
    ASSERT_NE(paused, copy->absences.end());
    EXPECT_EQ(*paused, original.absences[0]);
    // A copy of a copy says no more, and a part only what is of its ranks and time.
    traces::writeCopy(*copy, scratch / "again");
    EXPECT_EQ(wordsOf(*traces::readRecording(scratch / "again")), wanted);
    traces::writeCopy(traces::excerptOf(original, {.span = traces::TimeSpan{us(20), us(40)}, .ranks = {Rank{1}}}),
                      scratch / "part.otf2");
    const traces::RecordingPtr part = traces::readRecording(scratch / "part.otf2");
    EXPECT_EQ(wordsOf(*part), (std::vector<std::string>{wanted[0], wanted[3], wanted[4]}));
    EXPECT_TRUE(part->earlyEnds.empty());
    for (const traces::NotRecorded& one : part->absences)
        if (one.what == Absence::interval) {
            EXPECT_EQ(one.begin, us(20));
            EXPECT_EQ(one.end, us(30));
        }
}

/// A part leaves, comes back, and is the same part.
TEST(Copy, readsBackAPart) {
    const Scratch scratch;
    const Recording part =
        traces::excerptOf(sample(), {.span = traces::TimeSpan{us(12), us(46)}, .ranks = {Rank{1}, Rank{2}}});
    traces::writeCopy(part, scratch / "part.otf2");
    const traces::RecordingPtr copy = traces::readRecording(scratch / "part.otf2");
    EXPECT_EQ(copy->messages.bytes, part.messages.bytes);
    EXPECT_EQ(copy->halves.size(), part.halves.size());
    ASSERT_EQ(copy->collectives.instances.size(), 1U);
    EXPECT_EQ(copy->collectives.instances[0].count, 2U) << "the barrier without rank 0";
    EXPECT_FALSE(copy->collectives.instances[0].complete);
    EXPECT_EQ(copy->ranks, 3) << "ranks keep their numbers";
}

/// Messages under way, and collectives that somebody is in, where a part begins or ends: what is put together anew when
/// the part is read must be what belonged together.
TEST(Copy, ofASpanPutsTogetherWhatBelongedTogether) {
    const Scratch scratch;
    RecordingBuilder b{3};
    for (int k = 0; k < 10; ++k)
        b.message({.from = Rank{0},
                   .to = Rank{1},
                   .bytes = 100 + k,
                   .sendBegin = us(10 * k),
                   .sendEnd = us(10 * k + 1),
                   .receiveBegin = us(10 * k + 20),
                   .receiveEnd = us(10 * k + 25)});
    for (int k = 0; k < 10; ++k) {
        std::vector<traces::Participant> parts;
        for (int rank = 0; rank < 3; ++rank)
            parts.push_back({.rank = Rank{rank},
                             .begin = us(200 + 10 * k + 4 * rank),
                             .end = us(209 + 10 * k),
                             .sent = 8 + k,
                             .received = 8 + k});
        b.collective(traces::Operation::allreduce, 0, traces::noRank, parts);
    }
    const Recording original = b.finish();
    for (const int from : {0, 15, 31, 203, 206})
        for (const int to : {62, 95, 231, 255, 400})
            for (const std::vector<Rank>& ranks : {std::vector<Rank>{}, {Rank{0}, Rank{1}}, {Rank{1}, Rank{2}}}) {
                if (to <= from) continue;
                const std::string name =
                    engine::text("part-", from, '-', to, '-', ranks.size(), '-', ranks.empty() ? 0 : ranks[0].value);
                const Recording part =
                    traces::excerptOf(original, {.span = traces::TimeSpan{us(from), us(to)}, .ranks = ranks});
                traces::writeCopy(part, scratch / name);
                const traces::RecordingPtr copy = traces::readRecording(scratch / name);
                EXPECT_EQ(copy->messages.bytes, part.messages.bytes) << name;
                for (std::size_t i = 0; i < copy->messages.size(); ++i) {
                    EXPECT_EQ(copy->messages.receiveEnd[i] - copy->messages.sendBegin[i], us(25)) << name;
                    EXPECT_EQ(copy->messages.flags[i], 0) << name << ": sender and receiver say different sizes";
                }
                ASSERT_EQ(copy->collectives.instances.size(), part.collectives.instances.size()) << name;
                for (const traces::Collective& instance : copy->collectives.instances) {
                    EXPECT_TRUE(instance.ordered) << name;
                    for (const traces::Participant& one : copy->collectives.of(instance))
                        EXPECT_EQ(one.sent, copy->collectives.of(instance).front().sent) << name;
                }
            }
}

TEST(Copy, keepsTheSharedTraces) {
    const fs::path shared = support::sharedTraces();
    if (!fs::exists(shared)) GTEST_SKIP() << shared << " is not there; COLLSCOPE_SHARED_TRACES names it";
    const Scratch scratch;
    for (const char* name : {"pipit-ping-pong", "sstmacro-mpi-coverage-10", "tracer-stencil4d-32"}) {
        const traces::RecordingPtr original = traces::readRecording(shared / name);
        traces::writeCopy(*original, scratch / name);
        const traces::RecordingPtr copy = traces::readRecording(scratch / name);
        // Times begin at the first event, and a copy has none of the program's begin.
        const auto ticks = [](const Recording& recording, const traces::Column<Picoseconds>& times) {
            std::vector<std::uint64_t> at;
            for (const Picoseconds time : times) at.push_back(recording.clock.tickOf(time));
            return at;
        };
        EXPECT_EQ(copy->messages.to, original->messages.to) << name;
        EXPECT_EQ(copy->messages.tag, original->messages.tag) << name;
        EXPECT_EQ(copy->messages.bytes, original->messages.bytes) << name;
        EXPECT_EQ(copy->messages.flags, original->messages.flags) << name;
        EXPECT_EQ(ticks(*copy, copy->messages.sendBegin), ticks(*original, original->messages.sendBegin)) << name;
        EXPECT_EQ(ticks(*copy, copy->messages.receiveEnd), ticks(*original, original->messages.receiveEnd)) << name;
        EXPECT_EQ(copy->collectives.instances, original->collectives.instances) << name;
        EXPECT_EQ(copy->ranks, original->ranks) << name;
    }
}

}  // namespace
