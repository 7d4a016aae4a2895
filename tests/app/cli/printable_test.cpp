// SPDX-License-Identifier: BSD-3-Clause
// Whatever names contain: terminals are not controlled by them, and json stays json. Tables fit into a line of text.
#include "app/cli/output/printable.hpp"
#include "app/cli/output/tables.hpp"
#include "app/cli/output/text_layout.hpp"
#include "tests/app/cli/command.hpp"

#include <gtest/gtest.h>

#include <stdlib.h>
#include <filesystem>
#include <sstream>

namespace app::cli {
namespace {

TEST(Visibly, leavesLettersAndWritesOrdersOut) {
    EXPECT_EQ(visibly("plain\tcaf\xc3\xa9 \xe2\x86\x92 \xf0\x9f\x98\x80\n", false),
              "plain\tcaf\xc3\xa9 \xe2\x86\x92 \xf0\x9f\x98\x80\n");
    EXPECT_EQ(visibly("a\x1b[2Jb\r\x7f\x07", false), "a\\x1b[2Jb\\x0d\\x7f\\x07");
    EXPECT_EQ(visibly("\xc2\x9b 2J", false), "\\xc2\\x9b 2J") << "an order in one character";
    EXPECT_EQ(visibly("\x9b \xff \xc3", false), "\\x9b \\xff \\xc3");
    EXPECT_EQ(visibly("\xed\xa0\x80 \xf5", false), "\\xed\\xa0\\x80 \\xf5");
    EXPECT_EQ(visibly("\033[1mstrong\033[0m\033[7m", true), "\033[1mstrong\033[0m\\x1b[7m");
    EXPECT_EQ(visibly("\033[1m", false), "\\x1b[1m");
    EXPECT_EQ(visibly("a\u202eb\u2066c\u200f", false), "a\\xe2\\x80\\xaeb\\xe2\\x81\\xa6c\\xe2\\x80\\x8f")
        << "turns text";
    EXPECT_EQ(visibleName("a\nb\tc\x1b"), "a\\nb\\tc\\x1b");
}

class Names : public ::testing::Test {
protected:
    Names() {
        std::string name = (std::filesystem::temp_directory_path() / "names-XXXXXX").string();
        if (::mkdtemp(name.data()) != nullptr) folder = name;
        trace = folder / "a\xff\x1b[2J";
    }
    ~Names() override { std::filesystem::remove_all(folder); }

    [[nodiscard]] Answer ask(const std::string& verb, const std::vector<std::string>& more) const {
        std::vector<std::string> words{verb, trace.string()};
        words.insert(words.end(), more.begin(), more.end());
        std::ostringstream out, err;
        const int code = run(words, out, err, {});
        return {code, out.str(), err.str()};
    }

