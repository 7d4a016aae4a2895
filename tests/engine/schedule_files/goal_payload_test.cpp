// SPDX-License-Identifier: BSD-3-Clause
// Choices of what messages of GOAL text carry: what would take too long, or too much memory, is not begun.
#include "engine/schedule_files/goal/payload_assignment.hpp"

#include <gtest/gtest.h>

#include <sys/resource.h>

namespace engine::schedules::goal {
namespace {

Stored unfilled(Collective collective, std::int32_t ranks, Bytes each) {
    Stored stored;
    stored.problem = {.collective = collective,
                      .groupA = ranks,
                      .layout = Layout::regular(collective == Collective::bcast ? 1 : ranks, each)};
    stored.facts.ranks = ranks;
    return stored;
}

/// Every rank sends to the next one in every round.
Course onARing(std::int32_t ranks, std::int64_t rounds, Bytes bytes) {
    Course course;
    for (Round round{0}; round.value < rounds; ++round)
        for (Rank rank{0}; rank.value < ranks; ++rank)
            course.deliveries.push_back({round, rank, Rank{(rank.value + 1) % ranks}, bytes, 1});
    return course;
}

/// The most memory that this process has had, in MiB.
std::int64_t mostMemory() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    return used.ru_maxrss / 1024;
}

TEST(GoalChoice, isGivenUpAsSoonAsItIsKnownToTakeTooLong) {
    // 130,560 messages of 256 ranks, each with a choice among 256 parts of five words: 1.7 * 10^8 steps.
    const Course course = onARing(256, 510, 8);
    Stored stored = unfilled(Collective::allreduce, 256, 8 * 256);
    EXPECT_EQ(chooseParts(stored, course, Preference::spread), "which parts of the vector so many messages carry");
    EXPECT_LT(stored.messages.size(), course.deliveries.size() / 100);
}

TEST(GoalChoice, isNotBegunWithoutRoomForIt) {
    const std::int64_t before = mostMemory();
    // 2,000 parts of 2,000 ranks, with as many bits each: a gigabyte.
    Stored parts = unfilled(Collective::reduceScatter, 2000, 8 * 2000);
    EXPECT_EQ(chooseParts(parts, onARing(2000, 1, 8), Preference::spread),
              "which parts of the vector so many messages carry");
    // What the senders of 1,100,000 messages among 4,000 ranks reach: half a gigabyte.
    Stored bytes = unfilled(Collective::bcast, 4000, 8);
    EXPECT_EQ(chooseBytes(bytes, onARing(4000, 275, 4), Preference::spread), "which bytes so many messages carry");
    EXPECT_LT(mostMemory() - before, 400);
}

}  // namespace
}  // namespace engine::schedules::goal
