// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/replay/replay_sweep_chart.hpp"

#include "app/cli/replay/replay_points.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>

namespace app::cli {
namespace {

using engine::Error;
using engine::text;

std::string wordsIn(const engine::Cell& cell) {
    const auto* words = std::get_if<std::string>(&cell);
    return words != nullptr ? *words : "";
}

std::optional<double> valueIn(const engine::Cell& cell) {
    if (const auto* time = std::get_if<engine::Picoseconds>(&cell)) return engine::seconds(*time);
    if (const auto* count = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*count);
    if (const auto* number = std::get_if<double>(&cell)) return *number;
    return std::nullopt;
}

Unit unitOf(const engine::Column& column) {
    switch (column.content) {
        case engine::Content::time: return Unit::seconds;
        case engine::Content::bytes: return Unit::bytes;
        case engine::Content::share: return Unit::share;
        default: return Unit::number;
    }
}

/// The results that can go up, by the names that --y takes.
std::vector<std::pair<std::string, std::size_t>> resultsOf(const engine::Table& all) {
    std::vector<std::pair<std::string, std::size_t>> found;
    for (std::size_t c = replayCoordinates().size(); c < all.columns.size(); ++c) {
        if (all.columns[c].content == engine::Content::words) continue;
        const std::string& name = all.columns[c].name;
        found.emplace_back(name.substr(0, std::min(name.rfind("_s"), name.size())), c);
    }
    return found;
}

std::size_t chosenUp(const engine::Table& all, const std::string& word) {
    std::vector<std::string> known;
    for (const auto& [name, place] : resultsOf(all)) {
        if (name == (word.empty() ? "time" : word)) return place;
        known.push_back(name);
    }
    throw Error{text("--y: replays have no '", word, "'", engine::didYouMean(word, known))};
}

std::size_t chosenAcross(const engine::Table& all, const std::vector<std::size_t>& varying, const std::string& word) {
    const std::vector<std::string>& names = replayCoordinates();
    const auto isNumber = [&](std::size_t place) {
        return std::ranges::all_of(
            all.rows, [&](const auto& row) { return numberOf(names[place], wordsIn(row[place])).has_value(); });
    };
    if (!word.empty()) {
        const auto found = std::ranges::find(names, word);
        if (found == names.end())
            throw Error{text("--x: replays have no '", word, "'", engine::didYouMean(word, names))};
        const auto place = static_cast<std::size_t>(found - names.begin());
        if (!isNumber(place)) throw Error{text("--x: '", word, "' is not a number in every replay")};
        return place;
    }
    const auto found = std::ranges::find_if(varying, isNumber);
    if (found == varying.end())
        throw Error{
            "--output: a chart shows a number that varies; give a list such as --alpha 1us,10us,100us, or write a table to a .csv or .json file"};
    return *found;
}

Unit unitAcross(const std::string& name) {
    return name == "alpha" ? Unit::seconds : name == "eager" ? Unit::bytes : Unit::number;
}

}  // namespace

Chart replayChart(const engine::Table& all, const ChartWish& wish) {
    std::vector<std::size_t> varying;
    for (std::size_t c = 0; c < replayCoordinates().size(); ++c)
        if (std::ranges::any_of(all.rows, [&](const auto& row) { return row[c] != all.rows.front()[c]; }))
            varying.push_back(c);
    const std::size_t up = chosenUp(all, wish.up);
    const std::size_t across = chosenAcross(all, varying, wish.across);
    std::erase(varying, across);
    const std::string& name = replayCoordinates()[across];
    Chart chart{.title = wish.title,
                .across = {.name = name, .unit = unitAcross(name), .linear = wish.linearAcross},
                .up = {.name = wish.up.empty() ? "time" : wish.up,
                       .unit = unitOf(all.columns[up]),
                       .linear = wish.linearUp || all.columns[up].content == engine::Content::share}};
    for (const auto& row : all.rows) {
        const auto y = valueIn(row[up]);
        if (!y) continue;
        std::string series;
        for (const std::size_t place : varying) {
            const std::string word = wordsIn(row[place]);
            series +=
                (series.empty() ? "" : ", ") + (word.empty() ? text(replayCoordinates()[place], " as recorded") : word);
        }
        if (series.empty()) series = "replayed";
        auto line = std::ranges::find(chart.lines, series, &Chart::Line::name);
        if (line == chart.lines.end()) line = chart.lines.insert(line, Chart::Line{series});
        line->points.push_back({*numberOf(name, wordsIn(row[across])), *y, *y, *y});
    }
    if (chart.empty()) throw Error{text("--y: '", chart.up.name, "' is a number of no replay here")};
    for (Chart::Line& line : chart.lines) std::ranges::stable_sort(line.points, {}, &Chart::Point::x);
    return chart;
}

}  // namespace app::cli
