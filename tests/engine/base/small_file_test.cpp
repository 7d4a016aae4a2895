// SPDX-License-Identifier: BSD-3-Clause
// Text files are read without the byte order mark that some editors write in front of them.
#include "engine/base/small_file.hpp"
#include "engine/algorithm/algorithm.hpp"
#include "engine/catalogue/algorithm_file.hpp"

#include <gtest/gtest.h>

#include <unistd.h>
#include <filesystem>
#include <fstream>
#include <string>

namespace {

const std::string mark = "\xEF\xBB\xBF";

class SmallFile : public ::testing::Test {
protected:
    SmallFile() {
        std::string name = (std::filesystem::temp_directory_path() / "small-XXXXXX").string();
        if (::mkdtemp(name.data()) != nullptr) folder_ = name;
    }
    SmallFile(const SmallFile&) = delete;
    SmallFile& operator=(const SmallFile&) = delete;
    ~SmallFile() override { std::filesystem::remove_all(folder_); }

    [[nodiscard]] std::string with(const std::string& content, const std::string& name = "file") const {
        std::ofstream{folder_ / name, std::ios::binary} << content;
        return (folder_ / name).string();
    }

    std::filesystem::path folder_{};
};

TEST_F(SmallFile, hasNoByteOrderMarkInItsText) {
    EXPECT_EQ(engine::contentOf(with(mark + "a\r\nb"), 100, ""), "a\r\nb");
    EXPECT_EQ(engine::contentOf(with(mark), 100, ""), "");
    EXPECT_EQ(engine::contentOf(with(mark + mark + "a"), 100, ""), mark + "a");
    EXPECT_EQ(engine::contentOf(with("a" + mark), 100, ""), "a" + mark);
    EXPECT_EQ(engine::contentOf(with("\xEF\xBB"), 100, ""), "\xEF\xBB");
}

TEST_F(SmallFile, keepsItsBytesForWhoWritesItBack) {
    EXPECT_EQ(engine::bytesOf(with(mark + "a"), 100, ""), mark + "a");
}

TEST_F(SmallFile, isAScheduleInEveryFormatThatBeginsWithTheMark) {
    const std::string goal = "num_ranks 2\nrank 0 {\na: send 8b to 1\n}\nrank 1 {\na: recv 8b from 0\n}\n";
    for (const char* name : {"a.goal", "without-ending"}) {
        const std::string path = with(mark + goal, name);
        EXPECT_NE(engine::schedules::problemOf(engine::schedules::algorithmIn(path)), nullptr) << name;
    }
}

}  // namespace
