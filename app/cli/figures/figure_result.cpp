// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/figures/figure_result.hpp"

#include "app/analysis/containers/sub_progress.hpp"
#include "app/cli/arguments/option_parser.hpp"
#include "app/cli/sweep/sweep_chart.hpp"
#include "app/cli/sweep/sweep_live.hpp"
#include "app/session/options/run_options.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
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

/// The line of a panel; empty where other flags than its own may be wrong.
std::string placeOf(const figures::Panel& panel, const Way& way) { return way.elsewhere() ? "" : panel.where; }

/// The flags and words behind `collscope sweep`.
Arguments sweepArguments(std::vector<std::string> words) {
    Arguments arguments;
    const auto app = definitions(arguments);
    words.insert(words.begin(), "sweep");
    std::reverse(words.begin(), words.end());
    try {
        app->parse(std::move(words));
    } catch (const CLI::ParseError& error) {
        throw engine::Error{error.what()};
    }
    if (const auto unknown = app->remaining(true); !unknown.empty())
        throw engine::Error{text("sweep: unknown option '", unknown.front(), "'")};
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
    return others.empty() ? panel.title : text(panel.title, ", here only", others);
}

/// The command that draws the panel: the paper's own line as it is written.
std::string commandOf(const figures::Panel& panel, const Way& way) {
    if (way.instead.empty() && way.live.empty()) return text("collscope sweep ", flagsOf(panel, way));
    std::string command = "collscope sweep";
    for (const std::string& word : wordsOf(panel, way)) command += ' ' + shellWord(word);
    return command;
}

/// Whether the chart shows times alone: no other number of a run, and no formula of one.
bool showsTimeOnly(const ChartWish& wish) {
    const auto asksForMore = [](const std::string& words) {
        const auto names = {"messages", "bytes", "idle", "bound"};
        return std::ranges::any_of(names, [&](const char* name) { return words.find(name) != std::string::npos; });
    };
    return (wish.up.empty() || wish.up == "time" || wish.up == "ratio") && !asksForMore(wish.across) &&
           std::ranges::none_of(wish.formulas, asksForMore);
}

/// The runs of a panel's points.
std::vector<Wanted> wantedFor(const Arguments& arguments, const std::vector<Point>& points) {
    const int repeats = repeatsOf(arguments, points);
    const bool timeOnly = showsTimeOnly(readChartWish(arguments));
    std::vector<Wanted> all;
    for (const Point& point : points)
        all.push_back({.wish = point.specification(), .repeats = repeats, .timeOnly = timeOnly});
    return all;
}

MadePanel makePanel(const figures::Panel& panel, const Way& way, KnownRuns& runs, const engine::Progress& progress) {
    Arguments arguments = sweepArguments(wordsOf(panel, way));
    std::optional<LiveWish> live = takeLive(arguments);
    std::vector<Point> points = readPoints(arguments, arguments.words, live ? Native::taken : Native::refused);
    constexpr double virtualShare = 0.1;  // of the time, where points are measured too
    const bool measured = live.has_value();
    std::vector<SweepResult> results =
        runs.of(wantedFor(arguments, points), measured ? analysis::within(progress, 0, virtualShare) : progress);
    std::vector<SweepRow> rows;
    for (std::size_t i = 0; i < points.size(); ++i) rows.push_back({points[i].coordinates, results[i]});
    if (measured) {
        ENSURE(way.console != nullptr, "the place where processes start is missing");
        requireLive(*way.console);
        decideGrants(points, *live);
        sayHowMeasured(points, *live);
        measureAll(points, std::move(results), *live, *way.console, analysis::within(progress, virtualShare, 1),
                   [&](std::size_t i, SweepResult result) {
                       rows[i] = {points[i].coordinates, std::move(result)};
                   });
    }
    MadePanel made{commandOf(panel, way), chartOf(rows, points, readChartWish(arguments)),
                   way.instead.empty() ? panel.joined : "", measuredWords(rows)};
    made.chart.title = panelTitle(panel, way);
    // A smaller form, and other problems, have no place for numbers of the whole one.
    if (way.instead.empty() && (way.form == Form::whole || panel.small.empty()))
        for (const figures::Mark& mark : panel.marks) made.chart.marks.push_back({mark.x, mark.y, mark.words});
    return made;
}

