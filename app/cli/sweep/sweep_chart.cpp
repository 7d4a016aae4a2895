// SPDX-License-Identifier: BSD-3-Clause
#include "app/cli/sweep/sweep_chart.hpp"

#include "app/cli/sweep/sweep_baseline.hpp"
#include "app/cli/sweep/sweep_bounds.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/native_collectives.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace app::cli {
namespace {

using engine::Error;
using engine::text;
/// "NAME=FORMULA", or a formula that is its own name.
struct NamedFormula {
    std::string name;
    Formula formula;

    NamedFormula(const std::string& words, const std::string& what)
        : name{words.substr(0, words.find('='))},
          formula{words.find('=') == std::string::npos ? words : words.substr(words.find('=') + 1), what} {}
};

/// What the numbers of a formula are: those that double when all bytes do are bytes, likewise seconds.
Unit unitOf(const Formula& formula, const ParameterValues& values) {
    static const std::set<std::string> bytes{"size", "size_b", "total", "largest", "smallest", "bytes", "bound_volume"};
    static const std::set<std::string> seconds{"time", "measured", "bound",   "alpha",
                                               "beta", "gamma",    "compute", "alone"};
    ParameterValues moreBytes = values;
    ParameterValues moreTime = values;
    for (auto& [name, value] : moreBytes)
        value *= bytes.contains(name) ? 2 : name == "beta" || name == "gamma" ? 0.5 : 1;
    for (auto& [name, value] : moreTime) value *= seconds.contains(name) ? 2 : 1;
    const double before = formula.at(values);
    const auto doubles = [&](const ParameterValues& others) {
        return before != 0 && std::abs(formula.at(others) / before - 2) < 1e-9;
    };
    return doubles(moreBytes) ? Unit::bytes : doubles(moreTime) ? Unit::seconds : Unit::number;
}

/// One chart in the making.
class Drawing {
public:
    Drawing(const std::vector<SweepRow>& rows, const std::vector<Point>& points, const ChartWish& wish) : wish_{wish} {
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (rows[i].result.ran()) {
                ran_.push_back(named(rows[i]));
                results_.push_back(&rows[i].result);
                points_.push_back(&points.at(i));
            }
        baseline_.emplace(wish.baseline, ran_);
    }

    Chart chart() {
        std::vector<std::string> names = varying();
        chooseAcross(names);
        chooseUp();
        chart_.across.linear = wish_.linearAcross;
        chart_.up.linear = wish_.linearUp;
        chart_.title = wish_.title;
        chart_.below = common(names);
        for (std::size_t i = 0; i < ran_.size(); ++i) x_.push_back(acrossOf(i));
        if (std::none_of(x_.begin(), x_.end(), [](const auto& x) { return x.has_value(); }))
            throw Error{text("--x: '", wish_.across, "' is a number of no run here")};
        chooseSeries(names);
        for (std::size_t i = 0; i < ran_.size(); ++i) addPoint(i);
        addBaselines();
        addBounds();
        addFormulas();
        for (auto* lines : {&chart_.lines, &chart_.formulas, &chart_.measured})
            for (Chart::Line& line : *lines)
                std::stable_sort(line.points.begin(), line.points.end(),
                                 [](const Chart::Point& a, const Chart::Point& b) { return a.x < b.x; });
        if (chart_.empty() && !chart_.measured.empty())
            throw Error{"--output: a chart needs an algorithm with a schedule in addition to the MPI library's own"};
        if (chart_.empty()) throw Error{text("--y: '", wish_.up, "' is a number of no run here")};
        return std::move(chart_);
    }

private:
    /// Names in the order they first appear whose values differ between rows.
    [[nodiscard]] std::vector<std::string> varying() const {
        std::vector<std::string> names;
        std::set<std::string> seen;
        for (const auto& row : ran_)
            for (const Named& one : row) {
                if (!seen.insert(one.first).second) continue;
                const std::string first = valueOf(ran_.front(), one.first);
                if (std::any_of(ran_.begin(), ran_.end(),
                                [&](const auto& other) { return valueOf(other, one.first) != first; }))
                    names.push_back(one.first);
            }
        return names;
    }

