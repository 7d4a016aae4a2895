// SPDX-License-Identifier: BSD-3-Clause
// The lanes of tracks: each stretch as a box where there are few, else a strip of mixed colours, with those on top that
// are long enough to be seen. What it costs follows from the pixels.
#include "app/gui/scenes/common/program_timeline_colours.hpp"
#include "app/gui/scenes/program/program_timeline_frame.hpp"
#include "engine/base/parallel.hpp"

#include <algorithm>
#include <cmath>

namespace app::gui {
namespace {

using analysis::Activity;
using analysis::Lane;
using analysis::TimeByActivity;
using engine::Picoseconds;

constexpr double fewPerPixel = 0.25;  // stretches that are drawn one by one
constexpr double longEnough = 4;      // pixels for a box of its own over a strip
constexpr double leastWidth = 0.8;    // pixels
constexpr double leastWait = 4;       // pixels that distinguish a hatch from a colour

constexpr std::size_t linesAtOnce = 32;  // of an image, as a piece of work for a core

enum class Shown : std::uint8_t {
    all,
    inMpi  ///< only waiting and what moves in calls of MPI, in strong colours
};

/// Colours as numbers, for sums.
struct Inks {
    std::array<std::array<double, 3>, analysis::activities> of{};

    Inks(Shown shown, bool dark) {
        for (std::size_t k = 0; k < of.size(); ++k) {
            const auto activity = static_cast<Activity>(k);
            const QColor colour = shown == Shown::inMpi ? strongColour(activity, dark) : sharedColour(activity, dark);
            of[k] = {colour.redF(), colour.greenF(), colour.blueF()};
        }
    }
};

bool isShown(Shown shown, Activity activity) {
    if (shown == Shown::all) return activity != Activity::none;
    return activity == Activity::waiting || analysis::isMpi(activity);
}

/// A pixel in which `time` passed in all; what is not shown lets the paper through.
QRgb mixedOf(const TimeByActivity& sums, double time, Shown shown, const Inks& inks) {
    std::array<double, 3> colour{};
    double covered = 0;
    for (std::size_t k = 0; k < sums.size(); ++k) {
        if (sums[k].count() == 0 || !isShown(shown, static_cast<Activity>(k))) continue;
        const double share = static_cast<double>(sums[k].count()) / time;
        covered += share;
        for (std::size_t c = 0; c < 3; ++c) colour[c] += share * inks.of[k][c];
    }
    if (covered <= 0) return qRgba(0, 0, 0, 0);
    // Nothing here is negative: rounded without a call, which a frame of a million pixels would feel.
    const auto channel = [&](double value) { return static_cast<int>(255 * value / covered + 0.5); };
    // The shortest call still leaves a trace.
    const auto alpha = static_cast<int>(255 * std::clamp(covered, 0.15, 1.0) + 0.5);
    return qRgba(channel(colour[0]), channel(colour[1]), channel(colour[2]), alpha);
}

/// Of the columns of pixels; of fewer where a column would be shorter than time can tell.
std::vector<Picoseconds> edgesOf(const ProgramTimelineFrame& frame) {
    const auto length = static_cast<double>((frame.axis.end() - frame.axis.begin()).count());
    const double columns = std::max(1.0, std::min(std::floor(frame.plot.width()), length));
    std::vector<Picoseconds> edges{frame.axis.begin()};
    for (double column = 1; column <= columns; ++column)
        edges.push_back(
            std::max(edges.back(), frame.axis.time(frame.plot.left() + frame.plot.width() * column / columns)));
    edges.back() = std::max(edges.back(), edges.front() + Picoseconds{1});
    return edges;
}

class LanesDrawn {
public:
    LanesDrawn(SceneBuilder& pencil, SceneBuilder& words, const analysis::TracedProgram& program,
               const ProgramTimelineFrame& frame)
        : pencil_{pencil},
          words_{words},
          program_{program},
          recording_{program.recording()},
          frame_{frame},
          inks_{Inks{Shown::all, pencil.dark()}, Inks{Shown::inMpi, pencil.dark()}},
          edges_{edgesOf(frame)},
          columns_{edges_} {}

