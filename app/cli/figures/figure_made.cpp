// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/figures/figure_made.hpp"

#include "app/analysis/containers/share.hpp"
#include "app/cli/arguments/definitions.hpp"
#include "app/cli/sweep/sweep_chart.hpp"
#include "app/cli/sweep/sweep_live.hpp"
#include "app/session/options/fields.hpp"
#include "engine/text.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>

namespace app::cli {
namespace {

using engine::text;

/// Whether `word` is the flag of the field, long or short.
bool isFlagOf(const std::string& word, std::string_view key) {
    const fields::Entry& entry = fields::named(key);
    return word == text("--", key) || (entry.letter != '\0' && word == text('-', entry.letter));
}

/// `line` as words, with `flags` in place of the same ones. Another model is another alpha and beta.
std::vector<std::string> withInstead(std::string_view line, const std::vector<std::string>& flags) {
    std::vector<std::string> words = wordsIn(std::string{line});
    for (std::size_t i = 0; i + 1 < flags.size(); i += 2)
        for (std::string_view key : {std::string_view{flags[i]}.substr(2), std::string_view{"alpha"},
                                     std::string_view{"beta"}, std::string_view{"bandwidth"}}) {
            if (flags[i] != "--model" && flags[i] != text("--", key)) continue;
            for (std::size_t at = 0; at + 1 < words.size();)
                if (isFlagOf(words[at], key))
                    words.erase(words.begin() + static_cast<std::ptrdiff_t>(at),
                                words.begin() + static_cast<std::ptrdiff_t>(at) + 2);
                else ++at;
        }
    words.insert(words.end(), flags.begin(), flags.end());
    return words;
}

/// The flags and words behind `collscope sweep`.
Arguments sweepArguments(std::vector<std::string> words) {
    Arguments arguments;
    const auto app = definitions(arguments);
    words.insert(words.begin(), "sweep");
    std::reverse(words.begin(), words.end());
    app->parse(std::move(words));
    return arguments;
}

std::string_view flagsOf(const figures::Panel& panel, const Way& way) {
    return way.form == Form::small && !panel.small.empty() ? panel.small : panel.sweep;
}

/// What stands behind `collscope sweep` for the panel.
std::vector<std::string> wordsOf(const figures::Panel& panel, const Way& way) {
    std::vector<std::string> words = withInstead(flagsOf(panel, way), way.instead);
    words.insert(words.end(), way.live.begin(), way.live.end());
    return words;
}

/// The flags of a sweep and its other words, each flag with its value.
std::set<std::string> partsOf(std::string_view line) {
    const std::vector<std::string> words = wordsIn(std::string{line});
    std::set<std::string> parts;
    for (std::size_t i = 0; i < words.size(); ++i) {
        std::string part = shellWord(words[i]);
        if (words[i].starts_with('-') && i + 1 < words.size()) part += ' ' + shellWord(words[++i]);
        parts.insert(std::move(part));
    }
    return parts;
}

/// What the panel shows. A smaller form says what it runs instead of what the title names.
std::string panelTitle(const figures::Panel& panel, const Way& way) {
    if (!way.instead.empty()) return text("in place of ", panel.title);
    const std::set<std::string> whole = partsOf(panel.sweep);
    std::string others;
    for (const std::string& part : partsOf(flagsOf(panel, way)))
        if (!whole.contains(part)) others += ' ' + part;
    return others.empty() ? std::string{panel.title} : text(panel.title, ", here only", others);
}

/// The command that draws the panel: the paper's own line as it is written.
std::string commandOf(const figures::Panel& panel, const Way& way) {
    if (way.instead.empty() && way.live.empty()) return text("collscope sweep ", flagsOf(panel, way));
    std::string command = "collscope sweep";
    for (const std::string& word : wordsOf(panel, way)) command += ' ' + shellWord(word);
    return command;
}

MadePanel makePanel(const figures::Panel& panel, const Way& way, KnownRuns& runs, const engine::Progress& progress) {
    Arguments arguments = sweepArguments(wordsOf(panel, way));
    const std::optional<LiveWish> live = takeLive(arguments);
    std::vector<Point> points = readPoints(arguments, arguments.words, live ? Native::taken : Native::refused);
    const int repeats = repeatsOf(arguments, points);
    std::vector<Specification> wishes;
    for (const Point& point : points) wishes.push_back(point.specification());
    constexpr double virtualShare = 0.1;  // of the time, where points are measured too
    const bool measured = live.has_value();
    std::vector<SweepResult> results =
        runs.of(wishes, repeats, measured ? analysis::within(progress, 0, virtualShare) : progress);
    std::vector<SweepRow> rows;
    for (std::size_t i = 0; i < points.size(); ++i) rows.push_back({points[i].coordinates, results[i]});
    if (measured) {
        ENSURE(way.console != nullptr, "the place where processes start is missing");
        requireLive(*way.console);
        sayHowMeasured(points, *live);
        measureAll(points, std::move(results), *live, *way.console, analysis::within(progress, virtualShare, 1),
                   [&](std::size_t i, SweepResult result) {
                       rows[i] = {points[i].coordinates, std::move(result)};
                   });
    }
    MadePanel made{commandOf(panel, way), chartOf(rows, points, readChartWish(arguments)), measuredWords(rows)};
    made.chart.title = panelTitle(panel, way);
    // A smaller form, and other problems, have no place for numbers of the whole one.
    if (way.instead.empty() && (way.form == Form::whole || panel.small.empty()))
        for (const figures::Mark& mark : panel.marks)
            made.chart.marks.push_back({mark.x, mark.y, std::string{mark.words}});
    return made;
}

const Chart::Line* lineNamed(const std::vector<Chart::Line>& lines, std::string_view name) {
    const auto found = std::find_if(lines.begin(), lines.end(), [&](const auto& line) { return line.name == name; });
    return found == lines.end() ? nullptr : &*found;
}

MadeAgreement makeAgreement(const figures::Agreement& agreement, const Chart& chart) {
    const Chart::Line* line = lineNamed(chart.formulas, agreement.line);
    const Chart::Line* series =
        agreement.series.empty() ? chart.lines.data() : lineNamed(chart.lines, agreement.series);
    ENSURE(line != nullptr && series != nullptr, text("no line '", agreement.line, "' to compare"));
    MadeAgreement made{line->name, series->name, agreement.agrees};
    int compared = 0;
    for (const Chart::Point& point : line->points)
        for (const Chart::Point& other : series->points) {
            if (point.x != other.x || other.y == 0) continue;
            made.off = std::max(made.off, std::abs(point.y - other.y) / std::abs(other.y));
            ++compared;
        }
    ENSURE(compared > 0, text("the line '", agreement.line, "' and its series have no point in common"));
    constexpr double same = 1e-6;
    made.holds = (made.off <= same) == made.expected;
    return made;
}

}  // namespace

std::span<const std::string_view> figureInstead() {
    static constexpr std::string_view keys[] = {"ranks", "group-a", "group-b", "size", "topology", "model"};
    return keys;
}

bool Made::holds() const {
    const auto good = [](const auto& one) { return one.holds; };
    return std::all_of(numbers.begin(), numbers.end(), good) && std::all_of(agreements.begin(), agreements.end(), good);
}

std::string Made::name() const { return text(paper->name, ' ', item->name); }

Made make(const figures::Paper& paper, const figures::Item& item, const Way& way, KnownRuns& runs,
          const engine::Progress& progress) {
    const auto begin = std::chrono::steady_clock::now();
    const std::size_t ran = runs.ran();
    const std::size_t taken = runs.taken();
    Made made{.paper = &paper, .item = &item, .elsewhere = !way.instead.empty() || !way.live.empty()};
    if (made.elsewhere && item.panels.empty())
        throw engine::Error{text("figure: ", made.name(), " has no chart whose runs could be others")};
    const double steps = static_cast<double>(item.panels.size() + (made.elsewhere ? 0 : item.numbers.size()));
    double done = 0;
    const auto part = [&] {
        const double first = done++ / steps;
        return analysis::within(progress, first, done / steps);
    };
    std::set<std::string> drawn;  // panels of one problem instead of several are one
    for (const figures::Panel& panel : item.panels) {
        const engine::Progress progressed = part();
        if (drawn.insert(commandOf(panel, way)).second) made.panels.push_back(makePanel(panel, way, runs, progressed));
    }
    if (!made.elsewhere)
        for (const figures::Number& number : item.numbers)
            if (const auto progressed = part(); way.form == Form::whole || !number.large)
                made.numbers.push_back(make(number, runs, progressed));
    if (!made.elsewhere)
        for (const figures::Agreement& agreement : item.agreements)
            made.agreements.push_back(makeAgreement(agreement, made.panels.at(agreement.panel).chart));
    made.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    made.ran = runs.ran() - ran;
    made.taken = runs.taken() - taken;
    return made;
}

std::string verdictOf(const Made& made) {
    if (made.elsewhere) return "not judged";
    return std::string{made.holds() ? nameOf(made.item->verdict) : "does not hold"};
}

std::string reasonOf(const Made& made) {
    if (!made.elsewhere) return std::string{made.item->why};
    return "these are not the paper's runs, or not those alone.";
}

Sheet sheetOf(const Made& made) {
    if (made.panels.empty())
        throw engine::Error{text(made.name(),
                                 " has no chart; without --output it is described in text, and FILE.csv has "
                                 "its numbers")};
    Sheet sheet{.title = made.elsewhere ? text("Other runs in the manner of ", made.name())
                                        : text(made.name(), ": ", made.item->shows),
                .below = text(axesOf(made), " ", verdictOf(made), ": ", reasonOf(made)),
                .charts = {}};
    for (const MadePanel& panel : made.panels) sheet.charts.push_back(panel.chart);
    return sheet;
}

std::string axesOf(const Made& made) {
    if (made.panels.empty()) return {};
    if (made.item->axes.empty()) return "The caption names no axes; these are chosen.";
    return text("Axes as the caption says: ", made.item->axes, "; their scales are chosen.");
}

}  // namespace app::cli
