// SPDX-License-Identifier: BSD-3-Clause
// The whole run as one low strip: how many messages are in flight, or what the ranks of a program do; and which part of
// it the diagram shows.
#include "app/gui/scenes/time/overview.hpp"

#include "app/gui/scenes/common/program_timeline_colours.hpp"
#include "app/gui/scenes/drawing/number_text.hpp"
#include "app/gui/scenes/text/program_text.hpp"
#include "app/gui/scenes/text/run_text.hpp"
#include "app/gui/scenes/time/run_timeline_frame.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace app::gui {
namespace {

constexpr double inset = 2;

/// Of the line that says what the strip is, where there is room for it.
double heightOfCaption(QSizeF size) {
    const double line = lineHeight(points::tiny);
    return size.height() >= line + 20 ? line : 0;
}

QRectF stripOf(const DrawableRun& subject, const ViewState& state, QSizeF size) {
    // Under the plot of the diagram, which has the same width.
    const TimeAxis above = timeAxisOf(subject, state, QSizeF{size.width(), 400});
    const double caption = heightOfCaption(size);
    return {above.left(), inset + caption, above.right() - above.left(),
            std::max(size.height() - caption - 2 * inset, 1.0)};
}

void drawCaption(SceneBuilder& pencil, const QRectF& strip, QSizeF size, const QString& words) {
    if (heightOfCaption(size) > 0)
        pencil.text({strip.left(), 0}, Qt::AlignLeft | Qt::AlignTop, elided(words, points::tiny, strip.width()),
                    points::tiny, pencil.palette().muted);
}

constexpr int lowestHatched = 3;  // pixels

/// A column of waiting from its top, at `from`, to the bottom: the hatch of its sign in pixels, and the line around it.
void drawWaits(QImage& image, int column, int from, const Palette& palette) {
    const bool roomy = image.height() - from >= lowestHatched;
    for (int row = from; row < image.height(); ++row) {
        const bool inked = !roomy || row == from || (column + row) % hatchApart == 0;
        image.setPixel(column, row, (inked ? palette.waiting : palette.waitingGround).rgb());
    }
}

/// The share of ranks in each activity, pixel by pixel: waiting at the bottom, what was not recorded on top.
void drawShares(SceneBuilder& pencil, const analysis::TracedProgram& program, std::int32_t ranks, const TimeAxis& axis,
                const QRectF& strip) {
    using analysis::Activity;
    constexpr std::array<Activity, analysis::activities - 1> upwards{
        Activity::waiting, Activity::collective,  Activity::pointToPoint, Activity::otherMpi,
        Activity::compute, Activity::accelerator, Activity::threads,      Activity::inputOutput};
    const int width = std::max(1, static_cast<int>(strip.width()));
    const int height = std::max(1, static_cast<int>(strip.height()));
    std::vector<engine::Picoseconds> edges;
    for (int column = 0; column <= width; ++column)
        edges.push_back(axis.time(strip.left() + strip.width() * column / width));
    edges.back() = std::max(edges.back(), edges.front() + engine::Picoseconds{1});
    analysis::TimeInColumns columns{std::move(edges)};
    for (engine::Rank rank{0}; rank.value < ranks; ++rank)
        if (const std::int32_t own = program.tracks().ownOf(rank); own != traces::noIndex)
            columns.add(program.tracks().of(static_cast<std::size_t>(own)).activity);
    std::array<QRgb, analysis::activities> inks{};
    for (const Activity activity : upwards)
        inks[static_cast<std::size_t>(activity)] = activityColour(activity, pencil.dark()).rgb();
    QImage image{width, height, QImage::Format_ARGB32};
    image.fill(Qt::transparent);
    columns.each([&](std::size_t column, engine::Picoseconds length, const analysis::TimeByActivity& sums) {
        const double all = static_cast<double>(length.count()) * ranks;
        double done = 0;
        int from = height;
        for (const Activity activity : upwards) {
            done += static_cast<double>(sums[static_cast<std::size_t>(activity)].count());
            const int above =
                all <= 0 ? height : height - static_cast<int>(std::lround(height * std::min(done / all, 1.0)));
            if (activity == Activity::waiting) {
                from = above;
                drawWaits(image, static_cast<int>(column), from, pencil.palette());
            }
            for (; from > above; --from)
                image.setPixel(static_cast<int>(column), from - 1, inks[static_cast<std::size_t>(activity)]);
        }
    });
    pencil.cells(strip, image);
}

}  // namespace

TimeAxis overviewAxis(const DrawableRun& subject, const ViewState& state, QSizeF size) {
    const QRectF strip = stripOf(subject, state, size);
    // Of two runs beside each other both have the longer one's, as the pictures above.
    return TimeAxis{{}, std::max(subject.run().duration, state.horizon), strip.left(), strip.right()};
}