    void chooseAcross(std::vector<std::string>& names) {
        if (!wish_.across.empty()) {
            across_ = coordinateOf(wish_.across);
            const auto isIt = [&](const auto& row) { return !valueOf(row, across_).empty(); };
            if (std::any_of(ran_.begin(), ran_.end(), isIt)) {
                std::erase(names, across_);
            } else {
                formula_.emplace(wish_.across, "--x");
                across_ = formula_->name;
            }
        } else {
            const auto found = std::find_if(names.begin(), names.end(), [&](const std::string& name) {
                return std::all_of(ran_.begin(), ran_.end(),
                                   [&](const auto& row) { return numberIn(valueOf(row, name)); });
            });
            if (found == names.end())
                throw Error{
                    "--output: a chart shows a number that varies; give a range such as -n 16..1024*2, or write a table to a .csv or .json file"};
            across_ = *found;
            names.erase(found);
        }
        chart_.across.name = across_;
        chart_.across.unit = formula_ ? unitOf(formula_->formula, parameterValuesOf(*points_[0], results_[0]))
                             : across_ == "compute" ? Unit::seconds
                             : isInBytes(across_)   ? Unit::bytes
                                                    : Unit::number;
    }

    [[nodiscard]] bool isInBytes(const std::string& name) const {
        if (name.starts_with("size")) return name != "sizes";
        for (const Point* point : points_)
            for (const engine::Option& option : engine::live::methodNamed(point->wish.algorithm).options)
                if (option.name == name) return option.kind == engine::Option::Kind::bytes;
        return false;
    }

    void chooseUp() {
        const std::string& up = wish_.up;
        chart_.up.name = up.empty() ? "time" : up;
        if (up.empty() || up == "time") return;
        chart_.up.unit = up == "bytes" ? Unit::bytes : up == "idle" || up == "hidden" ? Unit::share : Unit::number;
        if (up == "ratio" && wish_.baseline.empty())
            throw Error{"--y ratio needs a --baseline, whose time is divided by that of the others"};
        if (up == "ratio") chart_.up.name = text("time of ", wish_.baseline, " / time");
        if (up == "ratio" || up == "rounds" || up == "messages" || up == "bytes" || up == "idle" || up == "hidden")
            return;
        upFormula_.emplace(up, "--y");
        chart_.up.name = upFormula_->name;
        chart_.up.unit = unitOf(upFormula_->formula, parameterValuesOf(*points_[0], results_[0]));
    }

    [[nodiscard]] std::optional<double> acrossOf(std::size_t row) const {
        if (!formula_) return numberIn(valueOf(ran_[row], across_));
        const double x = formula_->formula.at(parameterValuesOf(*points_[row], results_[row]));
        return std::isnan(x) ? std::nullopt : std::optional{x};
    }

    /// Lines are distinguished by what varies beside the x axis, but not by what it settles, for one rule of sizes.
    void chooseSeries(std::vector<std::string> names) {
        for (const std::string& name : wish_.series) {
            series_.push_back(coordinateOf(name));
            if (std::none_of(ran_.begin(), ran_.end(),
                             [&](const auto& row) { return !valueOf(row, series_.back()).empty(); }))
                throw Error{text("--series: the runs have no '", name, "'; lines differ by columns and options")};
        }
        if (!series_.empty()) return;
        for (const std::string& name : names) {
            std::map<std::pair<double, std::string>, std::string> at;
            bool settled = name != "algorithm" && name != "sizes";
            for (std::size_t i = 0; settled && i < ran_.size(); ++i)
                settled =
                    x_[i] &&
                    at.emplace(std::pair{*x_[i], valueOf(ran_[i], "sizes")}, valueOf(ran_[i], name)).first->second ==
                        valueOf(ran_[i], name);
            if (!settled) series_.push_back(name);
        }
    }

    [[nodiscard]] std::string namedBy(const std::vector<std::string>& parts, std::size_t row) const {
        std::string name;
        for (const std::string& part : parts) {
            std::string value = valueOf(ran_[row], part);
            if (value.empty()) continue;
            if (const auto bytes = numberIn(value); bytes && isInBytes(part))
                value = engine::showBytes(static_cast<engine::Bytes>(*bytes));
            name += (name.empty() ? "" : ", ") + (part == "algorithm" || part == "sizes" ? value : part + " " + value);
        }
        return name;
    }

    [[nodiscard]] std::string seriesOf(std::size_t row) const {
        const std::string name = namedBy(series_, row);
        return name.empty() ? valueOf(ran_[row], "algorithm") : name;
    }

    [[nodiscard]] std::optional<Chart::Point> upOf(std::size_t row, double x) const {
        const SweepResult& result = *results_[row];
        if (!result.refusal.empty()) return std::nullopt;
        const auto at = [&](double y) { return Chart::Point{x, y, y, y}; };
        if (upFormula_) {
            const double y = upFormula_->formula.at(parameterValuesOf(*points_[row], &result));
            return std::isnan(y) ? std::nullopt : std::optional{at(y)};
        }
        if (wish_.up == "rounds") return at(static_cast<double>(result.rounds));
        if (wish_.up == "messages") return at(static_cast<double>(result.messages));
        if (wish_.up == "bytes") return at(static_cast<double>(result.bytes));
        if (wish_.up == "idle") return at(result.idle);
        if (wish_.up == "hidden")
            return result.halves && result.halves->hidden ? std::optional{at(*result.halves->hidden)} : std::nullopt;
        const double time = engine::seconds(result.time);
        if (wish_.up != "ratio")
            return Chart::Point{x, time, engine::seconds(result.lowest), engine::seconds(result.highest)};
        const std::optional<std::size_t> other = baseline_->of(ran_[row]);
        if (!other || baseline_->has(row) || time == 0 || !results_[*other]->refusal.empty()) return std::nullopt;
        return at(engine::seconds(results_[*other]->time) / time);
    }

