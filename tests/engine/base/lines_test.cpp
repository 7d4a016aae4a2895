// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/lines.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace engine {
namespace {

using Lines = std::vector<std::pair<std::int64_t, std::string>>;

Lines linesOf(std::string_view words, Comments comments) {
    Lines lines;
    eachLine(words, "mine", comments,
             [&](std::string_view line, std::int64_t number) { lines.emplace_back(number, line); });
    return lines;
}

TEST(Lines, areTrimmedAndNumberedWithoutBlankOnesAndComments) {
    EXPECT_EQ(linesOf("# a\n\n  b\t\r\nc # d\n   #e\nf", Comments::wholeLines),
              (Lines{{3, "b"}, {4, "c # d"}, {6, "f"}}));
    EXPECT_EQ(linesOf("a#b\n #\nc", Comments::anywhere), (Lines{{1, "a"}, {3, "c"}}));
    EXPECT_EQ(linesOf("", Comments::anywhere), Lines{});
}

TEST(Lines, nameFileAndLineInErrors) {
    try {
        eachLine("a\n\nb", "mine", Comments::wholeLines, [](std::string_view line, std::int64_t) {
            if (line == "b") throw Error{"'b' is wrong"};
        });
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.words(), "mine:3: 'b' is wrong");
    }
}

TEST(Lines, haveWordsBetweenBlanksAndTabs) {
    EXPECT_EQ(wordsOfLine(" a\tbc  d\r"), (std::vector<std::string>{"a", "bc", "d"}));
    EXPECT_TRUE(wordsOfLine(" \t").empty());
}

}  // namespace
}  // namespace engine
