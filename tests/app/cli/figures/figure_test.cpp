// SPDX-License-Identifier: BSD-3-Clause
// The papers' items: all of them can be made, small, and are what is recorded of them.
#include "tests/app/cli/command.hpp"

#include "app/cli/figures/figure_result.hpp"
#include "app/cli/figures/item.hpp"
#include "engine/base/processors.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
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
                // A term and a counterexample are told in words; a headline is two runs, or a formula.
                EXPECT_TRUE((!number.refutes && number.term.empty()) || !number.why.empty()) << number.what;
                EXPECT_TRUE(!number.headline || !number.over.empty() || !number.formula.empty()) << number.what;
                EXPECT_TRUE(!number.run.empty() || !number.formula.empty()) << number.what;
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

/// An item is judged by something, unless what it needs is not available.
TEST_F(Figure, hasChecksForItsVerdict) {
    for (const figures::Paper& paper : figures::papers())
        for (const figures::Item& item : paper.items) {
            SCOPED_TRACE(std::string{paper.name} + ' ' + std::string{item.name});
            const std::string_view prefix = prefixOf(item.kind);
            ASSERT_TRUE(item.name.starts_with(prefix));
            EXPECT_EQ(item.name.find_first_not_of("0123456789", prefix.size()), std::string_view::npos);
            EXPECT_TRUE(item.notHere || !item.numbers.empty() || !item.curves.empty());
            // Also in the small form.
            const auto isSmall = [](const auto& one) { return !one.large; };
            EXPECT_TRUE(item.notHere || std::ranges::any_of(item.numbers, isSmall) ||
                        std::ranges::any_of(item.curves, isSmall));
        }
}

TEST(FigureVerdicts, showProofsAsWords) {
    const figures::Number number{.what = "p",
                                 .print = "correct",
                                 .says = figures::exactly(1),
                                 .expected = 1,
                                 .run = "bcast/flat -n 7",
                                 .of = figures::Of::proved};
    const MadeNumber made{.number = &number, .value = 1, .least = 1, .most = 1};
    EXPECT_EQ(saidOf(made), "yes");
    EXPECT_EQ(valueInWords(number, 0), "no");
    EXPECT_EQ(toleranceOf({.numbers = {made}}), "proofs exact");
}