    Chart::Line& lineOf(std::vector<Chart::Line>& lines, const std::string& name) {
        for (Chart::Line& line : lines)
            if (line.name == name) return line;
        return lines.emplace_back(Chart::Line{name});
    }

    /// A line from side to side for a run that has no place on the x axis.
    void level(Chart::Line& line, double y) {
        const auto [least, most] = range();
        line.points = {{least, y, y, y}, {most, y, y, y}};
    }

    [[nodiscard]] std::pair<double, double> range() const {
        double least = std::numeric_limits<double>::infinity();
        double most = -least;
        for (const auto& x : x_)
            if (x) least = std::min(least, *x), most = std::max(most, *x);
        return {least, most};
    }

    /// What was measured, where time goes up or a ratio of times.
    [[nodiscard]] std::optional<Chart::Point> measuredOf(std::size_t row, double x) const {
        const auto& measured = results_[row]->measured;
        if (!measured) return std::nullopt;
        const double time = engine::seconds(measured->median);
        if (wish_.up.empty() || wish_.up == "time")
            return Chart::Point{x, time, engine::seconds(measured->lowest), engine::seconds(measured->highest)};
        const std::optional<std::size_t> other = wish_.up == "ratio" ? baseline_->of(ran_[row]) : std::nullopt;
        if (!other || baseline_->has(row) || !results_[*other]->measured || time == 0) return std::nullopt;
        const double y = engine::seconds(results_[*other]->measured->median) / time;
        return Chart::Point{x, y, y, y};
    }

    /// Times of a file belong to no algorithm: all series share them.
    void addMeasured(std::size_t row, const Chart::Point& point) {
        if (wish_.measuredAs.empty()) return lineOf(chart_.measured, seriesOf(row)).points.push_back(point);
        const std::string problem = problemOf(row);
        auto& points = lineOf(chart_.formulas, wish_.measuredAs + (problem.empty() ? "" : ", " + problem)).points;
        if (std::find(points.begin(), points.end(), point) == points.end()) points.push_back(point);
    }

    void addPoint(std::size_t row) {
        if (x_[row])
            if (const auto measured = measuredOf(row, *x_[row])) addMeasured(row, *measured);
        const auto point = upOf(row, x_[row].value_or(0));
        if (!point) return;
        if (x_[row]) lineOf(chart_.lines, seriesOf(row)).points.push_back(*point);
        else level(lineOf(chart_.formulas, seriesOf(row)), point->y);
    }

    void addBaselines() {
        if (wish_.baseline.empty() || wish_.up == "ratio" || !baseline_->speaksOf(across_)) return;
        for (std::size_t i = 0; i < ran_.size(); ++i)
            if (baseline_->has(i))
                level(lineOf(chart_.formulas, text(wish_.baseline, series_.empty() ? "" : ", " + seriesOf(i))),
                      upOf(i, 0).value_or(Chart::Point{}).y);
    }

    /// What of the name of a series says which problem it solves, on what.
    [[nodiscard]] std::string problemOf(std::size_t row) const {
        const auto& columns = coordinateNames();
        std::vector<std::string> parts;
        std::copy_if(series_.begin(), series_.end(), std::back_inserter(parts), [&](const std::string& part) {
            return part != "algorithm" && std::find(columns.begin(), columns.end(), part) != columns.end();
        });
        return namedBy(parts, row);
    }

    void addBounds() {
        if (!(wish_.up.empty() || wish_.up == "time")) return;
        std::vector<BoundAt> all;
        for (std::size_t i = 0; i < ran_.size(); ++i)
            if (x_[i]) all.push_back({*x_[i], problemOf(i), results_[i]});
        chart_.bounds = boundsOf(all);
    }

