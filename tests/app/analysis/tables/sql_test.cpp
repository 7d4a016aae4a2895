// SPDX-License-Identifier: BSD-3-Clause
// One statement over the tables of a run: what it may select, and what it says when it may not.
#include "app/analysis/tables/sql.hpp"
#include "app/analysis/tables/table_definition.hpp"
#include "engine/base/error.hpp"
#include "engine/base/option_placeholders.hpp"
#include "tests/support/small_runs.hpp"
#include "traces/recording/recording_builder.hpp"
#include "traces/recording/run_from_recording.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <stop_token>

namespace app::analysis {
namespace {

using engine::Cell;
using engine::Content;
using engine::Picoseconds;
using samples::moves;
using samples::small;

/// 0 hands on to 1, 1 to 2, 2 to 0.
Trace circle() {
    Trace trace;
    trace.report.run = std::make_shared<const engine::Run>(
        small(3, moves(0, 1, 0, 10, 0, 100) + moves(1, 2, 1, 20, 100, 200) + moves(2, 0, 2, 30, 200, 300)));
    return trace;
}

engine::Table answered(const std::string& statement, std::int64_t most = 100) {
    const Trace trace = circle();
    TraceAnalysis analysis{trace, {}};
    return selected(analysis, statement)->next(most);
}

std::string fault(const std::string& statement) {
    try {
        (void)answered(statement);
    } catch (const engine::Error& error) {
        return engine::plain(error.words());
    }
    return "none";
}

TEST(Sql, selectsFromMessagesAsTheyLie) {
    const engine::Table table = answered("select \"from\", bytes, receive_end_s from messages order by bytes desc");
    ASSERT_EQ(table.rows.size(), 3U);
    EXPECT_EQ(table.rows[0], (std::vector<Cell>{std::int64_t{2}, std::int64_t{30}, Picoseconds{300}}));
    EXPECT_EQ(table.rows[2], (std::vector<Cell>{std::int64_t{0}, std::int64_t{10}, Picoseconds{100}}));
    EXPECT_EQ(table.columns,
              (std::vector<engine::Column>{
                  {"from", Content::rank}, {"bytes", Content::bytes}, {"receive_end_s", Content::time}}));
}

TEST(Sql, selectsTagsAndCommunicatorsOfATrace) {
    traces::RecordingBuilder builder{3};
    const int pair = builder.communicator("pair", {engine::Rank{1}, engine::Rank{2}});
    builder.message({.from = engine::Rank{0},
                     .to = engine::Rank{1},
                     .tag = 7,
                     .bytes = 10,
                     .sendBegin = Picoseconds{5},
                     .sendEnd = Picoseconds{9},
                     .receiveBegin = Picoseconds{6},
                     .receiveEnd = Picoseconds{8}});
    builder.message({.from = engine::Rank{1},
                     .to = engine::Rank{2},
                     .communicator = pair,
                     .tag = 9,
                     .bytes = 20,
                     .sendBegin = Picoseconds{15},
                     .sendEnd = Picoseconds{19},
                     .receiveBegin = Picoseconds{16},
                     .receiveEnd = Picoseconds{18}});
    auto recording = std::make_shared<const traces::Recording>(builder.finish());
    const Trace trace{.report = reportOn(std::make_shared<const engine::Run>(traces::runOf(*recording))),
                      .recording = recording};
    TraceAnalysis analysis{trace, {}};
    const auto statement = [&](const char* words) { return selected(analysis, words)->next(10).rows; };
    EXPECT_EQ(statement("select tag, communicator, \"to\", bytes, receive_end_s from messages where tag > 7"),
              (std::vector<std::vector<Cell>>{
                  {std::int64_t{9}, "pair", std::int64_t{2}, std::int64_t{20}, Picoseconds{18}}}));
    TraceAnalysis ofPair{trace, {.communicators = {"pair"}}};
    EXPECT_EQ(selected(ofPair, "select tag from messages")->next(10).rows,
              (std::vector<std::vector<Cell>>{{std::int64_t{9}}}));
    EXPECT_TRUE(fault("select tag from messages").starts_with("sql: no such column: tag"));  // of a run of ours
}

TEST(Sql, isBoundedInMemory) {
    const std::string endless = "with recursive t(x) as (select 1 union all select x + 1 from t) ";
    EXPECT_EQ(fault(endless + "select * from t order by x desc"),
              "sql: the statement needs more than 256 MiB of memory");
    EXPECT_NE(fault("select replace(printf('%.1000000c', 'x'), 'x', printf('%.1000c', 'y'))"), "none");
    EXPECT_NE(fault("select '" + std::string(200'000, 'x') + "'"), "none");
    std::string deep = "1";
    for (int i = 0; i < 1000; ++i) deep = "(" + deep + " + 1)";
    EXPECT_NE(fault("select " + deep), "none");
    EXPECT_EQ(fault("select 1"), "none") << "what came before has left nothing";
}

TEST(Sql, callsOnlyWhatIsNamed) {
    for (const char* call :
         {"load_extension('x')", "fts3_tokenizer('simple')", "randomblob(9)", "random()", "zeroblob(9)",
          "sqlite_version()", "readfile('/etc/passwd')", "changes()", "last_insert_rowid()"})
        EXPECT_NE(fault(std::string{"select "} + call), "none") << call;
    EXPECT_EQ(fault("select randomblob(9)"), "sql: the function randomblob cannot be used here");
    for (const char* call : {"sum(bytes)", "max(bytes, 3)", "round(avg(bytes), 2)", "group_concat(bytes)",
                             "sqrt(count(*))", "printf('%d', bytes)", "row_number() over (order by bytes)"})
        EXPECT_EQ(fault(std::string{"select "} + call + " from messages"), "none") << call;
}

TEST(Sql, tellsEveryColumnOfAMessage) {
    const Trace trace = circle();
    TraceAnalysis analysis{trace, {}};
    const engine::Table table = selected(analysis, "select * from messages")->next(10);
    const engine::Messages& messages = trace.report.run->messages;
    ASSERT_EQ(table.rows.size(), messages.size());
    for (std::size_t i = 0; i < messages.size(); ++i) {
        const engine::MessageRecord m = messages[i];
        EXPECT_EQ(table.rows[i], (std::vector<Cell>{engine::cell(m.round), engine::cell(m.from), engine::cell(m.to),
                                                    m.bytes, m.sendBegin, m.sendEnd, m.receiveBegin, m.receiveEnd}));
    }
}

TEST(Sql, selectsFromEveryTableWhatItsQuestionAnswers) {
    const Trace trace = circle();
    for (const TableDefinition& definition : tableDefinitions()) {
        TraceAnalysis analysis{trace, {}};
        const engine::Table table = computeTable(definition, analysis);
        std::string name{definition.name};
        std::replace(name.begin(), name.end(), '-', '_');
        const engine::Table same = selected(analysis, "select * from " + name)->next(1 << 20);
        ASSERT_EQ(same.columns.size(), table.columns.size()) << name;
        ASSERT_EQ(same.rows.size(), table.rows.size()) << name;
        for (std::size_t r = 0; r < table.rows.size(); ++r) EXPECT_EQ(same.rows[r], table.rows[r]) << name << ' ' << r;
        for (const std::string& remark : table.remarks)
            EXPECT_NE(std::find(same.remarks.begin(), same.remarks.end(), remark), same.remarks.end()) << remark;
    }
}

TEST(Sql, knowsWhatComputedColumnsAreByTheirNames) {
    const engine::Table table = answered(
        "select max(receive_end_s) as last_s, sum(bytes) as bytes, count(*) as n, 'x' as word, null as none, "
        "0.25 as big_share from messages");
    EXPECT_EQ(table.columns, (std::vector<engine::Column>{{"last_s", Content::time},
                                                          {"bytes", Content::bytes},
                                                          {"n", Content::number},
                                                          {"word", Content::words},
                                                          {"none", Content::number},
                                                          {"big_share", Content::share}}));
    ASSERT_EQ(table.rows.size(), 1U);
    EXPECT_EQ(table.rows[0],
              (std::vector<Cell>{Picoseconds{300}, std::int64_t{60}, std::int64_t{3}, std::string{"x"}, Cell{}, 0.25}));
}

TEST(Sql, goesOnWhereItStopped) {
    const Trace trace = circle();
    TraceAnalysis analysis{trace, {}};
    const auto rows = selected(analysis, "select \"to\" from messages");
    EXPECT_EQ(rows->next(2).rows.size(), 2U);
    EXPECT_EQ(rows->next(2).rows, (std::vector<std::vector<Cell>>{{std::int64_t{0}}}));
    EXPECT_TRUE(rows->next(2).rows.empty());
}

TEST(Sql, onlyReads) {
    for (const char* statement :
         {"drop table messages", "insert into messages values (1)", "delete from waits", "create table t(x)",
          "attach 'file' as other", "pragma database_list", "vacuum into 'file'"})
        EXPECT_EQ(fault(statement), "sql: a statement may only select from the tables that are there") << statement;
    EXPECT_EQ(fault("select 1; select 2"), "sql takes one statement, and something follows it");
    EXPECT_EQ(fault("select 1; -- and no more"), "none");
    EXPECT_EQ(fault("  "), "sql needs a statement, such as select * from waits");
    EXPECT_EQ(fault("select * from waitz"), "sql: no such table: waitz; did you mean waits?");
    EXPECT_EQ(
        fault("select byte from messages"),
        "sql: no such column: byte; messages has round, from, to, bytes, send_begin_s, send_end_s, receive_begin_s, "
        "receive_end_s");
    EXPECT_EQ(
        fault("select sizes.nope from sizes join ranks"),
        "sql: no such column: sizes.nope; ranks has rank, absent_s, busy_s, no_communication_s, finished_early_s, waiting_s, computing_s, mpi_waiting_s, "
        "in_mpi_s, nothing_recorded_s, sizes has up_to_bytes, messages, "
        "messages_share, bytes, shortest_s, mean_s, longest_s");
}

TEST(Sql, canBeStopped) {
    const Trace trace = circle();
    std::stop_source stop;
    TraceAnalysis analysis{trace, {}, {.report = {}, .stop = stop.get_token()}};
    const auto rows =
        selected(analysis, "with recursive c(x) as (select 1 union all select x + 1 from c) select count(*) from c");
    stop.request_stop();
    EXPECT_THROW((void)rows->next(1), engine::Cancelled);
}

}  // namespace
}  // namespace app::analysis
