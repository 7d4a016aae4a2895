// SPDX-License-Identifier: BSD-3-Clause
#include "engine/small_file.hpp"

#include "engine/error.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace engine {
namespace {

std::string readBack(const std::string& content) {
    const std::filesystem::path file = std::filesystem::path{testing::TempDir()} / "small_file_test.txt";
    std::ofstream{file, std::ios::binary} << content;
    std::string found = contentOf(file, 1000, "cannot be read");
    std::filesystem::remove(file);
    return found;
}

TEST(SmallFile, isReadWithoutAByteOrderMark) {
    EXPECT_EQ(readBack("\xef\xbb\xbfwords"), "words");
    EXPECT_EQ(readBack("\xef\xbb\xbf"), "");
    EXPECT_EQ(readBack("words\xef\xbb\xbf"), "words\xef\xbb\xbf");
    EXPECT_EQ(readBack("\xef\xbb"), "\xef\xbb");
    EXPECT_THROW((void)readBack(std::string(1001, 'x')), Error);
}

}  // namespace
}  // namespace engine
