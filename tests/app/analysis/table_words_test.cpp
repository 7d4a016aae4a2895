// SPDX-License-Identifier: BSD-3-Clause
// Cells as people read them.
#include "app/analysis/table_words.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace app::analysis {
namespace {

using engine::Content;

TEST(TableWords, areForPeople) {
    EXPECT_EQ(shown(std::int64_t{4}, Content::round), "5") << "rounds count from 1";
    EXPECT_EQ(shown(std::int64_t{4}, Content::rank), "4") << "ranks from 0";
    EXPECT_EQ(shown(std::int64_t{12345}, Content::count), "12,345");
    EXPECT_EQ(shown(std::int64_t{2048}, Content::bytes), "2 KiB");
    EXPECT_EQ(shown(0.5, Content::share), "50 %");
    EXPECT_EQ(shown(engine::Picoseconds{1'500'000}, Content::time), "1.5 us");
    EXPECT_EQ(shown({}, Content::round), "-");
}

TEST(TableWords, arePlainForMachines) {
    std::ostringstream out;
    writeCsv({.name = "t",
              .title = "",
              .columns = {{"round", Content::round}, {"time_s", Content::time}, {"words", Content::words}},
              .rows = {{std::int64_t{4}, engine::Picoseconds{1'500'000}, std::string{"a,b"}}, {{}, {}, {}}}},
             out);
    EXPECT_EQ(out.str(), "round,time_s,words\n4,1.5e-06,\"a,b\"\n,,\n");
}

}  // namespace
}  // namespace app::analysis
