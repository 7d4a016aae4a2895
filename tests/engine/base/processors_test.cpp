// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/processors.hpp"

#include "engine/base/parallel.hpp"

#include <thread>

#include <gtest/gtest.h>
#include <sched.h>

namespace of_processors {
namespace {

using engine::Rank;

TEST(Processors, areThoseThatTheThreadMayUse) {
    // On a thread of its own: the other tests keep theirs.
    std::jthread{[] {
        const int all = engine::processors();
        const std::string before = engine::ownProcessors();
        cpu_set_t one;
        CPU_ZERO(&one);
        ASSERT_EQ(sched_getaffinity(0, sizeof one, &one), 0);
        for (std::size_t k = 0, kept = 0; k < CPU_SETSIZE; ++k)
            if (CPU_ISSET(k, &one) && kept++ > 0) CPU_CLR(k, &one);
        ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
        EXPECT_EQ(engine::processors(), 1);
        engine::alsoUseProcessors("");
        engine::alsoUseProcessors("something else");
        EXPECT_EQ(engine::processors(), 1);
        engine::alsoUseProcessors(before);
        EXPECT_EQ(engine::processors(), all);
    }};
}

TEST(WorthTogether, endsWhereThereIsEnough) {
    const auto processors = engine::processors();
    const auto each = [](std::size_t things) { return [things](Rank) { return things; }; };
    EXPECT_EQ(engine::worthTogether(Rank{3}, 1000, 500, each(1)).value, 3 + std::max(500, processors));
    EXPECT_EQ(engine::worthTogether(Rank{3}, 1000, 500, each(500)).value, 3 + processors);
    EXPECT_EQ(engine::worthTogether(Rank{3}, 1000, 5000, each(0)).value, 1000);
    EXPECT_EQ(engine::worthTogether(Rank{999}, 1000, 1, each(1)).value, 1000);
}

}  // namespace
}  // namespace of_processors