Scene overviewBackground(const DrawableRun& subject, const ViewState& state, QSizeF size) {
    Scene scene;
    SceneBuilder pencil{scene, state.dark};
    const QRectF strip = stripOf(subject, state, size);
    const TimeAxis axis = overviewAxis(subject, state, size);
    pencil.rectangle(strip, pencil.palette().tint);
    if (const analysis::TracedProgram* program = knownProgramOf(subject)) {
        drawShares(pencil, *program, subject.run().ranks, axis, strip);
        scene.description = QStringLiteral("What the ranks do over the whole time.");
        drawCaption(pencil, strip, size,
                    program->job() ? QStringLiteral("whole job: share of ranks by activity of the compute stream")
                                   : QStringLiteral("whole program: share of ranks by activity"));
        return scene;
    }
    const auto columns = static_cast<std::size_t>(strip.width());
    if (columns == 0) return scene;
    // Messages in flight in the middle of each pixel; one that is over before the next middle counts as one.
    std::vector<std::int64_t> steps(columns + 1);
    std::vector<bool> touched(columns);
    const auto firstMiddle = [&](engine::Picoseconds time) {
        return static_cast<std::size_t>(
            std::clamp(std::ceil(axis.pixel(time) - strip.left() - 0.5), 0.0, static_cast<double>(columns)));
    };
    const engine::Messages& messages = subject.run().messages;
    for (std::size_t i = 0; i < messages.size(); ++i) {
        const std::size_t from = firstMiddle(messages.sendBegin()[i]), to = firstMiddle(messages.receiveEnd()[i]);
        if (from >= to) touched[std::min(from, columns - 1)] = true;
        else ++steps[from], --steps[to];
    }
    std::vector<std::int64_t> under(columns);
    std::int64_t now = 0;
    std::int64_t most = std::max<std::int64_t>(subject.mostUnderWay().value_or(1), 1);
    for (std::size_t column = 0; column < columns; ++column) {
        now += steps[column];
        under[column] = std::max<std::int64_t>(now, touched[column] ? 1 : 0);
        most = std::max(most, under[column]);
    }
    QString words = QStringLiteral("messages in flight");
    if (subject.mostUnderWay()) words += QStringLiteral(", at most %1 at a time").arg(countInWords(most));
    drawCaption(pencil, strip, size, QStringLiteral("the whole run: %1").arg(words));
    for (std::size_t column = 0; column < columns;) {
        const std::size_t from = column;
        for (++column; column < columns && under[column] == under[from];) ++column;
        if (under[from] == 0) continue;
        const double height =
            std::max(1.0, strip.height() * static_cast<double>(under[from]) / static_cast<double>(most));
        pencil.rectangle({strip.left() + static_cast<double>(from), strip.bottom() - height,
                          static_cast<double>(column - from), height},
                         pencil.palette().receiving);
    }
    scene.description = QStringLiteral("The whole run: %1.").arg(words);
    return scene;
}

Scene overviewForeground(const DrawableRun& subject, const ViewState& state, QSizeF size) {
    Scene scene;
    SceneBuilder pencil{scene, state.dark};
    const Palette& palette = pencil.palette();
    const QRectF strip = stripOf(subject, state, size);
    const TimeAxis axis = overviewAxis(subject, state, size);
    const TimeAxis seen = timeAxisOf(subject, state, size);
    const double left = std::max(axis.pixel(seen.begin()), strip.left());
    const double right = std::min(std::max(axis.pixel(seen.end()), left + 3), strip.right());
    if (state.veil) {
        const double from = axis.pixel(*state.veil);
        pencil.rectangle({from, strip.top(), strip.right() - from, strip.height()}, palette.tint);
    }
    Shape& window = pencil.rectangle({left, strip.top(), right - left, strip.height()}, {}, palette.muted);
    window.radius = 2;
    window.width = 1.5;
    window.tip = QStringLiteral("Seen above: %1 to %2. Drag to move, wheel to zoom.")
                     .arg(timeInWords(seen.begin()), timeInWords(seen.end()));
    const double x = axis.pixel(state.time);
    pencil.line({x, strip.top()}, {x, strip.bottom()}, palette.accent, 1.5);
    return scene;
}

Table overviewTable(const DrawableRun& subject, const ViewState&) {
    Table table = tableWith({{"round", Content::count},
                             {"begin_s", Content::time},
                             {"end_s", Content::time},
                             {"messages", Content::count}});
    for (std::size_t round = 0; subject.hasRounds() && round < subject.run().perRound.size(); ++round) {
        const engine::RoundTimes& times = subject.run().perRound[round];
        table.rows.push_back({static_cast<std::int64_t>(round) + 1, times.begin, times.end, times.messages});
    }
    return table;
}

}  // namespace app::gui
