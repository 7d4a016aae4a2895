// SPDX-License-Identifier: BSD-3-Clause
// Who waited, and for whom: for messages, and in recorded collectives.
#include "app/analysis/waits.hpp"
#include "app/analysis/answering.hpp"

namespace app::analysis::questions {
namespace {

using engine::Cell;
using engine::Content;
using engine::Picoseconds;

/// Waits in recorded collectives, summed per kind and rank of the world.
void addCollectiveWaits(Inquiry& inquiry, engine::Table& table) {
    struct Sum {
        std::int64_t waits = 0;
        Picoseconds time{};
        Picoseconds longest{};
        std::map<engine::Rank, Picoseconds> late;
    };
    std::map<std::pair<std::string, engine::Rank>, Sum> sums;
    for (const Instance& instance : inquiry.instances()) {
        const Arrivals arrivals = arrivalsOf(instance);
        for (std::size_t rank = 0; rank < arrivals.perRank.size(); ++rank) {
            const Picoseconds time = arrivals.perRank[rank];
            if (time.count() <= 0 || !inquiry.wish().part.has(instance.ranks[rank])) continue;
            Sum& sum = sums[{std::string{name(arrivals.kind)}, instance.ranks[rank]}];
            ++sum.waits;
            sum.time += time;
            sum.longest = std::max(sum.longest, time);
            if (arrivals.last) sum.late[instance.ranks[static_cast<std::size_t>(arrivals.last->value)]] += time;
        }
    }
    for (const auto& [who, sum] : sums) {
        const auto most = std::max_element(sum.late.begin(), sum.late.end(),
                                           [](const auto& a, const auto& b) { return a.second < b.second; });
        table.rows.push_back({who.first, engine::cell(who.second), sum.waits, sum.time, sum.longest,
                              most == sum.late.end() ? Cell{} : engine::cell(most->first)});
    }
}

void answer(Inquiry& inquiry, engine::Table& table) {
    for (const WaitRow& row : waitsPerRank(analysis::waits(inquiry.run())))
        table.rows.push_back({std::string{name(row.kind)}, engine::cell(row.rank), row.waits, row.time, row.longest,
                              engine::cell(row.mostlyFor)});
    remarkOnMessages(inquiry, table);
    // Of our own runs the messages tell already.
    if (!inquiry.trace().own()) addCollectiveWaits(inquiry, table);
    std::stable_sort(table.rows.begin(), table.rows.end(), [](const auto& a, const auto& b) {
        return std::get<Picoseconds>(a[3]) > std::get<Picoseconds>(b[3]);
    });
}

}  // namespace

Question waits() {
    return {.name = "waits",
            .page = 90,
            .meaning = "who waited, by Scalasca's names, and for whom",
            .title = "who waited, and for whom",
            .how = "late sender, late receiver, and the waits of collectives",
            .columns = {{"wait", Content::words, "its kind, by Scalasca's names"},
                        {"rank", Content::rank, "who waited", Leads::rank},
                        {"waits", Content::count, "how often"},
                        {"time_s", Content::time, "in all"},
                        {"longest_s", Content::time, "the longest of them"},
                        {"mostly_for", Content::rank, "for whom it waited longest in all"}},
            .answer = answer};
}

}  // namespace app::analysis::questions
