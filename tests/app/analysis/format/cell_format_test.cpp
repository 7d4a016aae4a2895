// SPDX-License-Identifier: BSD-3-Clause
// The words in which people read tables.
#include "app/analysis/format/cell_format.hpp"

#include <gtest/gtest.h>

namespace app::analysis {
namespace {

TEST(TableWords, callTimeByTheWordsOfTheGlossary) {
    EXPECT_EQ(heading({"arrival_spread_s", engine::Content::time}), "arrival skew");
    EXPECT_EQ(heading({"no_communication_s", engine::Content::time}), "no communication");
    EXPECT_EQ(heading({"waiting_s", engine::Content::time}), "waiting");
    EXPECT_EQ(heading({"wait", engine::Content::words}), "wait state");
}

}  // namespace
}  // namespace app::analysis
