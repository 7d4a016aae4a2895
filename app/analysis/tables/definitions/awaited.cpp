// SPDX-License-Identifier: BSD-3-Clause
// Which messages ranks waited for: of a call that completes several, the one that it needed last.
#include "app/analysis/tables/table_helpers.hpp"

#include <map>
#include <tuple>

namespace app::analysis::tables::about_awaited {
namespace {

using engine::Cell;
using engine::cell;
using engine::Content;
using engine::Picoseconds;
using engine::Rank;

/// Waits of one rank in one path for messages that have the same other end and tag.
struct Awaited {
    std::int64_t waits = 0;
    engine::Bytes largest = 0;
    Picoseconds time{};
    Picoseconds longest{};
    Picoseconds begin{};
};
using Key = std::tuple<Rank, PathId, WaitKind, Rank, std::uint32_t>;  // the last two: whom, tag

std::map<Key, Awaited> sumsOf(TraceAnalysis& analysis, const CallPaths* paths) {
    const Trace& trace = analysis.trace();
    const traces::Messages* recorded =
        trace.isCollscopeRun() || !trace.recording ? nullptr : &trace.recording->messages;
    std::map<Rank, PathOfRank> pathOf;
    std::map<Key, Awaited> sums;
    for (const Wait& wait : analysis.waits()) {
        if (wait.message == Wait::none) continue;
        const PathId path = paths == nullptr
                                ? outsideOfCalls
                                : pathOf.try_emplace(wait.rank, *paths, wait.rank).first->second.after(wait.begin);
        const std::uint32_t tag = recorded == nullptr ? 0 : recorded->tag[wait.message];
        Awaited& sum = sums[{wait.rank, path, wait.kind, wait.late, tag}];
        ++sum.waits;
        sum.largest = std::max(sum.largest, recorded == nullptr ? trace.report.run->messages.bytes()[wait.message]
                                                                : recorded->bytes[wait.message]);
        sum.time += wait.time;
        if (wait.time > sum.longest) sum.longest = wait.time, sum.begin = wait.begin;
    }
    return sums;
}

void answer(TraceAnalysis& analysis, engine::Table& table) {
    const CallPaths* paths = analysis.callPaths();
    const std::map<Key, Awaited> sums = sumsOf(analysis, paths);
    std::vector<const std::pair<const Key, Awaited>*> order;
    for (const auto& one : sums) order.push_back(&one);
    std::stable_sort(order.begin(), order.end(),
                     [](const auto* a, const auto* b) { return a->second.time > b->second.time; });
    const bool tagged = analysis.trace().recording && !analysis.trace().isCollscopeRun();
    for (const auto* one : order) {
        const auto& [rank, path, kind, whom, tag] = one->first;
        const Awaited& sum = one->second;
        table.rows.push_back({cell(rank), paths == nullptr ? Cell{} : Cell{paths->name(path)}, std::string{name(kind)},
                              cell(whom), tagged ? Cell{static_cast<std::int64_t>(tag)} : Cell{}, sum.largest,
                              sum.waits, sum.time, sum.longest, sum.begin});
    }
    remarkOnClocks(analysis, table);
    remarkOnMessages(analysis, table);
}

}  // namespace

TableDefinition definition() {
    return {.name = "awaited",
            .page = 91,
            .meaning = "which messages ranks waited for, by the call that waited, the other rank and the tag",
            .title = "which messages ranks waited for",
            .how =
                "a call that completes several requests waits once, for the one that it needs last; MPI_Waitany and "
                "MPI_Waitsome for the first",
            .columns = {{"rank", Content::rank, "rank that waited", CellLocation::rank},
                        {"path", Content::words, "call path of the call that waited"},
                        {"wait", Content::words, "wait state"},
                        {"for", Content::rank, "rank whose message was awaited"},
                        {"tag", Content::count, "tag of the message"},
                        {"largest_bytes", Content::bytes, "bytes of the largest of these messages"},
                        {"waits", Content::count, "number of waits"},
                        {"time_s", Content::time, "total waiting time"},
                        {"longest_s", Content::time, "longest wait", CellLocation::duration},
                        {"begin_s", Content::time, "start of the longest wait", CellLocation::begin}},
            .answer = answer};
}

}  // namespace app::analysis::tables::about_awaited
