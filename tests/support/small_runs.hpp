// SPDX-License-Identifier: BSD-3-Clause
// Small runs and tables as text, so that a test of a question reads as trace, question, expected rows.
#pragma once

#include "app/analysis/selection/partial_runs.hpp"
#include "engine/base/table.hpp"
#include "engine/base/text.hpp"

#include <sstream>
#include <string>

namespace app::analysis::samples {

/// One message a line: "0>1 round 0 bytes 10 send 0..70 receive 0..70" with times in picoseconds.
inline engine::Run small(int ranks, const std::string& lines) {
    std::istringstream in{lines};
    std::vector<Sample> samples;
    for (std::string ends, word; in >> ends;) {
        engine::MessageRecord m;
        const auto arrow = ends.find('>');
        m.from = engine::Rank{std::stoi(ends.substr(0, arrow))};
        m.to = engine::Rank{std::stoi(ends.substr(arrow + 1))};
        std::int64_t round = 0;
        std::string send;
        std::string receive;
        in >> word >> round >> word >> m.bytes >> word >> send >> word >> receive;
        m.round = engine::Round{round};
        const auto span = [](const std::string& words) {
            const auto dots = words.find("..");
            return std::pair{engine::Picoseconds{std::stoll(words.substr(0, dots))},
                             engine::Picoseconds{std::stoll(words.substr(dots + 2))}};
        };
        std::tie(m.sendBegin, m.sendEnd) = span(send);
        std::tie(m.receiveBegin, m.receiveEnd) = span(receive);
        samples.push_back({m});
    }
    return assembled(ranks, std::move(samples));
}

/// A message whose two ends are busy for the same time.
inline std::string moves(int from, int to, int round, int bytes, int begin, int end) {
    return engine::text(from, '>', to, " round ", round, " bytes ", bytes, " send ", begin, "..", end, " receive ",
                        begin, "..", end, '\n');
}

/// One line per row, cells apart by blanks, "-" for what is not known, times in picoseconds.
inline std::string rowsOf(const engine::Table& table) {
    std::string all;
    for (const auto& row : table.rows) {
        std::string line;
        for (const engine::Cell& cell : row) {
            std::string words = "-";
            if (const auto* text = std::get_if<std::string>(&cell)) words = *text;
            if (const auto* count = std::get_if<std::int64_t>(&cell)) words = std::to_string(*count);
            if (const auto* number = std::get_if<double>(&cell)) words = engine::showNumber(*number);
            if (const auto* time = std::get_if<engine::Picoseconds>(&cell)) words = std::to_string(time->count());
            line += (line.empty() ? "" : " ") + words;
        }
        all += line + '\n';
    }
    return all;
}

}  // namespace app::analysis::samples
