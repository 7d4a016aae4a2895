// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/page/page_parameter_grid.hpp"

#include "app/gui/page/run_narrative.hpp"
#include "app/gui/scenes/text/run_text.hpp"
#include "app/session/options/recorded.hpp"
#include "engine/base/error.hpp"

#include <array>
#include <cmath>

namespace app::gui::page {
namespace {

constexpr std::int64_t mostTurned = 4000;  // of a run: others would take long
constexpr std::size_t shotsPerTurnedRound = 3;

/// A number is multiplied by these; the middle one is the run itself.
using Factors = std::vector<double>;

struct Scale {
    Factors sizes;
    Factors startups;

    [[nodiscard]] std::size_t runs() const { return sizes.size() * startups.size(); }
};

/// Larger ones first; the last has the run itself alone.
const std::array scales{Scale{{1.0 / 64, 1.0 / 8, 1, 8, 64}, {0.1, 1, 10}}, Scale{{1.0 / 8, 1, 8}, {0.1, 1, 10}},
                        Scale{{1.0 / 8, 1, 8}, {1}}, Scale{{1}, {1}}};

engine::Bytes scaled(engine::Bytes bytes, double factor) {
    return bytes == 0 ? 0 : std::max<engine::Bytes>(1, std::llround(static_cast<double>(bytes) * factor));
}

engine::Picoseconds scaled(engine::Picoseconds time, double factor) {
    return engine::Picoseconds{std::llround(static_cast<double>(time.count()) * factor)};
}

RunWish scaled(RunWish wish, double size, double startup) {
    wish.problem.size = scaled(wish.problem.size, size);
    if (wish.problem.sizeB) wish.problem.sizeB = scaled(*wish.problem.sizeB, size);
    wish.model.alpha = scaled(wish.model.alpha, startup);
    return wish;
}

/// What can be turned, and how far.
std::optional<RunWish> turnable(const Report& report) {
    if (report.run->setting.on != "virtual" || report.run->messageCount > mostTurned || !report.fault.empty())
        return std::nullopt;
    std::optional<RunWish> wish = wishBehind(report);
    if (!wish || wish->model.logGP) return std::nullopt;
    return wish;
}

Axis axisOf(const char* key, const QString& label, const Factors& factors, const auto& words) {
    Axis axis{.key = key, .label = label, .values = {}, .at = static_cast<int>(factors.size() / 2)};
    for (const double factor : factors) axis.values += words(factor);
    return axis;
}

}  // namespace

Grid gridAround(const Report& report, const Footage& footage, Drawing& drawing, qsizetype bytes,
                const engine::Progress& progress) {
    Grid grid;
    const std::optional<RunWish> wish = turnable(report);
    if (!wish) return grid;
    const bool sized = wish->problem.size > 0;
    const bool started = wish->model.alpha > engine::Picoseconds{};
    const auto shots = std::min(footage.shots().size(), footage.subject().stops().size() * shotsPerTurnedRound + 1);
    const double each =
        static_cast<double>(footage.bytes()) * static_cast<double>(shots) / static_cast<double>(footage.shots().size());
    Scale scale;
    for (const Scale& wider : scales) {
        scale = wider;
        if (!sized) scale.sizes = {1};
        if (!started) scale.startups = {1};
        if (static_cast<double>(scale.runs() - 1) * each <= static_cast<double>(bytes)) break;
    }
    if (scale.runs() == 1) return grid;
    try {
        for (const double size : scale.sizes)
            for (const double startup : scale.startups) {
                progress.at(static_cast<double>(grid.runs.size()) / static_cast<double>(scale.runs()));
                if (size == 1 && startup == 1) {
                    grid.runs.push_back(0);
                    grid.times.push_back(report.run->duration);
                    continue;
                }
                const auto other = std::make_shared<const DrawableRun>(execute(scaled(*wish, size, startup)));
                std::vector<ViewState> states;
                for (const engine::Picoseconds time :
                     momentsOf(*other, other->stops().size() * (shotsPerTurnedRound - 1), toldMoments(*other)))
                    states.push_back({.time = time});
                grid.others.push_back(std::make_unique<Footage>(other, std::move(states), drawing));
                grid.runs.push_back(static_cast<int>(grid.others.size()));
                grid.times.push_back(other->run().duration);
            }
    } catch (const engine::Error&) {
        return {};  // the algorithm takes no other size
    }
    if (scale.sizes.size() > 1)
        grid.axes.push_back(axisOf("size", QStringLiteral("Size"), scale.sizes,
                                   [&](double factor) { return bytesInWords(scaled(wish->problem.size, factor)); }));
    if (scale.startups.size() > 1)
        grid.axes.push_back(axisOf("alpha", QStringLiteral("Startup \u03b1"), scale.startups,
                                   [&](double factor) { return timeInWords(scaled(wish->model.alpha, factor)); }));
    return grid;
}

QByteArray gridTable(const Grid& grid, const std::vector<QString>& results) {
    if (grid.axes.empty()) return {};
    Table table = tableWith({});
    for (const Axis& axis : grid.axes) table.columns.push_back({axis.label.toStdString()});
    table.columns.push_back({"time_s", Content::time});
    table.columns.push_back({"result"});
    const qsizetype inner = grid.axes.size() > 1 ? grid.axes[1].values.size() : 1;
    for (std::size_t i = 0; i < grid.runs.size(); ++i) {
        const auto at = static_cast<qsizetype>(i);
        std::vector<engine::Cell>& row = table.rows.emplace_back();
        row.push_back(cellOf(grid.axes[0].values[at / inner]));
        if (grid.axes.size() > 1) row.push_back(cellOf(grid.axes[1].values[at % inner]));
        row.emplace_back(grid.times[i]);
        row.push_back(cellOf(results[static_cast<std::size_t>(grid.runs[i])]));
    }
    const QString heading = QStringLiteral("With other sizes and startups");
    return "<section id=\"others\"><h2>" + escaped(heading) + "</h2>" + tableOf(table, heading, table.rows.size()) +
           "</section>\n";
}

}  // namespace app::gui::page
