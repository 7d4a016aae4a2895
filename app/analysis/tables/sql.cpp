// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/tables/sql.hpp"

#include "app/analysis/tables/table_definition.hpp"
#include "app/analysis/tables/table_helpers.hpp"
#include "engine/base/error.hpp"
#include "engine/base/option_placeholders.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <new>
#include <utility>

#include <sqlite3.h>

namespace app::analysis {
namespace {

using engine::Cell;
using engine::Content;
using engine::text;

/// Steps of a statement between two looks at whether it is still wanted.
constexpr int stepsBetweenLooks = 10'000;
constexpr engine::Field sql{"sql"};
/// Numbers that a time in seconds holds as picoseconds: half a year.
constexpr double longest = 1.5e7;

/// Rows and columns that a statement can read, each cell where it lies.
struct Source {
    std::string name;
    std::vector<engine::Column> columns;
    std::function<std::int64_t()> rows;  ///< how many; the first call may take long, and throw
    std::function<Cell(std::int64_t row, std::size_t column)> at;
    /// What a reader must know of it, once its rows were asked for.
    std::shared_ptr<std::vector<std::string>> remarks = std::make_shared<std::vector<std::string>>();
};

Source ofQuestion(const TableDefinition& definition, TraceAnalysis& analysis) {
    Source source{.name = std::string{definition.name}, .columns = {}, .rows = {}, .at = {}};
    std::replace(source.name.begin(), source.name.end(), '-', '_');
    for (const ColumnDefinition& column : definition.columns)
        source.columns.push_back({std::string{column.name}, column.content});
    const auto table = std::make_shared<std::optional<engine::Table>>();
    source.rows = [table, remarks = source.remarks, &definition, &analysis] {
        if (!*table) {
            *table = computeTable(definition, analysis);
            *remarks = (*table)->remarks;
        }
        return static_cast<std::int64_t>((*table)->rows.size());
    };
    source.at = [table](std::int64_t row, std::size_t column) { return (*table)->rows[engine::asSize(row)][column]; };
    return source;
}

/// A cell of a message that another tool recorded, by its column of the table of messages.
Cell recordedCell(const traces::Recording& recording, std::uint32_t message, std::size_t column) {
    const traces::Message its = recording.messages[message];
    switch (column) {
        case 1: return engine::cell(its.from);
        case 2: return engine::cell(its.to);
        case 3: return its.bytes;
        case 4: return its.sendBegin;
        case 5: return its.sendEnd;
        case 6: return its.receiveBegin;
        case 7: return std::max(its.receiveBegin, its.receiveEnd);
        case 8: return communicatorName(recording, its.communicator);
        case 9: return static_cast<std::int64_t>(its.tag);
        default: return {};
    }
}

/// The columns of `export FILE.csv`, but for the contents, and of a trace what else was recorded of each message.
Source ofMessages(TraceAnalysis& analysis) {
    const Trace& trace = analysis.trace();
    const traces::Recording* const recording = trace.isCollscopeRun() ? nullptr : trace.recording.get();
    const auto chosen = std::make_shared<std::optional<ChosenMessages>>();
    const auto at = [&analysis, recording, chosen](std::int64_t row, std::size_t column) -> Cell {
        if (recording != nullptr) return recordedCell(*recording, (**chosen)[engine::asSize(row)], column);
        const engine::MessageRecord message = analysis.run().messages[engine::asSize(row)];
        switch (column) {
            case 0: return analysis.run().setting.on == "trace" ? Cell{} : engine::cell(message.round);
            case 1: return engine::cell(message.from);
            case 2: return engine::cell(message.to);
            case 3: return message.bytes;
            case 4: return message.sendBegin;
            case 5: return message.sendEnd;
            case 6: return message.receiveBegin;
            default: return message.receiveEnd;
        }
    };
    Source source{.name = "messages",
                  .columns = {{"round", Content::round},
                              {"from", Content::rank},
                              {"to", Content::rank},
                              {"bytes", Content::bytes},
                              {"send_begin_s", Content::time},
                              {"send_end_s", Content::time},
                              {"receive_begin_s", Content::time},
                              {"receive_end_s", Content::time}},
                  .rows = {},
                  .at = at};
    if (recording != nullptr) {
        source.columns.push_back({"communicator", Content::words});
        source.columns.push_back({"tag", Content::count});
    }
    source.rows = [remarks = source.remarks, &analysis, recording, chosen] {
        engine::Table remarked;
        remarkOnMessages(analysis, remarked);
        *remarks = std::move(remarked.remarks);
        if (recording == nullptr) return static_cast<std::int64_t>(analysis.run().messages.size());
        if (!*chosen) *chosen = selectedMessages(*recording, analysis.selection());
        return static_cast<std::int64_t>((*chosen)->size());
    };
    return source;
}

std::vector<Source> sourcesOf(TraceAnalysis& analysis) {
    std::vector<Source> all{ofMessages(analysis)};
    for (const TableDefinition& definition : tableDefinitions()) all.push_back(ofQuestion(definition, analysis));
    return all;
}

/// What was thrown under SQLite, which knows no exceptions.
using Thrown = std::exception_ptr;

/// A source as SQLite reads it: rows from the first to the last, cells one by one.
struct SourceTable : sqlite3_vtab {
    const Source* source = nullptr;
    Thrown* thrown = nullptr;
};

struct Cursor : sqlite3_vtab_cursor {
    std::int64_t row = 0;
    std::int64_t rows = 0;
};

SourceTable& tableOf(sqlite3_vtab_cursor* cursor) { return static_cast<SourceTable&>(*cursor->pVtab); }

/// What a module is made with.
struct Registered {
    const Source* source;
    Thrown* thrown;
    bool* declaring;     ///< SQLite takes the columns from a statement
    bool named = false;  ///< by the statement
};

std::string declared(const Source& source) {
    std::string words = "CREATE TABLE x(";
    for (const engine::Column& column : source.columns)
        words += text(words.back() == '(' ? "" : ",", '"', column.name, '"');
    return words + ')';
}

int connect(sqlite3* base, void* made, int, const char* const*, sqlite3_vtab** table, char**) {
    auto* registered = static_cast<Registered*>(made);
    registered->named = true;
    *registered->declaring = true;
    const int code = sqlite3_declare_vtab(base, declared(*registered->source).c_str());
    *registered->declaring = false;
    if (code != SQLITE_OK) return code;
    auto* own = new (std::nothrow) SourceTable{};
    if (own == nullptr) return SQLITE_NOMEM;
    own->source = registered->source;
    own->thrown = registered->thrown;
    *table = own;
    return SQLITE_OK;
}

int disconnect(sqlite3_vtab* table) {
    delete static_cast<SourceTable*>(table);
    return SQLITE_OK;
}

/// Every way through a table reads all of it.
int plan(sqlite3_vtab*, sqlite3_index_info*) { return SQLITE_OK; }

int open(sqlite3_vtab*, sqlite3_vtab_cursor** cursor) {
    *cursor = new (std::nothrow) Cursor{};
    return *cursor == nullptr ? SQLITE_NOMEM : SQLITE_OK;
}

int close(sqlite3_vtab_cursor* cursor) {
    delete static_cast<Cursor*>(cursor);
    return SQLITE_OK;
}

int rewind(sqlite3_vtab_cursor* cursor, int, const char*, int, sqlite3_value**) {
    auto& own = static_cast<Cursor&>(*cursor);
    try {
        own.row = 0;
        own.rows = tableOf(cursor).source->rows();
    } catch (...) {
        *tableOf(cursor).thrown = std::current_exception();
        return SQLITE_ERROR;
    }
    return SQLITE_OK;
}

int next(sqlite3_vtab_cursor* cursor) {
    ++static_cast<Cursor&>(*cursor).row;
    return SQLITE_OK;
}

int ended(sqlite3_vtab_cursor* cursor) {
    const auto& own = static_cast<const Cursor&>(*cursor);
    return own.row >= own.rows ? 1 : 0;
}

int tell(sqlite3_vtab_cursor* cursor, sqlite3_context* out, int column) {
    const Cell cell = tableOf(cursor).source->at(static_cast<Cursor&>(*cursor).row, engine::asSize(column));
    if (const auto* words = std::get_if<std::string>(&cell))
        sqlite3_result_text64(out, words->data(), words->size(), SQLITE_TRANSIENT, SQLITE_UTF8);
    else if (const auto* count = std::get_if<std::int64_t>(&cell)) sqlite3_result_int64(out, *count);
    else if (const auto* number = std::get_if<double>(&cell)) sqlite3_result_double(out, *number);
    else if (const auto* time = std::get_if<engine::Picoseconds>(&cell))
        sqlite3_result_double(out, engine::seconds(*time));
    else sqlite3_result_null(out);
    return SQLITE_OK;
}

int number(sqlite3_vtab_cursor* cursor, sqlite3_int64* row) {
    *row = static_cast<const Cursor&>(*cursor).row;
    return SQLITE_OK;
}

/// Tables that are there without being created: nothing can be.
const sqlite3_module& sourceModule() {
    static const sqlite3_module module = [] {
        sqlite3_module made{};
        made.xConnect = connect;
        made.xBestIndex = plan;
        made.xDisconnect = disconnect;
        made.xDestroy = disconnect;
        made.xOpen = open;
        made.xClose = close;
        made.xFilter = rewind;
        made.xNext = next;
        made.xEof = ended;
        made.xColumn = tell;
        made.xRowid = number;
        return made;
    }();
    return module;
}

/// What a statement may call: functions that give the same for the same, and reach nothing outside of it.
constexpr auto functions = std::to_array<std::string_view>(
    {"abs",          "acos",      "acosh",      "asin",   "asinh",       "atan",      "atan2",      "atanh",
     "avg",          "ceil",      "ceiling",    "char",   "coalesce",    "cos",       "cosh",       "count",
     "cume_dist",    "degrees",   "dense_rank", "exp",    "first_value", "floor",     "format",     "glob",
     "group_concat", "hex",       "ifnull",     "iif",    "instr",       "lag",       "last_value", "lead",
     "length",       "like",      "likelihood", "likely", "ln",          "log",       "log10",      "log2",
     "lower",        "ltrim",     "max",        "min",    "mod",         "nth_value", "ntile",      "nullif",
     "percent_rank", "pi",        "pow",        "power",  "printf",      "quote",     "radians",    "rank",
     "replace",      "round",     "row_number", "rtrim",  "sign",        "sin",       "sinh",       "sqrt",
     "substr",       "substring", "sum",        "tan",    "tanh",        "total",     "trim",       "trunc",
     "typeof",       "unicode",   "unlikely",   "upper"});

/// Reading is all that a statement may do: no files, no settings, no other database.
int allow(void* declaring, int action, const char*, const char* what, const char*, const char*) {
    if (*static_cast<const bool*>(declaring)) return SQLITE_OK;
    if (action == SQLITE_FUNCTION)
        return what != nullptr && std::ranges::find(functions, std::string_view{what}) != functions.end() ? SQLITE_OK
                                                                                                          : SQLITE_DENY;
    return action == SQLITE_SELECT || action == SQLITE_READ || action == SQLITE_RECURSIVE ? SQLITE_OK : SQLITE_DENY;
}

/// Memory that all statements together may take, beside the tables that they read.
constexpr sqlite3_int64 mostMemory = sqlite3_int64{256} << 20;

/// So that no statement can be made to take long, much memory or much of the stack before it is looked at.
void restrict(sqlite3* base) {
    constexpr auto limits = std::to_array<std::pair<int, int>>({{SQLITE_LIMIT_LENGTH, 1 << 20},
                                                                {SQLITE_LIMIT_SQL_LENGTH, 100'000},
                                                                {SQLITE_LIMIT_COLUMN, 500},
                                                                {SQLITE_LIMIT_EXPR_DEPTH, 200},
                                                                {SQLITE_LIMIT_COMPOUND_SELECT, 100},
                                                                {SQLITE_LIMIT_VDBE_OP, 250'000},
                                                                {SQLITE_LIMIT_FUNCTION_ARG, 100},
                                                                {SQLITE_LIMIT_ATTACHED, 0},
                                                                {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000},
                                                                {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
                                                                {SQLITE_LIMIT_WORKER_THREADS, 0}});
    for (const auto& [limit, value] : limits) sqlite3_limit(base, limit, value);
    sqlite3_hard_heap_limit64(mostMemory);
    // What is sorted stays in memory, which is bounded, and out of files.
    sqlite3_exec(base, "PRAGMA temp_store = MEMORY", nullptr, nullptr, nullptr);
}

int wanted(void* progress) { return static_cast<const engine::Progress*>(progress)->stop.stop_requested() ? 1 : 0; }

struct Close {
    void operator()(sqlite3* base) const { sqlite3_close(base); }
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};

class Statement final : public Selected {
public:
    Statement(TraceAnalysis& analysis, const std::string& words) : analysis_{analysis}, sources_{sourcesOf(analysis)} {
        sqlite3* base = nullptr;
        const int code = sqlite3_open(":memory:", &base);
        base_.reset(base);
        if (code != SQLITE_OK) throw std::bad_alloc{};
        restrict(base);
        for (const Source& source : sources_)
            registered_.push_back({.source = &source, .thrown = &thrown_, .declaring = &declaring_});
        for (Registered& one : registered_)
            sqlite3_create_module(base, one.source->name.c_str(), &sourceModule(), &one);
        sqlite3_set_authorizer(base, allow, &declaring_);
        sqlite3_progress_handler(base, stepsBetweenLooks, wanted, const_cast<engine::Progress*>(&analysis.progress()));
        statement_ = prepared(words);
        for (int c = 0; c < sqlite3_column_count(statement_.get()); ++c)
            columns_.push_back({sqlite3_column_name(statement_.get(), c), contentOf(c)});
        title_ = words;
    }

    engine::Table next(std::int64_t most) override {
        engine::Table table{.name = "sql", .title = title_, .columns = columns_, .rows = {}};
        while (!over_ && static_cast<std::int64_t>(table.rows.size()) < most) {
            const int code = sqlite3_step(statement_.get());
            over_ = code != SQLITE_ROW;
            if (code == SQLITE_ROW) table.rows.push_back(row());
            else if (code != SQLITE_DONE) fail();
        }
        for (const Source& source : sources_)
            for (const std::string& remark : *source.remarks) addRemark(table, remark);
        // What has no column to come from may be words.
        if (!table.rows.empty())
            for (std::size_t c = 0; c < columns_.size(); ++c)
                if (std::holds_alternative<std::string>(table.rows.front()[c]))
                    table.columns[c].content = Content::words;
        return table;
    }

private:
    [[noreturn]] void fail() {
        if (thrown_) std::rethrow_exception(thrown_);
        if (analysis_.progress().stop.stop_requested()) throw engine::Cancelled{};
        if (sqlite3_errcode(base_.get()) == SQLITE_NOMEM)
            throw engine::Error{
                text(sql, ": the statement needs more than ", engine::showBytes(mostMemory), " of memory")};
        const std::string fault = sqlite3_errmsg(base_.get());
        const std::string noFunction = "not authorized to use function: ";
        if (fault.starts_with(noFunction))
            throw engine::Error{text(sql, ": the function ", fault.substr(noFunction.size()), " cannot be used here")};
        const bool denied = fault.starts_with("not authorized") || fault.ends_with("may not be modified") ||
                            sqlite3_errcode(base_.get()) == SQLITE_AUTH;
        const std::string noTable = "no such table: ", noColumn = "no such column: ";
        std::string hint;
        if (fault.starts_with(noTable)) hint = engine::didYouMean(fault.substr(noTable.size()), sqlTables());
        if (fault.starts_with(noTable) && hint.empty())
            hint = text("; ", engine::listing::questions, " lists them all");
        if (fault.starts_with(noColumn)) hint = columnsNamed();
        throw engine::Error{
            text(sql, ": ", denied ? "a statement may only select from the tables that are there" : fault, hint)};
    }

    /// "; waits has wait, rank, time_s", and so on for each table of the statement.
    [[nodiscard]] std::string columnsNamed() const {
        std::string words;
        for (const Registered& one : registered_) {
            if (!one.named) continue;
            words += (words.empty() ? "; " : ", ") + one.source->name + " has";
            std::string_view before = " ";
            for (const engine::Column& column : one.source->columns) {
                words += text(before, column.name);
                before = ", ";
            }
        }
        return words;
    }

    std::unique_ptr<sqlite3_stmt, Close> prepared(const std::string& words) {
        sqlite3_stmt* made = nullptr;
        const char* rest = nullptr;
        const int code = sqlite3_prepare_v2(base_.get(), words.c_str(), -1, &made, &rest);
        std::unique_ptr<sqlite3_stmt, Close> statement{made};
        if (code != SQLITE_OK) fail();
        if (!statement) throw engine::Error{text(sql, " needs a statement, such as select * from waits")};
        sqlite3_stmt* second = nullptr;
        const int more = sqlite3_prepare_v2(base_.get(), rest, -1, &second, nullptr);
        const std::unique_ptr<sqlite3_stmt, Close> other{second};
        if (more != SQLITE_OK || other)
            throw engine::Error{text(sql, " takes one statement, and something follows it")};
        return statement;
    }

    std::vector<Cell> row() {
        std::vector<Cell> cells;
        for (std::size_t c = 0; c < columns_.size(); ++c)
            cells.push_back(cellOf(statement_.get(), static_cast<int>(c), columns_[c].content));
        return cells;
    }

    /// That of the column it comes from, else what its name says.
    [[nodiscard]] Content contentOf(int column) const {
        const char* table = sqlite3_column_table_name(statement_.get(), column);
        const char* origin = sqlite3_column_origin_name(statement_.get(), column);
        if (table != nullptr && origin != nullptr)
            for (const Source& source : sources_)
                for (const engine::Column& one : source.columns)
                    if (source.name == table && one.name == origin) return one.content;
        const std::string_view name = sqlite3_column_name(statement_.get(), column);
        constexpr std::array<std::pair<std::string_view, Content>, 3> endings{
            {{"_s", Content::time}, {"bytes", Content::bytes}, {"_share", Content::share}}};
        for (const auto& [ending, content] : endings)
            if (name.ends_with(ending)) return content;
        return Content::number;
    }

    [[nodiscard]] static Cell cellOf(sqlite3_stmt* statement, int column, Content content) {
        switch (sqlite3_column_type(statement, column)) {
            case SQLITE_INTEGER: return static_cast<std::int64_t>(sqlite3_column_int64(statement, column));
            case SQLITE_FLOAT: {
                const double value = sqlite3_column_double(statement, column);
                if (content == Content::time && std::abs(value) < longest)
                    return engine::Picoseconds{std::llround(value * 1e12)};
                return value;
            }
            case SQLITE_NULL: return {};
            default: {
                const void* bytes = sqlite3_column_blob(statement, column);
                const auto length = engine::asSize(sqlite3_column_bytes(statement, column));
                return length == 0 ? std::string{} : std::string{static_cast<const char*>(bytes), length};
            }
        }
    }

    TraceAnalysis& analysis_;
    std::vector<Source> sources_;
    Thrown thrown_;
    bool declaring_ = false;
    std::vector<Registered> registered_;
    std::unique_ptr<sqlite3, Close> base_;
    std::unique_ptr<sqlite3_stmt, Close> statement_;
    std::string title_;
    std::vector<engine::Column> columns_;
    bool over_ = false;
};

}  // namespace

std::vector<std::string> sqlTables() {
    std::vector<std::string> names{"messages"};
    for (const TableDefinition& definition : tableDefinitions()) {
        names.emplace_back(definition.name);
        std::replace(names.back().begin(), names.back().end(), '-', '_');
    }
    return names;
}

std::unique_ptr<Selected> selected(TraceAnalysis& analysis, const std::string& statement) {
    return std::make_unique<Statement>(analysis, statement);
}

}  // namespace app::analysis