/// The line of that name, else the first one whose name has it: others tell its options, too.
const Chart::Line* lineNamed(const std::vector<Chart::Line>& lines, std::string_view name) {
    auto found = std::find_if(lines.begin(), lines.end(), [&](const auto& line) { return line.name == name; });
    if (found == lines.end())
        found = std::find_if(lines.begin(), lines.end(),
                             [&](const auto& line) { return line.name.find(name) != std::string::npos; });
    return found == lines.end() ? nullptr : &*found;
}

/// A dashed line or a series.
const Chart::Line& curveOf(const Chart& chart, std::string_view name) {
    const auto isIt = [&](const Chart::Line& line) { return line.name == name; };
    const auto dashed = std::find_if(chart.formulas.begin(), chart.formulas.end(), isIt);
    const Chart::Line* line = dashed != chart.formulas.end() ? &*dashed : lineNamed(chart.lines, name);
    if (line == nullptr) throw engine::Error{text("the panel has no curve '", name, "'")};
    return *line;
}

/// The first curve over the second, where both have a point.
std::vector<Chart::Point> quotientsOf(const Chart::Line& first, const Chart::Line& second, double from, double to) {
    std::vector<Chart::Point> quotients;
    for (const Chart::Point& point : first.points)
        for (const Chart::Point& other : second.points)
            if (point.x == other.x && point.x >= from && point.x <= to && other.y != 0)
                quotients.push_back({point.x, point.y / other.y});
    if (quotients.empty()) throw engine::Error{text(first.name, " and ", second.name, " have no point in common")};
    return quotients;
}

MadeCurves makeCurves(const figures::Curves& curves, const Chart& chart, bool several) {
    const Chart::Line& first = curveOf(chart, curves.first);
    const Chart::Line& second = curveOf(chart, curves.second);
    MadeCurves made{.curves = &curves,
                    .panel = several ? chart.title : "",
                    .across = chart.across.unit,
                    .first = first.name,
                    .second = second.name,
                    .quotients = quotientsOf(first, second, curves.from, curves.to)};
    if (!curves.term.empty())
        for (const Chart::Point& one : quotientsOf(second, curveOf(chart, curves.term), curves.from, curves.to))
            made.offTerm = std::max(made.offTerm, std::abs(one.y - 1));
    return made;
}

/// Adds the panel's lines to the chart that it shares with others, under its title.
void join(std::vector<Chart>& charts, const MadePanel& panel) {
    auto chart = std::ranges::find(charts, panel.joined, &Chart::title);
    if (chart == charts.end()) {
        charts.push_back({.title = panel.joined, .across = panel.chart.across, .up = panel.chart.up});
        chart = charts.end() - 1;
    }
    for (Chart::Line line : panel.chart.lines) {
        line.name = panel.chart.title;
        chart->lines.push_back(std::move(line));
    }
    const auto isThere = [&](const Chart::Mark& mark) {
        return std::ranges::any_of(chart->marks, [&](const Chart::Mark& other) {
            return other.x == mark.x && other.y == mark.y && other.words == mark.words;
        });
    };
    for (const Chart::Mark& mark : panel.chart.marks)
        if (!isThere(mark)) chart->marks.push_back(mark);
}

}  // namespace

std::span<const std::string_view> figureInstead() {
    static constexpr std::string_view keys[] = {"ranks", "group-a", "group-b", "size", "topology", "model"};
    return keys;
}

std::string FigureResult::name() const { return text(paper->name, ' ', item->name); }