TEST_F(Figure, namesWhatASmallFormRunsInstead) {
    KnownRuns runs{2};
    for (const figures::Paper& paper : figures::papers())
        for (const figures::Item& item : paper.items) {
            if (item.name != "fig9" || paper.name != "traff2010") continue;
            const FigureResult small = make(paper, item, {.form = Form::small}, runs);
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
                if (number.of == figures::Of::time || number.large || number.run.empty()) continue;
                const MadeNumber made = make(number, item.tolerance, runs);
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

/// Three panels with eight curves, as in print; a printed limit that several curves have stands once.
TEST_F(Figure, drawsPanelsOfOneTitleAsOneChart) {
    FigureResult made;
    for (const figures::Paper& paper : figures::papers())
        for (const figures::Item& item : paper.items)
            if (paper.name == "kang2019" && item.name == "fig6") made = {.paper = &paper, .item = &item};
    ASSERT_NE(made.item, nullptr);
    for (const figures::Panel& panel : made.item->panels) {
        Chart chart{.title = panel.title, .lines = {{"gain", {{1, 2}}}}, .formulas = {{"printed limit", {{1, 7}}}}};
        for (const figures::Mark& mark : panel.marks) chart.marks.push_back({mark.x, mark.y, std::string{mark.words}});
        made.panels.push_back({.command = {}, .chart = chart, .joined = panel.joined});
    }
    const Sheet sheet = sheetOf(made);
    ASSERT_EQ(sheet.charts.size(), 3U);
    EXPECT_EQ(sheet.charts[2].title, "2048 processes, 32 a node");
    for (const Chart& chart : sheet.charts) {
        EXPECT_EQ(chart.lines.size(), 8U);
        EXPECT_EQ(chart.marks.size(), 4U);
        EXPECT_TRUE(chart.formulas.empty());
    }
    EXPECT_EQ(sheet.charts[1].lines[4].name, "256 (5)");
}

/// Items of all papers, small; each run is made once.
const std::vector<FigureResult>& allMade() {
    static const std::vector<FigureResult> all = [] {
        KnownRuns runs{engine::processors()};
        const Way way{.form = Form::small};
        std::vector<Wanted> wanted;
        for (const figures::Paper& paper : figures::papers())
            for (const figures::Item& item : paper.items)
                for (Wanted& one : wantedFor(item, way)) wanted.push_back(std::move(one));
        double last = 0;
        runs.prepare(wanted, {},
                     {.report =
                          [&](double share) {
                              EXPECT_GE(share, last);
                              last = share;
                          },
                      .stop = {}});
        EXPECT_NEAR(last, 1, 1e-9);
        const std::size_t ran = runs.ran();
        std::vector<FigureResult> made;
        for (const figures::Paper& paper : figures::papers())
            for (const figures::Item& item : paper.items) made.push_back(make(paper, item, way, runs));
        EXPECT_EQ(runs.ran(), ran) << "everything is known beforehand";
        return made;
    }();
    return all;
}

TEST_F(Figure, holdsWithAllItsNumbersAndCurves) {
    for (const FigureResult& made : allMade()) {
        EXPECT_NE(verdictOf(made), figures::Verdict::differs) << made.name() << ": " << reasonOf(made);
        // One gap that is not available leaves the item open, unless something in it is contradicted.
        const auto isGap = [](const auto& one) { return one.notHere; };
        const bool gap =
            std::ranges::any_of(made.item->numbers, isGap) || std::ranges::any_of(made.item->curves, isGap);
        EXPECT_EQ(verdictOf(made) == figures::Verdict::notHere,
                  made.item->notHere || (gap && verdictOf(made) != figures::Verdict::contradicted))
            << made.name();
        for (const MadePanel& panel : made.panels)
            for (const Chart::Line& line : panel.chart.lines)
                EXPECT_FALSE(line.points.empty()) << panel.command << ": " << line.name;
    }
}

/// No verdict stands without the numbers below it: each of them, spoiled, changes it, and is named.
TEST_F(Figure, changesItsVerdictWithEachOfItsNumbers) {
    constexpr double tooMuch = 1.05;
    for (const FigureResult& made : allMade()) {
        SCOPED_TRACE(made.name());
        for (std::size_t i = 0; i < made.numbers.size(); ++i) {
            FigureResult spoiled = made;
            double& value = spoiled.numbers[i].value;
            value = value == 0 ? 1 : value * (spoiled.item->tolerance < 0.05 ? tooMuch : 2);
            EXPECT_EQ(verdictOf(spoiled), figures::Verdict::differs) << made.numbers[i].number->what;
            ASSERT_EQ(differencesOf(spoiled).size(), 1U);
            EXPECT_TRUE(differencesOf(spoiled)[0].starts_with(made.numbers[i].number->what)) << reasonOf(spoiled);
        }
        for (std::size_t i = 0; i < made.curves.size(); ++i) {
            // Print may have one end only.
            bool changed = false;
            for (const double factor : {1e-3, 1e3}) {
                FigureResult spoiled = made;
                spoiled.curves[i].quotients.back().y *= factor;
                spoiled.curves[i].offTerm = std::abs(1 / factor - 1);  // the second curve is the one that changed
                changed = changed || verdictOf(spoiled) != verdictOf(made);
            }
            EXPECT_TRUE(changed) << inWords(made.curves[i]);
        }
    }
}

/// The number as it is when its run yields what is expected. Formulas of the printed statement need a run.
MadeNumber asExpected(const figures::Number& number, double tolerance) {
    MadeNumber made{.number = &number,
                    .value = number.expected,
                    .least = number.says.least,
                    .most = number.says.most,
                    .tolerance = figures::isCount(number) ? 0 : tolerance};
    if (!number.term.empty()) made.term = number.expected;
    return made;
}

/// Every number in the data, those of the largest runs too: its verdict changes with its value and with what print
/// says.
TEST(FigureVerdicts, followFromEachNumberAndItsPrintedStatement) {
    std::size_t stated = 0;
    for (const figures::Paper& paper : figures::papers())
        for (const figures::Item& item : paper.items)
            for (const figures::Number& number : item.numbers) {
                SCOPED_TRACE(std::string{paper.name} + ' ' + std::string{item.name} + ": " + std::string{number.what});
                MadeNumber spoiled = asExpected(number, item.tolerance);
                spoiled.value = number.expected == 0 ? 1 : number.expected * 1.05;
                EXPECT_EQ(stateOf(spoiled), State::differs);
                if (!number.says.formula.empty() || (std::isinf(number.says.least) && std::isinf(number.says.most)))
                    continue;
                ++stated;
                const MadeNumber made = asExpected(number, item.tolerance);
                ASSERT_NE(stateOf(made), State::differs);
                MadeNumber otherwise = made;
                const bool agrees = stateOf(made) == State::holds || stateOf(made) == State::fitted;
                otherwise.least = otherwise.most = number.expected + (agrees ? 1 + std::abs(number.expected) : 0);
                EXPECT_NE(stateOf(otherwise), stateOf(made)) << "print says " << otherwise.least;
            }
    EXPECT_GE(stated, 290U);
}

/// Print and run of two curves differ by a range that is known, so that another printed formula changes the verdict.
TEST(FigureVerdicts, ofCurvesHaveExpectedRanges) {
    for (const figures::Paper& paper : figures::papers())
        for (const figures::Item& item : paper.items)
            for (const figures::Curves& curves : item.curves)
                EXPECT_TRUE((curves.term.empty() && !curves.refutes) || (curves.low != 0 && curves.high != 0))
                    << paper.name << ' ' << item.name << ": " << curves.first;
}

TEST(FigureVerdicts, showFormulasAsPeopleReadThem) {
    EXPECT_EQ(spelled("2*(p-1)/p*size*beta"), "2 (p - 1)/p size beta");
    EXPECT_EQ(spelled("2*3^1 + 0 + 2*3^0 - 0"), "2 x 3^1 + 0 + 2 x 3^0 - 0");
    EXPECT_EQ(spelled("max(p*size,q*size_b)"), "max(p size, q size_b)");
    EXPECT_EQ(spelled("-1+p"), "-1 + p");
    EXPECT_EQ(spelled("1.9*rounds/(p+q-1)"), "1.9 x rounds/(p + q - 1)") << "no number with a unit";
    EXPECT_EQ(spelled("2*rounds"), "2 rounds");
    const figures::Number number{.what = "x", .expected = 1, .formula = "total/size"};
    const figures::Number other{
        .what = "y", .expected = 1, .formula = "(max((p-1)*size,(q-1)*size_b)+p*size+q*size_b)/max(p*size,q*size_b)"};
    const Equations equations{{{.number = &number}, {.number = &other}, {.number = &other}}};
    EXPECT_EQ(equations.named(number.formula), "total/size");
    EXPECT_EQ(equations.named(other.formula), "(A)");
    ASSERT_EQ(equations.lines().size(), 1U);
    EXPECT_EQ(equations.lines()[0],
              "(A): (max((p - 1) size, (q - 1) size_b) + p size + q size_b)/max(p size, q size_b)");
}

/// A number that comes to be what print says is no counterexample any more, and a term that does not account for ours
/// explains nothing.
TEST(FigureVerdicts, followFromMeasurements) {
    figures::Number number{.what = "rounds",
                           .print = "5",
                           .says = figures::exactly(5),
                           .expected = 6,
                           .run = "bcast/flat -n 7",
                           .refutes = true};
    MadeNumber made{.number = &number, .value = 6, .least = 5, .most = 5};
    EXPECT_EQ(stateOf(made), State::contradicted);
    made.least = made.most = 6;
    EXPECT_EQ(stateOf(made), State::holds);
    made.value = 7;
    EXPECT_EQ(stateOf(made), State::differs);
    number.refutes = false;
    number.term = "p";
    made = {.number = &number, .value = 6, .least = 5, .most = 5, .term = 6};
    EXPECT_EQ(stateOf(made), State::explained);
    made.term = 8;
    EXPECT_EQ(stateOf(made), State::differs);
    // A fit of 20% meets 5 with 6, one of 10% does not.
    number.fitted = 0.2;
    EXPECT_EQ(stateOf(made), State::fitted);
    const std::string evidence = evidenceOf(made, Equations{{}});
    EXPECT_NE(evidence.find("fit within 20%"), std::string::npos) << evidence;
    // 1% of 6 is 0.06.
    made.tolerance = 0.01;
    made.value = 5.95;
    EXPECT_EQ(stateOf(made), State::fitted);
    made.value = 5.93;
    EXPECT_EQ(stateOf(made), State::differs);
    made.value = 6;
    number.fitted = 0.1;
    EXPECT_EQ(stateOf(made), State::differs);
    // Where the gap to print is of something that is not available, the run still has to be the expected one.
    number = {.what = "quotient", .print = "2", .says = figures::exactly(2), .expected = 1, .run = "bcast/flat -n 7"};
    number.notHere = true;
    made = {.number = &number, .value = 1, .least = 2, .most = 2};
    EXPECT_EQ(stateOf(made), State::notHere);
    made.value = 1.5;
    EXPECT_EQ(stateOf(made), State::differs);
    made.value = made.least = made.most = 1;
    EXPECT_EQ(stateOf(made), State::holds);
    // A printed end is no measurement: 1.0001 is above 1.
    number = {
        .what = "quotient", .print = "1 at most", .says = figures::atMost(1), .expected = 1, .run = "bcast/flat -n 7"};
    made = {.number = &number, .value = 1.0001, .least = number.says.least, .most = 1, .tolerance = 0.01};
    EXPECT_EQ(stateOf(made), State::differs);
}

/// A number that is not in print is not shown with a printed statement.
TEST(FigureVerdicts, stateWhatIsInPrint) {
    const figures::Number number{
        .what = "quotient", .print = "", .expected = 2, .run = "bcast/flat -n 7", .over = "bcast/flat -n 7"};
    MadeNumber made{.number = &number, .value = 2, .least = number.says.least, .most = number.says.most};
    EXPECT_EQ(stateInWords(made), "as expected");
    EXPECT_EQ(saidOf(made), "");
    EXPECT_EQ(saidOf(figures::moreThan(2)), "above 2");
    EXPECT_EQ(saidOf(figures::atLeast(2)), "at least 2");
    EXPECT_EQ(saidOf(figures::lessThan(2)), "below 2");
    EXPECT_EQ(saidOf(figures::about(2)), "1.8 to 2.2");
    const figures::Number above{
        .what = "quotient", .print = "more", .says = figures::moreThan(1), .expected = 2, .run = "bcast/flat -n 7"};
    const MadeNumber other{.number = &above, .value = 2, .least = above.says.least, .most = above.says.most};
    EXPECT_EQ(basisOf({.numbers = {made}}), "nothing; 1 number here is not in the paper");
    EXPECT_EQ(basisOf({.numbers = {other, made}}), "1 direction or range, no value; 1 number here is not in the paper");
    const figures::Curves printed{.first = "equation (1)"};
    const figures::Curves ours{.first = "(corrected)"};
    EXPECT_EQ(basisOf({.curves = {{.curves = &printed}, {.curves = &ours}}}), "1 value or curve");
    // An equation that a schedule follows is in print, though not as a number.
    const figures::Number equation{.what = "built from (1)",
                                   .print = "the equation",
                                   .says = figures::exactly(1),
                                   .expected = 1,
                                   .run = "bcast/flat -n 7",
                                   .of = figures::Of::proved};
    const MadeNumber built{.number = &equation, .value = 1, .least = 1, .most = 1};
    EXPECT_EQ(basisOf({.numbers = {built}}), "1 statement without a number");
    EXPECT_EQ(basisOf({.numbers = {other, built}}), "1 direction or range and 1 statement without a number, no value");
    // What follows from the model alone is not shown as printed.
    const figures::Curves modelled{.first = "block 1", .second = "block 2", .says = figures::lessThan(1), .ours = true};
    const MadeCurves drawn{.curves = &modelled, .first = "block 1", .second = "block 2", .quotients = {{1, 0.5}}};
    EXPECT_EQ(inWords(drawn), "block 1 over block 2 is 0.5; expected: below 1");
    EXPECT_EQ(basisOf({.curves = {{.curves = &printed}, {.curves = &modelled}}}), "1 value or curve");
}

/// What was measured and is printed in words alone is explained by a term that the paper leaves out, or open: no run
/// refutes it.
TEST_F(Figure, neverContradictsMeasurementsInWords) {
    using figures::Verdict;
    const std::map<std::string, Verdict> expected{
        {"traff2010 obs3", Verdict::explained}, {"traff2010 claim4", Verdict::notHere},
        {"traff2010 obs4", Verdict::notHere},   {"kang2019 obs2", Verdict::notHere},
        {"kang2019 claim7", Verdict::notHere},  {"kang-half-duplex claim6", Verdict::notHere},
        {"end2016 obs5", Verdict::notHere},     {"end2016 claim4", Verdict::notHere},
        {"end2016 claim5", Verdict::notHere},
    };
    std::size_t found = 0;
    for (const FigureResult& made : allMade()) {
        const auto one = expected.find(made.name());
        if (one == expected.end()) continue;
        ++found;
        EXPECT_EQ(verdictOf(made), one->second) << made.name();
    }
    EXPECT_EQ(found, expected.size());
}

/// A verdict compares with print: an item about which print says nothing is not judged as reproduced.
TEST_F(Figure, judgesByPrintedStatements) {
    for (const figures::Paper& paper : figures::papers())
        for (const figures::Item& item : paper.items) {
            if (item.notHere || !item.curves.empty()) continue;
            EXPECT_TRUE(std::ranges::any_of(item.numbers,
                                            [](const figures::Number& number) {
                                                return !number.says.formula.empty() || !std::isinf(number.says.least) ||
                                                       !std::isinf(number.says.most);
                                            }))
                << paper.name << ' ' << item.name;
        }
    // What is taken as numbers stands in words beside them.
    for (const figures::Paper& paper : figures::papers())
        for (const figures::Item& item : paper.items)
            for (const figures::Number& number : item.numbers)
                EXPECT_TRUE(!number.print.empty() || (number.says.formula.empty() && std::isinf(number.says.least) &&
                                                      std::isinf(number.says.most)))
                    << paper.name << ' ' << item.name << ": " << number.what;
}

/// Curves of several panels name theirs, and numbers across have their unit.
TEST_F(Figure, namesThePanelsOfItsCurves) {
    for (const FigureResult& made : allMade()) {
        if (made.name() != "hasanov2014 eq14" && made.name() != "traff2010 fig5") continue;
        ASSERT_FALSE(made.curves.empty());
        const std::string words = inWords(made.curves[0]);
        if (made.name() == "traff2010 fig5") EXPECT_TRUE(words.starts_with("spike, 32 ranks: gain of blocks")) << words;
        else EXPECT_TRUE(words.starts_with("gain of 32 groups is ")) << words;
        for (const MadeCurves& one : made.curves)
            EXPECT_EQ(inWords(one).find("e+0"), std::string::npos) << inWords(one);
    }
}

/// Numbers of an item fit the width of a line, and say what print has as a number.
TEST_F(Figure, writesTablesOfNumbers) {
    std::ostringstream out;
    std::ostringstream err;
    const Console console{.out = out, .err = err, .around = around_, .paint = Paint{}};
    for (const FigureResult& made : allMade()) {
        out.str("");
        tableOfNumbers(made.numbers, console).write(out);
        std::istringstream lines{out.str()};
        for (std::string line; std::getline(lines, line);) EXPECT_LE(displayWidth(line), lineWidth) << line;
        if (made.name() != "hasanov2014 claim1") continue;
        EXPECT_NE(out.str().find("above 1       4.5    4.5  section 3.7: chain, 64 ranks, 8 groups"), std::string::npos)
            << out.str();
        EXPECT_NE(out.str().find("in the paper: reduce the cost"), std::string::npos) << out.str();
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
              "collscope: figure: unknown paper 'traff2011'; did you mean traff2010?\n");
    EXPECT_EQ(command("figure kang").err,
              "collscope: figure: unknown paper 'kang'; did you mean kang2019 or kang-half-duplex?\n");
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
    EXPECT_NE(report.find("id=\"end2016-fig7\""), std::string::npos);
    EXPECT_NE(report.find("<svg>"), std::string::npos);
    EXPECT_NE(report.find("collscope figure end2016 fig7<"), std::string::npos);
    EXPECT_NE(report.find(", as expected; in the paper: "), std::string::npos);
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
