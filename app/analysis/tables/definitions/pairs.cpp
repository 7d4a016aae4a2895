// SPDX-License-Identifier: BSD-3-Clause
// Who sent how much to whom.
#include "app/analysis/selection/partial_runs.hpp"
#include "app/analysis/tables/table_helpers.hpp"

#include <map>

namespace app::analysis::tables::about_pairs {
namespace {

using engine::Content;
using engine::Picoseconds;

struct Pair {
    std::int64_t messages = 0;
    engine::Bytes bytes = 0;
    engine::Bytes smallest = 0;
    engine::Bytes largest = 0;
    Picoseconds begin{};
    Picoseconds end{};
    Picoseconds moving{};
};

void answer(TraceAnalysis& analysis, engine::Table& table) {
    const engine::Messages& messages = analysis.run().messages;
    std::map<std::pair<engine::Rank, engine::Rank>, Pair> pairs;
    for (std::size_t i = 0; i < messages.size(); ++i) {
        const engine::MessageRecord m = messages[i];
        Pair& pair = pairs[{m.from, m.to}];
        const bool first = pair.messages++ == 0;
        pair.bytes += m.bytes;
        pair.smallest = first ? m.bytes : std::min(pair.smallest, m.bytes);
        pair.largest = std::max(pair.largest, m.bytes);
        pair.begin = first ? beginOf(m) : std::min(pair.begin, beginOf(m));
        pair.end = std::max(pair.end, endOf(m));
        pair.moving += std::max(Picoseconds{}, m.receiveEnd - transferBegin(m));
    }
    std::vector<std::pair<std::pair<engine::Rank, engine::Rank>, Pair>> order{pairs.begin(), pairs.end()};
    std::stable_sort(order.begin(), order.end(),
                     [](const auto& a, const auto& b) { return a.second.bytes > b.second.bytes; });
    for (const auto& [who, pair] : order)
        table.rows.push_back({engine::cell(who.first), engine::cell(who.second), pair.messages, pair.bytes,
                              pair.smallest, pair.largest, pair.begin, pair.end, pair.moving / pair.messages});
    remarkOnClocks(analysis, table);
    remarkOnMessages(analysis, table);
}

}  // namespace

TableDefinition definition() {
    return {.name = "pairs",
            .page = 133,
            .meaning = "messages and bytes by pair of ranks",
            .title = "messages and bytes by pair of ranks",
            .how = "messages between two ranks; inside a program's collectives, only those of neighbourhood ones",
            .columns = {{"from", Content::rank, "sender, rank of the world", CellLocation::rank},
                        {"to", Content::rank, "receiver, rank of the world"},
                        {"messages", Content::count, "number of messages"},
                        {"bytes", Content::bytes, "total bytes"},
                        {"smallest_bytes", Content::bytes, "bytes of the smallest message"},
                        {"largest_bytes", Content::bytes, "bytes of the largest message"},
                        {"begin_s", Content::time, "start of the first message", CellLocation::begin},
                        {"end_s", Content::time, "end of the last message", CellLocation::end},
                        {"mean_s", Content::time,
                         "mean time of a message: from when both ranks were in it until its "
                         "arrival"}},
            .answer = answer};
}

}  // namespace app::analysis::tables::about_pairs
