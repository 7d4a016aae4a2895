// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/options/formula.hpp"

#include "engine/base/error.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace app {
namespace {

double valueOf(const std::string& words) {
    return Formula{words, "--line"}.at({{"p", 8}, {"q", 3}, {"alpha", 0.5}, {"size_b", 10}});
}

TEST(FormulaTest, followsTheRulesOfArithmetic) {
    EXPECT_EQ(valueOf("1 + 2*3"), 7);
    EXPECT_EQ(valueOf("(1 + 2)*3"), 9);
    EXPECT_EQ(valueOf("8 - 3 - 2"), 3);
    EXPECT_EQ(valueOf("8/2/2"), 2);
    EXPECT_EQ(valueOf("2^3^2"), 512);
    EXPECT_EQ(valueOf("-2^2"), -4);
    EXPECT_EQ(valueOf("2^-1"), 0.5);
    EXPECT_EQ(valueOf("1e-3*1000"), 1);
    EXPECT_EQ(valueOf("ceil(p/q) + floor(p/q) + log2(p) + sqrt(size_b*size_b)"), 3 + 2 + 3 + 10);
    EXPECT_EQ(valueOf("max(p, q) - min(p, q)*alpha + abs(q - p)"), 8 - 1.5 + 5);
    EXPECT_TRUE(std::isnan(valueOf("1/(p - 8)")));
    EXPECT_TRUE(std::isnan(valueOf("log2(q - p)")));
}

TEST(FormulaTest, saysWhatIsNoFormula) {
    for (const char* words :
         {"", "1 +", "(1", "1)", "2 p", "*p", "max(p)", "log2(p, q)", "p q", "1..2", "p'", "sqrt"}) {
        if (std::string{words} == "sqrt") {
            EXPECT_THROW(valueOf(words), engine::Error) << words;  // a letter nobody gave a value
            continue;
        }
        EXPECT_THROW((Formula{words, "--line"}), engine::Error) << words;
    }
    EXPECT_THROW((Formula{std::string(100'000, '('), "--line"}), engine::Error);
    try {
        valueOf("alfa + p");
        FAIL();
    } catch (const engine::Error& error) {
        EXPECT_NE(error.words().find("alpha"), std::string::npos) << error.words();
    }
}

}  // namespace
}  // namespace app
