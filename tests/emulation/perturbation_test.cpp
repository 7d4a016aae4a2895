// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/perturbation.hpp"

#include "engine/base/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace emulation {
namespace {

using engine::Picoseconds;

std::vector<std::int64_t> starts(std::string_view words, std::int32_t ranks) {
    std::vector<std::int64_t> counts;
    for (const Picoseconds time : startTimes(readArrival(words), ranks)) counts.push_back(time.count());
    return counts;
}

template <class Read>
std::string mistakeOf(Read read) {
    try {
        read();
    } catch (const engine::Error& error) {
        return error.what();
    }
    return "none";
}

TEST(Arrival, isWhatThePatternSays) {
    EXPECT_EQ(starts("none", 3), (std::vector<std::int64_t>{0, 0, 0}));
    EXPECT_EQ(starts("ramp:10ps", 4), (std::vector<std::int64_t>{0, 3, 6, 10}));
    EXPECT_EQ(starts("ramp:10ps", 1), (std::vector<std::int64_t>{0}));
    EXPECT_EQ(starts("late:2,7ns", 3), (std::vector<std::int64_t>{0, 0, 7000}));
}

TEST(Arrival, isRandomTheSameWayOnEveryMachine) {
    const auto seven = starts("random:1us,7", 1000);
    EXPECT_EQ(seven, starts("random:1us,7", 1000));
    EXPECT_NE(seven, starts("random:1us,8", 1000));
    EXPECT_EQ(seven[0], 588'279) << "std::mt19937_64, seed 7, modulo 1,000,001";
    EXPECT_LE(*std::max_element(seven.begin(), seven.end()), 1'000'000);
    EXPECT_GT(*std::max_element(seven.begin(), seven.end()), 980'000);
}

TEST(Perturbation, isReadBackFromItsWords) {
    const Perturbation uneven{.arrival = readArrival("random:1ms,7"),
                              .slowRanks = readSlowRanks("3:2.5,7:4"),
                              .slowLinks = readSlowLinks("3-4:8,s0-4:1.125,5-s12:2,0-p3:2")};
    const std::string words =
        "arrival=random:1000000000ps,7 slow-ranks=3:2.5,7:4 slow-links=3-4:8,s0-4:1.125,5-s12:2,0-p3:2";
    EXPECT_EQ(toText(uneven), words);
    EXPECT_EQ(perturbationFromText(words), uneven);
    EXPECT_TRUE(perturbationFromText("").none());
    EXPECT_EQ(toText(Perturbation{}), "");
    for (const char* arrival : {"ramp:5ps", "late:3,5ps"}) {
        const Perturbation one{.arrival = readArrival(arrival)};
        EXPECT_EQ(perturbationFromText(toText(one)), one);
    }
}

TEST(Perturbation, namesMistakes) {
    const auto arrival = [](std::string_view words) { return mistakeOf([=] { readArrival(words); }); };
    EXPECT_EQ(arrival("rampe:1ms"), "arrival: unknown pattern 'rampe'; did you mean ramp?");
    EXPECT_EQ(arrival("zzzzzzzz"),
              "arrival: unknown pattern 'zzzzzzzz'; it is none, random:TIME,SEED, ramp:TIME or late:RANK,TIME");
    EXPECT_EQ(arrival("random:1ms"),
              "arrival random: '1ms' is not understood; write for example arrival random:1ms,7 with a seed");
    EXPECT_EQ(arrival("none:1"), "arrival none takes no values");
    EXPECT_EQ(arrival("late:3"), "arrival late: '3' is not understood; write for example arrival late:3,1ms");
    EXPECT_EQ(arrival("ramp:3000000s"), "arrival ramp: 3000000s is too late; the latest start is 26 days");
    EXPECT_EQ(mistakeOf([] { startTimes(readArrival("late:3,1ms"), 3); }), "arrival late: rank 3 is outside 0..2");
    const auto ranks = [](std::string_view words) { return mistakeOf([=] { readSlowRanks(words); }); };
    EXPECT_EQ(ranks("3"), "slow-ranks: '3' is not understood; write for example slow-ranks 3:2.5,7:4");
    EXPECT_EQ(ranks("3:0.5"), "slow-ranks: '0.5' is not a factor from 1 to 1000000");
    EXPECT_EQ(ranks("3:2,3:2"), "slow-ranks: rank 3 is given twice");
    EXPECT_EQ(mistakeOf([] { slowness(readSlowRanks("4:2"), 4); }), "slow-ranks: rank 4 is outside 0..3");
    const auto links = [](std::string_view words) { return mistakeOf([=] { readSlowLinks(words); }); };
    EXPECT_EQ(links("3:4"), "slow-links: '3' is not understood; write for example slow-links 3-4:8");
    EXPECT_EQ(links("3-4:8,3-4:9"), "slow-links: the link 3-4 is given twice");
}

TEST(Factor, roundsToTheNearestPicosecond) {
    EXPECT_EQ(Factor{1500} * Picoseconds{3}, Picoseconds{5}) << "4.5 becomes 5";
    EXPECT_EQ(Factor{1333} * Picoseconds{100}, Picoseconds{133});
    EXPECT_EQ(Factor{} * Picoseconds{7}, Picoseconds{7});
}

}  // namespace
}  // namespace emulation
