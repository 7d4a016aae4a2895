// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/common/gap_bar.hpp"

#include "app/analysis/format/cell_format.hpp"
#include "app/gui/scenes/common/program_timeline_colours.hpp"
#include "app/gui/scenes/drawing/style.hpp"
#include "app/gui/scenes/drawing/to_qt.hpp"
#include "app/gui/scenes/text/activity_shares.hpp"
#include "app/gui/scenes/text/rank_glyphs.hpp"
#include "app/gui/scenes/text/run_text.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace app::gui {
namespace {

/// How strong the accent is of the cause that took most, of the next, and so on.
constexpr std::array<double, 4> strengths{1, 0.62, 0.4, 0.25};

/// The more a cause took, the more it draws the eye.
void colourCauses(std::vector<GapPart>& parts, const Palette& palette) {
    std::vector<GapPart*> causes;
    for (GapPart& part : parts)
        if (part.cause && part.time.count() > 0) causes.push_back(&part);
    std::ranges::stable_sort(causes, std::greater{}, &GapPart::time);
    for (std::size_t i = 0; i < causes.size(); ++i)
        causes[i]->colour = mixed(palette.paper, palette.accent, strengths[std::min(i, strengths.size() - 1)]);
}

constexpr double leastHatched = 4;   // pixels
constexpr double leastContrast = 3;  // contrast

/// A part that the paper would swallow has an outline.
void colourPart(Shape& shape, const Palette& palette, bool waits) {
    if (waits) return hatchAsWaiting(shape, palette);
    if (shape.fill.isValid() && contrast(shape.fill, palette.paper) >= leastContrast) return;
    shape.pen = quietLine(palette);
    shape.width = 0.8;
}

/// Time that a cause saved lies over the end of the bar.
void hatchAsSaved(Shape& shape, const Palette& palette) {
    shape.fill = palette.paper;
    shape.pen = palette.muted;
    shape.hatched = true;
    shape.width = 0.8;
}

/// What accelerators did in the steps of a training job: the numbers of its first page.
std::vector<GapPart> stepPartsOf(const analysis::JobSummary& job, bool dark) {
    using analysis::Activity;
    const auto duration = static_cast<double>(std::max<std::int64_t>(1, job.sums.duration.count()));
    std::vector<GapPart> parts;
    const auto add = [&](const QString& name, engine::Picoseconds time, const QColor& colour, SpentIn seen) {
        if (time.count() <= 0) return;
        const double share = static_cast<double>(time.count()) / duration;
        parts.push_back({{},
                         name,
                         time / std::max<std::int64_t>(1, job.ranks),
                         colour,
                         QString::fromStdString(engine::showNumber(100 * share, 3)) + "%",
                         seen});
    };
    add(QStringLiteral("compute"), job.sums.compute, strongColour(Activity::accelerator, dark), SpentIn::callTree);
    add(QStringLiteral("exposed communication"), job.sums.exposed, strongColour(Activity::collective, dark),
        SpentIn::callTree);
    add(QStringLiteral("idle"), job.sums.idle, paletteFor(dark).groove, SpentIn::idleChart);
    if (!parts.empty())
        parts.front().base = job.marked ? QStringLiteral("of the step time") : QStringLiteral("of the recorded time");
    return parts;
}

}  // namespace

std::vector<GapPart> spentPartsOf(const DrawableRun& subject, const analysis::TracedProgram* program, bool dark) {
    using analysis::Activity;
    const Palette palette = paletteFor(dark);
    const engine::Picoseconds duration = program != nullptr ? summedTime(*program) : subject.run().duration;
    const auto ranks = std::max<std::int32_t>(subject.run().ranks, 1);
    std::vector<GapPart> parts;
    // Of a rank on average: sums over very many ranks are longer than a clock can count.
    const auto add = [&](const QString& name, double ofAll, const QColor& colour, SpentIn seen, bool waits = false) {
        const engine::Picoseconds time{std::llround(ofAll / ranks)};
        if (time.count() <= 0) return;
        const double share = analysis::ratio(time, duration);
        parts.push_back(
            {{}, name, time, colour, QString::fromStdString(engine::showNumber(100 * share, 3)) + "%", seen, waits});
    };
    if (program != nullptr && program->job() && !program->job()->steps.empty())
        return stepPartsOf(*program->job(), dark);
    if (program != nullptr) {
        const Spent spent = spentBy(*program, 0, ranks);
        for (std::size_t k = 1; k < spent.size(); ++k) {
            const auto activity = static_cast<Activity>(k);
            add(nameOfActivity(activity, *program), spent[k], strongColour(activity, dark),
                activity == Activity::waiting ? SpentIn::waitsChart : SpentIn::callTree, activity == Activity::waiting);
        }
        add(nameOfActivity(Activity::none, *program), spent[0], palette.groove, SpentIn::idleChart);
    } else {
        std::array<double, 4> spent{};
        for (const analysis::RankTimeBreakdown& one : subject.rankTimeBreakdowns()) {
            const std::array<engine::Picoseconds, 4> times{one.notYetEntered, one.busy, one.noCommunication,
                                                           one.finishedEarly};
            for (std::size_t k = 0; k < spent.size(); ++k) spent[k] += static_cast<double>(times[k].count());
        }
        const bool traced = subject.run().setting.on == "trace";
        add(nameOf(RankState::absent), spent[0], colourOf(RankState::absent, palette), SpentIn::idleChart);
        add(QStringLiteral("busy"), spent[1], palette.sending, SpentIn::idleChart);
        add(betweenWords(subject), spent[2], traced ? palette.tint : palette.waiting,
            traced ? SpentIn::idleChart : SpentIn::waitsChart, !traced);
        add(afterwardsWords(subject), spent[3], colourOf(RankState::done, palette), SpentIn::idleChart);
    }
    if (!parts.empty()) parts.front().base = baseOfShares(program);
    return parts;
}