    void all() {
        if (frame_.inRow.compact) return compact();
        for (std::size_t row = frame_.firstRow(); row < frame_.endRow(); ++row) {
            const ProgramTimelineRow& its = frame_.rows[row];
            const double top = frame_.topOf(row) + frame_.gap() / 2;
            if (its.isGroup()) drawGroup(its, top);
            else if (its.isMetric())
                drawMetric(pencil_, program_, frame_, edges_, its, boxOf(top, frame_.pitch - frame_.gap()));
            else if (its.location == traces::noIndex) continue;
            else if (its.own) drawRank(its, top);
            else drawOther(its, top);
        }
    }

private:
    [[nodiscard]] const analysis::LocationTimelines::Track& trackOf(std::int32_t location) const {
        return program_.tracks().of(static_cast<std::size_t>(location));
    }
    [[nodiscard]] int columns() const { return static_cast<int>(columns_.size()); }

    void drawRank(const ProgramTimelineRow& row, double top) {
        const ProgramTimelineInRow& in = frame_.inRow;
        const analysis::LocationTimelines::Track& track = trackOf(row.location);
        drawCalls(row, track, top, in.lanes, in.innermost);
        if (in.band <= 0) return;
        const QRectF band = boxOf(top + in.lane * static_cast<double>(in.lanes), in.band);
        drawLane(track.activity, band.adjusted(0, 1, 0, 0), row, Shown::inMpi);
    }

    /// A thread or a stream: all of its row for its calls.
    void drawOther(const ProgramTimelineRow& row, double top) {
        drawCalls(row, trackOf(row.location), top, frame_.inRow.lanes, frame_.inRow.innermost);
    }

    void drawCalls(const ProgramTimelineRow& row, const analysis::LocationTimelines::Track& track, double top,
                   std::size_t lanes, bool innermost) {
        for (std::size_t k = 0; k < lanes; ++k) {
            const QRectF box = boxOf(top + static_cast<double>(k) * frame_.inRow.lane, frame_.inRow.lane);
            const std::size_t depth = frame_.inRow.first + k;
            if (innermost && k + 1 == lanes) drawLane(track.activity, box, row, Shown::all);
            else if (depth < track.calls.size()) drawLane(track.calls[depth], box, row, Shown::all);
        }
    }

    [[nodiscard]] QRectF boxOf(double top, double height) const {
        return {frame_.plot.left(), top, frame_.plot.width(), height - (height > 8 ? 1 : 0)};
    }

    void drawLane(const Lane& lane, QRectF box, const ProgramTimelineRow& row, Shown shown) {
        const double above = std::max(box.top(), frame_.plot.top());
        const double below = std::min(box.bottom(), frame_.plot.bottom());
        if (below - above < 1) return;
        const bool whole = above == box.top() && below == box.bottom();
        box.setTop(above);
        box.setBottom(below);
        const std::size_t first = lane.at(frame_.axis.begin());
        const std::size_t count = lane.at(frame_.axis.end()) - first;
        const bool few = static_cast<double>(count) <= fewPerPixel * box.width();
        if (!few) {
            columns_.add(lane);
            drawStrip(box, shown, 1);
        }
        const Picoseconds shortest = few ? Picoseconds{1} : std::max(Picoseconds{1}, lengthOf(longEnough));
        lane.eachOfAtLeast(shortest, frame_.axis.begin(), frame_.axis.end(), [&](const Lane::Stretch& stretch) {
            if (isShown(shown, stretch.activity)) drawStretch(stretch, box, row, shown, whole);
        });
    }

    [[nodiscard]] Picoseconds lengthOf(double pixels) const {
        const auto span = static_cast<double>((frame_.axis.end() - frame_.axis.begin()).count());
        return Picoseconds{static_cast<std::int64_t>(span * pixels / frame_.plot.width())};
    }

    /// What was added up of so many locations.
    void drawStrip(const QRectF& box, Shown shown, std::size_t locations) {
        QImage image{columns(), 1, QImage::Format_ARGB32};
        fill(reinterpret_cast<QRgb*>(image.scanLine(0)), columns_, shown, locations);
        pencil_.cells(box, image);
    }

    void fill(QRgb* pixels, analysis::TimeInColumns& columns, Shown shown, std::size_t locations) const {
        const Inks& inks = inks_[static_cast<std::size_t>(shown)];
        const auto many = static_cast<double>(std::max<std::size_t>(locations, 1));
        columns.each([&](std::size_t column, Picoseconds length, const TimeByActivity& sums) {
            pixels[column] = mixedOf(sums, static_cast<double>(length.count()) * many, shown, inks);
        });
    }

