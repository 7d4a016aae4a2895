// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/output/text_layout.hpp"
#include "app/session/options/ranges.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace app::cli {
namespace {

using Numbers = std::vector<std::int64_t>;

Numbers range(std::string_view words) {
    return readRange(words, "--ranks", [](std::string_view word, std::string_view what) {
        return engine::readInteger(word, what, 0, 1'000'000);
    });
}

TEST(Ranges, countStepAndMultiply) {
    EXPECT_EQ(range("5"), (Numbers{5}));
    EXPECT_EQ(range("1..4"), (Numbers{1, 2, 3, 4}));
    EXPECT_EQ(range("2..9/3"), (Numbers{2, 5, 8}));
    EXPECT_EQ(range("16..256*2"), (Numbers{16, 32, 64, 128, 256}));
    EXPECT_EQ(range("3..20*2"), (Numbers{3, 6, 12}));
    EXPECT_EQ(range("1,4,8..10"), (Numbers{1, 4, 8, 9, 10}));
    EXPECT_EQ(range("7..7"), (Numbers{7}));
    EXPECT_EQ(readRange("1KiB..4KiB*2", "--size", engine::readBytes), (Numbers{1024, 2048, 4096}));
}

TEST(Ranges, refuseWhatIsNone) {
    for (const char* words : {"", "1..", "..4", "4..1", "1..4/0", "1..4*1", "0..4*2", "1..x", "1,,2", "1...4"})
        EXPECT_THROW(range(words), engine::Error) << words;
}

TEST(Table, alignsItsColumns) {
    Table table{{Align::left, Align::right, Align::left}, 2};
    table.row({"a", "1", "first"});
    table.row({"long", "1000", ""});
    std::ostringstream out;
    table.write(out);
    EXPECT_EQ(out.str(), "  a        1  first\n  long  1000\n");
}

TEST(Table, wrapsItsLastColumn) {
    Table table{{Align::left, Align::left}};
    table.row({"key", std::string(50, 'x') + " " + std::string(50, 'y')});
    std::ostringstream out;
    table.write(out);
    EXPECT_EQ(out.str(), "key  " + std::string(50, 'x') + "\n     " + std::string(50, 'y') + "\n");
}

TEST(Words, areCountedAndCut) {
    EXPECT_EQ(analysis::counted(1234567), "1,234,567");
    EXPECT_EQ(analysis::counted(-1234), "-1,234");
    EXPECT_EQ(analysis::counted(999), "999");
    EXPECT_EQ(analysis::counted(1, "round"), "1 round");
    EXPECT_EQ(analysis::counted(0, "round"), "0 rounds");
    EXPECT_EQ(fitted("abcdef", 6), "abcdef");
    EXPECT_EQ(fitted("abcdefg", 6), "abc...");
    EXPECT_EQ(fitted("äöüßäöü", 6), "äöü...");
    EXPECT_EQ(displayWidth("\033[1mäb\033[0m"), 2U);
    EXPECT_EQ(wrapped("a bb  ccc", 4), (std::vector<std::string>{"a bb", "ccc"}));
    EXPECT_EQ(analysis::percent(0.3721), "37.2%");
}

}  // namespace
}  // namespace app::cli
