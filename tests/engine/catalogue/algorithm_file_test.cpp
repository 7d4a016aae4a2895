// SPDX-License-Identifier: BSD-3-Clause
// The shelf of opened files: what an editor reads at every key does not stay, and what a plan is of does.
#include "engine/catalogue/algorithm_file.hpp"
#include "engine/base/text.hpp"
#include "engine/proof/verify.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace engine {
namespace {

using schedules::algorithmFrom;
using schedules::giveBack;
using schedules::Keeping;
using schedules::shelved;

/// The state of a text after so many keys.
std::string state(int keys) {
    return text("-- ", keys, R"lua(
algorithm { collective = "bcast", title = "Chain" }
function rounds() return n - 1 end
function turn(rank, round)
  if rank == round then send(rank + 1, all()) end
  if rank == round + 1 then receive(rank - 1, all()) end
end
)lua");
}

Plan planOf(const Algorithm& algorithm) {
    return makePlan(algorithm,
                    {.collective = Collective::bcast, .groupA = 4, .layout = Layout::regular(1, 8), .root = Rank{0}},
                    {});
}

TEST(Shelf, keepsOneStateOfATextThatNobodyUses) {
    for (int keys = 0; keys < 200; ++keys) {
        (void)algorithmFrom("typed.lua", state(keys));
        giveBack();
        EXPECT_LE(shelved("typed.lua"), 2U);
    }
    giveBack();
    EXPECT_EQ(shelved("typed.lua"), 1U);
    EXPECT_EQ(schedules::contentOf(*schedules::openedAs("typed.lua")), state(199));
}

TEST(Shelf, keepsWhatAPlanIsOf) {
    const Plan plan = planOf(algorithmFrom("planned.lua", state(0)));
    {
        const Plan copy = planOf(algorithmFrom("planned.lua", state(1)));
        (void)algorithmFrom("planned.lua", state(2));
        giveBack();
        EXPECT_EQ(shelved("planned.lua"), 3U);
    }
    giveBack();
    EXPECT_EQ(shelved("planned.lua"), 2U);
    EXPECT_EQ(plan.algorithm->title, "Chain");
    EXPECT_TRUE(verify(*plan.schedule, plan.problem).proved);
}

TEST(Shelf, givesNothingBackBesideWorkOfAnotherThread) {
    const Algorithm& first = algorithmFrom("held.lua", state(0));
    auto keeping = std::make_unique<Keeping>();
    (void)algorithmFrom("held.lua", state(1));
    giveBack();
    EXPECT_EQ(first.title, "Chain");
    EXPECT_EQ(shelved("held.lua"), 2U);
    keeping.reset();
    giveBack();
    EXPECT_EQ(shelved("held.lua"), 1U);
}

TEST(Shelf, takesAStateUpAgainThatIsThere) {
    const Algorithm& first = algorithmFrom("back.lua", state(0));
    (void)algorithmFrom("back.lua", state(1));
    EXPECT_EQ(&algorithmFrom("back.lua", state(0)), &first);
    giveBack();
    EXPECT_EQ(schedules::openedAs("back.lua"), &first);
    EXPECT_EQ(shelved("back.lua"), 1U);
}

TEST(Shelf, isReadFromManyThreads) {
    std::vector<std::jthread> readers;
    for (int reader = 0; reader < 4; ++reader)
        readers.emplace_back([] {
            const Keeping keeping;
            for (int keys = 0; keys < 50; ++keys) {
                const Plan plan = planOf(algorithmFrom("shared.lua", state(keys)));
                EXPECT_TRUE(verify(*plan.schedule, plan.problem).proved);
            }
        });
    for (int i = 0; i < 100; ++i) giveBack();
    readers.clear();
    giveBack();
    EXPECT_EQ(shelved("shared.lua"), 1U);
}

}  // namespace
}  // namespace engine
