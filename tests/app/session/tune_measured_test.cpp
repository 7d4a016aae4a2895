// SPDX-License-Identifier: BSD-3-Clause
// Decisions from times: which algorithms are worth a rule, what is measured next, and the rules that come of it. Times
// are made up here; real ones are measured in tests/scripts/mpi/tune_live_test.py.
#include "app/session/run/live_order.hpp"
#include "app/session/tune/autotuner.hpp"
#include "app/session/tune/measured_file.hpp"
#include "app/session/tune/program_cases.hpp"
#include "app/session/tune/rules_explain.hpp"
#include "engine/base/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>

namespace app::tune {
namespace {

using engine::Picoseconds;
using engine::live::Called;

Cell cellOf(std::size_t candidates, Called called = Called::bcast, std::int64_t ranks = 8, engine::Bytes bytes = 1024) {
    Cell cell{called, ranks, bytes, {{.name = "default"}}};
    for (std::size_t k = 1; k < candidates; ++k) {
        Candidate one{.number = static_cast<std::int64_t>(k), .name = "algorithm"};
        one.variables.emplace_back("variable", static_cast<std::int32_t>(k));
        cell.candidates.push_back(one);
    }
    return cell;
}

/// Measures until nothing is left, at most `rounds`; `time` of the n-th sample of all and its candidate. Returns how
/// many.
int measureAll(Measurements& measurements, std::int32_t rounds, const std::function<double(int, std::size_t)>& time) {
    int count = 0;
    while (auto sample = measurements.next(rounds)) {
        sample->time = Picoseconds{static_cast<std::int64_t>(1e6 * time(count, sample->candidate))};
        measurements.add(*sample);
        ++count;
    }
    return count;
}

TEST(GainWithoutDelay, areIntervalsOfTheMedian) {
    const Gain steady = gainOf({1.2, 1.2, 1.2, 1.2});
    EXPECT_DOUBLE_EQ(steady.median, 1.2);
    EXPECT_DOUBLE_EQ(steady.low, 1.2);
    const Gain noisy = gainOf({0.5, 2.0, 0.6, 1.9, 1.1});
    EXPECT_LT(noisy.low, 1);
    EXPECT_GT(noisy.high, 1);
}

TEST(Measured, chooseTheFastestBeyondNoise) {
    Measurements measurements{{cellOf(4)}};
    const int samples = measureAll(measurements, 16, [](int, std::size_t k) {
        return std::array{10.0, 9.0, 8.0, 30.0}[k];
    });
    EXPECT_EQ(measurements.verdict(0).best, 2U);
    EXPECT_DOUBLE_EQ(measurements.verdict(0).gain.median, 1.25);
    // Five rounds of the library's choice, twice each, and of two algorithms; three of the slow one.
    EXPECT_EQ(samples, 5 * 4 + 3);
}

TEST(Measured, needFivePercent) {
    Measurements measurements{{cellOf(2)}};
    measureAll(measurements, 16, [](int, std::size_t k) { return k == 0 ? 10.0 : 9.7; });
    EXPECT_EQ(measurements.verdict(0).best, 0U);
    EXPECT_EQ(measurements.verdict(0).fastest, 1U);
    EXPECT_TRUE(measurements.verdict(0).clear);
}

TEST(Measured, needMoreThanNoise) {
    Measurements measurements{{cellOf(2)}};
    std::minstd_rand random{1};
    measureAll(measurements, 16, [&](int, std::size_t) { return 1.0 + static_cast<double>(random() % 1000) / 250; });
    EXPECT_EQ(measurements.verdict(0).best, 0U);
}

TEST(Measured, driftIsNoGain) {
    // Everything gets 3% faster with each measurement: whatever comes later looks faster than what came before.
    Measurements measurements{{cellOf(2)}};
    measureAll(measurements, 16, [](int n, std::size_t) { return 1000 * std::pow(0.97, n); });
    EXPECT_EQ(measurements.verdict(0).best, 0U);
    EXPECT_LT(measurements.verdict(0).gain.median, 1.01);
}

TEST(Measured, wrongResultsAreNeverChosen) {
    Measurements measurements{{cellOf(3)}};
    while (auto sample = measurements.next(16)) {
        sample->time = Picoseconds{sample->candidate == 0 ? 1000 : 100};
        if (sample->candidate == 1) sample->fault = "MPI_Bcast gives wrong results";
        measurements.add(*sample);
    }
    EXPECT_EQ(measurements.verdict(0).best, 2U);
    EXPECT_EQ(measurements.fault(0, 1), "MPI_Bcast gives wrong results");
}

/// A cell with algorithms of the library (1 and 2) and of the catalogue (3 and 4).
Cell cellWithCatalogue(engine::Bytes bytes = 1024) {
    Cell cell = cellOf(3, Called::bcast, 8, bytes);
    cell.candidates[1].name = "binomial";
    cell.candidates[2].name = "chain";
    for (const char* way : {"bcast/linear", "bcast/pipelined-chain:segments=4"})
        cell.candidates.push_back({.number = Candidate::ofCatalogue, .name = way});
    return cell;
}

TEST(Measured, decideForLibraryAndCatalogueSeparately) {
    Measurements measurements{{cellWithCatalogue()}};
    measureAll(measurements, 16, [](int, std::size_t k) { return std::array{10.0, 8.0, 8.5, 2.6, 2.0}[k]; });
    const Verdict& verdict = measurements.verdict(0);
    EXPECT_EQ(verdict.best, 1U) << "however much faster the catalogue is";
    EXPECT_DOUBLE_EQ(verdict.gain.median, 1.25);
    EXPECT_GE(verdict.gain.rounds, 5);
    EXPECT_EQ(verdict.catalogue, 4U);
    EXPECT_DOUBLE_EQ(verdict.catalogueGain.median, 5);
    EXPECT_TRUE(verdict.catalogueHelps());
    EXPECT_TRUE(verdict.clear);
    EXPECT_TRUE(measurements.tried(0, 3).dropped) << "a quarter slower than the fastest of the catalogue";
    EXPECT_FALSE(measurements.tried(0, 1).dropped);
}

TEST(Measured, catalogueNeedsFivePercentToo) {
    Measurements measurements{{cellWithCatalogue()}};
    measureAll(measurements, 16, [](int, std::size_t k) { return std::array{10.0, 8.0, 9.0, 9.8, 9.9}[k]; });
    EXPECT_EQ(measurements.verdict(0).catalogue, 3U);
    EXPECT_FALSE(measurements.verdict(0).catalogueHelps());
}

TEST(Measured, beginWithWhatTheModelPredicts) {
    Cell cell = cellOf(4);
    cell.candidates[1].predicted = Picoseconds{900};
    cell.candidates[2].predicted = Picoseconds{300};
    cell.candidates[3].predicted = Picoseconds{500};
    Measurements measurements{{cell}};
    std::vector<std::size_t> order;
    measureAll(measurements, 16, [&](int, std::size_t k) {
        order.push_back(k);
        return std::array{10.0, 30.0, 8.0, 9.0}[k];
    });
    EXPECT_EQ(std::vector<std::size_t>(order.begin(), order.begin() + 4), (std::vector<std::size_t>{0, 2, 3, 0}));
    EXPECT_EQ(measurements.verdict(0).best, 2U);
    EXPECT_EQ(std::ranges::count(order, 1U), 1) << "three times the shortest time, and slow indeed";
}

TEST(Measured, doNotTrustTheModel) {
    Cell cell = cellOf(3);
    cell.candidates[1].predicted = Picoseconds{900};
    cell.candidates[2].predicted = Picoseconds{300};
    Measurements measurements{{cell}};
    measureAll(measurements, 16, [](int, std::size_t k) { return std::array{10.0, 5.0, 9.0}[k]; });
    EXPECT_EQ(measurements.verdict(0).best, 1U);
    EXPECT_GE(measurements.verdict(0).gain.rounds, 5);
    EXPECT_TRUE(measurements.tried(0, 2).dropped);
    EXPECT_EQ(*measurements.tried(0, 1).time, Picoseconds{5'000'000});
}

TEST(Measured, oneNoisyRoundOfALateOneDropsNone) {
    Cell cell = cellOf(3);
    cell.candidates[1].predicted = Picoseconds{900};
    cell.candidates[2].predicted = Picoseconds{300};
    Measurements measurements{{cell}};
    int ofLate = 0;
    measureAll(measurements, 16, [&](int, std::size_t k) {
        const bool isNoisy = k == 1 && ofLate++ == 0;
        return isNoisy ? 2.0 : std::array{10.0, 9.5, 8.0}[k];
    });
    EXPECT_FALSE(measurements.tried(0, 2).dropped);
    EXPECT_EQ(measurements.verdict(0).best, 2U);
}

TEST(Measured, goOnWhereTheyStopped) {
    const auto time = [](std::size_t k) { return Picoseconds{k == 0 ? 1000 : 700}; };
    std::vector<Sample> all;
    Measurements whole{{cellOf(2), cellOf(2)}};
    while (auto sample = whole.next(16)) {
        sample->time = time(sample->candidate);
        whole.add(*sample);
        all.push_back(*sample);
    }
    for (std::size_t kept = 0; kept <= all.size(); ++kept) {
        Measurements again{{cellOf(2), cellOf(2)}};
        for (std::size_t i = 0; i < kept; ++i) {
            const auto read = sampleFrom(toText(all[i]));
            ASSERT_TRUE(read && *read == all[i]);
            again.add(*read);
        }
        std::size_t more = 0;
        while (auto sample = again.next(16)) {
            sample->time = time(sample->candidate);
            again.add(*sample);
            ++more;
        }
        EXPECT_LE(kept + more, all.size() + 3) << "at most the round in progress is measured again";
        EXPECT_EQ(again.verdict(0).best, 1U);
        EXPECT_EQ(again.verdict(1).best, 1U);
    }
    EXPECT_FALSE(sampleFrom(toText(all[0]).substr(0, 5)).has_value()) << "a line that was cut off";
}

TEST(Cells, travelAsText) {
    Cell cell = cellOf(3, Called::reduceScatter, 4, 4096);
    cell.calls = 12;
    cell.arrivals = {0, 100, 2500, 7};
    cell.candidates[2].predicted = Picoseconds{12345};
    const Cell read = cellFrom(toText(cell));
    EXPECT_EQ(toText(read), toText(cell));
    EXPECT_EQ(read.candidates, cell.candidates);
    EXPECT_EQ(read.arrivals, cell.arrivals);
    EXPECT_THROW(cellFrom("bcast 4 8 1 0 100"), engine::Error) << "arrivals of two ranks of four";
    EXPECT_THROW(cellFrom("broadcast 2 4"), engine::Error);
}

TEST(Cells, haveNoRankFarBehindTheOthers) {
    EXPECT_EQ(shortened({500, 300, 1'000'000'300, 1'000'000'400}),
              (std::vector<std::int64_t>{200, 0, 200 + mostGapOfArrivals, 300 + mostGapOfArrivals}));
    EXPECT_TRUE(shortened({}).empty());
}

TEST(Cells, travelInOrders) {
    LiveOrder order{.repeats = 16};
    order.cells = {toText(cellOf(3)), toText(cellOf(2))};
    order.samples = {toText(Sample{.cell = 1, .candidate = 1, .round = 2, .time = Picoseconds{5}, .fault = "a fault"})};
    order.seconds = 12.5;
    order.commutes = true;
    order.testsSizes = true;
    EXPECT_EQ(orderFromText(toText(order)), order);
}

Installed installed() {
    return {
        .version = "Open MPI 4.1.4",
        .present = true,
        .algorithms = {
            {"bcast", {"ignore", "basic_linear", "chain", "pipeline", "split_binary_tree", "binary_tree", "binomial"}},
            {"allgather", {"ignore", "linear", "bruck", "recursive_doubling", "ring", "neighbor", "two_proc"}},
            {"barrier", {"ignore", "linear"}}}};
}

TEST(Cells, haveEveryAlgorithmThatFits) {
    const auto cells =
        cellsOf({.calls = {Called::allgather, Called::bcast}, .ranks = {2, 4}, .sizes = {4, 1 << 20}}, installed());
    ASSERT_EQ(cells.size(), 8U);
    EXPECT_EQ(cells[0].candidates.size(), 7U) << "two_proc on two ranks";
    EXPECT_EQ(cells[4].candidates.size(), 6U) << "and on no others";
    // Of 4 bytes the library's choice, linear, chain, two trees, binomial; of 1 MiB each but linear with two sizes of
    // segments, too.
    EXPECT_EQ(cells[2].candidates.size(), 6U);
    EXPECT_EQ(cells[3].candidates.size(), 6U + 2 * 4 + 2);
    EXPECT_THROW(cellsOf({.calls = {Called::gatherv}, .ranks = {2}, .sizes = {4}}, installed()), engine::Error);
}

TEST(Cells, haveTheCataloguesAlgorithmsOnRequest) {
    const auto cells = [](Candidates which, std::int64_t ranks) {
        return cellsOf({.candidates = which, .calls = {Called::allreduce}, .ranks = {ranks}, .sizes = {1 << 20}},
                       {.present = true, .algorithms = {{"allreduce", {"ignore", "linear", "ring"}}}})[0];
    };
    EXPECT_EQ(cells(Candidates::library, 8).candidates.size(), 3U);
    const Cell catalogue = cells(Candidates::catalogue, 8);
    EXPECT_EQ(catalogue.candidates[0].number, 0) << "what all are compared with";
    const auto has = [](const Cell& cell, const char* name) {
        return std::ranges::count(cell.candidates, name, &Candidate::name) == 1;
    };
    EXPECT_EQ(std::ranges::count_if(catalogue.candidates, &Candidate::isOfCatalogue),
              static_cast<std::ptrdiff_t>(catalogue.candidates.size()) - 1);
    EXPECT_TRUE(has(catalogue, "allreduce/pairwise-exchange"));
    EXPECT_TRUE(has(catalogue, "allreduce/ring") && has(catalogue, "allreduce/ring:segments=16"));
    EXPECT_FALSE(has(catalogue, "allgatherv/ring")) << "another collective";
    EXPECT_EQ(cells(Candidates::all, 8).candidates.size(), catalogue.candidates.size() + 2);
    const Candidate& last = catalogue.candidates.back();
    EXPECT_EQ(toText(last), last.name);
    EXPECT_EQ(cellFrom(toText(catalogue)).candidates, catalogue.candidates);
    EXPECT_EQ(planOf(catalogue, last).problem.ranks(), 8);
}

TEST(Cells, arePredictedWhereTheCatalogueHasThem) {
    auto cells = cellsOf({.calls = {Called::bcast}, .ranks = {8}, .sizes = {1 << 20}}, installed());
    predict(cells, Library::openMpi, {.alpha = Picoseconds{1'000'000}, .beta = engine::Rate{1'000'000}});
    EXPECT_EQ(std::ranges::count_if(cells[0].candidates,
                                    [](const Candidate& one) { return one.name == "binomial" && one.segment == 0; }),
              1);
    for (const Candidate& one : cells[0].candidates) {
        // Three messages of 1 MiB one after the other at 1 ns a byte, and three startups.
        const bool isBinomial = one.name == "binomial" && one.segment == 0;
        if (isBinomial) {
            EXPECT_EQ(one.predicted, Picoseconds{std::int64_t{3} * (1'000'000 + 1'048'576'000)});
        }
        if (one.number == 0) {
            EXPECT_EQ(one.predicted.count(), 0);
        }
    }
}

TEST(Cells, ofMpichAreForcedByTheNumbersOfItsVariables) {
    const Installed mpich = mpichFrom(
        "MPIR_CVAR_BCAST_INTRA_ALGORITHM\nalgorithm=MPIR_Bcast_intra_binomial\nalgorithm=MPIR_Bcast_intra_smp\n"
        "algorithm=MPIR_Bcast_intra_scatter_ring_allgather\n"
        "choices MPIR_CVAR_BCAST_INTRA_ALGORITHM binomial   - Force Binomial Treenb     - Force nonblocking "
        "algorithmsmp   - Force smp algorithmscatter_ring_allgather   - Force Scatter Ring\n",
        "4.0.2");
    EXPECT_EQ(mpich.values.at("bcast"),
              (std::vector<std::string>{"", "binomial", "", "smp", "scatter_ring_allgather"}));
    const auto cells = cellsOf({.calls = {Called::bcast}, .ranks = {4}, .sizes = {64}}, mpich);
    ASSERT_EQ(cells[0].candidates.size(), 4U);
    EXPECT_EQ(cells[0].candidates[3].variables[0],
              (std::pair<std::string, std::int32_t>{"MPIR_CVAR_BCAST_INTRA_ALGORITHM", 4}));
}

TEST(MeasuredFiles, holdEverythingThatAMapNeeds) {
    MeasuredFile file{.conditions = "Open MPI 4.1.4", .cells = {cellOf(2), cellOf(2)}};
    file.model = engine::Model{.alpha = Picoseconds{5}};
    Measurements measurements{file.cells};
    std::string words;
    while (auto sample = measurements.next(16)) {
        sample->time = Picoseconds{sample->candidate == 0 ? 1000 : 500};
        measurements.add(*sample);
        words += toText(*sample) + '\n';
    }
    std::vector<Tuned> tuned = decided(measurements);
    tuned[1].checked = Gain{.median = 1.5, .low = 1.25, .high = 1.75, .rounds = 12};
    const std::string path = testing::TempDir() + "measured_test.measured";
    std::ofstream{path} << file.head() << words << checkLines(1, tuned[1]) << '\n';
    const MeasuredFile read = measuredIn(path);
    EXPECT_EQ(read.head(), file.head());
    const std::vector<Tuned> again = read.decisions();
    ASSERT_EQ(again.size(), 2U);
    EXPECT_FALSE(again[0].kept) << "its rules were not checked";
    EXPECT_TRUE(again[1].kept);
    EXPECT_EQ(again[1].checked->high, 1.75);
    EXPECT_EQ(again[1].verdict.gain.median, 2);
    MeasuredFile later = read;
    later.checks.push_back(checkLines(1, decided(measurements)[1]));
    EXPECT_FALSE(later.decisions()[1].kept) << "the last line of a cell counts";
    EXPECT_FALSE(later.decisions()[1].checked.has_value());
    tuned[1].verdict.best = 0;
    later.checks = {checkLines(1, tuned[1])};
    EXPECT_FALSE(later.decisions()[1].checked.has_value()) << "a check of another algorithm";
    std::ofstream{path} << "bcast 8 1024\n";
    EXPECT_THROW(measuredIn(path), engine::Error);
    std::filesystem::remove(path);
}

TEST(MeasuredFiles, holdTheCheckOfTheDropInLibrary) {
    MeasuredFile file{.conditions = "Open MPI 4.1.4", .cells = {cellWithCatalogue()}};
    Measurements measurements{file.cells};
    while (auto sample = measurements.next(16)) {
        sample->time = Picoseconds{std::array{1000, 800, 850, 250, 200}[sample->candidate]};
        measurements.add(*sample);
        file.samples.push_back(toText(*sample));
    }
    Tuned tuned = decided(measurements)[0];
    tuned.dropIn = 4;
    tuned.dropInKept = true;
    tuned.dropInChecked = Gain{.median = 4, .low = 3, .high = 5, .rounds = 12};
    const auto read = [&](const Tuned& from) {
        const std::string path = testing::TempDir() + "measured_drop_in_test.measured";
        std::ofstream{path} << file.head() << file.samples[0] << '\n' << checkLines(0, from) << '\n';
        MeasuredFile again = measuredIn(path);
        std::filesystem::remove(path);
        again.samples = file.samples;
        return again.decisions()[0];
    };
    EXPECT_TRUE(read(tuned).dropInKept);
    EXPECT_FALSE(read(tuned).kept) << "the library's own rule was not checked";
    EXPECT_EQ(read(tuned).gainOf(4).median, 4);
    EXPECT_EQ(read(tuned).shown(), 4U);
    tuned.dropIn = 3;
    EXPECT_FALSE(read(tuned).dropInKept) << "a check of another algorithm";
}

TEST(TunedRules, nameTheCatalogueForTheDropInLibraryOnly) {
    const auto tuned = [](engine::Bytes bytes, double library, double catalogue) {
        Tuned one{.cell = cellWithCatalogue(bytes)};
        one.verdict = {.best = library > 1 ? 1U : 0U,
                       .gain = {.median = library, .low = library, .high = library, .rounds = 5},
                       .fastest = 1,
                       .catalogue = 4,
                       .catalogueGain = {.median = catalogue, .low = catalogue, .high = catalogue, .rounds = 5}};
        one.kept = library > 1;
        return one;
    };
    std::vector<Tuned> cells{tuned(100, 2, 3), tuned(400, 3, 2), tuned(1600, 1, 2), tuned(6400, 1, 1)};
    chooseForDropIn(cells, Library::openMpi);
    EXPECT_EQ(cells[0].dropIn, 4U);
    EXPECT_EQ(cells[1].dropIn, 1U);
    EXPECT_EQ(cells[2].dropIn, 4U);
    EXPECT_EQ(cells[3].dropIn, 0U);
    const auto own = asOwnRules(cells, Library::openMpi, installed());
    EXPECT_TRUE(own.losses.empty());
    EXPECT_EQ(own.words.find("pipelined"), std::string::npos);
    const std::string dropIn = asCollscopeRules(dropInTableOf(cells)).words;
    for (const auto& [bytes, id] : std::vector<std::pair<engine::Bytes, std::string>>{
             {100, "bcast/pipelined-chain"}, {400, "bcast/binomial-tree"}, {1600, "bcast/pipelined-chain"}, {6400, ""}})
        EXPECT_EQ(explain(rulesFileFrom(dropIn), {.called = Called::bcast, .ranks = 8, .bytes = bytes}, {}).id, id)
            << bytes << " bytes\n"
            << dropIn;
    EXPECT_NE(dropIn.find("bcast/pipelined-chain:segments=4\n"), std::string::npos) << dropIn;
    cells[2].dropInKept = false;
    EXPECT_EQ(explain(rulesFileFrom(asCollscopeRules(dropInTableOf(cells)).words),
                      {.called = Called::bcast, .ranks = 8, .bytes = 1600}, {})
                  .id,
              "")
        << "it did not help";
}

TEST(TunedRules, holdFromOneMeasuredSizeToTheNext) {
    const auto tuned = [&](std::int64_t ranks, engine::Bytes bytes, std::size_t algorithm) {
        Tuned one{.cell = {Called::allgather, ranks, bytes, {{.name = "default"}}}};
        if (algorithm > 0) {
            one.cell.candidates.push_back({.number = static_cast<std::int64_t>(algorithm),
                                           .name = installed().algorithms.at("allgather")[algorithm]});
            one.verdict.best = 1;
            one.kept = true;
        }
        return one;
    };
    const std::vector<Tuned> cells{tuned(4, 100, 0), tuned(4, 400, 4), tuned(4, 1600, 4),
                                   tuned(8, 100, 2), tuned(8, 400, 0), tuned(8, 1600, 0)};
    const Converted made = asOpenMpiRules(tableOf(cells), installed());
    EXPECT_TRUE(made.losses.empty());
    const auto file = rulesFileFrom(made.words);
    const auto own = rulesFileFrom(asCollscopeRules(tableOf(cells)).words);
    for (const auto& [ranks, bytes, algorithm] :
         std::vector<std::tuple<std::int64_t, engine::Bytes, std::string>>{{3, 400, ""},
                                                                           {4, 399, ""},
                                                                           {4, 400, "4 (ring)"},
                                                                           {7, 900, "4 (ring)"},
                                                                           {4, 1600, "4 (ring)"},
                                                                           {4, 1601, ""},
                                                                           {8, 99, ""},
                                                                           {8, 100, "2 (bruck)"},
                                                                           {8, 399, "2 (bruck)"},
                                                                           {8, 400, ""},
                                                                           {9, 100, ""}}) {
        const CallQuestion call{.called = Called::allgather, .ranks = ranks, .bytes = bytes};
        EXPECT_EQ(explain(file, call, installed()).algorithm, algorithm) << ranks << " ranks, " << bytes << " bytes\n"
                                                                         << made.words;
        EXPECT_EQ(explain(own, call, {}).id.empty(), algorithm.empty()) << ranks << " ranks, " << bytes << " bytes\n"
                                                                        << asCollscopeRules(tableOf(cells)).words;
    }
    EXPECT_TRUE(tableOf({tuned(4, 100, 0)}).calls.empty()) << "no rule, no call";
}

TEST(ProgramTimes, theGainIsTheMedianOfPairsOfRuns) {
    using std::chrono::seconds;
    TuneReport report;
    EXPECT_FALSE(report.programGain());
    report.program = {.before = {seconds{3}, seconds{8}, seconds{3}}, .after = {seconds{2}, seconds{2}, seconds{2}}};
    EXPECT_DOUBLE_EQ(report.programGain()->median, 1.5);
    EXPECT_DOUBLE_EQ(report.programGain()->high, 4);
    EXPECT_EQ(report.programGain()->rounds, 3);
}

TEST(ProgramTimes, removeTheRulesOfAProgramThatIsSlowerWithThem) {
    using std::chrono::seconds;
    const auto after = [](seconds with) {
        TuneReport report{.cells = {{.cell = cellOf(2), .verdict = {.best = 1}, .kept = true}}};
        judgeByProgram(report, {.before = {seconds{2}, seconds{2}}, .after = {with, with}}, installed());
        return report;
    };
    EXPECT_EQ(after(seconds{1}).rules(), 1);
    EXPECT_EQ(after(seconds{2}).rules(), 1) << "no difference";
    EXPECT_EQ(after(seconds{3}).rules(), 0);
    EXPECT_TRUE(after(seconds{3}).slowsProgram());
}

}  // namespace
}  // namespace app::tune
