// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/format/cell_format.hpp"

#include "app/analysis/format/csv.hpp"
#include "engine/base/median.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <map>
#include <ostream>

namespace app::analysis {
namespace {

using engine::Cell;
using engine::Content;

std::string plain(const Cell& cell) {
    if (const auto* words = std::get_if<std::string>(&cell)) return *words;
    if (const auto* count = std::get_if<std::int64_t>(&cell)) return std::to_string(*count);
    if (const auto* number = std::get_if<double>(&cell)) return csvNumber(*number);
    if (const auto* time = std::get_if<engine::Picoseconds>(&cell)) return csvNumber(engine::seconds(*time));
    return {};
}

}  // namespace

std::string counted(std::int64_t number) {
    std::string digits = std::to_string(number);
    const std::size_t first = number < 0 ? 1 : 0;
    for (std::size_t at = digits.size(); at > first + 3;) digits.insert(at -= 3, ",");
    return digits;
}

std::string counted(std::int64_t number, std::string_view noun) {
    return engine::text(counted(number), " ", noun, number == 1 ? "" : "s");
}

std::string countedRanks(std::int64_t recorded, std::int64_t all) {
    return recorded == all ? counted(all, "rank")
                           : engine::text(counted(recorded), " of ", counted(all, "rank"), " recorded");
}

std::string listed(const std::vector<std::string>& words) {
    std::string all;
    for (std::size_t i = 0; i < words.size(); ++i)
        all += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
    return all;
}

std::string medianInWords(std::vector<engine::Picoseconds> times) {
    if (times.size() > 2) return engine::showTime(engine::median(std::move(times))) + " (median)";
    std::vector<std::string> words;
    for (const engine::Picoseconds time : times) words.push_back(engine::showTime(time));
    return listed(words);
}

double ratio(engine::Picoseconds part, engine::Picoseconds whole) {
    if (whole.count() <= 0) return 0;
    return static_cast<double>(part.count()) / static_cast<double>(whole.count());
}

engine::Cell ratioCell(engine::Picoseconds part, engine::Picoseconds whole) {
    return whole.count() > 0 ? engine::Cell{ratio(part, whole)} : engine::Cell{};
}

std::string percent(double share) { return engine::showNumber(share * 100, 3) + "%"; }

std::string shown(const Cell& cell, Content content) {
    constexpr int figures = 4;  // rows are compared with each other
    if (const auto* words = std::get_if<std::string>(&cell)) return *words;
    if (const auto* count = std::get_if<std::int64_t>(&cell)) {
        if (content == Content::bytes) return engine::showBytes(*count, figures);
        if (content == Content::round) return engine::text(*count + 1);
        return content == Content::rank ? engine::text(*count) : counted(*count);
    }
    if (const auto* number = std::get_if<double>(&cell)) {
        if (content == Content::share) return percent(*number);
        if (content == Content::rate)
            return engine::showRate({static_cast<std::int64_t>(*number * 1e15 + 0.5)}, figures);
        return engine::showNumber(*number, figures);
    }
    if (const auto* time = std::get_if<engine::Picoseconds>(&cell)) return engine::showTime(*time, figures);
    return "-";
}

std::string heading(const engine::Column& column) {
    if (!column.heading.empty()) return column.heading;
    static const std::map<std::string_view, std::string_view> others{
        {"absent_s", "not yet entered"},
        {"again", "repeated"},
        {"algbw_gb_per_s", "algbw, GB/s"},
        {"arrival_spread_s", "arrival skew"},
        {"asked", "requested"},
        {"at_once", "in flight"},
        {"begin_s", "start"},
        {"busbw_gb_per_s", "busbw, GB/s"},
        {"busiest_bytes", "bytes of the busiest"},
        {"by_rank", "by rank (9: most)"},
        {"computing_s", "computation"},
        {"differs", "difference"},
        {"factor", "speed-up"},
        {"factor_high", "speed-up high"},
        {"factor_low", "speed-up low"},
        {"for", "for rank"},
        {"hot", "highly loaded"},
        {"in_mpi_s", "in MPI"},
        {"other_mpi_s", "other MPI calls"},
        {"late", "late rank"},
        {"lay_s", "idle"},
        {"least", "minimum"},
        {"least_rank", "on rank"},
        {"least_s", "minimum"},
        {"most", "maximum"},
        {"most_at_s", "time of maximum"},
        {"most_rank", "on rank"},
        {"most_s", "maximum"},
        {"mostly_for", "mostly for rank"},
        {"moving_s", "message transfer"},
        {"mostly_in", "call path with the most"},
        {"longer_s", "excess"},
        {"mpi_waiting_s", "waiting"},
        {"nothing_recorded_s", "not recorded"},
        {"odd", "unusual duration"},
        {"origin", "late rank"},
        {"ideal_network_s", "on an ideal network"},
        {"own_s", "exclusive"},
        {"part_share", "share of total"},
        {"passed_on_s", "propagated"},
        {"received_ratio", "received / mean"},
        {"side", "direction"},
        {"slowest", "slowest rank"},
        {"tied", "connected"},
        {"times_bound", "time/bound"},
        {"times_first", "relative time"},
        {"wait", "wait state"},
        {"no_communication_s", "no communication"},
        {"waits", "number of waits"},
        {"within_s", "uncertainty"},
        {"worst", "busiest link"},
        {"worst_bytes", "bytes of the busiest"},
    };
    if (const auto other = others.find(column.name); other != others.end()) return std::string{other->second};
    std::string words = column.name;
    for (const std::string_view unit : {"_s_per_byte", "_s", "_share", "_bytes"})
        if (words.ends_with(unit) && column.content != Content::words) {
            words.erase(words.size() - unit.size());
            break;
        }
    std::replace(words.begin(), words.end(), '_', ' ');
    return words;
}

bool says(const engine::Table& table, std::size_t column) {
    return table.columns[column].isShown && std::any_of(table.rows.begin(), table.rows.end(), [&](const auto& row) {
               return !std::holds_alternative<std::monostate>(row[column]);
           });
}

void writeCsv(const engine::Table& table, std::ostream& out) {
    for (std::size_t c = 0; c < table.columns.size(); ++c) out << (c == 0 ? "" : ",") << table.columns[c].name;
    out << '\n';
    writeCsvRows(table, out);
}

void writeCsvRows(const engine::Table& table, std::ostream& out) {
    for (const auto& row : table.rows) {
        for (std::size_t c = 0; c < row.size(); ++c) out << (c == 0 ? "" : ",") << csvCell(plain(row[c]));
        out << '\n';
    }
}

}  // namespace app::analysis
