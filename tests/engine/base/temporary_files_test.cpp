// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/temporary_files.hpp"

#include "engine/base/new_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

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

/// Processes of a run write their records while another one removes the folder.
TEST(Leftovers, goAlsoWhileOthersWriteIntoThem) {
    for (int trial = 0; trial < 20; ++trial) {
        std::string name = testing::TempDir() + "leftovers-XXXXXX";
        ASSERT_NE(mkdtemp(name.data()), nullptr);
        const fs::path folder{name};
        std::atomic<bool> begun = false;
        std::thread writer{[&] {
            for (int i = 0; i < 2000 && fs::exists(folder); ++i) {
                std::ofstream{folder / std::to_string(i)} << "words";
                begun = i > 10;
            }
            begun = true;
        }};
        while (!begun) std::this_thread::yield();
        removeWritten(folder);
        writer.join();
        EXPECT_FALSE(fs::exists(folder)) << trial;
        fs::remove_all(folder);
    }
}

}  // namespace
}  // namespace engine
