// SPDX-License-Identifier: BSD-3-Clause
// Whatever names hold: terminals are not told what to do, and json stays json.
#include "app/cli/output/printable.hpp"
#include "tests/app/cli/command.hpp"

#include <gtest/gtest.h>

#include <stdlib.h>
#include <filesystem>

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

}  // namespace
}  // namespace app::cli
