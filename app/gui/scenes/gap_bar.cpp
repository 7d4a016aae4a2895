// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/gap_bar.hpp"

#include "app/gui/scenes/style.hpp"
#include "app/gui/scenes/words.hpp"

#include <algorithm>
#include <array>
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

}  // namespace

std::vector<GapPart> gapPartsOf(const Report& report, bool dark) {
    const std::optional<engine::Picoseconds> bound = report.timeBound();
    if (!report.gap || !bound) return {};
    const Palette palette = paletteFor(dark);
    std::vector<GapPart> parts{{{}, QStringLiteral("bound"), *bound, mixed(palette.receiving, palette.sending, 0.3)}};
    for (std::size_t i = 0; i < analysis::gapCauses.size(); ++i) {
        const analysis::GapCause& cause = analysis::gapCauses[i];
        const engine::Picoseconds time = (*report.gap).*cause.time;
        if (time.count() == 0) continue;
        parts.push_back({i, QString::fromUtf8(cause.word.data(), static_cast<qsizetype>(cause.word.size())), time, {}});
    }
    colourCauses(parts, palette);
    return parts;
}

Legend legendOf(const std::vector<GapPart>& parts) {
    Legend legend;
    for (const GapPart& part : parts) {
        const QString time =
            part.time.count() < 0 ? QStringLiteral("\u2212") + timeInWords(-part.time) : timeInWords(part.time);
        legend.entry(part.name + ' ' + time, [colour = part.colour](Pencil& with, const QRectF& box) {
            with.rectangle(box.adjusted(4, 1, -4, -1), colour, colour.isValid() ? QColor{} : with.palette().muted);
        });
    }
    return legend;
}

void drawGapBar(Pencil& pencil, const std::vector<GapPart>& parts, const QRectF& bar,
                const std::function<Meaning(const GapPart&)>& meaning) {
    double whole = 0;
    for (const GapPart& part : parts) whole += std::max(0.0, static_cast<double>(part.time.count()));
    double x = bar.left();
    for (const GapPart& part : parts) {
        const double width = whole <= 0 ? 0 : bar.width() * static_cast<double>(part.time.count()) / whole;
        if (width <= 0) continue;
        Shape& shape = pencil.rectangle({x, bar.top(), std::max(width - 1, 0.5), bar.height()}, part.colour);
        shape.tip = (part.cause ? part.name : QStringLiteral("lower bound")) + ": " + timeInWords(part.time);
        shape.meaning = meaning(part);
        x += width;
    }
}

}  // namespace app::gui