    void drawStretch(const Lane::Stretch& stretch, const QRectF& lane, const ProgramTimelineRow& row, Shown shown,
                     bool whole) {
        const double left = std::max(frame_.axis.pixel(stretch.begin), frame_.plot.left());
        const double right = std::min(frame_.axis.pixel(stretch.end), frame_.plot.right());
        if (right <= frame_.plot.left() || left >= frame_.plot.right()) return;
        const double air = right - left > 6 ? 1 : 0;
        const double width = std::min(std::max(right - left - air, leastWidth), frame_.plot.right() - left);
        const QRectF box{left, lane.top(), width, lane.height()};
        const bool dark = pencil_.dark();
        Shape& shape = drawActivity(pencil_, box, stretch.activity, dark);
        if (shown == Shown::inMpi && stretch.activity != Activity::waiting)
            shape.fill = strongColour(stretch.activity, dark);
        if (isCause(stretch, row)) shape.fill = strongColour(Activity::compute, dark);
        if (width > 8 && box.height() > 7 && !shape.hatched) shape.radius = 2;
        shape.meaning = meaningOfStretch(stretch, row);
        const QColor ink = readableOn(shape.fill);
        if (shown == Shown::all && analysis::isMpi(stretch.activity)) drawWaitsOf(stretch, lane, row);
        if (shown != Shown::all || !whole || box.height() < lineHeight(points::tiny) - 2 || width <= 22) return;
        const QString words = elided(labelOf(stretch, row), points::tiny, width - 8);
        if (!words.isEmpty())
            words_.text({box.left() + 4, box.center().y()}, Qt::AlignLeft | Qt::AlignVCenter, words, points::tiny, ink);
    }

    /// What of a call was waited in it, on its own box: a colour of calls is no time that something moved.
    void drawWaitsOf(const Lane::Stretch& call, const QRectF& lane, const ProgramTimelineRow& row) {
        const Lane& parts = trackOf(row.location).activity;
        parts.eachOfAtLeast(lengthOf(leastWait), call.begin, call.end, [&](const Lane::Stretch& part) {
            if (part.activity != Activity::waiting) return;
            const double left = std::max(frame_.axis.pixel(std::max(part.begin, call.begin)), frame_.plot.left());
            const double right = std::min(frame_.axis.pixel(std::min(part.end, call.end)) - 1, frame_.plot.right());
            if (right - left < leastWait) return;
            drawActivity(pencil_, {left, lane.top(), right - left, lane.height()}, part.activity, pencil_.dark())
                .meaning = meaningOfStretch(part, row);
        });
    }

    /// Computation that made others wait.
    [[nodiscard]] bool isCause(const Lane::Stretch& stretch, const ProgramTimelineRow& row) const {
        if (stretch.activity != Activity::compute || !row.own) return false;
        if (program_.iterations().all.empty() && program_.mainCauses().empty()) return false;  // not known yet, or none
        const analysis::PathId path = stretch.id == Lane::noId
                                          ? analysis::outsideOfCalls
                                          : program_.paths().of(static_cast<std::size_t>(row.location), stretch.id);
        // An iteration that is odd for it.
        const auto& iterations = program_.iterations().all;
        const auto after = std::partition_point(iterations.begin(), iterations.end(), [&](const auto& one) {
            return one.begin <= stretch.begin + (stretch.end - stretch.begin) / 2;
        });
        if (after != iterations.begin() && std::prev(after)->late == row.rank && std::prev(after)->path == path &&
            stretch.end - stretch.begin >= std::prev(after)->longer)
            return true;
        const auto causes = program_.mainCauses();
        return std::any_of(causes.begin(), causes.end(), [&](const analysis::Cause& cause) {
            return cause.rank == row.rank && cause.thread == 0 && cause.path == path;
        });
    }

    [[nodiscard]] QString labelOf(const Lane::Stretch& stretch, const ProgramTimelineRow& row) const {
        if (stretch.activity == Activity::waiting) {
            const std::string_view kind = analysis::name(program_.waits()[stretch.id].kind);
            return QString::fromUtf8(kind.data(), static_cast<qsizetype>(kind.size()));
        }
        if (stretch.id == Lane::noId) return QStringLiteral("computation");
        const traces::States& states = recording_.states[static_cast<std::size_t>(row.location)];
        const std::string& name = recording_.regions[static_cast<std::size_t>(states.region[stretch.id])].name;
        const QString words = QString::fromStdString(name);
        return analysis::isMpi(stretch.activity) && words.startsWith(QLatin1String("MPI_")) ? words.mid(4) : words;
    }

