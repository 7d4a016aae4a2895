// SPDX-License-Identifier: BSD-3-Clause
// When: a bar for each iteration of a program, the median as a line, the odd ones in the accent.
#include "app/gui/scenes/chart_frame.hpp"
#include "app/gui/scenes/numbers.hpp"
#include "app/gui/scenes/program_words.hpp"
#include "app/gui/scenes/style.hpp"
#include "app/gui/scenes/words.hpp"

#include <algorithm>

namespace app::gui {
namespace {

using analysis::Iteration;
using engine::Picoseconds;

constexpr double widestBar = 46;

QString noneRepeats() {
    return QStringLiteral("No iterations: nothing repeats on all ranks alike over most of the time.");
}

QString iterationsInWords(const analysis::TracedProgram& program) {
    const auto& all = program.iterations().all;
    const auto odd = std::count_if(all.begin(), all.end(), [](const Iteration& one) { return one.odd; });
    return QStringLiteral("%1, %2 in the median%3")
        .arg(countedInWords(static_cast<std::int64_t>(all.size()), QStringLiteral("iteration"),
                            QStringLiteral("iterations")),
             timeInWords(program.iterations().median),
             odd == 0 ? QString{} : QStringLiteral(", %1 odd").arg(countInWords(odd)));
}

}  // namespace

Scene whenScene(const Subject& subject, const ViewState& state, QSizeF size) {
    const analysis::TracedProgram* program = programOf(subject);
    if (program == nullptr) return sorry(whyNoProgram(subject), state.dark, size);
    const std::vector<Iteration>& all = program->iterations().all;
    if (all.empty()) return sorry(noneRepeats(), state.dark, size);
    Scene scene;
    Pencil pencil{scene, state.dark};
    const Palette& palette = pencil.palette();
    scene.description = iterationsInWords(*program);
    const QRectF area = QRectF{QPointF{}, size}.adjusted(margin + 2, margin / 2, -margin - 2, -margin / 2);
    double top = area.top();
    for (const QString& line : wrapped(scene.description, points::small, area.width())) {
        pencil.text({area.left(), top}, Qt::AlignLeft | Qt::AlignTop, line, points::small, palette.muted);
        top += lineHeight(points::small);
    }
    const double numbers = lineHeight(points::tiny) + 4;
    const QRectF plot{area.left(), top + 6, area.width(), area.bottom() - numbers - top - 6};
    if (plot.height() < 12) return scene;
    Picoseconds longest{1};
    for (const Iteration& one : all) longest = std::max(longest, one.duration);
    const auto heightOf = [&](Picoseconds time) {
        return plot.height() * static_cast<double>(time.count()) / static_cast<double>(longest.count());
    };
    // Where there are more than pixels, the longest of those that share one; odd ones first.
    const auto bars = std::min(all.size(), static_cast<std::size_t>(std::max(1.0, plot.width() / 2)));
    const double pitch = std::min(plot.width() / static_cast<double>(bars), widestBar);
    const double bar = pitch > 6 ? pitch * 0.72 : pitch > 3 ? pitch - 1 : pitch;
    const std::int32_t step = labelStep(pitch, sizeOf(QString::number(all.size()), points::tiny, true).width() + 6);
    for (std::size_t i = 0; i < bars; ++i) {
        const std::size_t first = all.size() * i / bars;
        const std::size_t end = all.size() * (i + 1) / bars;
        std::size_t shown = first;
        for (std::size_t k = first; k < end; ++k)
            if (std::pair{all[k].odd, all[k].duration} > std::pair{all[shown].odd, all[shown].duration}) shown = k;
        const Iteration& one = all[shown];
        const double left = plot.left() + static_cast<double>(i) * pitch + (pitch - bar) / 2;
        const double height = std::max(heightOf(one.duration), 1.0);
        Shape& shape = pencil.rectangle({left, plot.bottom() - height, bar, height},
                                        one.odd ? palette.accent : mixed(palette.paper, palette.sending, 0.62));
        if (bar > 8) shape.radius = 2;
        shape.meaning = {Meaning::Kind::iteration, static_cast<std::int64_t>(shown), -1};
        const bool isAsked = state.asked && state.asked == shape.meaning;
        if (isAsked) {
            shape.pen = palette.ink;
            shape.width = 1.5;
        }
        const bool numbered = bars == all.size() && (shown + 1) % static_cast<std::size_t>(step) == 0;
        if (!numbered) continue;
        pencil.text({left + bar / 2, plot.bottom() + 3}, Qt::AlignHCenter | Qt::AlignTop, QString::number(shown + 1),
                    points::tiny, one.odd ? palette.accent : palette.muted, one.odd);
    }
    const double median = plot.bottom() - heightOf(program->iterations().median);
    const double right = plot.left() + pitch * static_cast<double>(bars);
    Shape& line = pencil.line({plot.left(), median}, {right, median}, palette.muted);
    line.dashed = true;
    line.tip = QStringLiteral("the median, %1").arg(timeInWords(program->iterations().median));
    return scene;
}

Table whenTable(const Subject& subject, const ViewState&) {
    Table table{{QStringLiteral("Iteration"), QStringLiteral("Begins"), QStringLiteral("Takes"),
                 QStringLiteral("Waiting"), QStringLiteral("Odd"), QStringLiteral("Late"), QStringLiteral("Path")},
                {},
                0};
    const analysis::TracedProgram* program = programOf(subject);
    if (program == nullptr) return table;
    const auto& all = program->iterations().all;
    for (std::size_t k = 0; k < all.size(); ++k) {
        const Iteration& one = all[k];
        const bool explained = one.late != traces::noRank;
        table.add({QString::number(k + 1), timeInWords(one.begin), timeInWords(one.duration), timeInWords(one.waiting),
                   one.odd ? QStringLiteral("odd") : QString{}, explained ? QString::number(one.late.value) : QString{},
                   explained ? QString::fromStdString(program->paths().name(one.path)) : QString{}});
    }
    return table;
}

}  // namespace app::gui
