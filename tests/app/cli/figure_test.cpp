// SPDX-License-Identifier: BSD-3-Clause
// The papers' items: all of them can be made, small, and are what is recorded of them.
#include "tests/app/cli/command.hpp"

#include "app/cli/figures/figure_made.hpp"
#include "app/figures/item.hpp"
#include "engine/processors.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

namespace app::cli {
namespace {

namespace fs = std::filesystem;

class Figure : public ::testing::Test {
protected:
    Figure() {
        fs::create_directories(folder_);
        around_.chart = [this](const Sheet& drawn, const fs::path&, const gui::Picture&) { sheet_ = drawn; };
        around_.drawing = [](const Sheet& sheet, const gui::Picture&) { return "<svg>" + sheet.title + "</svg>"; };
    }
    ~Figure() override { fs::remove_all(folder_); }

    [[nodiscard]] std::string file(const std::string& name) const { return (folder_ / name).string(); }
    [[nodiscard]] std::string contents(const std::string& name) const {
        std::ifstream in{file(name)};
        return {std::istreambuf_iterator<char>{in}, {}};
    }

    fs::path folder_ = fs::temp_directory_path() / ("figure-" + std::to_string(getpid()));
    Surroundings around_;
    Sheet sheet_;
};

TEST(Figures, areDrawnOfOtherProblems) {
    const Answer answer = command("figure kang-half-duplex 4 -p 4 -q 4 --size 1KiB..4KiB*2 --topology full");
    EXPECT_EQ(answer.code, 0) << answer.err;
    EXPECT_NE(answer.out.find("not judged"), std::string::npos) << answer.out;
    // Its twelve panels are of two kinds; what is left of each is one command.
    std::size_t commands = 0;
    for (auto at = answer.out.find("collscope sweep"); at != std::string::npos;
         at = answer.out.find("collscope sweep", at + 1), ++commands)
        EXPECT_NE(answer.out.find("--group-a 4 --group-b 4 --size '1KiB..4KiB*2' --topology full", at),
                  std::string::npos);
    EXPECT_EQ(commands, 2U) << answer.out;
    EXPECT_EQ(command("figure kang-half-duplex claim2 -p 4").code, 2);
    EXPECT_EQ(command("figure all -p 4").code, 2);
    EXPECT_NE(command("figure kang-half-duplex 4 --repeat 3").err.find("add --on mpi"), std::string::npos);
    std::ostringstream out;
    std::ostringstream err;
    EXPECT_EQ(run({"figure", "kang-half-duplex", "4", "--size", ""}, out, err), 2) << err.str();
    EXPECT_EQ(command("figure kang-half-duplex 4 -p 4 --lab").code, 2);
}

TEST_F(Figure, hasEveryPaperWithoutDoubles) {
    std::set<std::string> names;
    for (const figures::Paper& paper : figures::papers())
        for (const figures::Item& item : paper.items) {
            EXPECT_TRUE(names.insert(std::string{paper.name} + ' ' + std::string{item.name}).second) << item.name;
            EXPECT_FALSE(item.shows.empty() || item.why.empty()) << item.name;
            for (const figures::Number& number : item.numbers) {
                // What is contradicted is explained, and a headline is two runs, or a formula.
                EXPECT_TRUE(!number.contradicted || !number.why.empty()) << number.what;
                EXPECT_TRUE(!number.headline || !number.fast.empty() || !number.formula.empty()) << number.what;
            }
        }
    EXPECT_EQ(jsonOf("figure --format json").size(), names.size());
    EXPECT_GE(names.size(), 160U);
}

/// "alg3" is an algorithm.
std::string_view prefixOf(figures::Kind kind) {
    switch (kind) {
        case figures::Kind::figure: return "fig";
        case figures::Kind::table: return "tab";
        case figures::Kind::equation: return "eq";
        case figures::Kind::definition: return "def";
        case figures::Kind::theorem: return "thm";
        case figures::Kind::algorithm: return "alg";
        case figures::Kind::claim: return "claim";
        case figures::Kind::observation: return "obs";
    }
    return {};
}

/// One rule for all items.
TEST_F(Figure, judgesItemsByTheirNumbers) {
    using figures::Verdict;
    for (const figures::Paper& paper : figures::papers())
        for (const figures::Item& item : paper.items) {
            SCOPED_TRACE(std::string{paper.name} + ' ' + std::string{item.name});
            const std::string_view prefix = prefixOf(item.kind);
            ASSERT_TRUE(item.name.starts_with(prefix));
            EXPECT_EQ(item.name.find_first_not_of("0123456789", prefix.size()), std::string_view::npos);
            const auto any = [&](bool figures::Number::*flag) {
                return std::any_of(item.numbers.begin(), item.numbers.end(),
                                   [&](const figures::Number& number) { return number.*flag; });
            };
            const bool contradicted = any(&figures::Number::contradicted);
            if (item.verdict == Verdict::reproduced || item.verdict == Verdict::notHere) {
                EXPECT_FALSE(contradicted);
                EXPECT_FALSE(any(&figures::Number::fitted));
            }
            EXPECT_FALSE(item.verdict == Verdict::fitted && contradicted);
            EXPECT_TRUE(item.verdict == Verdict::fitted || !any(&figures::Number::fitted));
        }
}

TEST_F(Figure, namesWhatASmallFormRunsInstead) {
    KnownRuns runs{2};
    for (const figures::Paper& paper : figures::papers())
        for (const figures::Item& item : paper.items) {
            if (item.name != "fig9" || paper.name != "traff2010") continue;
            const Made small = make(paper, item, {.form = Form::small}, runs);
            EXPECT_EQ(small.panels[0].chart.title, "geometric, 5772 ranks, here only --size '64..32KiB*8' -n 577");
        }
}

/// Every command that stands beside a number can be repeated; verify, show and run alike.
TEST_F(Figure, printsCommandsThatRun) {
    KnownRuns runs{2};
    std::set<std::string> asked;
    for (const figures::Paper& paper : figures::papers())
        for (const figures::Item& item : paper.items)
            for (const figures::Number& number : item.numbers) {
                if (number.of == figures::Of::time || number.large) continue;
                const MadeNumber made = make(number, runs);
                ASSERT_TRUE(made.commands[0].starts_with("collscope ")) << made.commands[0];
                if (!asked.insert(made.commands[0]).second) continue;
                const Answer answer = command(made.commands[0].substr(10));
                const bool refuted = number.of == figures::Of::proved && made.value == 0;
                EXPECT_EQ(answer.code, refuted ? 1 : 0) << made.commands[0] << '\n' << answer.err;
                if (number.of != figures::Of::peer) continue;
                const std::string other = std::to_string(static_cast<int>(made.value));
                const std::string self = std::to_string(number.message.rank);
                EXPECT_NE(answer.out.find(number.message.sent ? self + " -> " + other : other + " -> " + self),
                          std::string::npos)
                    << made.commands[0] << '\n'
                    << answer.out;
            }
}

TEST_F(Figure, makesEverythingAsRecorded) {
    KnownRuns runs{engine::processors()};
    for (const figures::Paper& paper : figures::papers())
        for (const figures::Item& item : paper.items) {
            SCOPED_TRACE(std::string{paper.name} + ' ' + std::string{item.name});
            const Made made = make(paper, item, {.form = Form::small}, runs);
            for (const MadeNumber& one : made.numbers)
                EXPECT_TRUE(one.holds) << one.number->what << ": " << one.value << " where " << one.number->expected
                                       << " is expected";
            for (const MadeAgreement& one : made.agreements)
                EXPECT_TRUE(one.holds) << one.line << " and " << one.series << " are " << one.off << " apart";
            for (const MadePanel& panel : made.panels)
                for (const Chart::Line& line : panel.chart.lines)
                    EXPECT_FALSE(line.points.empty()) << panel.command << ": " << line.name;
        }
}

TEST_F(Figure, isMadeByItsName) {
    ASSERT_EQ(command("figure traff2010 6 -o " + file("a.pdf"), around_).code, 0);
    ASSERT_EQ(sheet_.charts.size(), 2U);
    EXPECT_EQ(sheet_.charts[0].across.name, "size");
    EXPECT_NE(sheet_.title.find("traff2010 fig6"), std::string::npos);
    const Answer answer = command("figure traff2010 fig6");
    EXPECT_EQ(answer.code, 0);
    EXPECT_NE(answer.out.find("38.5"), std::string::npos) << answer.out;
    EXPECT_NE(answer.out.find("reproduced"), std::string::npos);
    // The command that is printed makes the same chart.
    const auto begin = answer.out.find("collscope sweep ") + 10;
    const auto line = answer.out.substr(begin, answer.out.find('\n', begin) - begin);
    const Chart made = sheet_.charts[0];
    ASSERT_EQ(command(line + " -o " + file("b.png"), around_).code, 0);
    ASSERT_EQ(sheet_.charts[0].lines.size(), made.lines.size());
    EXPECT_EQ(sheet_.charts[0].lines[0].points, made.lines[0].points);
}

TEST_F(Figure, saysWhatIsNotThere) {
    EXPECT_EQ(command("figure traff2011 10").err,
              "collscope: figure: there is no paper 'traff2011'; did you mean traff2010?\n");
    EXPECT_EQ(command("figure traff2010 fig01").code, 2);
    EXPECT_EQ(command("figure traff2010 claim22").err,
              "collscope: figure: traff2010 has no 'claim22'; did you mean claim2?\n");
    EXPECT_EQ(command("figure traff2010 99").code, 2);
    EXPECT_EQ(command("figure traff2010 claim2 -o " + file("a.png"), around_).code, 2);
    EXPECT_EQ(command("figure all -o " + file("a.png"), around_).code, 2);
    EXPECT_EQ(command("figure traff2010 3 -o " + file("a.odt"), around_).code, 2);
    std::ofstream{file("there.csv")} << "mine";
    EXPECT_EQ(command("figure traff2010 3 -o " + file("there.csv")).code, 2);
    EXPECT_EQ(command("figure traff2010 3 --rows " + file("there.csv")).code, 2);
    EXPECT_EQ(contents("there.csv"), "mine");
    EXPECT_EQ(command("figure traff2010 3 --rows " + file("x.csv") + " -o " + file("x.csv")).code, 2);
    EXPECT_EQ(command("figure traff2010 3 --rows " + file("nowhere/x.csv")).code, 2);
}

/// Rows of another build may be other numbers.
TEST_F(Figure, takesRowsOfThisProgramAlone) {
    ASSERT_EQ(command("figure traff2010 3 --small --rows " + file("rows.csv")).code, 0);
    std::string rows = contents("rows.csv");
    ASSERT_EQ(rows.find("run of collscope "), 0U);
    std::ofstream{file("rows.csv")} << rows.insert(18, "0.0.9 ");
    EXPECT_EQ(command("figure traff2010 3 --small --rows " + file("rows.csv")).code, 2);
}

TEST_F(Figure, writesTablesAndReports) {
    ASSERT_EQ(command("figure traff2010 6 -o " + file("a.csv")).code, 0);
    EXPECT_NE(contents("a.csv").find("traff2010 fig6,\"spike, 96 ranks\",run,"), std::string::npos);
    ASSERT_EQ(command("figure end2016 --small -o " + file("a.html") + " --rows " + file("rows.csv"), around_).code, 0);
    const std::string report = contents("a.html");
    EXPECT_NE(report.find("<svg>end2016 fig7"), std::string::npos);
    EXPECT_NE(report.find("Artifact appendix"), std::string::npos);
    EXPECT_NE(report.find("contradicted"), std::string::npos);
    // Once more nothing has to run.
    ASSERT_EQ(command("figure end2016 --small -o " + file("b.html") + " --rows " + file("rows.csv"), around_).code, 0);
    EXPECT_NE(contents("b.html").find(". 0 runs were made"), std::string::npos);
    EXPECT_NE(report.find("collscope figure end2016 --small -o report.html"), std::string::npos);
    ASSERT_EQ(command("figure end2016 --small -o " + file("a.md")).code, 0);
    EXPECT_NE(contents("a.md").find("Written by `collscope figure end2016 --small -o FILE.md`, the small form"),
              std::string::npos);
    ASSERT_EQ(command("figure end2016 tab1 -o " + file("one.md")).code, 0);
    EXPECT_NE(contents("one.md").find("\n1 item: "), std::string::npos) << contents("one.md");
    EXPECT_NE(contents("a.md").find("| tab1 |"), std::string::npos);
}

TEST_F(Figure, stopsWhenAsked) {
    std::stop_source stop;
    stop.request_stop();
    around_.stop = stop.get_token();
    EXPECT_EQ(command("figure all --small -o " + file("a.html"), around_).code, interrupted);
    EXPECT_FALSE(fs::exists(file("a.html")));
}

}  // namespace
}  // namespace app::cli
