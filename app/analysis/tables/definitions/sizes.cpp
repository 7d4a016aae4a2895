// SPDX-License-Identifier: BSD-3-Clause
// How large the messages were.
#include "app/analysis/messages/size_class.hpp"
#include "app/analysis/selection/partial_runs.hpp"
#include "app/analysis/tables/table_helpers.hpp"

#include <map>

namespace app::analysis::tables::about_sizes {
namespace {

using engine::Content;
using engine::Picoseconds;

struct Size {
    std::int64_t messages = 0;
    engine::Bytes bytes = 0;
    Picoseconds moving{};
    Picoseconds shortest{};
    Picoseconds longest{};
};

void answer(TraceAnalysis& analysis, engine::Table& table) {
    const engine::Messages& messages = analysis.run().messages;
    std::map<engine::Bytes, Size> sizes;  // by class
    for (std::size_t i = 0; i < messages.size(); ++i) {
        const engine::MessageRecord m = messages[i];
        Size& size = sizes[sizeClassOf(m.bytes)];
        const Picoseconds moving = std::max(Picoseconds{}, m.receiveEnd - transferBegin(m));
        size.shortest = size.messages == 0 ? moving : std::min(size.shortest, moving);
        size.longest = std::max(size.longest, moving);
        size.moving += moving;
        size.bytes += m.bytes;
        ++size.messages;
    }
    for (const auto& [upTo, size] : sizes)
        table.rows.push_back({upTo, size.messages,
                              static_cast<double>(size.messages) / static_cast<double>(messages.size()), size.bytes,
                              size.shortest, size.moving / size.messages, size.longest});
    remarkOnClocks(analysis, table);
    remarkOnMessages(analysis, table);
}

}  // namespace

TableDefinition definition() {
    return {.name = "sizes",
            .page = 134,
            .meaning = "messages by size, and their times",
            .title = "messages by size",
            .how =
                "a class contains sizes larger than half of its largest size; the time of a message is from when both "
                "ranks were in it until its arrival",
            .columns = {{"up_to_bytes", Content::bytes, "largest size of the class, a power of two or 0"},
                        {"messages", Content::count, "messages of the class"},
                        {"messages_share", Content::share, "share of all messages"},
                        {"bytes", Content::bytes, "total bytes"},
                        {"shortest_s", Content::time, "shortest time of a message"},
                        {"mean_s", Content::time, "mean time of a message"},
                        {"longest_s", Content::time, "longest time of a message"}},
            .answer = answer};
}

}  // namespace app::analysis::tables::about_sizes
