// SPDX-License-Identifier: BSD-3-Clause
#include "engine/algorithm/options.hpp"

#include "engine/base/error.hpp"

#include <gtest/gtest.h>

namespace engine {
namespace {

const std::vector<Option> declared{
    {.name = "segments", .fallback = "1", .meaning = "pieces of a message"},
    {.name = "gather",
     .kind = Option::Kind::choice,
     .fallback = "bruck",
     .meaning = "how",
     .choices = {"bruck", "ring"}},
    {.name = "block", .kind = Option::Kind::bytes, .fallback = "auto", .meaning = "size", .choices = {"auto"}},
};

std::string refusal(const std::map<std::string, std::string>& given) {
    try {
        Options{"x/y", declared, given};
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(Options, haveFallbacksAndRememberWhatWasGiven) {
    const Options options{"x/y", declared, {{"segments", "4"}, {"gather", "bruck"}}};
    EXPECT_EQ(options.number("segments"), 4);
    EXPECT_TRUE(options.is("gather", "bruck"));
    EXPECT_EQ(options.word("block"), "auto");
    EXPECT_EQ(options.given(), (std::map<std::string, std::string>{{"segments", "4"}}));
    EXPECT_EQ((Options{"x/y", declared, {{"block", "32KiB"}}}.number("block")), 32768);
}

TEST(Options, refuseWithTheNearestNameOrTheRightValues) {
    EXPECT_EQ(refusal({{"segment", "2"}}), "x/y has no option 'segment'; did you mean segments?");
    EXPECT_EQ(refusal({{"zzzzzzzzz", "2"}}), "x/y has no option 'zzzzzzzzz'; it has segments, gather, block");
    EXPECT_EQ(refusal({{"segments", "0"}}), "x/y: segments: 0 is too small; it must be at least 1");
    EXPECT_EQ(refusal({{"segments", "many"}}), "x/y: segments: 'many' is not a whole number");
    EXPECT_EQ(refusal({{"gather", "tree"}}), "x/y: gather cannot be 'tree'; it is one of bruck, ring");
    EXPECT_EQ(refusal({{"block", "0"}}), "x/y: block: 0 is too small; it must be at least 1 bytes");
}

}  // namespace
}  // namespace engine
