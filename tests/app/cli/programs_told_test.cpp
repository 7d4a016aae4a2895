// SPDX-License-Identifier: BSD-3-Clause
// What is said of traces of programs, which nobody but their ranks' calls knows more of than messages.
#include "tests/app/cli/command.hpp"
#include "tests/support/programs/late_program.hpp"
#include "traces/export/copy.hpp"

#include <gtest/gtest.h>

#include <unistd.h>
#include <algorithm>
#include <filesystem>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace app::cli::of_programs {
namespace {

using nlohmann::json;

class ProgramsTold : public testing::Test {
protected:
    void SetUp() override {
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directories(folder_);
        std::mt19937 random{95};
        traces::writeCopy(support::lateProgram(random), folder_ / "a");
        traces::writeCopy(support::lateProgram(random, {.messages = false}), folder_ / "b");
        // Three have no name, one has that of others.
        traces::RecordingBuilder named{4};
        const std::vector<traces::Rank> some{traces::Rank{0}, traces::Rank{1}};
        for (const char* name : {"row", "", "", "", "row"}) named.communicator(name, some);
        for (std::int32_t communicator = 1; communicator < 6; ++communicator) {
            std::vector<traces::Participant> parts;
            for (const traces::Rank rank : some) {
                const traces::Picoseconds begin{communicator * 1'000'000}, end{communicator * 1'000'000 + 5000};
                named.enter(rank.value, begin, "MPI_Barrier");
                named.leave(rank.value, end);
                parts.push_back({.rank = rank, .begin = begin, .end = end});
            }
            named.collective(traces::Operation::barrier, communicator, traces::noRank, parts);
        }
        traces::writeCopy(named.finish(), folder_ / "named");
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    [[nodiscard]] std::string in(const char* name) const { return (folder_ / name).string(); }
    [[nodiscard]] static Answer said(const std::vector<std::string>& words) {
        std::ostringstream out;
        std::ostringstream err;
        const int code = run(words, out, err, {});
        return {code, out.str(), err.str()};
    }

private:
    std::filesystem::path folder_ =
        std::filesystem::path{testing::TempDir()} / engine::text("collscope-programs-told-", getpid());
};

TEST_F(ProgramsTold, areNoFileOfMessagesWhereTheyHaveNone) {
    const std::string file = in("x.csv");
    EXPECT_EQ(said({"export", in("named"), "-o", file}).code, 2);
    EXPECT_FALSE(std::filesystem::exists(file));
    EXPECT_EQ(said({"export", in("a"), "-o", file}).code, 0);
    EXPECT_TRUE(std::filesystem::exists(file));
}

/// Their messages do not say it.
TEST_F(ProgramsTold, isNotWhenTheirRanksStoodStill) {
    const json both = jsonOf("compare " + in("a") + " " + in("b") + " --format json");
    ASSERT_EQ(both["runs"]["rows"].size(), 2U);
    for (const json& row : both["runs"]["rows"]) EXPECT_TRUE(row.at("idle_share").is_null()) << row;
    EXPECT_EQ(command("compare " + in("a") + " " + in("b")).out.find("still"), std::string::npos);
    for (const char* name : {"a", "b"})
        for (const char* part : {"", " --from 1ns", " --ranks 0,1"}) {
            EXPECT_TRUE(jsonOf("open " + in(name) + part + " --format json").at("idle_share").is_null())
                << name << part;
            const auto lines = engine::split(command("open " + in(name) + part + " --format csv").out, '\n');
            const auto head = engine::split(lines.at(0), ','), cells = engine::split(lines.at(1), ',');
            ASSERT_EQ(head.size(), cells.size());
            const auto column = std::find(head.begin(), head.end(), "idle_share");
            ASSERT_NE(column, head.end());
            EXPECT_EQ(cells.at(static_cast<std::size_t>(column - head.begin())), "") << name << part;
        }
}

/// With blanks as tables have them, several at once, and by number.
TEST_F(ProgramsTold, isTheirCommunicatorsUnderTheNamesOfTables) {
    const auto barriers = [&](const std::string& names) {
        const Answer told = said({"open", in("named"), "--tables", "collectives", "--comm", names, "--format", "json"});
        EXPECT_EQ(told.code, 0) << told.err;
        std::string seen;
        const json tables = json::parse(told.out)["tables"];
        for (const json& row : tables["collectives"]["rows"]) seen += row["communicator"].get<std::string>() + ';';
        return seen;
    };
    EXPECT_EQ(barriers("communicator 3"), "communicator 3;");
    EXPECT_EQ(barriers("communicator 2,communicator 4"), "communicator 2;communicator 4;");
    EXPECT_EQ(barriers("3"), "communicator 3;");
    EXPECT_EQ(barriers("row"), "row;row;");
    EXPECT_EQ(barriers("5,communicator 2"), "communicator 2;row;");
    for (const char* wrong : {"communicator 1", "communicator 6", "communicator", "6", "rows", "communicator 3,raw"}) {
        const Answer refused = said({"open", in("named"), "--comm", wrong});
        EXPECT_EQ(refused.code, 2) << wrong;
        EXPECT_EQ(refused.out, "") << wrong;
        EXPECT_TRUE(refused.err.starts_with("collscope: --comm: the trace has no communicator '")) << refused.err;
        EXPECT_EQ(std::count(refused.err.begin(), refused.err.end(), '\n'), 1) << refused.err;
    }
    EXPECT_EQ(said({"open", in("named"), "--comm", "communicator 13"}).err,
              "collscope: --comm: the trace has no communicator 'communicator 13'; did you mean communicator 3?\n");
}

}  // namespace
}  // namespace app::cli::of_programs