    void drawGroup(const ProgramTimelineRow& row, double top) {
        const double height = std::min(frame_.pitch - frame_.gap(), frame_.plot.bottom() - top);
        if (height < 1 || top < frame_.plot.top() - frame_.pitch) return;
        const double from = std::max(top, frame_.plot.top());
        const std::size_t locations = addAll(columns_, row);
        drawStrip({frame_.plot.left(), from, frame_.plot.width(), top + height - from}, Shown::all, locations);
    }

    /// Adds up what the locations of a row did; how many they are.
    std::size_t addAll(analysis::TimeInColumns& columns, const ProgramTimelineRow& row) const {
        if (!row.isGroup()) {
            if (row.location == traces::noIndex) return 0;
            columns.add(trackOf(row.location).activity);
            return 1;
        }
        std::size_t count = 0;
        for (const engine::Rank rank : *frame_.groups[static_cast<std::size_t>(row.group)].ranks)
            if (const std::int32_t own = program_.tracks().ownOf(rank); own != traces::noIndex) {
                columns.add(trackOf(own).activity);
                ++count;
            }
        return count;
    }

    /// All rows in one image: a line of it for each, or for as many as share a pixel.
    void compact() {
        const std::size_t first = frame_.firstRow();
        const std::size_t rows = frame_.endRow() - first;
        const double top = std::max(frame_.topOf(first), frame_.plot.top());
        const double bottom = std::min(frame_.topOf(first + rows), frame_.plot.bottom());
        const auto most = static_cast<std::size_t>(std::max(1.0, std::floor(bottom - top)));
        const std::size_t lines = std::min(rows, most);
        if (lines == 0) return;
        QImage image{columns(), static_cast<int>(lines), QImage::Format_ARGB32};
        uchar* const bits = image.bits();
        const auto stride = static_cast<std::size_t>(image.bytesPerLine());
        engine::parallelFor((lines + linesAtOnce - 1) / linesAtOnce, [&](std::size_t piece) {
            analysis::TimeInColumns sums = columns_;
            const std::size_t behind = std::min(lines, (piece + 1) * linesAtOnce);
            for (std::size_t line = piece * linesAtOnce; line < behind; ++line) {
                std::size_t locations = 0;
                auto* const pixels = reinterpret_cast<QRgb*>(bits + line * stride);
                const auto begin = frame_.rows.begin() + static_cast<std::ptrdiff_t>(first + rows * line / lines);
                const auto end = frame_.rows.begin() + static_cast<std::ptrdiff_t>(first + rows * (line + 1) / lines);
                // Where ranks share a pixel with metrics it is theirs.
                if (std::all_of(begin, end, [](const ProgramTimelineRow& row) { return row.isMetric(); })) {
                    shadeMetric(pencil_, program_, frame_, edges_, *begin, pixels);
                    continue;
                }
                for (auto row = begin; row != end; ++row) locations += addAll(sums, *row);
                fill(pixels, sums, Shown::all, locations);
            }
        });
        pencil_.cells({frame_.plot.left(), top, frame_.plot.width(), bottom - top}, image);
        if (frame_.pitch < 5) return;
        for (std::size_t row = first + 1; row < first + rows; ++row) {
            const double y = frame_.topOf(row);
            pencil_.line({frame_.plot.left(), y}, {frame_.plot.right(), y}, pencil_.palette().paper);
        }
    }

    SceneBuilder& pencil_;
    SceneBuilder& words_;
    const analysis::TracedProgram& program_;
    const traces::Recording& recording_;
    const ProgramTimelineFrame& frame_;
    std::array<Inks, 2> inks_;         ///< by what is shown
    std::vector<Picoseconds> edges_;   ///< of the columns of pixels
    analysis::TimeInColumns columns_;  ///< of pixels; nothing is added up between two lanes
};

}  // namespace

Meaning meaningOfStretch(const Lane::Stretch& stretch, const ProgramTimelineRow& row) {
    if (stretch.activity == Activity::waiting) return {Meaning::Kind::wait, stretch.id, -1};
    if (stretch.id == Lane::noId) return {Meaning::Kind::own, row.location, stretch.begin.count()};
    return {Meaning::Kind::call, stretch.id, row.location};
}

void drawLanes(SceneBuilder& pencil, SceneBuilder& words, const analysis::TracedProgram& program,
               const ProgramTimelineFrame& frame) {
    LanesDrawn{pencil, words, program, frame}.all();
}

}  // namespace app::gui