    void addFormulas() {
        const bool time = wish_.up.empty() || wish_.up == "time";
        if (wish_.formula && !time && wish_.up != "ratio")
            throw Error{"--formula: the algorithms' formulas are of time; leave --y out, or --y ratio"};
        for (std::size_t i = 0; wish_.formula && i < ran_.size(); ++i) {
            const auto own = results_[i]->formula;
            if (!own || !x_[i]) continue;
            double y = engine::seconds(*own);
            if (!time) {
                const auto other = baseline_->of(ran_[i]);
                if (!other || baseline_->has(i) || !results_[*other]->formula || y == 0) continue;
                y = engine::seconds(*results_[*other]->formula) / y;
            }
            lineOf(chart_.formulas, "formula of " + seriesOf(i)).points.push_back({*x_[i], y, y, y});
        }
        for (const std::string& words : wish_.formulas) addFormula(words);
    }

    /// One line where all series agree on its numbers, else one for each series.
    void addFormula(const std::string& words) {
        if (words.find('=') == std::string::npos || words.starts_with('='))
            throw Error{text("--line: '", words, "' has no name; write NAME=FORMULA")};
        const NamedFormula line{words, "--line " + words.substr(0, words.find('='))};
        std::map<double, double> shared;
        std::map<std::string, std::map<double, double>> own;
        bool agree = true;
        bool fits = false;
        for (std::size_t i = 0; i < ran_.size(); ++i) {
            if (!x_[i]) continue;
            ParameterValues values = parameterValuesOf(*points_[i], results_[i]);
            values["x"] = *x_[i];
            // Options of another algorithm's.
            if (!line.formula.fits(values) && (fits || i + 1 < ran_.size())) continue;
            const double y = line.formula.at(values);
            fits = true;
            if (std::isnan(y)) continue;
            const double known = shared.emplace(*x_[i], y).first->second;
            agree = agree && std::abs(known - y) <= 1e-9 * std::abs(y);
            own[seriesOf(i)][*x_[i]] = y;
        }
        if (agree) own = {{"", shared}};
        for (const auto& [series, numbers] : own) {
            Chart::Line& drawn = lineOf(chart_.formulas, series.empty() ? line.name : line.name + ", " + series);
            for (const auto& [x, y] : numbers) drawn.points.push_back({x, y, y, y});
        }
    }

    /// What all runs have in common, for people.
    [[nodiscard]] std::string common(const std::vector<std::string>& names) const {
        std::string words;
        const auto add = [&](const std::string& more) { words += (words.empty() ? "" : ", ") + more; };
        for (const Named& one : ran_.front()) {
            const bool varies = one.first == across_ || std::find(names.begin(), names.end(), one.first) != names.end();
            const bool usual = one.second.empty() || (one.first == "root" && one.second == "0") ||
                               (one.first == "ports" && one.second == "1");
            if (varies || usual || one.first == "model") continue;
            const auto bytes = isInBytes(one.first) ? numberIn(one.second) : std::nullopt;
            const std::string value = bytes ? engine::showBytes(static_cast<engine::Bytes>(*bytes)) : one.second;
            add(one.first == "algorithm" ? value : text(one.first == "sizes" ? "" : one.first + " ", value));
        }
        if (std::find(names.begin(), names.end(), "model") == names.end()) {
            const engine::Model& model = points_.front()->wish.model;
            add(model.logGP ? model.name
                            : text(model.name == "alpha-beta" ? "" : model.name + ": ", "alpha ",
                                   engine::showTime(model.alpha), ", beta ", engine::showRate(model.beta)));
        }
        return words;
    }

    const ChartWish& wish_;
    std::vector<std::vector<Named>> ran_;
    std::vector<const SweepResult*> results_;
    std::vector<const Point*> points_;
    std::optional<Baseline> baseline_;
    std::string across_;
    std::optional<NamedFormula> formula_;
    std::optional<NamedFormula> upFormula_;
    std::vector<std::optional<double>> x_;
    std::vector<std::string> series_;
    Chart chart_;
};

}  // namespace

ChartWish readChartWish(const Arguments& arguments) {
    ChartWish wish{.across = arguments.across.value_or(""),
                   .up = arguments.up.value_or(""),
                   .baseline = arguments.baseline.value_or(""),
                   .formula = arguments.formula,
                   .formulas = arguments.lines,
                   .title = arguments.title.value_or("")};
    if (arguments.series) wish.series = engine::split(*arguments.series, ',');
    if (arguments.linear)
        for (const std::string& axis : engine::split(*arguments.linear, ','))
            (choice(axis, "--linear", {"x", "y"}, {}) == "x" ? wish.linearAcross : wish.linearUp) = true;
    return wish;
}

Chart chartOf(const std::vector<SweepRow>& rows, const std::vector<Point>& points, const ChartWish& wish) {
    if (std::all_of(rows.begin(), rows.end(), [](const SweepRow& row) { return !row.result.ran(); }))
        throw Error{"--output: no run of this sweep was possible"};
    return Drawing{rows, points, wish}.chart();
}

}  // namespace app::cli
