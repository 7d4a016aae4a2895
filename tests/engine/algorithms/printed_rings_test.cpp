// SPDX-License-Identifier: BSD-3-Clause
// Algorithms 1 and 3 of the half-duplex paper, line by line as printed, beside the schedule of ring-streams.
#include "tests/support/problems.hpp"
#include "tests/support/proofs.hpp"

#include <gtest/gtest.h>

#include <set>
#include <tuple>
#include <vector>

namespace engine {
namespace {

/// Round from 0, sender, receiver, message.
using Sent = std::tuple<int, int, int, int>;

int mod(int a, int n) { return (a % n + n) % n; }

/// Algorithm 1, lines 1 to 40; p = q.
std::set<Sent> algorithm1(int p) {
    const int n = 2 * p;
    const int h = p / 2;
    std::set<Sent> all;
    for (int i = 0; i < h; ++i) {
        for (int j = h; j < p; ++j) all.insert({i, j + i, j + i + 1, j});
        for (int j = 0; j < h; ++j) all.insert({i, mod(j - i, n), mod(j - i - 1, n), j});
        for (int j = 0; j < i; ++j) all.insert({i, h - i + 2 * j, h - i + 2 * j + 1, h - i + j});
    }
    for (int i = 0; i < h; ++i) {
        for (int j = h; j < p; ++j) all.insert({h + i, h + j + i, h + j + i + 1, j});
        for (int j = 0; j < h; ++j) all.insert({h + i, 2 * j + i, 2 * j + i + 1, j});
    }
    for (int i = 0; i < h; ++i) {
        for (int j = h; j < p; ++j)
            if (p + j + i + 1 < 2 * p) all.insert({p + i, p + j + i, p + j + i + 1, j});
        for (int j = 1; j <= i; ++j) all.insert({p + i, 3 * h - i + 2 * j - 1, 3 * h - i + 2 * j - 2, j - 1});
        for (int j = 0; j < h; ++j) all.insert({p + i, h + i + 2 * j, h + i + 2 * j + 1, j});
    }
    return all;
}

/// The senders of Algorithm 3's lines 39 to 43, stream 4-2.
std::vector<int> sendersOfLine41(int p, int q) {
    std::vector<int> senders;
    for (int i = 0; i < q / 2; ++i)
        for (int j = p / 2; j <= p / 2 + (i + 1) / 2 - 1; ++j)
            if (2 * j > 2 * i + p / 2) senders.push_back(2 * j - i + q + 1);
    return senders;
}

std::set<Sent> scheduled(int p, int q) {
    const Plan plan = support::planOf("ring-streams", support::halfduplex(p, q, 1));
    std::set<Sent> all;
    Turn turn;
    for (Round round{0}; round.value < plan.schedule->facts().rounds; ++round)
        for (Rank rank{0}; rank.value < p + q; ++rank) {
            plan.schedule->turn(rank, round, turn);
            for (const Message& message : turn.sends())
                all.insert({static_cast<int>(round.value), rank.value, message.peer.value,
                            static_cast<int>(turn.ranges(message)[0].begin)});
        }
    return all;
}

TEST(PrintedRings, algorithm1IsTheScheduleOfThreeStreams) {
    for (int p = 2; p <= 24; p += 2) EXPECT_EQ(algorithm1(p), scheduled(p, p)) << p;
}

TEST(PrintedRings, algorithm3LeavesTheRingFromSixSendersOn) {
    for (int p = 2; p <= 12; p += 2)
        for (int q = p + 2; q <= 24; q += 2) {
            bool outside = false;
            for (const int sender : sendersOfLine41(p, q)) outside = outside || sender >= p + q;
            EXPECT_EQ(outside, p >= 6) << p << ' ' << q;
        }
}

}  // namespace
}  // namespace engine
