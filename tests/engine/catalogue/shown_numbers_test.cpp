// SPDX-License-Identifier: BSD-3-Clause
// Numbers as people read them: whole up to a million, and as near as the figures that are asked for.
#include "engine/base/text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace engine::in_shown_numbers {
namespace {

double readBack(const std::string& words) {
    double number = 0;
    const auto [rest, code] = std::from_chars(words.data(), words.data() + words.size(), number);
    EXPECT_TRUE(code == std::errc{} && rest == words.data() + words.size()) << words;
    return number;
}

void expectPlain(double number, int figures) {
    const std::string words = showNumber(number, figures);
    ASSERT_EQ(words.find_first_not_of("-.0123456789"), std::string::npos) << words << " of " << number;
    const double size = std::abs(number);
    const int whole = static_cast<int>(std::floor(std::log10(size))) + 1;  // 0 or less below 1
    const double lastFigure = std::pow(10.0, std::min(whole, std::max(whole - figures, -12)));
    // Whole numbers have all their digits, however few are asked for.
    const double unit = whole >= figures ? 1 : lastFigure;
    EXPECT_LE(std::abs(readBack(words) - number), 0.5 * unit * (1 + 1e-9) + 1e-12 * size)
        << words << " of " << number << " in " << figures << " figures";
    std::string digits = words;
    std::erase_if(digits, [](char c) { return c == '-' || c == '.'; });
    digits.erase(0, digits.find_first_not_of('0'));
    EXPECT_LE(static_cast<int>(digits.size()), std::max(figures, whole + 1)) << words << " of " << number;
    if (words.find('.') != std::string::npos) {
        EXPECT_NE(words.back(), '0') << words;
    }
    EXPECT_EQ(showNumber(-number, figures), words.starts_with('-') ? words.substr(1) : '-' + words);
}

TEST(ShownNumbers, haveNoExponentBelowAMillionAndAreNear) {
    std::mt19937 random{71};
    std::uniform_real_distribution<double> exponent{-3.9, 5.9999};
    for (int trial = 0; trial < 20'000; ++trial)
        expectPlain(std::pow(10.0, exponent(random)), 1 + static_cast<int>(random() % 9));
    // Where a figure more begins, and where rounding leads there.
    for (int power = -3; power < 6; ++power)
        for (const double near : {1.0, 0.999'999'9, 0.999'96, 0.999'5, 0.996, 0.95, 1.000'01, 0.5, 5.590'4})
            for (int figures = 1; figures < 10; ++figures) expectPlain(std::pow(10.0, power) * near, figures);
    for (int whole = 1; whole < 1'000'000; whole += 1 + whole / 97)
        for (const int figures : {3, 4}) EXPECT_EQ(showNumber(whole, figures), std::to_string(whole));
}

/// A part in hundred of a whole, or a count of times, is said by them.
TEST(ShownNumbers, tellThousandsAsTheyAre) {
    EXPECT_EQ(showNumber(5590, 3), "5590");
    EXPECT_EQ(showNumber(5590.4, 3), "5590");
    EXPECT_EQ(showNumber(999.9, 3), "1000");
    EXPECT_EQ(showNumber(99.96, 3), "100");
    EXPECT_EQ(showNumber(999'999.7, 4), "1000000");
    EXPECT_EQ(showNumber(0, 3), "0");
}

}  // namespace
}  // namespace engine::in_shown_numbers
