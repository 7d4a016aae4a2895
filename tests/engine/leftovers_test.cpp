// SPDX-License-Identifier: BSD-3-Clause
#include "engine/leftovers.hpp"

#include "engine/new_file.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include <stdlib.h>

namespace engine {
namespace {

namespace fs = std::filesystem;

TEST(Leftovers, goWhenTheProgramEndsAtOnce) {
    std::string name = testing::TempDir() + "leftovers-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    const fs::path folder{name};
    std::ofstream{folder / "users"} << "words";
    { const Leftover forgotten{folder / "users"}; }
    NewFile published{folder / "whole"};
    published.publish();
    NewFile unfinished{folder / "half"};
    unfinished.out() << "words" << std::flush;
    fs::create_directories(folder / "ours/deep");
    const Leftover ours{folder / "ours"};
    ASSERT_TRUE(fs::exists(unfinished.draft()));
    removeLeftovers();
    std::vector<std::string> left;
    for (const auto& entry : fs::directory_iterator{folder}) left.push_back(entry.path().filename());
    std::sort(left.begin(), left.end());
    EXPECT_EQ(left, (std::vector<std::string>{"users", "whole"}));
    fs::remove_all(folder);
}

}  // namespace
}  // namespace engine
