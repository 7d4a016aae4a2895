// SPDX-License-Identifier: BSD-3-Clause
// The table of what a library ran names the algorithm whose messages are inside of its collectives.
#include "app/analysis/collectives/library.hpp"
#include "app/analysis/tables/table_definition.hpp"
#include "engine/base/error.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "tests/support/catalogue_grid.hpp"
#include "tests/support/native_calls.hpp"
#include "tests/support/planned_sequences.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace app::analysis {
namespace {

using engine::Collective;
using engine::Problem;
using support::NativeProgram;

/// The cell of `row` in the column called `name`, as words; empty where it is.
std::string cellOf(const engine::Table& table, std::size_t row, std::string_view name) {
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        if (table.columns[i].name == name) {
            const engine::Cell& cell = table.rows.at(row).at(i);
            if (const auto* words = std::get_if<std::string>(&cell)) return *words;
            if (const auto* count = std::get_if<std::int64_t>(&cell)) return std::to_string(*count);
            return {};
        }
    ADD_FAILURE() << "no column " << name;
    return {};
}

engine::Table libraryTable(const Trace& trace) {
    TraceAnalysis analysis{trace, {}};
    return computeTable(tableNamed("library"), analysis);
}

engine::Plan planOf(const std::string& id, const Problem& problem,
                    const std::map<std::string, std::string>& options = {}) {
    return engine::makePlan(engine::algorithmNamed(id), problem, options);
}

std::vector<Problem> problemsOf(Collective collective) {
    std::vector<Problem> problems;
    for (const std::int32_t ranks : {8, 6}) {
        const std::int32_t parts = collective == Collective::alltoallv ? ranks * ranks
                                   : collective == Collective::bcast   ? 1
                                                                       : ranks;
        problems.push_back(
            {.collective = collective,
             .groupA = ranks,
             .layout = collective == Collective::barrier ? engine::Layout{} : engine::Layout::regular(parts, 960),
             .root = engine::Rank{collective == Collective::bcast ? 2 : 0}});
    }
    return problems;
}

class OfLibrary : public testing::TestWithParam<const engine::Algorithm*> {};

TEST_P(OfLibrary, isNamedByTheMessagesInside) {
    if (!support::nativeCallFor(GetParam()->collective)) GTEST_SKIP() << "no call on one communicator";
    int tried = 0;
    for (const Problem& problem : problemsOf(GetParam()->collective)) {
        engine::Plan plan;
        try {
            plan = engine::makePlan(*GetParam(), problem, {});
        } catch (const engine::Error&) {
            continue;  // this algorithm does not take this problem
        }
        ++tried;
        NativeProgram program{problem.groupA};
        program.call(plan);
        const Trace trace = program.finish();
        const engine::Table table = libraryTable(trace);
        ASSERT_EQ(table.rows.size(), 1U) << engine::toText(problem);
        EXPECT_EQ(cellOf(table, 0, "differs"), "") << engine::toText(problem);
        EXPECT_EQ(cellOf(table, 0, "executed"), "");
        // Another one may have the very same messages.
        TraceAnalysis analysis{trace, {}};
        ASSERT_TRUE(analysis.identified(0)->problem);
        EXPECT_EQ(*analysis.identified(0)->problem, problem);
        const std::vector<Recognition> found = analysis.recognised(0);
        ASSERT_FALSE(found.empty()) << engine::toText(problem);
        EXPECT_EQ(cellOf(table, 0, "catalogue"), wordsOf(found.front().plan));
        EXPECT_TRUE(
            std::any_of(found.begin(), found.end(),
                        [&](const Recognition& one) { return one.confidence == 1 && one.id() == GetParam()->id; }))
            << engine::toText(problem) << " is taken for " << found.front().id();
        // It has the rounds of that schedule.
        EXPECT_EQ(analysis.instances()[0].rounds, found.front().plan.schedule->facts().rounds);
    }
    EXPECT_GT(tried, 0);
}

INSTANTIATE_TEST_SUITE_P(Catalogue, OfLibrary,
                         testing::ValuesIn(engine::catalogue().begin(), engine::catalogue().end()),
                         [](const auto& one) { return support::testName(one.param); });

TEST(LibraryTable, joinsCallsThatRanTheSame) {
    NativeProgram program{8};
    for (const engine::Bytes bytes : {4096, 1 << 20, 65536})
        program.call(planOf("allreduce/ring", support::allreduce(8, bytes)), "allreduce_intra_ring", "tuned");
    program.call(planOf("allreduce/butterfly", support::allreduce(8, 8)), "allreduce_intra_recursivedoubling", "tuned");
    const engine::Table table = libraryTable(program.finish());
    ASSERT_EQ(table.rows.size(), 2U);
    EXPECT_EQ(cellOf(table, 0, "operation"), "allreduce");
    EXPECT_EQ(cellOf(table, 0, "ranks"), "8");
    EXPECT_EQ(cellOf(table, 0, "bytes_from"), "4096");
    EXPECT_EQ(cellOf(table, 0, "bytes_to"), "1048576");
    EXPECT_EQ(cellOf(table, 0, "executed"), "allreduce_intra_ring");
    EXPECT_EQ(cellOf(table, 0, "catalogue"), "allreduce/ring");
    EXPECT_EQ(cellOf(table, 0, "calls"), "3");
    EXPECT_EQ(cellOf(table, 0, "messages"), std::to_string(3 * 8 * 14));
    EXPECT_EQ(cellOf(table, 0, "instance"), "2");
    EXPECT_EQ(cellOf(table, 1, "calls"), "1");
}

TEST(LibraryTable, showsTheSmallestAndTheLargestContribution) {
    NativeProgram program{4};
    program.call(planOf(
        "gatherv/flat",
        {.collective = Collective::gatherv, .groupA = 4, .layout = engine::Layout::irregular({1000, 50, 2000, 10})}));
    // Blocks that are cut as no algorithm of the catalogue cuts them.
    std::vector<traces::Participant> parts;
    for (const int rank : {0, 1, 2, 3})
        parts.push_back({.rank = engine::Rank{rank},
                         .begin = engine::Picoseconds{100'000'000},
                         .end = engine::Picoseconds{200'000'000},
                         .sent = 1040,
                         .received = rank == 2 ? 800 : 80});
    program.builder().collective(traces::Operation::reduceScatter, 0, traces::noRank, std::move(parts));
    const engine::Table table = libraryTable(program.finish());
    ASSERT_EQ(table.rows.size(), 2U);
    for (const std::size_t row : {0U, 1U}) {
        const bool gathers = cellOf(table, row, "operation") == "gatherv";
        EXPECT_EQ(cellOf(table, row, "bytes_from"), gathers ? "10" : "1040");
        EXPECT_EQ(cellOf(table, row, "bytes_to"), gathers ? "2000" : "1040");
    }
}

TEST(LibraryTable, givesNoTimeOfCallsThatAreNoCollectives) {
    NativeProgram program{2};
    program.call(planOf("bcast/binomial-tree", support::bcast(2, 0, 8)));
    const auto us = [](std::int64_t time) { return engine::Picoseconds{time * 1'000'000}; };
    for (const int rank : {0, 1}) {
        program.builder().enter(rank, us(100), "MPI_Win_free");
        program.builder().leave(rank, us(150));
    }
    program.builder().collective(traces::Operation::destroyHandle, 0, traces::noRank,
                                 {{.rank = engine::Rank{0}, .begin = us(100), .end = us(150)},
                                  {.rank = engine::Rank{1}, .begin = us(100), .end = us(150)}});
    program.builder().inside({.from = engine::Rank{0},
                              .to = engine::Rank{1},
                              .sendBegin = us(110),
                              .sendEnd = us(111),
                              .receiveBegin = us(110),
                              .receiveEnd = us(112)});
    const engine::Table table = libraryTable(program.finish());
    ASSERT_EQ(table.rows.size(), 2U);
    EXPECT_EQ(cellOf(table, 1, "operation"), "MPI_Win_free");
    EXPECT_EQ(cellOf(table, 1, "calls"), "1");
    EXPECT_EQ(cellOf(table, 1, "messages"), "1");
    const auto time = std::ranges::find(table.columns, "time_s", &engine::Column::name) - table.columns.begin();
    EXPECT_EQ(table.rows[1][static_cast<std::size_t>(time)], engine::Cell{});
    EXPECT_NE(table.rows[0][static_cast<std::size_t>(time)], engine::Cell{});
}

/// One that is none of the catalogue: a binomial broadcast of which one message goes to another rank first.
TEST(LibraryTable, showsWhatIsClosestAndHowItDiffers) {
    NativeProgram program{8};
    program.call(planOf("bcast/binomial-tree", support::bcast(8, 0, 1000)));
    program.builder().inside({.from = engine::Rank{3}, .to = engine::Rank{5}, .bytes = 1000});
    const engine::Table table = libraryTable(program.finish());
    ASSERT_EQ(table.rows.size(), 1U);
    EXPECT_EQ(cellOf(table, 0, "catalogue"), "bcast/binomial-tree");
    EXPECT_EQ(cellOf(table, 0, "differs"), "0 messages missing, 1 extra");
}

/// As Open MPI's linear allreduce.
TEST(LibraryTable, namesTwoCollectivesOneAfterTheOther) {
    const Problem problem = support::allreduce(6, 4096);
    Problem reduce = problem;
    reduce.collective = Collective::reduce;
    const std::vector<engine::Plan> parts{planOf("reduce/flat", reduce),
                                          planOf("bcast/knomial-tree", support::bcast(6, 0, 4096))};
    NativeProgram program{6};
    program.call(problem, parts, "allreduce_intra_nonoverlapping", "tuned");
    const engine::Table table = libraryTable(program.finish());
    ASSERT_EQ(table.rows.size(), 1U);
    const std::string catalogue = cellOf(table, 0, "catalogue");
    EXPECT_TRUE(catalogue.starts_with("reduce/")) << catalogue;
    EXPECT_NE(catalogue.find(", then bcast/"), std::string::npos) << catalogue;
    EXPECT_EQ(cellOf(table, 0, "differs"), "");
}

/// A message too many: what the library names is closer than any single algorithm.
TEST(LibraryTable, comparesWithTheTwoCollectivesThatTheLibraryNames) {
    const Problem problem = support::allreduce(6, 4096);
    Problem reduce = problem;
    reduce.collective = Collective::reduce;
    NativeProgram program{6};
    program.call(problem, {planOf("reduce/flat", reduce), planOf("bcast/flat", support::bcast(6, 0, 4096))},
                 "allreduce_intra_nonoverlapping + reduce_intra_basic_linear + bcast_intra_basic_linear", "tuned");
    program.builder().inside({.from = engine::Rank{3}, .to = engine::Rank{5}, .bytes = 4096});
    const engine::Table table = libraryTable(program.finish());
    ASSERT_EQ(table.rows.size(), 1U);
    const std::string catalogue = cellOf(table, 0, "catalogue");
    EXPECT_TRUE(catalogue.starts_with("reduce/")) << catalogue;
    EXPECT_NE(catalogue.find(", then bcast/"), std::string::npos) << catalogue;
    EXPECT_EQ(cellOf(table, 0, "differs"), "0 messages missing, 1 extra") << catalogue;
}

/// The range of the speed-up is that of alpha and beta; given ones have none.
TEST(LibraryTable, givesTheSpeedUpOfTheBestARange) {
    NativeProgram program{8};
    for (const engine::Bytes bytes : {8, 4096, 1 << 20})
        program.call(planOf("bcast/flat", support::bcast(8, 0, bytes)), "bcast_intra_basic_linear", "tuned");
    const Trace trace = program.finish();
    const auto factors = [&](const AnalysisOptions& wish) {
        TraceAnalysis analysis{trace, wish};
        const engine::Table table = computeTable(tableNamed("library"), analysis);
        std::vector<double> found;
        for (std::size_t i = 0; i < table.columns.size(); ++i)
            if (table.columns[i].name.starts_with("factor")) found.push_back(std::get<double>(table.rows.at(0).at(i)));
        return found;
    };
    const std::vector<double> given = factors({.alpha = engine::Picoseconds{1'000'000}, .beta = engine::Rate{400'000}});
    ASSERT_EQ(given.size(), 3U);
    EXPECT_GT(given[0], 1);
    EXPECT_EQ(given[0], given[1]);
    EXPECT_EQ(given[0], given[2]);
    const std::vector<double> fitted = factors({});
    ASSERT_EQ(fitted.size(), 3U);
    EXPECT_LE(fitted[1], fitted[0]);
    EXPECT_GE(fitted[2], fitted[0]);
}

/// The rows of table what-if: algorithm, own, time, speed-up and saving.
struct Emulated {
    std::string algorithm;
    bool own = false;
    engine::Picoseconds time{};
    std::optional<double> factor;
    bool saves = false;
};
std::vector<Emulated> whatIfOf(const Trace& trace, engine::Picoseconds alpha) {
    TraceAnalysis analysis{trace, {.alpha = alpha, .beta = engine::Rate{400'000}}};
    const engine::Table table = computeTable(tableNamed("what-if"), analysis);
    std::vector<Emulated> rows;
    for (const auto& row : table.rows) {
        Emulated& one = rows.emplace_back();
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string& name = table.columns[i].name;
            if (name == "algorithm") one.algorithm = std::get<std::string>(row[i]);
            if (name == "own") one.own = std::holds_alternative<std::string>(row[i]);
            if (name == "time_s") one.time = std::get<engine::Picoseconds>(row[i]);
            if (const auto* factor = std::get_if<double>(&row[i]); factor != nullptr && name == "factor")
                one.factor = *factor;
            if (name == "saving_s") one.saves = std::holds_alternative<engine::Picoseconds>(row[i]);
        }
    }
    return rows;
}

/// An allreduce with one message too many: it is no algorithm, and is compared with the two that it is closest to.
TEST(AlgorithmRanking, comparesEmulationsWithAnEmulationOfWhatIsClosest) {
    const Problem problem = support::allreduce(6, 4096);
    Problem reduce = problem;
    reduce.collective = Collective::reduce;
    NativeProgram program{6};
    program.call(problem, {planOf("reduce/flat", reduce), planOf("bcast/flat", support::bcast(6, 0, 4096))},
                 "allreduce_intra_nonoverlapping + reduce_intra_basic_linear + bcast_intra_basic_linear", "tuned");
    program.builder().inside({.from = engine::Rank{3}, .to = engine::Rank{5}, .bytes = 4096});
    const Trace trace = program.finish();
    const std::vector<Emulated> rows = whatIfOf(trace, engine::Picoseconds{1'000'000});
    const auto own = std::ranges::find(rows, true, &Emulated::own);
    ASSERT_NE(own, rows.end());
    EXPECT_EQ(own->algorithm, "reduce/flat, then bcast/flat");
    EXPECT_EQ(own->factor, 1);
    EXPECT_TRUE(own->saves);
    for (const Emulated& row : rows)
        EXPECT_DOUBLE_EQ(*row.factor, engine::seconds(own->time) / engine::seconds(row.time)) << row.algorithm;
    // Under a model that does not explain the measured time nothing is saved.
    for (const Emulated& row : whatIfOf(trace, engine::Picoseconds{100'000'000})) EXPECT_FALSE(row.saves);
}

TEST(Fit, saysOfWhichMessagesThereAreTooFew) {
    const auto why = [](const std::vector<engine::Bytes>& sizes) {
        NativeProgram program{4};
        for (const engine::Bytes bytes : sizes)
            for (int k = 0; k < 3; ++k) program.call(planOf("bcast/flat", support::bcast(4, 0, bytes)));
        const Trace trace = program.finish();
        TraceAnalysis analysis{trace, {}};
        return analysis.whyNoModel();
    };
    EXPECT_EQ(why({65536}),
              "the program has no point-to-point message, and all messages within collectives that were sent while "
              "the receiver waited have 64 KiB; two "
              "sizes are needed to distinguish alpha and beta");
    EXPECT_EQ(why({8, 65536, 1 << 20}), "");
}

/// Messages that are none of an allreduce: nothing is known to compare with.
TEST(AlgorithmRanking, hasNoSpeedUpOverAnUnknownAlgorithm) {
    NativeProgram program{6};
    program.call(support::allreduce(6, 4096), {planOf("bcast/flat", support::bcast(6, 0, 64))});
    const std::vector<Emulated> rows = whatIfOf(program.finish(), engine::Picoseconds{1'000'000});
    ASSERT_FALSE(rows.empty());
    for (const Emulated& row : rows) {
        EXPECT_FALSE(row.own) << row.algorithm;
        EXPECT_EQ(row.factor, std::nullopt) << row.algorithm;
        EXPECT_FALSE(row.saves) << row.algorithm;
    }
}

/// Making a communicator is no collective of the table's kind; its messages are its cost.
TEST(LibraryTable, listsMessagesInOtherCalls) {
    NativeProgram program{2};
    program.call(planOf("bcast/flat", support::bcast(2, 0, 8)));
    traces::RecordingBuilder& builder = program.builder();
    const engine::Picoseconds begin{1'000'000'000};
    std::vector<traces::Participant> parts;
    for (engine::Rank rank{0}; rank.value < 2; ++rank.value) {
        builder.enter(rank.value, begin, "MPI_Comm_split");
        builder.leave(rank.value, begin + engine::Picoseconds{500});
        parts.push_back({.rank = rank, .begin = begin, .end = begin + engine::Picoseconds{500}});
    }
    builder.collective(traces::Operation::createHandle, 0, traces::noRank, std::move(parts));
    for (const int from : {0, 1})
        builder.inside({.from = engine::Rank{from},
                        .to = engine::Rank{1 - from},
                        .bytes = 16,
                        .sendBegin = begin + engine::Picoseconds{100},
                        .sendEnd = begin + engine::Picoseconds{200},
                        .receiveBegin = begin + engine::Picoseconds{100},
                        .receiveEnd = begin + engine::Picoseconds{300}});
    const engine::Table table = libraryTable(program.finish());
    ASSERT_EQ(table.rows.size(), 2U);
    EXPECT_EQ(cellOf(table, 1, "operation"), "MPI_Comm_split");
    EXPECT_EQ(cellOf(table, 1, "instance"), "");
    EXPECT_EQ(cellOf(table, 1, "ranks"), "2");
    EXPECT_EQ(cellOf(table, 1, "calls"), "1");
    EXPECT_EQ(cellOf(table, 1, "messages"), "2");
}

TEST(LibraryTable, saysHowToRecordWhatIsNotThere) {
    traces::RecordingBuilder builder{2};
    builder.collective(traces::Operation::barrier, 0, traces::noRank,
                       {{engine::Rank{0}, {}, engine::Picoseconds{5}}, {engine::Rank{1}, {}, engine::Picoseconds{5}}});
    auto recording = builder.finish();
    const auto remarkOf = [](const traces::Recording& one) {
        const auto shared = std::make_shared<const traces::Recording>(one);
        const engine::Table table = libraryTable(
            {.report = reportOn(std::make_shared<const engine::Run>(traces::runOf(one))), .recording = shared});
        EXPECT_TRUE(table.rows.empty());
        return table.remarks.empty() ? "" : table.remarks.front();
    };
    EXPECT_NE(remarkOf(recording).find("collscope record"), std::string::npos);
    recording.properties[traces::own::inside] = "no: COLLSCOPE_INSIDE is no";
    EXPECT_EQ(remarkOf(recording), "the messages inside of collectives were not recorded: COLLSCOPE_INSIDE is no");
}

/// 12 bytes are 3 elements for 8 ranks, too few for a ring: Open MPI runs recursive doubling.
TEST(LibraryTable, comparesWhatWasAskedForWithWhatRan) {
    const auto tableOf = [](const std::string& asked, const std::string& ran, const std::string& component = "tuned") {
        NativeProgram program{8};
        program.builder().rest().properties[traces::own::library] = "library Open MPI v4.1.4, package: some\n" + asked;
        program.call(planOf("allreduce/butterfly", support::allreduce(8, 12)), ran, component);
        return libraryTable(program.finish());
    };
    const std::string rules = "asked coll_tuned_use_dynamic_rules=1\n", ring = "asked coll_tuned_allreduce_algorithm=4";
    const std::string both = "allreduce_intra_ring + allreduce_intra_recursivedoubling";
    engine::Table table = tableOf(rules + ring, both);
    EXPECT_EQ(cellOf(table, 0, "asked"), "coll_tuned_allreduce_algorithm=4 (ring)");
    EXPECT_EQ(cellOf(table, 0, "instead"), "recursive_doubling ran: the ring needs at least one element for each rank");
    table = tableOf(ring, "allreduce_intra_recursivedoubling");
    EXPECT_EQ(cellOf(table, 0, "instead"),
              "recursive_doubling ran: coll_tuned_use_dynamic_rules is not set, so that the parameter has no effect");
    table = tableOf(rules + "asked coll_tuned_allreduce_algorithm=3", "allreduce_intra_recursivedoubling");
    EXPECT_EQ(cellOf(table, 0, "asked"), "coll_tuned_allreduce_algorithm=3 (recursive_doubling)");
    EXPECT_EQ(cellOf(table, 0, "instead"), "");
    table = tableOf("", "allreduce_intra_recursivedoubling");
    EXPECT_EQ(cellOf(table, 0, "asked"), "");
    // The parameter is that of one component, and MPICH's are those of one kind of communicator and call.
    table = tableOf(rules + ring, "allreduce_intra_recursivedoubling", "basic");
    EXPECT_EQ(cellOf(table, 0, "asked"), "coll_tuned_allreduce_algorithm=4 (ring)");
    EXPECT_NE(cellOf(table, 0, "instead"), "");
    table = tableOf(rules + ring, "sm_allreduce_intra", "sm");
    EXPECT_EQ(cellOf(table, 0, "instead"), "component sm ran, to which the parameter does not apply");
    for (const char* other : {"INTER", "INTRA_X"})
        EXPECT_EQ(
            cellOf(tableOf(std::string{"asked MPIR_CVAR_ALLREDUCE_"} + other + "_ALGORITHM=ring", ""), 0, "asked"), "");
    EXPECT_EQ(cellOf(tableOf("asked MPIR_CVAR_IALLREDUCE_INTRA_ALGORITHM=ring", ""), 0, "asked"), "");
    // A file of rules is named, whatever it selects; it applies as the parameters do.
    const std::string file = "asked coll_tuned_dynamic_rules_filename=my.rules";
    EXPECT_EQ(cellOf(tableOf(file + "\nasked coll_tuned_use_dynamic_rules=1", ""), 0, "asked"),
              "coll_tuned_dynamic_rules_filename=my.rules");
    EXPECT_EQ(cellOf(tableOf(file + "\nasked coll_tuned_use_dynamic_rules=1", ""), 0, "instead"), "");
    EXPECT_EQ(cellOf(tableOf(file, ""), 0, "asked"), "");
    EXPECT_EQ(cellOf(tableOf("asked coll_libnbc_iallreduce_algorithm=3", ""), 0, "asked"), "") << "it blocks";
    // MPICH names nothing: its messages show what ran.
    table = tableOf("asked MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=recursive_doubling", "");
    EXPECT_EQ(cellOf(table, 0, "instead"), "");
    table = tableOf("asked MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=ring", "");
    EXPECT_EQ(cellOf(table, 0, "instead"), "allreduce/pairwise-exchange ran");
    table = tableOf("asked MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=reduce_scatter_allgather", "");
    EXPECT_EQ(
        cellOf(table, 0, "instead"),
        "allreduce/pairwise-exchange ran: reduce_scatter_allgather needs a predefined operation and at least as many "
        "elements as the largest power of two up to the number of ranks");
    // Any algorithm may be that within a node, or that of the nonblocking call.
    for (const char* composed : {"smp", "nb"})
        EXPECT_EQ(
            cellOf(tableOf(std::string{"asked MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM="} + composed, ""), 0, "instead"),
            "");
}

/// What messages inside change, and what they do not.
TEST(NativeCollectives, areOpenedLikeMessagesAndCountNoneOfThem) {
    NativeProgram program{8};
    program.call(planOf("allreduce/ring", support::allreduce(8, 1 << 16)));
    program.call(planOf("bcast/flat", support::bcast(8, 0, 1 << 20)));
    const Trace trace = program.finish();
    TraceAnalysis analysis{trace, {}};
    EXPECT_EQ(analysis.run().messages.size(), 0U);
    ASSERT_EQ(analysis.instances().size(), 2U);
    const Instance& instance = analysis.instances()[0];
    EXPECT_TRUE(instance.hasMessages);
    EXPECT_EQ(instance.messageCount, 8 * 14);
    const engine::Table rounds = computeTable(tableNamed("rounds"), analysis);
    EXPECT_EQ(rounds.rows.size(), 14U + 7U);
    EXPECT_TRUE(analysis.model());  // from the messages inside
    EXPECT_EQ(analysis.modelOrigin(), "fitted");
    const engine::Table bounds = computeTable(tableNamed("bounds"), analysis);
    EXPECT_EQ(cellOf(bounds, 0, "algorithm"), "allreduce/ring");
    const engine::Table pairs = computeTable(tableNamed("pairs"), analysis);
    EXPECT_TRUE(pairs.rows.empty());
}

}  // namespace
}  // namespace app::analysis
