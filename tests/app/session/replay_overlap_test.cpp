// SPDX-License-Identifier: BSD-3-Clause
// Calls that do not block in place of those that do, and receives that would have taken another message.
#include "app/session/replay/replay_run.hpp"
#include "engine/base/error.hpp"
#include "tests/app/session/replay_samples.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace app {
namespace {

using engine::Picoseconds;
using engine::Rank;
using samples::scratchOf;
using samples::us;

/// A message takes 3 us however long it is.
ReplayWish overlapping(bool overlap = true) {
    ReplayWish wish{.overlap = overlap};
    wish.asked.add("alpha", "3us");
    wish.asked.add("beta", "0ns/B");
    wish.asked.add("ports", "64");
    return wish;
}

Picoseconds endOf(const Replaying& replaying, int rank) { return replaying.last().result.ranks[Rank{rank}].end; }

/// A program line by line: calls follow each other, each of 1 us, in which their messages are.
class Lines {
public:
    explicit Lines(std::int32_t ranks) : builder_{ranks}, now_(engine::asSize(ranks)) {
        builder_.rest().creator = "Collscope";
        for (std::int32_t rank = 0; rank < ranks; ++rank) builder_.enter(rank, {}, "main");
    }

    void compute(int rank, std::int64_t time) { now_[engine::asSize(rank)] += us(time); }
    void send(int from, int to, std::uint32_t tag = 0, engine::Bytes bytes = 100) {
        const traces::TimeSpan sent = call(from, "MPI_Send");
        now_[engine::asSize(to)] = std::max(now_[engine::asSize(to)], sent.begin);
        const traces::TimeSpan received = call(to, "MPI_Recv");
        builder_.message({.from = Rank{from},
                          .to = Rank{to},
                          .tag = tag,
                          .bytes = bytes,
                          .sendBegin = sent.begin,
                          .sendEnd = sent.end,
                          .receiveBegin = received.begin,
                          .receiveEnd = received.end});
    }
    void bcast(int ranks) {
        std::vector<traces::Participant> parts;
        const Picoseconds latest = *std::ranges::max_element(now_);
        for (int rank = 0; rank < ranks; ++rank) {
            Picoseconds& now = now_[engine::asSize(rank)];
            builder_.enter(rank, now, "MPI_Bcast");
            parts.push_back({Rank{rank}, now, latest + us(1), rank == 0 ? 100 * ranks : 0, 100});
            builder_.leave(rank, now = latest + us(1));
        }
        builder_.collective(traces::Operation::bcast, 0, Rank{0}, std::move(parts));
    }
    Trace finish() {
        for (std::size_t rank = 0; rank < now_.size(); ++rank)
            builder_.leave(static_cast<std::int32_t>(rank), now_[rank]);
        traces::Recording made = builder_.finish();
        std::vector<traces::Collective> instances{made.collectives.instances.begin(), made.collectives.instances.end()};
        for (traces::Collective& instance : instances) instance.algorithm = 0;
        made.collectives.instances = std::move(instances);
        made.algorithms = {"bcast/binomial-tree"};
        auto recording = std::make_shared<const traces::Recording>(std::move(made));
        return {.report = analysis::reportOn(std::make_shared<const engine::Run>(traces::runOf(*recording))),
                .recording = recording};
    }

private:
    traces::TimeSpan call(int rank, const char* name) {
        Picoseconds& now = now_[engine::asSize(rank)];
        const Picoseconds begin = now;
        builder_.enter(rank, begin, name);
        builder_.leave(rank, now += us(1));
        return {begin, now};
    }

