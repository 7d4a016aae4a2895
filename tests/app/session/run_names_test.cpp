// SPDX-License-Identifier: BSD-3-Clause
// What two runs beside each other are called.
#include "app/session/compare/run_names.hpp"
#include "app/session/session.hpp"

#include <gtest/gtest.h>

namespace app {
namespace {

using Names = std::array<std::string, 2>;

RunWish broadcastTo(std::int64_t ranks) {
    RunWish wish;
    wish.algorithm = "bcast/binomial-tree";
    wish.problem.ranks = ranks;
    return wish;
}

TEST(Sides, areCalledByTheNamesTheyWereShownUnder) {
    const Report any = execute(broadcastTo(4));
    const auto names = [&](const char* first, const char* second) { return namesOf({&any, first}, {&any, second}); };
    EXPECT_EQ(names("bcast/flat", "bcast/chain"), (Names{"flat", "chain"}));
    EXPECT_EQ(names("bcast/flat", "allgather/ring"), (Names{"bcast/flat", "allgather/ring"}));
    EXPECT_EQ(names("out/belts", "bcast/flat"), (Names{"out/belts", "bcast/flat"}));
    EXPECT_EQ(names("bcast/binomial-tree", "recorded"), (Names{"Binomial tree", "recorded"}));
    EXPECT_EQ(titleOf({&any, "bcast/binomial-tree"}), "Binomial tree");
    EXPECT_EQ(names("recorded", "replayed"), (Names{"recorded", "replayed"}));
}

TEST(Sides, areCalledByWhatWasAskedForOtherwiseWhereTheirNamesAreTheSame) {
    const Report four = execute(broadcastTo(4));
    RunWish larger = broadcastTo(8);
    larger.problem.size = 1 << 20;
    const Report eight = execute(larger);
    EXPECT_EQ(namesOf({&four, "x"}, {&eight, "x"}), (Names{"n 4, each 64KiB", "n 8, each 1MiB"}));
    EXPECT_EQ(namesOf({&four, "x"}, {&four, "x"}), (Names{"the first run", "the second run"}));
}

}  // namespace
}  // namespace app
