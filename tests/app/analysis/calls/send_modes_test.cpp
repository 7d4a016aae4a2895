// SPDX-License-Identifier: BSD-3-Clause
// Which messages did not wait for their receivers, and that nobody counts as waiting in their sends.
#include "app/analysis/calls/send_modes.hpp"

#include "app/analysis/wait_states/wait_states.hpp"
#include "traces/recording/recording_builder.hpp"

#include <gtest/gtest.h>

namespace app::analysis {
namespace {

using engine::Bytes;
using engine::Picoseconds;
using engine::Rank;

constexpr Picoseconds ns(std::int64_t time) { return Picoseconds{time * 1000}; }

/// Messages from rank 0 to rank 1, one after the other.
class Sends {
public:
    /// The send begins at once and takes `send`; the receive begins `late` after the send.
    Sends& then(Bytes bytes, std::int64_t send, std::int64_t late, const char* call = "MPI_Send") {
        const std::int64_t received = now_ + std::max(late, send) + 10;
        builder_.enter(0, ns(now_), call);
        builder_.leave(0, ns(now_ + send));
        builder_.enter(1, ns(now_ + late), "MPI_Recv");
        builder_.leave(1, ns(received));
        builder_.message({.from = Rank{0},
                          .to = Rank{1},
                          .bytes = bytes,
                          .sendBegin = ns(now_),
                          .sendEnd = ns(now_ + send),
                          .receiveBegin = ns(now_ + late),
                          .receiveEnd = ns(received)});
        now_ = received + 10;
        return *this;
    }
    traces::Recording finish() { return builder_.finish(); }

private:
    traces::RecordingBuilder builder_{2};
    std::int64_t now_ = 0;
};

std::int64_t lateReceivers(const traces::Recording& recording) {
    std::int64_t count = 0;
    for (const Wait& wait : tracedWaits(recording, {}, {}).all) count += wait.kind == WaitKind::lateReceiver ? 1 : 0;
    return count;
}

TEST(EagerLimit, isTheLargestSizeOfWhichSeveralWereSentLongBefore) {
    Sends sends;
    sends.then(8, 5, 100).then(8, 5, 100).then(4000, 5, 100).then(4000, 5, 100).then(9000, 110, 100);
    EXPECT_EQ(eagerLimit(sends.finish()), 4000);
}

TEST(EagerLimit, needsTwoMessagesAndATenthOfThoseReceivedLate) {
    EXPECT_EQ(eagerLimit(Sends{}.then(8, 5, 100).finish()), std::nullopt);
    for (const int waiting : {18, 19}) {  // beside two that were sent before
        Sends sends;
        sends.then(8, 5, 100).then(8, 5, 100);
        for (int i = 0; i < waiting; ++i) sends.then(8, 110, 100);
        EXPECT_EQ(eagerLimit(sends.finish()), waiting == 18 ? std::optional<Bytes>{8} : std::nullopt);
    }
}

TEST(EagerLimit, takesNoSendThatWasOverJustBeforeTheReceive) {
    EXPECT_EQ(eagerLimit(Sends{}.then(8, 60, 100).then(8, 60, 100).finish()), std::nullopt);
    EXPECT_EQ(eagerLimit(Sends{}.then(8, 50, 100).then(8, 50, 100).finish()), 8);
}

TEST(EagerLimit, isUnknownBesideBufferedSends) {
    EXPECT_EQ(eagerLimit(Sends{}.then(8, 5, 100).then(8, 5, 100).then(8, 5, 100, "MPI_Bsend").finish()), std::nullopt);
}

TEST(LateReceivers, areOfNoEagerMessageButInSynchronousMode) {
    // The third send took long for another reason: it waited for no receiver.
    EXPECT_EQ(lateReceivers(Sends{}.then(8, 5, 100).then(8, 5, 100).then(8, 200, 100).finish()), 0);
    EXPECT_EQ(lateReceivers(Sends{}.then(8, 5, 100).then(8, 5, 100).then(8, 110, 100, "MPI_Ssend").finish()), 1);
    EXPECT_EQ(lateReceivers(Sends{}.then(8, 5, 100).then(8, 5, 100).then(9000, 110, 100).finish()), 1);
}

TEST(RendezvousIn, isWhatMakesSendersWaitAgain) {
    EXPECT_FALSE(rendezvousIn(Sends{}.then(8, 5, 100).finish()));
    const auto found = rendezvousIn(Sends{}.then(8, 5, 100).then(9000, 110, 100).then(7000, 110, 100).finish());
    ASSERT_TRUE(found);
    EXPECT_EQ(found->eagerLimit, 8);
    EXPECT_EQ(found->waited, 2);
    EXPECT_EQ(found->time, ns(200));
    // Where nothing is known of smaller ones, all those wait that did.
    const auto alone = rendezvousIn(Sends{}.then(9000, 110, 100).then(7000, 110, 100).finish());
    ASSERT_TRUE(alone);
    EXPECT_EQ(alone->eagerLimit, 6999);
}

TEST(RendezvousIn, isContradictoryWhereAMessageOfThatSizeWasSentBefore) {
    const auto found = rendezvousIn(Sends{}.then(9000, 5, 100).then(9000, 110, 100).finish());
    ASSERT_TRUE(found);
    EXPECT_TRUE(found->isContradictory);
    EXPECT_EQ(found->waited, 1);
}

}  // namespace
}  // namespace app::analysis
