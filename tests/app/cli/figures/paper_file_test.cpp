// SPDX-License-Identifier: BSD-3-Clause
// Files of papers: what their lines mean, and what is said of wrong ones.
#include "app/cli/figures/paper_file.hpp"
#include "engine/base/error.hpp"
#include "tests/app/cli/command.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

namespace app::cli {
namespace {

namespace fs = std::filesystem;

const std::string paper = R"(# a remark
title: Me 2026, \
    On flat trees
text: seven = bcast/flat -n 7

item: fig1
shows: a flat tree
because: It is flat.
tolerance: 1/50
number: rounds
  print: 6
  says: 6
  expected: 12/2
  of: rounds
  run: $seven
panel: time over ranks
  sweep: bcast/flat -n 2..8*2 --x n --y rounds --line p-1=p-1
  mark: 8 7 seven
panel: the same
  sweep: bcast/flat -n 2..8*2 --x n --y rounds --line p-1=p-1
  curve: p-1
    says: 0.9 to 1.1
    from: 4
  curve: p-1
    in: time over ranks

item: obs2
shows: its messages
because: They are drawn.
same-time: yes
picture: round 1
  run: $seven
  view: strip
  count: 1
  senders: A
number: the rank that rank 2 receives from
  expected: 0
  of: peer
  message: rank 2 receives 1 in round 2
  run: $seven
  because: the root sends all messages
  headline: yes
)";

TEST(PaperFile, readsWhatItsLinesSay) {
    const figures::Paper read = figures::readPaper(paper, "some/12-mine.paper");
    EXPECT_EQ(read.name, "mine");
    EXPECT_EQ(read.title, "Me 2026, On flat trees");
    ASSERT_EQ(read.items.size(), 2U);
    const figures::Item& figure = read.items[0];
    EXPECT_EQ(figure.kind, figures::Kind::figure);
    EXPECT_EQ(figure.tolerance, 0.02);
    ASSERT_EQ(figure.numbers.size(), 1U);
    EXPECT_EQ(figure.numbers[0].where, "some/12-mine.paper:10");
    EXPECT_EQ(figure.numbers[0].run, "bcast/flat -n 7");
    EXPECT_EQ(figure.numbers[0].expected, 6);
    EXPECT_EQ(figure.numbers[0].of, figures::Of::rounds);
    ASSERT_EQ(figure.panels.size(), 2U);
    EXPECT_EQ(figure.panels[0].marks.at(0).words, "seven");
    ASSERT_EQ(figure.curves.size(), 2U);
    EXPECT_EQ(figure.curves[0].panel, 1U);
    EXPECT_EQ(figure.curves[0].from, 4);
    EXPECT_TRUE(std::isinf(figure.curves[0].to));
    EXPECT_EQ(figure.curves[1].panel, 0U);
    EXPECT_EQ(figure.curves[1].says.least, 1) << "equal, unless it says something else";
    const figures::Item& picture = read.items[1];
    EXPECT_EQ(picture.kind, figures::Kind::observation);
    EXPECT_TRUE(picture.drawn.sameTime);
    EXPECT_EQ(picture.drawn.panels.at(0).senders, 'A');
    EXPECT_EQ(picture.numbers[0].message.rank, 2);
    EXPECT_FALSE(picture.numbers[0].message.sent);
    EXPECT_EQ(picture.numbers[0].message.round, 2);
    EXPECT_TRUE(picture.numbers[0].headline);
}

TEST(PaperFile, readsPrintedStatementsAsNumbers) {
    const auto says = [](const std::string& words) {
        return figures::readPaper(
                   "title: t\nitem: eq1\nshows: s\nbecause: b\nnumber: n\n  expected: 1\n  formula: 1\n  says: " +
                       words,
                   "x.paper")
            .items[0]
            .numbers[0]
            .says;
    };
    EXPECT_EQ(says("10/4").least, 2.5);
    EXPECT_EQ(says("about 10").most, figures::about(10).most);
    EXPECT_EQ(says("above 2").least, figures::moreThan(2).least);
    EXPECT_TRUE(says("below 2").open);
    EXPECT_EQ(says("at least 2").least, 2);
    EXPECT_EQ(says("at most 2").most, 2);
    EXPECT_EQ(says("2 to 3").most, 3);
    EXPECT_EQ(says("formula 1+log2(p)").formula, "1+log2(p)");
}

/// The sentence about the paper with `wrong` in place of `line`.
std::string mistake(const std::string& line, const std::string& wrong) {
    std::string words = paper;
    const auto at = words.find(line);
    EXPECT_NE(at, std::string::npos) << line;
    words.replace(at, line.size(), wrong);
    try {
        figures::readPaper(words, "mine.paper");
    } catch (const engine::Error& error) {
        return error.what();
    }
    return {};
}

TEST(PaperFile, namesLineAndMistake) {
    EXPECT_EQ(mistake("title: Me", "tittle: Me"), "mine.paper:2: the paper has no key 'tittle'; did you mean title?");
    EXPECT_EQ(mistake("title: Me 2026, \\\n    On flat trees\n", ""),
              "mine.paper:1: the paper needs a line 'title: ...'");
    EXPECT_EQ(mistake("  expected: 12/2\n", ""), "mine.paper:10: this number needs a line 'expected: ...'");
    EXPECT_EQ(mistake("because: They", "axes: They"), "mine.paper:27: this item needs a line 'because: ...'");
    EXPECT_EQ(mistake("12/2", "twelve"), "mine.paper:13: 'twelve' is not a number; write for example 1.5 or 10/7");
    EXPECT_EQ(mistake("12/2", "12/0"), "mine.paper:13: '12/0' is not a number; write for example 1.5 or 10/7");
    EXPECT_EQ(mistake("12/2", "nan"), "mine.paper:13: 'nan' is not a number; write for example 1.5 or 10/7");
    EXPECT_EQ(mistake("says: 6", "says: often"),
              "mine.paper:12: 'often' is not a number; write for example 1.5 or 10/7");
    EXPECT_EQ(mistake("of: rounds", "of: round"), "mine.paper:14: unknown quantity 'round'; did you mean rounds?");
    EXPECT_EQ(mistake("$seven\npanel", "$sevn\npanel"), "mine.paper:15: no text is called 'sevn'; did you mean seven?");
    EXPECT_EQ(mistake("  run: $seven\npanel", "  run: a\n  run: b\npanel"), "mine.paper:16: 'run' is given twice");
    EXPECT_EQ(mistake("  run: $seven\npanel", "panel"),
              "mine.paper:10: this number needs a line 'run: ...', or a formula of printed numbers alone");
    EXPECT_EQ(mistake("in: time", "in: times"), "mine.paper:25: no panel above is called 'times over ranks'");
    EXPECT_EQ(mistake("item: obs2", "item: fig1"), "mine.paper:27: an item 'fig1' is there already");
    EXPECT_EQ(
        mistake("item: obs2", "item: figure"),
        "mine.paper:27: 'figure' is no name of an item; write for example fig1, tab1, eq1, def1, thm1, alg1, claim1 or obs1");
    EXPECT_EQ(mistake("same-time: yes", "same-time: no"),
              "mine.paper:30: 'no' is not 'yes'; for 'no' leave out the line");
    EXPECT_EQ(
        mistake("rank 2 receives 1 in", "rank 2 gets 1 in"),
        "mine.paper:39: 'rank 2 gets 1 in round 2' is no message; write for example rank 7 receives 1 in round 2");
    EXPECT_EQ(mistake("  message: rank 2 receives 1 in round 2\n", ""),
              "mine.paper:36: this number is of one message; write for example message: rank 7 receives 1 in round 2");
    EXPECT_EQ(mistake("senders: A", "senders: C"), "mine.paper:35: 'C' is no group of senders; write A or B");
    EXPECT_EQ(mistake("item: fig1\nshows: a flat tree\nbecause: It is flat.\ntolerance: 1/50\n", ""),
              "mine.paper:6: a number needs an item before it; write for example item: fig1");
    EXPECT_EQ(mistake("mark: 8 7 seven", "mark: 8 seven"),
              "mine.paper:18: '8 seven' is no mark; write for example 28 1e-05 10 us");
    EXPECT_EQ(mistake("shows: a flat tree", "a flat tree"),
              "mine.paper:7: 'a flat tree' has no value; a line is KEY: VALUE");
    try {
        figures::readPaper("title: t\n", "mine.paper");
        ADD_FAILURE() << "a paper without items";
    } catch (const engine::Error& error) {
        EXPECT_STREQ(error.what(), "mine.paper:2: the paper has no item; write for example item: fig1");
    }
}

class PaperOfOnesOwn : public ::testing::Test {
protected:
    void SetUp() override { write(paper); }
    void TearDown() override { fs::remove(file_); }
    void write(const std::string& words) const { std::ofstream{file_} << words; }
    [[nodiscard]] std::string replaced(const std::string& from, const std::string& to) const {
        std::string words = paper;
        return words.replace(words.find(from), from.size(), to);
    }
    /// What is said of an item; with exit code 2.
    [[nodiscard]] std::string refusal(const std::string& words, const std::string& item) const {
        write(words);
        const Answer answer = command("figure @" + file_.string() + ' ' + item);
        EXPECT_EQ(answer.code, 2);
        EXPECT_TRUE(answer.out.empty()) << answer.out;
        const std::string begin = "collscope: " + file_.string() + ':';
        EXPECT_TRUE(answer.err.starts_with(begin)) << answer.err;
        return answer.err.substr(std::min(begin.size(), answer.err.size()));
    }

