// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/sweep_chart.hpp"

#include "engine/text.hpp"

#include <charconv>
#include <set>

namespace app::cli {
namespace {

using Named = std::pair<std::string, std::string>;

/// The coordinates with their names, every option as one of its own, numbers first.
std::vector<Named> named(const SweepRow& row) {
    std::vector<Named> all;
    std::vector<Named> words;
    for (std::size_t i = 0; i < row.coordinates.size(); ++i) {
        const std::string& name = coordinateNames()[i];
        const bool number = name == "ranks" || name.starts_with("group_") || name == "size" || name == "size_b" ||
                            name == "root" || name == "ports";
        if (name != "options") (number ? all : words).emplace_back(name, row.coordinates[i]);
    }
    for (const std::string& option : engine::split(row.coordinates[1], ' ')) {
        const auto equals = option.find('=');
        if (equals != std::string::npos) all.emplace_back(option.substr(0, equals), option.substr(equals + 1));
    }
    all.insert(all.end(), words.begin(), words.end());
    return all;
}

std::optional<std::int64_t> numberIn(const std::string& words) {
    std::int64_t number = 0;
    const auto [end, fault] = std::from_chars(words.data(), words.data() + words.size(), number);
    return fault == std::errc{} && end == words.data() + words.size() ? std::optional{number} : std::nullopt;
}

std::string valueOf(const std::vector<Named>& coordinates, const std::string& name) {
    for (const Named& one : coordinates)
        if (one.first == name) return one.second;
    return {};
}

/// Names in the order they first appear whose values differ between rows.
std::vector<std::string> varying(const std::vector<std::vector<Named>>& rows) {
    std::vector<std::string> names;
    std::set<std::string> seen;
    for (const auto& row : rows)
        for (const Named& one : row) {
            if (!seen.insert(one.first).second) continue;
            const std::string first = valueOf(rows.front(), one.first);
            for (const auto& other : rows)
                if (valueOf(other, one.first) != first) {
                    names.push_back(one.first);
                    break;
                }
        }
    return names;
}

}  // namespace

Chart chartOf(const std::vector<SweepRow>& rows) {
    std::vector<std::vector<Named>> ran;
    std::vector<const SweepResult*> results;
    for (const SweepRow& row : rows)
        if (row.result.refusal.empty()) {
            ran.push_back(named(row));
            results.push_back(&row.result);
        }
    std::vector<std::string> names = ran.empty() ? std::vector<std::string>{} : varying(ran);
    const auto across = std::find_if(names.begin(), names.end(), [&](const std::string& name) {
        return std::all_of(ran.begin(), ran.end(), [&](const auto& row) { return numberIn(valueOf(row, name)); });
    });
    if (across == names.end())
        throw engine::Error{"--output: a chart needs a number that varies; give a range such as -n 16..1024*2"};
    Chart chart{.across = *across, .bytes = across->starts_with("size"), .lines = {}, .bound = {}};
    names.erase(across);
    std::map<std::int64_t, engine::Picoseconds> least;
    std::map<std::string, std::size_t> lines;
    for (std::size_t i = 0; i < ran.size(); ++i) {
        std::string name;
        for (const std::string& part : names) {
            const std::string value = valueOf(ran[i], part);
            if (!value.empty()) name += (name.empty() ? "" : ", ") + (part == "algorithm" ? value : part + " " + value);
        }
        if (name.empty()) name = valueOf(ran[i], "algorithm");
        const auto [line, isNew] = lines.emplace(name, chart.lines.size());
        if (isNew) chart.lines.push_back({name, {}});
        const std::int64_t x = *numberIn(valueOf(ran[i], chart.across));
        chart.lines[line->second].points.emplace_back(x, results[i]->time);
        if (const auto& bound = results[i]->least) {
            const auto known = least.emplace(x, *bound);
            known.first->second = std::min(known.first->second, *bound);
        }
    }
    for (Chart::Line& line : chart.lines) std::sort(line.points.begin(), line.points.end());
    chart.bound = {"lower bound", {least.begin(), least.end()}};
    return chart;
}

}  // namespace app::cli
