// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <gtest/gtest.h>

namespace engine {
namespace {

std::string inBrackets(const std::string& key) { return "<" + key + ">"; }

TEST(Fields, haveTheNamesOfWhoeverSpeaks) {
    const std::string words = text(field::sharing, " fair needs ", field::size, ", not '--size'");
    EXPECT_EQ(plain(words), "sharing fair needs size, not '--size'");
    EXPECT_EQ(worded(words, inBrackets, inBrackets), "<sharing> fair needs <size>, not '--size'");
    EXPECT_EQ(fieldsIn(words), (std::vector<std::string>{"sharing", "size"}));
    EXPECT_EQ(plain("nothing"), "nothing");
    EXPECT_TRUE(fieldsIn("nothing").empty());
}

TEST(Fields, canBeMeantWithoutBeingNamed) {
    const Error error{field::root, "it is outside 0..7"};
    EXPECT_STREQ(error.what(), "it is outside 0..7");
    EXPECT_EQ(fieldsIn(error.words()), std::vector<std::string>{"root"});
}

TEST(Fields, ofAnAlgorithmAreCalledByTheirKey) {
    const std::string words = text(Field{"segments", Field::Named::option}, ": 0 is too small");
    EXPECT_EQ(worded(words, inBrackets, inBrackets), "segments: 0 is too small");
    EXPECT_EQ(fieldsIn(words), std::vector<std::string>{"segments"});
}

TEST(Fields, areNoLists) {
    const std::string words = text(field::topology, ": unknown; ", listing::topologies, " lists them all");
    EXPECT_EQ(plain(words), "topology: unknown; the list of topologies lists them all");
    EXPECT_EQ(worded(words, inBrackets, inBrackets), "<topology>: unknown; <topologies> lists them all");
    EXPECT_EQ(fieldsIn(words), std::vector<std::string>{"topology"});
}

TEST(Fields, stayInErrorsThatHoldOthers) {
    const Error inner{text(field::size, ": too much")};
    const Error outer{text("line 3: ", inner.words())};
    EXPECT_STREQ(outer.what(), "line 3: size: too much");
    EXPECT_EQ(fieldsIn(wordsOf(outer)), std::vector<std::string>{"size"});
    EXPECT_EQ(wordsOf(std::runtime_error{"else"}), "else");
}

TEST(Fields, surviveWordsThatLookLikeMarks) {
    EXPECT_EQ(plain("\x02half"), "\x02half");
    EXPECT_EQ(plain("\x03"), "\x03");
}

}  // namespace
}  // namespace engine