    const fs::path file_ = fs::temp_directory_path() / ("my-paper-" + std::to_string(getpid()) + ".paper");
};

TEST_F(PaperOfOnesOwn, isListedAndMade) {
    EXPECT_EQ(jsonOf("figure @" + file_.string() + " --format json").size(), 2U);
    const Answer figure = command("figure @" + file_.string() + " 1");
    EXPECT_EQ(figure.code, 0) << figure.err;
    EXPECT_NE(figure.out.find("reproduced"), std::string::npos) << figure.out;
    EXPECT_EQ(command("figure @" + file_.string() + " obs2").code, 0);
    write(replaced("expected: 12/2", "expected: 7"));
    EXPECT_EQ(command("figure @" + file_.string() + " 1").code, 1) << "a number differs";
    EXPECT_EQ(command("figure @/nowhere/my.paper").code, 2);
}

TEST_F(PaperOfOnesOwn, namesTheLineOfAWrongRun) {
    EXPECT_EQ(refusal(replaced("$seven\npanel", "bcast/flta -n 7\npanel"), "1"),
              "10: unknown algorithm 'bcast/flta'; did you mean bcast/flat?\n");
    EXPECT_EQ(refusal(replaced("sweep: bcast/flat", "sweep: bcast/flta"), "1"),
              "16: unknown algorithm 'bcast/flta'; did you mean bcast/flat?\n");
    EXPECT_EQ(refusal(replaced("--line p-1=p-1\n  mark", "--lime p-1=p-1\n  mark"), "1"),
              "16: sweep: unknown option '--lime'\n");
    EXPECT_EQ(refusal(replaced("  curve: p-1\n    in", "  curve: p\n    in"), "1"), "24: the panel has no curve 'p'\n");
    write(replaced("in round 2", "in round 9"));
    const Answer answer = command("figure @" + file_.string() + " obs2");
    EXPECT_EQ(answer.code, 2);
    EXPECT_EQ(answer.err, "collscope: rank 2 does not receive 1 message in round 9\n");
}

/// The number of lines of the program's own papers may change; that all of them are read may not.
TEST(PaperFile, readsAllPapersOfTheProgram) {
    const std::vector<std::string> names{"traff2010", "hasanov2014", "kang2019", "kang-half-duplex", "end2016"};
    ASSERT_EQ(figures::papers().size(), names.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
        EXPECT_EQ(figures::papers()[i].name, names[i]);
        EXPECT_FALSE(figures::papers()[i].items.empty());
    }
}

}  // namespace
}  // namespace app::cli
