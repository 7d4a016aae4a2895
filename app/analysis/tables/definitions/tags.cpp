// SPDX-License-Identifier: BSD-3-Clause
// Which tags the messages of each communicator had.
#include "app/analysis/collectives/collective_instances.hpp"
#include "app/analysis/tables/table_helpers.hpp"

#include <map>

namespace app::analysis::tables::about_tags {
namespace {

using engine::Content;
using engine::Picoseconds;

struct Tag {
    std::int64_t messages = 0;
    engine::Bytes bytes = 0;
    engine::Bytes smallest = 0;
    engine::Bytes largest = 0;
    Picoseconds begin{};
    Picoseconds end{};
    Picoseconds moving{};
};

void answer(TraceAnalysis& analysis, engine::Table& table) {
    const Trace& trace = analysis.trace();
    if (!trace.recording || trace.isCollscopeRun())
        return addRemark(table, "a run of Collscope counts rounds in place of tags");
    const traces::Messages& all = trace.recording->messages;
    std::map<std::pair<std::int32_t, std::uint32_t>, Tag> tags;  // by communicator
    const ChosenMessages chosen = selectedMessages(*trace.recording, analysis.selection());
    for (std::size_t k = 0; k < chosen.size(); ++k) {
        const traces::Message m = all[chosen[k]];
        Tag& tag = tags[{m.communicator, m.tag}];
        const bool first = tag.messages++ == 0;
        const Picoseconds begin = std::min(m.sendBegin, m.receiveBegin);
        tag.bytes += m.bytes;
        tag.smallest = first ? m.bytes : std::min(tag.smallest, m.bytes);
        tag.largest = std::max(tag.largest, m.bytes);
        tag.begin = first ? begin : std::min(tag.begin, begin);
        tag.end = std::max({tag.end, m.sendEnd, m.receiveEnd});
        tag.moving += std::max(Picoseconds{}, m.receiveEnd - std::max(m.sendBegin, m.receiveBegin));
    }
    std::vector<const decltype(tags)::value_type*> order;
    for (const auto& one : tags) order.push_back(&one);
    std::stable_sort(order.begin(), order.end(),
                     [](const auto* a, const auto* b) { return a->second.bytes > b->second.bytes; });
    for (const auto* one : order) {
        const auto& [communicator, number] = one->first;
        const Tag& tag = one->second;
        table.rows.push_back({communicatorName(*trace.recording, communicator), static_cast<std::int64_t>(number),
                              tag.messages, tag.bytes, tag.smallest, tag.largest, tag.begin, tag.end,
                              tag.moving / tag.messages});
    }
    remarkOnClocks(analysis, table);
    remarkOnMessages(analysis, table);
}

}  // namespace

TableDefinition definition() {
    return {.name = "tags",
            .page = 135,
            .meaning = "messages and bytes by communicator and tag",
            .title = "messages by communicator and tag",
            .how = "messages by communicator and tag, as their senders gave it",
            .columns = {{"communicator", Content::words, "name of the communicator"},
                        {"tag", Content::count, "tag, as --tags selects it"},
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

}  // namespace app::analysis::tables::about_tags
