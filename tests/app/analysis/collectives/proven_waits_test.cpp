// SPDX-License-Identifier: BSD-3-Clause
// Which rank waited for which inside of a collective, worked out by hand.
#include "app/analysis/collectives/proven_waits.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

namespace app::analysis {
namespace {

using engine::Picoseconds;
using engine::Rank;

/// Messages as columns.
struct Columns {
    std::vector<Rank> from, to;
    std::vector<Picoseconds> sendBegin, sendEnd, receiveBegin, receiveEnd;

    Columns& add(int sender, int receiver, int send, int sent, int receive, int received) {
        from.emplace_back(sender), to.emplace_back(receiver);
        sendBegin.emplace_back(send), sendEnd.emplace_back(sent);
        receiveBegin.emplace_back(receive), receiveEnd.emplace_back(received);
        return *this;
    }
    [[nodiscard]] std::vector<ProvenWait> waits(const std::vector<int>& entries) const {
        std::vector<std::optional<Picoseconds>> times;
        for (const int entry : entries) times.emplace_back(Picoseconds{entry});
        return provenWaits({from, to, sendBegin, sendEnd, receiveBegin, receiveEnd}, times);
    }
};

ProvenWait wait(std::size_t place, std::size_t late, int begin, int end) {
    return {place, late, Picoseconds{begin}, Picoseconds{end}};
}

/// 1 enters at 50 and sends; 0 has waited for it since 0. The transfer, until 60, is no wait.
TEST(ProvenWaits, lastUntilTheSenderHasEntered) {
    EXPECT_EQ(Columns{}.add(1, 0, 50, 60, 0, 60).waits({0, 50}), (std::vector{wait(0, 1, 0, 50)}));
}

/// Both entered together: what a message takes to be made and sent is no lateness.
TEST(ProvenWaits, areNoneWhereNobodyIsLate) { EXPECT_TRUE(Columns{}.add(1, 0, 50, 60, 0, 60).waits({0, 0}).empty()); }

/// 2 is late; 1 waits for it, and 0 for 1 as long as 1 did, though 1 sends later.
TEST(ProvenWaits, arePassedOnAsFarAsTheyWere) {
    EXPECT_EQ(Columns{}.add(2, 1, 50, 60, 0, 60).add(1, 0, 80, 90, 0, 90).waits({0, 0, 50}),
              (std::vector{wait(0, 1, 0, 50), wait(1, 2, 0, 50)}));
}

/// 1 did something else until 45, so that 2 made it wait from then on only; 0 waited for 1 all the time, which had
/// entered at 40.
TEST(ProvenWaits, beginOnceARankHasNothingElseToDo) {
    EXPECT_EQ(Columns{}.add(1, 3, 40, 45, 40, 45).add(2, 1, 50, 60, 40, 60).waits({0, 40, 50, 40}),
              (std::vector{wait(1, 2, 45, 50)}));
}

/// A sender waits for a receiver that enters while the message is in flight, not for one that comes after it has gone.
TEST(ProvenWaits, areOfSendersWhereMessagesWaitForReceivers) {
    EXPECT_EQ(Columns{}.add(0, 1, 0, 60, 50, 60).waits({0, 50}), (std::vector{wait(0, 1, 0, 50)}));
    EXPECT_TRUE(Columns{}.add(0, 1, 0, 5, 50, 60).waits({0, 50}).empty());
}

/// 1 ends one receive and posts the next message at the same time: the receive comes first.
TEST(ProvenWaits, followTheOrderOfWhatHappensAtOneTime) {
    EXPECT_EQ(Columns{}.add(2, 1, 50, 60, 0, 60).add(1, 0, 60, 70, 0, 70).waits({0, 0, 50}),
              (std::vector{wait(0, 1, 0, 50), wait(1, 2, 0, 50)}));
}

}  // namespace
}  // namespace app::analysis