    std::filesystem::path folder;
    std::filesystem::path trace;
};

TEST_F(Names, ofAnyBytesAreSaid) {
    const Answer none = ask("open", {});
    EXPECT_EQ(none.code, 2);
    EXPECT_EQ(none.err.find('\x1b'), std::string::npos) << none.err;
    EXPECT_NE(none.err.find("a\\xff\\x1b[2J"), std::string::npos) << none.err;
    std::ostringstream out, err;
    ASSERT_EQ(run({"run", "bcast/flat", "-n", "3", "--trace", trace.string()}, out, err, {}), 0) << err.str();
    EXPECT_NE(out.str().find("a\\xff\\x1b[2J"), std::string::npos) << out.str();
    EXPECT_EQ(out.str().find('\x1b'), std::string::npos);
    const Answer json = ask("open", {"--tables", "rounds", "--format", "json"});
    EXPECT_EQ(json.code, 0) << json.err;
    EXPECT_NE(nlohmann::json::parse(json.out)["trace"].get<std::string>().find("a\xef\xbf\xbd\x1b[2J"),
              std::string::npos);
}

std::vector<std::string> textLines(const engine::Table& table, std::size_t most = 20) {
    std::ostringstream out;
    std::ostringstream err;
    writeText(table, Console{out, err, {}, Paint{}}, most);
    std::istringstream all{out.str()};
    std::vector<std::string> lines;
    for (std::string line; std::getline(all, line);) lines.push_back(line);
    return lines;
}

TEST(TablesAsText, shortenNamesInTheMiddle) {
    const std::string name = "MPI_Send (" + std::string(80, 'x') + " in libprogram.so)";
    const engine::Table table{.name = "causes",
                              .title = "root causes",
                              .columns = {{"path", engine::Content::words}, {"delays", engine::Content::count}},
                              .rows = {{name, std::int64_t{3}}}};
    const std::vector<std::string> lines = textLines(table);
    ASSERT_EQ(lines.size(), 4U);
    EXPECT_EQ(displayWidth(lines.back()), lineWidth);
    EXPECT_TRUE(lines.back().starts_with("  MPI_Send (xxx")) << lines.back();
    EXPECT_NE(lines.back().find("xxx...xxx"), std::string::npos) << lines.back();
    EXPECT_NE(lines.back().find(" in libprogram.so)       3"), std::string::npos) << lines.back();
}

TEST(TablesAsText, splitHeadingsWhereTheyAreTooWide) {
    engine::Table table{.name = "t", .title = "many columns", .columns = {}, .rows = {{}}};
    for (int c = 0; c < 7; ++c) {
        table.columns.push_back({"max_computation", engine::Content::count});
        table.rows.front().emplace_back(std::int64_t{c});
    }
    std::vector<std::string> lines = textLines(table);
    ASSERT_EQ(lines.size(), 4U);
    EXPECT_TRUE(lines[1].ends_with("          max")) << lines[1];
    EXPECT_TRUE(lines[2].ends_with("  computation")) << lines[2];
    table.columns.resize(2);
    table.rows.front().resize(2);
    lines = textLines(table);
    EXPECT_EQ(lines[1], "  max computation  max computation");
}

TEST(TablesAsText, ofFewRowsHaveAColumnForEachWhereTheyAreTooWide) {
    engine::Table table{.name = "t", .title = "wide rows", .columns = {}, .rows = {{}, {}}};
    for (int c = 0; c < 12; ++c) {
        table.columns.push_back({"column_" + std::to_string(c), engine::Content::words});
        for (auto& row : table.rows) row.emplace_back("a value " + std::to_string(c));
    }
    const std::vector<std::string> lines = textLines(table);
    ASSERT_EQ(lines.size(), 13U);
    EXPECT_EQ(lines[2], "  column 1    a value 1   a value 1");
}

TEST(TablesAsText, ofManyRowsContinueBelowWithTheirFirstColumn) {
    engine::Table table{.name = "t", .title = "wide rows", .columns = {{"rank", engine::Content::rank}}, .rows = {}};
    for (int c = 0; c < 12; ++c) table.columns.push_back({"column_" + std::to_string(c), engine::Content::words});
    for (int r = 0; r < 5; ++r) {
        table.rows.push_back({std::int64_t{r}});
        for (int c = 0; c < 12; ++c) table.rows.back().emplace_back("a value " + std::to_string(c));
    }
    const std::vector<std::string> lines = textLines(table);
    const auto blank = std::ranges::find(lines, "");
    ASSERT_NE(blank, lines.end());
    EXPECT_TRUE((blank + 1)->starts_with("  rank  column 6")) << *(blank + 1);
    EXPECT_TRUE(lines.back().starts_with("     4  a value 6")) << lines.back();
    for (const std::string& line : lines) EXPECT_LE(displayWidth(line), lineWidth) << line;
}

TEST(TablesAsText, keepTheInnerCallsOfPaths) {
    const std::string outer = "before main/" + std::string(60, 'a') + '/' + std::string(60, 'b');
    const std::string path = outer + "/exchange()/MPI_Send (exchange() in libprogram.so.0)";
    const engine::Table table{.name = "causes",
                              .title = "root causes",
                              .columns = {{"path", engine::Content::words}, {"delays", engine::Content::count}},
                              .rows = {{path, std::int64_t{3}}}};
    const std::string line = textLines(table).back();
    EXPECT_TRUE(line.starts_with("  before ...b")) << line;
    EXPECT_NE(line.find("b/exchange()/MPI_Send (exchange())"), std::string::npos) << line;
}

TEST(TablesAsText, numberRowsThatTheirFirstCellsDoNotTellApart) {
    engine::Table table{
        .name = "t", .title = "wide rows", .columns = {{"operation", engine::Content::words}}, .rows = {}};
    for (int c = 0; c < 12; ++c) table.columns.push_back({"column_" + std::to_string(c), engine::Content::words});
    for (int r = 0; r < 5; ++r) {
        table.rows.push_back({std::string{r < 4 ? "MPI_Send" : "MPI_Recv"}});
        for (int c = 0; c < 12; ++c) table.rows.back().emplace_back("a value " + std::to_string(c));
    }
    const std::vector<std::string> lines = textLines(table);
    EXPECT_TRUE(lines[1].starts_with("  row  operation  column 0")) << lines[1];
    EXPECT_TRUE(lines.back().starts_with("    5  a value")) << lines.back();
    for (const std::string& line : lines) EXPECT_LE(displayWidth(line), lineWidth) << line;
}

/// The cells of a row are at most some 20 lines apart in two blocks.
TEST(TablesAsText, haveAllBlocksOfTwentyRowsTogether) {
    engine::Table table{.name = "t", .title = "wide rows", .columns = {{"rank", engine::Content::rank}}, .rows = {}};
    for (int c = 0; c < 12; ++c) table.columns.push_back({"column_" + std::to_string(c), engine::Content::words});
    for (int r = 0; r < 45; ++r) {
        table.rows.push_back({std::int64_t{r}});
        for (int c = 0; c < 12; ++c) table.rows.back().emplace_back("a value " + std::to_string(c));
    }
    const auto lines = textLines(table, 100);
    std::vector<std::string> ranks;
    for (const std::string& line : lines)
        if (const std::size_t first = line.find_first_not_of(' ');
            first != std::string::npos && std::isdigit(line[first]))
            ranks.push_back(line.substr(first, line.find(' ', first) - first));
    ASSERT_EQ(ranks.size(), 90U);
    std::vector<std::string> wanted;
    for (const auto& [first, behind] : {std::pair{0, 20}, std::pair{20, 40}, std::pair{40, 45}})
        for (int block = 0; block < 2; ++block)
            for (int rank = first; rank < behind; ++rank) wanted.push_back(std::to_string(rank));
    EXPECT_EQ(ranks, wanted);
}

TEST(TablesAsText, leaveSentencesWhole) {
    const std::string sentence(150, 's');
    const engine::Table table{.name = "not-recorded",
                              .title = "data that is missing from the trace",
                              .columns = {{"what", engine::Content::words}, {"count", engine::Content::count}},
                              .rows = {{sentence, std::int64_t{3}}}};
    EXPECT_NE(textLines(table).back().find(sentence), std::string::npos);
}

}  // namespace
}  // namespace app::cli
