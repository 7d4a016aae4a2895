// SPDX-License-Identifier: BSD-3-Clause
// Calls of a rank are the same, found some at a time or all at once.
#include "app/analysis/wait_states/blocking_calls.hpp"
#include "traces/recording/recording_builder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <random>

namespace app::analysis::in_pieces {
namespace {

using engine::Picoseconds;
using engine::Rank;

/// Three ranks, each with more ends than are looked at together. Messages are received in another order than they were
/// sent in now and then, by some places or by thousands.
traces::Recording shuffled(std::mt19937& random) {
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    traces::RecordingBuilder b{3};
    constexpr int messages = 9'000;
    for (int i = 0; i < messages; ++i) {
        const Rank from{below(3)};
        const Picoseconds sent{i * 1000 + below(500)};
        const int later = below(200) == 0 ? below(messages / 2) : below(4);
        const Picoseconds posted{(i + later) * 1000 - below(900)};
        b.message({.from = from,
                   .to = Rank{(from.value + 1 + below(2)) % 3},
                   .bytes = 8,
                   .sendBegin = sent,
                   .sendEnd = sent + Picoseconds{below(600)},
                   .receiveBegin = std::max(posted, Picoseconds{}),
                   .receiveEnd = std::max(posted, sent) + Picoseconds{1 + below(300)}});
    }
    return b.finish();
}

TEST(BlockingCalls, areTheSameInPieces) {
    std::mt19937 random{15};
    for (int turn = 0; turn < 4; ++turn) {
        const traces::Recording recording = shuffled(random);
        std::vector<BlockingCall> whole;
        eachBlockingCall(recording, {}, [&](std::span<const BlockingCall> calls) {
            whole.insert(whole.end(), calls.begin(), calls.end());
        });
        std::vector<std::vector<BlockingCall>> byRank(3);
        std::mutex guard;
        std::size_t pieces = 0;
        eachBlockingCallInParallel(recording, {}, [&](Rank rank, std::size_t most, std::span<const BlockingCall> some) {
            std::vector<BlockingCall>& its = byRank[rank.index()];
            its.insert(its.end(), some.begin(), some.end());
            EXPECT_LE(its.size(), most);
            const std::lock_guard lock{guard};
            ++pieces;
        });
        EXPECT_GT(pieces, 3U);
        std::vector<BlockingCall> joined;
        for (const std::vector<BlockingCall>& its : byRank) joined.insert(joined.end(), its.begin(), its.end());
        ASSERT_EQ(joined.size(), whole.size());
        for (std::size_t i = 0; i < whole.size(); ++i) ASSERT_EQ(joined[i], whole[i]) << i;
        EXPECT_GT(std::count_if(whole.begin(), whole.end(),
                                [](const BlockingCall& call) { return call.kind == WaitKind::wrongOrder; }),
                  10);
    }
}

}  // namespace
}  // namespace app::analysis::in_pieces