    traces::RecordingBuilder builder_;
    std::vector<Picoseconds> now_;
};

TEST(Overlapping, goesOnWhileMessagesMove) {
    Lines lines{2};
    for (int step = 0; step < 2; ++step) {
        lines.compute(0, 10);
        lines.send(0, 1);
        lines.compute(1, 20);
    }
    const Trace trace = lines.finish();
    const Replaying blocking = replayed(trace, overlapping(false));
    EXPECT_EQ(endOf(blocking, 0), us(10 + 3 + 10 + 3));
    EXPECT_EQ(endOf(blocking, 1), us(13 + 20 + 3 + 20));
    const Replaying beside = replayed(trace, overlapping());
    EXPECT_EQ(endOf(beside, 0), us(10 + 10 + 3)) << "the second send is awaited at the end";
    EXPECT_EQ(endOf(beside, 1), us(13 + 20 + 20)) << "the second message is there when it is needed";
    EXPECT_EQ(
        engine::plain(beside.remarks.back()),
        "overlap: ranks do not wait for 2 sends and 0 parts in collectives any more, and post 2 receives earlier");
}

TEST(Overlapping, waitsBeforeABufferIsUsedAgain) {
    Lines lines{2};
    for (int step = 0; step < 2; ++step) lines.send(0, 1);
    EXPECT_EQ(endOf(replayed(lines.finish(), overlapping()), 0), us(6));
    Lines others{2};
    for (int step = 0; step < 2; ++step) others.send(0, 1, static_cast<std::uint32_t>(step));
    EXPECT_EQ(endOf(replayed(others.finish(), overlapping()), 0), us(3)) << "another channel";
}

TEST(Overlapping, lessRanksThatGetNothingGoOn) {
    Lines lines{4};
    lines.bcast(4);
    lines.compute(0, 20);
    const Trace trace = lines.finish();
    ReplayWish wish = overlapping(false);
    EXPECT_EQ(endOf(replayed(trace, wish), 0), us(6 + 20));
    wish.overlap = true;
    const Replaying beside = replayed(trace, wish);
    EXPECT_EQ(endOf(beside, 0), us(20));
    EXPECT_EQ(endOf(beside, 3), us(6));
}

TEST(Overlapping, takesNoLongerAndIsRecorded) {
    std::mt19937 random{20261127};
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    int gained = 0;
    for (int trial = 0; trial < 100; ++trial) {
        SCOPED_TRACE(testing::Message() << "trial " << trial);
        const int ranks = 2 + below(4);
        Lines lines{ranks};
        for (int step = 3 + below(20); step > 0; --step) {
            lines.compute(below(ranks), below(9));
            const int from = below(ranks);
            if (below(5) == 0) lines.bcast(ranks);
            else
                lines.send(from, (from + 1 + below(ranks - 1)) % ranks, static_cast<std::uint32_t>(below(2)),
                           below(9000));
        }
        const Trace trace = lines.finish();
        ReplayWish wish = overlapping(false);
        if (trial % 2 == 0) wish.asked.add("eager", "3KiB");
        const Replaying blocking = replayed(trace, wish);
        wish.overlap = wish.kept = true;
        const Replaying beside = replayed(trace, wish);
        ASSERT_TRUE(blocking.last().stuck.empty());
        ASSERT_TRUE(beside.last().stuck.empty());
        ASSERT_LE(beside.last().result.duration, blocking.last().result.duration);
        ASSERT_EQ(beside.last().result.messages, blocking.last().result.messages);
        for (const Rank rank : beside.last().result.ranks.ids()) {
            const emulation::TimeSpent& spent = beside.last().result.ranks[rank];
            ASSERT_EQ(spent.computing, blocking.last().result.ranks[rank].computing);
            ASSERT_EQ(spent.computing + spent.waiting + spent.moving + spent.inCollectives, spent.end);
        }
        gained += beside.last().result.duration < blocking.last().result.duration ? 1 : 0;
        if (trial % 25 != 0) continue;
        writeReplayed(beside, scratchOf("overlap"), traces::Overwrite::replace);
        const Trace archive = analysis::openTrace(scratchOf("overlap"));
        std::filesystem::remove_all(scratchOf("overlap"));
        ASSERT_EQ(archive.recording->duration, beside.last().result.duration);
        ASSERT_EQ(archive.recording->messages.size(), trace.recording->messages.size());
        ASSERT_TRUE(archive.recording->halves.empty());
    }
    EXPECT_GT(gained, 25);
}

TEST(Overlapping, isForPrograms) {
    const Trace run{.report = execute(RunWish{.algorithm = "allreduce/ring", .problem = {.ranks = 4, .size = 64}})};
    EXPECT_THROW(replayed(run, {.overlap = true}), engine::Error);
}

TEST(OtherChoices, areToldWhereMessagesComeInAnotherOrder) {
    // Rank 2 receives from rank 0, then from rank 1, which computes for longer; unless rank 0 is slowed down.
    const auto told = [](std::uint32_t tag, const char* factor) {
        Lines lines{3};
        lines.compute(0, 10);
        lines.compute(1, 20);
        lines.send(0, 2);
        lines.send(1, 2, tag);
        const Replaying again =
            replayed(lines.finish(), {.ownTime = {.compute = {engine::text("rank 0: main=", factor)}}});
        return std::ranges::any_of(again.remarks, [](const std::string& remark) {
            return remark.starts_with("1 receive keeps its recorded message, although");
        });
    };
    EXPECT_TRUE(told(0, "3"));
    EXPECT_FALSE(told(0, "1.5")) << "in the same order";
    EXPECT_FALSE(told(1, "3")) << "another tag";
}

}  // namespace
}  // namespace app
