// SPDX-License-Identifier: BSD-3-Clause
// What a run says of the messages of another tool: one round of all of them.
#include "traces/recording/recording_builder.hpp"
#include "traces/recording/run_from_recording.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace traces {
namespace {

TEST(ForeignRun, isOneRoundOfAllMessages) {
    std::mt19937 random{1};
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    for (int trial = 0; trial < 100; ++trial) {
        RecordingBuilder builder{3};
        engine::RoundTimes all{Picoseconds::max(), {}, 0, 0, 0};
        const int count = 1 + below(9);
        for (int i = 0; i < count; ++i) {
            const int from = below(3);
            const Picoseconds sent{10 + below(40)};
            const Picoseconds asked{10 + below(40)};
            const Picoseconds sendEnd = sent + Picoseconds{below(9)};
            const Picoseconds receiveEnd = std::max(sent, asked) + Picoseconds{below(9)};
            const engine::Bytes bytes = below(99);
            builder.message({.from = Rank{from},
                             .to = Rank{(from + 1 + below(2)) % 3},
                             .bytes = bytes,
                             .sendBegin = sent,
                             .sendEnd = sendEnd,
                             .receiveBegin = asked,
                             .receiveEnd = receiveEnd});
            all.begin = std::min({all.begin, sent, asked});
            all.end = std::max({all.end, sendEnd, receiveEnd});
            all.bytes += bytes;
            all.largest = std::max(all.largest, bytes);
            ++all.messages;
        }
        const engine::Run run = runOf(builder.finish());
        ASSERT_EQ(run.perRound, std::vector{all}) << "trial " << trial;
        ASSERT_EQ(run.messageCount, all.messages);
        ASSERT_EQ(run.byteCount, all.bytes);
        ASSERT_EQ(run.messages.size(), static_cast<std::size_t>(count));
    }
}

}  // namespace
}  // namespace traces
