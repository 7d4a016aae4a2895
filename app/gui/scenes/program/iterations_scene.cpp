// SPDX-License-Identifier: BSD-3-Clause
// When: a bar for each iteration of a program, the median as a line, the odd ones in the accent.
#include "app/gui/scenes/common/chart_frame.hpp"
#include "app/gui/scenes/drawing/number_text.hpp"
#include "app/gui/scenes/drawing/style.hpp"
#include "app/gui/scenes/text/activity_shares.hpp"
#include "app/gui/scenes/text/program_text.hpp"
#include "app/gui/scenes/text/run_text.hpp"

#include <algorithm>

namespace app::gui {
namespace {

using analysis::Iteration;
using engine::Picoseconds;

constexpr double widestBar = 120;

QString noneRepeats() {
    return QStringLiteral("No iterations: no call repeats equally often on all ranks over most of the time.");
}

QString iterationsInWords(const analysis::TracedProgram& program) {
    const auto& all = program.iterations().all;
    const auto odd = std::count_if(all.begin(), all.end(), [](const Iteration& one) { return one.odd; });
    return QStringLiteral("%1 of %2%3")
        .arg(countedInWords(static_cast<std::int64_t>(all.size()), iterationWord(program),
                            iterationWord(program) + QLatin1Char('s')),
             withMu(QString::fromStdString(program.iterations().durationsInWords())),
             odd == 0 ? QString{} : QStringLiteral(", %1").arg(countedInWords(odd, "outlier", "outliers")));
}

}  // namespace

Scene whenScene(const DrawableRun& subject, const ViewState& state, QSizeF size) {
    const analysis::TracedProgram* program = programOf(subject);
    if (program == nullptr) return sorry(whyNoProgram(subject), state.dark, size);
    const std::vector<Iteration>& all = program->iterations().all;
    if (all.empty()) return sorry(noneRepeats(), state.dark, size);
    Scene scene;
    SceneBuilder pencil{scene, state.dark};
    const Palette& palette = pencil.palette();
    scene.description = iterationsInWords(*program);
    Picoseconds longest{1};
    for (const Iteration& one : all) longest = std::max(longest, one.duration);
    // The median's number may be wider than that of the longest.
    const QString most = timeInWords(longest), middle = timeInWords(program->iterations().median);
    const QString widest = sizeOf(most, points::tiny).width() >= sizeOf(middle, points::tiny).width() ? most : middle;
    const ChartFrame frame = chartFrame(pencil, size, scene.description, widest, iterationWord(*program), {});
    const QRectF& plot = frame.plot;
    const auto heightOf = [&](Picoseconds time) {
        return plot.height() * static_cast<double>(time.count()) / static_cast<double>(longest.count());
    };
    // Where there are more than pixels, the longest of those that share one; odd ones first.
    const auto bars = std::min(all.size(), static_cast<std::size_t>(std::max(1.0, plot.width() / 2)));
    const double pitch = plot.width() / static_cast<double>(bars);
    const double bar = pitch > 6 ? std::min(pitch * 0.72, widestBar) : pitch > 3 ? pitch - 1 : pitch;
    // Of two iterations the median is the duration of neither.
    const Picoseconds usual = all.size() > 2 ? program->iterations().median : longest;
    for (const Picoseconds time : {longest, Picoseconds{}, usual}) {
        const double y = plot.bottom() - heightOf(time);
        const QSizeF room = sizeOf(timeInWords(time), points::tiny);
        if (!pencil.freeOfText({frame.numbers - room.width(), y - room.height() / 2, room.width(), room.height()}))
            continue;
        pencil.line({plot.left(), y}, {plot.right(), y}, palette.faint);
        pencil.text({frame.numbers, y}, Qt::AlignRight | Qt::AlignVCenter, timeInWords(time), points::tiny,
                    palette.muted);
    }
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
    }
    numbersBelow(pencil, frame, {static_cast<std::int64_t>(all.size()), static_cast<std::int64_t>(all.size())},
                 iterationNumber(*program, 0).toLongLong());
    if (all.size() <= 2) return scene;
    const double median = plot.bottom() - heightOf(program->iterations().median);
    Shape& line = pencil.line({plot.left(), median}, {plot.right(), median}, palette.muted);
    line.dashed = true;
    line.tip = QStringLiteral("the median, %1").arg(timeInWords(program->iterations().median));
    return scene;
}

Table whenTable(const DrawableRun& subject, const ViewState&) {
    return subject.queue()->ask(analysis::tableNamed("iterations"), {}).table;
}

}  // namespace app::gui
