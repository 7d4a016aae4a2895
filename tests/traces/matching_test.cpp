// SPDX-License-Identifier: BSD-3-Clause
// Ends of messages find each other as MPI says: in order per (communicator, sender, receiver, tag).
#include "tests/traces/partners.hpp"
#include "traces/reading/matching/message_columns.hpp"

#include <gtest/gtest.h>

#include <random>

namespace {

using traces::Rank;
using traces::reading::alone;
using traces::reading::End;
using traces::reading::match;
using traces::reading::RankEnds;
using traces::samples::Plain;
using traces::samples::plain;

End end(int peer, std::uint32_t tag = 0, std::int32_t communicator = 0) {
    return {.peer = Rank{peer}, .communicator = communicator, .tag = tag};
}

/// Ends of some ranks, filled one after the other.
struct Ends {
    explicit Ends(std::size_t count) : ranks(count) {}
    Ends& sends(std::size_t rank, std::vector<End> ends) {
        for (const End& one : ends) ranks[rank].sends.push_back(one);
        return *this;
    }
    Ends& receives(std::size_t rank, std::vector<End> ends) {
        for (const End& one : ends) ranks[rank].receives.push_back(one);
        return *this;
    }
    std::vector<RankEnds> ranks;
};

TEST(Matching, keepsTheOrderOfOneEnvelope) {
    Ends ends{2};
    ends.sends(0, {end(1), end(1), end(1)}).receives(1, {end(0), end(0), end(0)});
    EXPECT_EQ(plain(match(ends.ranks)), (Plain{{0, 1, 2}, {}}));
}

TEST(Matching, letsTagsOvertakeEachOther) {
    Ends ends{2};
    ends.sends(0, {end(1, 3), end(1, 7), end(1, 8)}).receives(1, {end(0, 3), end(0, 8), end(0, 7)});
    EXPECT_EQ(plain(match(ends.ranks))[0], (std::vector<std::uint32_t>{0, 2, 1}));
}

TEST(Matching, keepsCommunicatorsApart) {
    Ends ends{2};
    ends.sends(0, {end(1, 0, 1), end(1, 0, 2)}).receives(1, {end(0, 0, 2), end(0, 0, 1)});
    EXPECT_EQ(plain(match(ends.ranks))[0], (std::vector<std::uint32_t>{1, 0}));
}

TEST(Matching, keepsSendersAndReceiversApart) {
    Ends ends{3};
    ends.sends(0, {end(2)}).sends(1, {end(2)}).sends(2, {end(0)});
    ends.receives(0, {end(2)}).receives(2, {end(1), end(0)});
    EXPECT_EQ(plain(match(ends.ranks)), (Plain{{1}, {0}, {0}}));
}

TEST(Matching, obeysPlacesBeforeTheOrderOfEvents) {
    Ends ends{2};
    ends.sends(0, {end(1), end(1)}).receives(1, {end(0), end(0)});
    for (const std::uint64_t place : {0, 1}) ends.ranks[0].ownSends.push_back({.place = place});
    for (const std::uint64_t place : {1, 0}) ends.ranks[1].ownReceives.push_back({.place = place});
    EXPECT_EQ(plain(match(ends.ranks))[0], (std::vector<std::uint32_t>{1, 0}));
}

TEST(Matching, leavesAloneWhatHasNoOtherEnd) {
    Ends ends{2};
    ends.sends(0, {end(1), end(1), end(1, 5)}).sends(1, {end(-1)}).receives(1, {end(0)}).receives(0, {end(-1)});
    ends.ranks[0].sends[1].flags = End::cancelled;
    EXPECT_EQ(plain(match(ends.ranks)), (Plain{{0, alone, alone}, {alone}}));
}

TEST(Matching, takesMessagesToOneself) {
    Ends ends{1};
    ends.sends(0, {end(0)}).receives(0, {end(0)});
    EXPECT_EQ(plain(match(ends.ranks)), Plain{{0}});
}

/// Whatever the order of receives across envelopes, each envelope is matched in order and nothing is lost.
TEST(Matching, agreesWithAPlainSearch) {
    std::mt19937 random{7};
    for (int round = 0; round < 50; ++round) {
        constexpr int count = 5;
        Ends ends{count};
        std::vector<std::vector<std::pair<int, End>>> arriving(count);
        for (int i = 0; i < 200; ++i) {
            const int from = static_cast<int>(random() % count), to = static_cast<int>(random() % count);
            const End one = end(to, static_cast<std::uint32_t>(random() % 3), static_cast<std::int32_t>(random() % 2));
            ends.ranks[static_cast<std::size_t>(from)].sends.push_back(one);
            if (random() % 8 != 0) {
                End other = one;
                other.peer = Rank{from};
                arriving[static_cast<std::size_t>(to)].emplace_back(static_cast<int>(random() % 50), other);
            }
        }
        for (std::size_t to = 0; to < count; ++to) {
            std::stable_sort(arriving[to].begin(), arriving[to].end(),
                             [](const auto& a, const auto& b) { return a.first < b.first; });
            for (const auto& [when, one] : arriving[to]) ends.ranks[to].receives.push_back(one);
        }
        Plain wanted(count);
        std::vector<std::vector<bool>> taken(count);
        for (std::size_t to = 0; to < count; ++to) taken[to].resize(ends.ranks[to].receives.size());
        for (std::size_t from = 0; from < count; ++from)
            for (std::size_t i = 0; i < ends.ranks[from].sends.size(); ++i) {
                const End& send = ends.ranks[from].sends[i];
                const auto to = send.peer.index();
                wanted[from].push_back(alone);
                for (std::size_t k = 0; k < taken[to].size(); ++k) {
                    const End& receive = ends.ranks[to].receives[k];
                    if (taken[to][k] || receive.peer.value != static_cast<int>(from) || receive.tag != send.tag ||
                        receive.communicator != send.communicator)
                        continue;
                    taken[to][k] = true;
                    wanted[from].back() = static_cast<std::uint32_t>(k);
                    break;
                }
            }
        EXPECT_EQ(plain(match(ends.ranks)), wanted);
    }
}

TEST(Matching, tellsOfMessagesWhoseEndsDisagreeOnTheirSize) {
    const auto sized = [](int peer, engine::Bytes bytes) {
        End one = end(peer);
        one.bytes = bytes;
        return one;
    };
    for (const bool agree : {true, false}) {
        Ends ends{3};
        ends.sends(0, {sized(1, 8)}).sends(1, {sized(2, 100), sized(0, 9)}).sends(2, {sized(0, 2000)});
        ends.receives(0, {sized(1, 9), sized(2, agree ? 2000 : 9)}).receives(1, {sized(0, 8)});
        ends.receives(2, {sized(1, agree ? 100 : 64)});
        const traces::reading::Partners partners = match(ends.ranks);
        const auto matched = columnsOf(std::move(ends.ranks), partners, {}, false);
        EXPECT_EQ(matched.messages.flags[1] & traces::flag::bytesDiffer, agree ? 0 : traces::flag::bytesDiffer);
        EXPECT_EQ(matched.messages.bytes[1], 100);
        EXPECT_EQ(matched.disputed.words(), agree ? ""
                                                  : "2 messages have another size at the receiver than at the sender: "
                                                    "rank 1 sent 100 B and rank 2 got 64 B; the sender is believed");
    }
}

}  // namespace
