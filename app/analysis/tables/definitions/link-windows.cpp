// SPDX-License-Identifier: BSD-3-Clause
// The most loaded link in windows of time, and the hot ones.
#include "app/analysis/network/link_loads.hpp"
#include "app/analysis/tables/table_helpers.hpp"

namespace app::analysis::tables::about_link_windows {
namespace {

using engine::Cell;
using engine::Content;

void answer(TraceAnalysis& analysis, engine::Table& table) {
    const std::optional<engine::Model> used = analysis.model();
    if (const auto network = networkAskedAbout(analysis, table))
        for (const WindowLoad& row : windowLoads(analysis.run(), analysis.span(), *network, analysis.wish().windows,
                                                 used ? std::optional{used->beta} : std::nullopt))
            table.rows.push_back({row.begin, row.end, network->linkName(row.worst), row.bytes, row.ofPeak,
                                  row.use ? Cell{*row.use} : Cell{}, row.hot ? Cell{std::string{"hot"}} : Cell{}});
    if (!used) addRemark(table, "without beta the use of a link is not known");
    remarkOnMessages(analysis, table);
}

}  // namespace

TableDefinition definition() {
    return {
        .name = "link-windows",
        .page = 170,
        .meaning = "the busiest link in windows of time, and all highly loaded ones",
        .title = "the busiest link in windows of time; highly loaded ones carry at least 80% of the busiest",
        .how = "a message loads its links evenly while both ranks are in it; hot: at least 80% of the busiest window",
        .columns = {{"begin_s", Content::time, "start of the window", CellLocation::begin},
                    {"end_s", Content::time, "end of the window", CellLocation::end},
                    {"worst", Content::words, "link with the most bytes"},
                    {"worst_bytes", Content::bytes, "bytes over that link"},
                    {"of_peak_share", Content::share, "share of the bytes on the busiest link of the busiest window"},
                    {"use_share", Content::share, "share of the link's capacity"},
                    {"hot", Content::words, "hot: at least 80% of the busiest window"}},
        .answer = answer};
}

}  // namespace app::analysis::tables::about_link_windows