std::vector<GapPart> gapPartsOf(const Report& report, bool dark) {
    const std::optional<engine::Picoseconds> bound = report.timeBound();
    if (!report.gap || !bound) return {};
    const Palette palette = paletteFor(dark);
    std::vector<GapPart> parts{{{},
                                toQt(analysis::shortNameOfBound(report.limits->blocks)),
                                *bound,
                                mixed(palette.receiving, palette.sending, 0.3)}};
    for (std::size_t i = 0; i < analysis::gapCauses.size(); ++i) {
        const analysis::GapCause& cause = analysis::gapCauses[i];
        const engine::Picoseconds time = (*report.gap).*cause.time;
        if (time.count() == 0) continue;
        parts.push_back({i, toQt(nameOf(cause, report)), time, {}});
    }
    colourCauses(parts, palette);
    return parts;
}

Legend legendOf(const std::vector<GapPart>& parts) {
    Legend legend;
    engine::Picoseconds whole{};
    for (const GapPart& part : parts) whole += part.time;
    for (const GapPart& part : parts) {
        // Nobody sees a thousandth of the bar.
        if (1'000 * std::chrono::abs(part.time) < whole && part.base.isEmpty()) continue;
        if (!part.base.isEmpty()) legend.entry(part.base + ':', [](SceneBuilder&, const QRectF&) {});
        const QString size = !part.size.isEmpty()    ? part.size
                             : part.time.count() < 0 ? QStringLiteral("\u2212") + timeInWords(-part.time)
                                                     : timeInWords(part.time);
        legend.entry(part.name + ' ' + size, [colour = part.colour, waits = part.waits, saved = part.time.count() < 0](
                                                 SceneBuilder& with, const QRectF& box) {
            Shape& shape = with.rectangle(box.adjusted(4, 1, -4, -1), colour);
            if (saved) hatchAsSaved(shape, with.palette());
            else colourPart(shape, with.palette(), waits);
        });
    }
    return legend;
}

void drawGapBar(SceneBuilder& pencil, const std::vector<GapPart>& parts, const QRectF& bar,
                const std::function<Meaning(const GapPart&)>& meaning) {
    double whole = 0;
    for (const GapPart& part : parts) whole += std::max(0.0, static_cast<double>(part.time.count()));
    double x = bar.left();
    for (const GapPart& part : parts) {
        const double width = whole <= 0 ? 0 : bar.width() * static_cast<double>(part.time.count()) / whole;
        if (width <= 0) continue;
        Shape& shape = pencil.rectangle({x, bar.top(), std::max(width - 1, 0.5), bar.height()}, part.colour);
        if (width >= leastHatched) colourPart(shape, pencil.palette(), part.waits);
        shape.tip = (part.cause ? part.name : QStringLiteral("lower bound")) + ": " + timeInWords(part.time);
        if (part.spent)
            shape.tip = QStringLiteral("%1 %2, %3 a rank on average").arg(part.name, part.size, timeInWords(part.time));
        shape.meaning = meaning(part);
        x += width;
    }
    for (const GapPart& part : parts) {
        if (part.time.count() >= 0 || whole <= 0) continue;
        const double width = bar.width() * static_cast<double>(-part.time.count()) / whole;
        x -= width;
        Shape& shape = pencil.rectangle({x, bar.top(), width, bar.height()}, {});
        hatchAsSaved(shape, pencil.palette());
        shape.tip = part.name + QStringLiteral(": \u2212") + timeInWords(-part.time);
        shape.meaning = meaning(part);
    }
}

}  // namespace app::gui
