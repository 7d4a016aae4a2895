// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/gap_bar.hpp"

#include "app/gui/scenes/numbers.hpp"

#include <algorithm>
#include <array>

namespace app::gui {
namespace {

/// One for each of analysis::gapCauses, so that neighbours differ.
constexpr std::array<std::int64_t, 7> causeColours{1, 4, 3, 5, 6, 2, 7};
static_assert(causeColours.size() == analysis::gapCauses.size());

}  // namespace

std::vector<GapPart> gapPartsOf(const Report& report, bool dark) {
    const std::optional<engine::Picoseconds> bound = report.timeBound();
    if (!report.gap || !bound) return {};
    std::vector<GapPart> parts{{{}, QStringLiteral("bound"), *bound, paletteFor(dark).waiting}};
    for (std::size_t i = 0; i < analysis::gapCauses.size(); ++i) {
        const analysis::GapCause& cause = analysis::gapCauses[i];
        const engine::Picoseconds time = (*report.gap).*cause.time;
        if (time.count() == 0) continue;
        parts.push_back({i, QString::fromUtf8(cause.word.data(), static_cast<qsizetype>(cause.word.size())), time,
                         time.count() < 0 ? QColor{} : originColour(causeColours[i], 8, dark)});
    }
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