std::vector<Wanted> wantedFor(const figures::Item& item, const Way& way) {
    std::vector<Wanted> all;
    for (const figures::Panel& panel : item.panels) {
        const std::vector<Wanted> runs = at(placeOf(panel, way), [&] {
            const Arguments arguments = sweepArguments(withInstead(flagsOf(panel, way), way.instead));
            return wantedFor(arguments, readPoints(arguments, arguments.words));
        });
        all.insert(all.end(), runs.begin(), runs.end());
    }
    for (const figures::Number& number : item.numbers)
        if (way.form == Form::whole || !number.large)
            for (Wanted& wanted : at(number.where, [&] { return wantedFor(number); })) all.push_back(std::move(wanted));
    return all;
}

FigureResult make(const figures::Paper& paper, const figures::Item& item, const Way& way, KnownRuns& runs,
                  const engine::Progress& progress) {
    FigureResult made{.paper = &paper, .item = &item, .elsewhere = way.elsewhere()};
    if (made.elsewhere && item.panels.empty())
        throw engine::Error{text("figure: ", made.name(), " has no chart whose runs could be others")};
    const double steps = static_cast<double>(item.panels.size() + (made.elsewhere ? 0 : item.numbers.size()));
    double finished = 0;
    const auto part = [&] {
        const double first = finished++ / steps;
        return analysis::within(progress, first, finished / steps);
    };
    std::set<std::string> drawn;
    for (const figures::Panel& panel : item.panels) {
        const engine::Progress progressed = part();
        // Panels of one problem instead of several are one.
        if (drawn.insert(commandOf(panel, way)).second || !made.elsewhere)
            made.panels.push_back(at(placeOf(panel, way), [&] { return makePanel(panel, way, runs, progressed); }));
    }
    if (made.elsewhere) return made;
    const auto isMade = [&](const auto& one) { return way.form == Form::whole || !one.large; };
    for (const figures::Number& number : item.numbers)
        if (const auto progressed = part(); isMade(number))
            made.numbers.push_back(at(number.where, [&] { return make(number, item.tolerance, runs, progressed); }));
    for (const figures::Curves& curves : item.curves)
        if (isMade(curves))
            made.curves.push_back(at(curves.where, [&] {
                return makeCurves(curves, made.panels.at(curves.panel).chart, made.panels.size() > 1);
            }));
    return made;
}

Sheet sheetOf(const FigureResult& made) {
    if (made.panels.empty())
        throw engine::Error{text(made.name(),
                                 " has no chart; without --output it is described in text, and FILE.csv has "
                                 "its numbers")};
    Sheet sheet{.title = made.elsewhere ? text("Other runs in the manner of ", made.name())
                                        : text(made.name(), ": ", made.item->shows),
                .below = text(axesOf(made), " Verdict: ", verdictInWords(made), ". ", reasonOf(made)),
                .charts = {}};
    for (const MadePanel& panel : made.panels)
        if (panel.joined.empty()) sheet.charts.push_back(panel.chart);
        else join(sheet.charts, panel);
    return sheet;
}

std::string axesOf(const FigureResult& made) {
    if (made.panels.empty()) return {};
    const figures::Item& item = *made.item;
    std::string words;
    if (!item.axes.empty()) words = text("Axes in the paper: ", item.axes, ". Their ranges are chosen.");
    else if (item.kind == figures::Kind::figure) words = "The caption names no axes; these are chosen.";
    else words = text("The paper has no figure of this ", nameOf(item.kind), "; the axes are chosen.");
    bool general = false;
    bool oneBlock = false;
    std::size_t without = 0;
    for (const MadePanel& panel : made.panels) {
        without += panel.chart.bounds.empty();
        for (const Chart::Line& bound : panel.chart.bounds)
            (bound.name.find("one-block") == std::string::npos ? general : oneBlock) = true;
    }
    if (!general && !oneBlock) return words;
    words += " Not in the paper: ";
    if (general) words += "the lower bound of all schedules";
    if (oneBlock)
        words += text(general ? " and " : "the lower bound ", general ? "that " : "",
                      "of schedules in which every message carries one whole contribution");
    if (without > 0) words += "; none is known for the panels without it";
    return words + '.';
}

}  // namespace app::cli
