// SPDX-License-Identifier: BSD-3-Clause
// Metrics below the ranks that they are of: the value as steps, and where many of them share a pixel all of it from the
// least to the most.
#include "app/gui/scenes/drawing/number_text.hpp"
#include "app/gui/scenes/program/program_timeline_frame.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace app::gui {
namespace {

using analysis::Curve;
using analysis::MetricCurve;

constexpr double fewStepsPerPixel = 0.25;  // that are drawn one by one
constexpr double leastBox = 3;             // pixels that distinguish two values

class MetricDrawn {
public:
    MetricDrawn(SceneBuilder& pencil, const analysis::TracedProgram& program, const ProgramTimelineFrame& frame,
                const std::vector<engine::Picoseconds>& columns)
        : pencil_{pencil}, program_{program}, frame_{frame}, columns_{columns} {}

    void draw(const ProgramTimelineRow& row, QRectF box) {
        const MetricCurve& its = program_.metrics().all()[engine::asSize(row.curve)];
        scale_ = scaleOf(program_, its.metric);
        ink_ = loadColour(0.75, pencil_.dark());
        ground_ = mixed(pencil_.palette().paper, ink_, 0.3);
        whole_ = box;
        seen_ = box.intersected(frame_.plot);
        if (seen_.height() < leastBox) return;
        const Curve& curve = its.curve;
        const std::size_t first = curve.at(frame_.axis.begin());
        const std::size_t last = curve.at(frame_.axis.end());
        if (static_cast<double>(last - first) <= fewStepsPerPixel * seen_.width()) steps(curve, first, row.curve);
        else envelope(curve);
        legend(its);
    }

    /// The most within each column, as shades: of rows that are too low for a curve.
    void shade(const ProgramTimelineRow& row, QRgb* pixels) const {
        const MetricCurve& its = program_.metrics().all()[engine::asSize(row.curve)];
        const Curve::Range scale = scaleOf(program_, its.metric);
        std::array<QRgb, 32> shades{};
        for (std::size_t i = 0; i < shades.size(); ++i)
            shades[i] = loadColour(static_cast<double>(i) / (shades.size() - 1), pencil_.dark()).rgba();
        std::fill(pixels, pixels + columns_.size() - 1, qRgba(0, 0, 0, 0));
        its.curve.inColumns(columns_, [&](std::size_t column, const Curve::Range& range) {
            const double share = (range.most - scale.least) / (scale.most - scale.least);
            pixels[column] = shades[static_cast<std::size_t>(std::lround(share * (shades.size() - 1)))];
        });
    }

private:
    [[nodiscard]] double yOf(double value) const {
        return whole_.bottom() - (value - scale_.least) / (scale_.most - scale_.least) * whole_.height();
    }
    [[nodiscard]] double seenY(double y) const { return std::clamp(y, seen_.top(), seen_.bottom()); }

    void steps(const Curve& curve, std::size_t first, std::int32_t index) {
        std::optional<QPointF> before;
        for (std::size_t i = first; i < curve.size(); ++i) {
            const Curve::Step step = curve[i];
            if (step.begin >= frame_.axis.end()) break;
            const double left = std::max(frame_.axis.pixel(step.begin), seen_.left());
            const double right = std::min(frame_.axis.pixel(step.end), seen_.right());
            const double zero = seenY(yOf(0)), y = seenY(yOf(step.value));
            if (right > left) {
                Shape& area = pencil_.rectangle({left, std::min(y, zero), right - left, std::abs(y - zero)}, ground_);
                area.meaning = {Meaning::Kind::metric, index, step.begin.count()};
            }
            if (before && before->y() != y) pencil_.line(*before, {left, y}, ink_, 1.2);
            pencil_.line({left, y}, {right, y}, ink_, 1.2);
            before = QPointF{right, y};
        }
    }

    void envelope(const Curve& curve) {
        const int lines = std::max(1, static_cast<int>(seen_.height()));
        QImage image{static_cast<int>(columns_.size()) - 1, lines, QImage::Format_ARGB32};
        image.fill(Qt::transparent);
        auto* const pixels = reinterpret_cast<QRgb*>(image.bits());
        const auto stride = static_cast<std::size_t>(image.bytesPerLine()) / sizeof(QRgb);
        const auto lineOf = [&](double value) {
            return std::clamp(static_cast<int>((yOf(value) - seen_.top()) / seen_.height() * lines), 0, lines - 1);
        };
        const int zero = lineOf(0);
        const QRgb ground = ground_.rgba(), ink = ink_.rgba();
        curve.inColumns(columns_, [&](std::size_t column, const Curve::Range& range) {
            const int top = lineOf(range.most), bottom = lineOf(range.least);
            for (int line = std::min(top, zero); line <= std::max(bottom, zero); ++line)
                pixels[static_cast<std::size_t>(line) * stride + column] = line < top || line > bottom ? ground : ink;
        });
        pencil_.cells(seen_, image);
    }

    /// What the upper edge stands for, and the lower one where that is not zero: above and below the row's name.
    void legend(const MetricCurve& its) {
        const double line = lineHeight(points::tiny);
        if (seen_ != whole_ || seen_.height() < 2 * line + lineHeight(points::small)) return;
        const double room = frame_.labels - (frame_.groups.empty() ? frame_.groupsLeft : frame_.groupsRight + 6);
        const auto say = [&](double value, double y, int align) {
            const QString words = elided(valueInWords(program_, its.metric, value), points::tiny, room);
            if (!words.isEmpty())
                pencil_.text({frame_.labels, y}, Qt::AlignRight | align, words, points::tiny, pencil_.palette().muted);
        };
        say(scale_.most, seen_.top(), Qt::AlignTop);
        if (scale_.least < 0) say(scale_.least, seen_.bottom(), Qt::AlignBottom);
    }

    SceneBuilder& pencil_;
    const analysis::TracedProgram& program_;
    const ProgramTimelineFrame& frame_;
    const std::vector<engine::Picoseconds>& columns_;
    Curve::Range scale_;
    QColor ink_, ground_;
    QRectF whole_, seen_;
};

}  // namespace

QString valueInWords(const analysis::TracedProgram& program, std::size_t metric, double value) {
    const std::string unit = analysis::unitOf(program.recording().metrics[metric]);
    return withMu(QString::fromStdString(analysis::showValue(value, unit)));
}

Curve::Range scaleOf(const analysis::TracedProgram& program, std::size_t metric) {
    const Curve::Range range = program.metrics().rangeOf(metric);
    const Curve::Range scale{std::min(range.least, 0.0), std::max(range.most, 0.0)};
    return scale.least < scale.most ? scale : Curve::Range{0, 1};
}

void drawMetric(SceneBuilder& pencil, const analysis::TracedProgram& program, const ProgramTimelineFrame& frame,
                const std::vector<engine::Picoseconds>& columns, const ProgramTimelineRow& row, const QRectF& box) {
    MetricDrawn{pencil, program, frame, columns}.draw(row, box);
}

void shadeMetric(SceneBuilder& pencil, const analysis::TracedProgram& program, const ProgramTimelineFrame& frame,
                 const std::vector<engine::Picoseconds>& columns, const ProgramTimelineRow& row, QRgb* pixels) {
    MetricDrawn{pencil, program, frame, columns}.shade(row, pixels);
}

std::optional<Meaning> metricAt(const analysis::TracedProgram& program, const ProgramTimelineRow& row,
                                engine::Picoseconds time) {
    const Curve& curve = program.metrics().all()[engine::asSize(row.curve)].curve;
    const std::size_t step = curve.at(time);
    if (step == curve.size() || curve[step].begin > time) return std::nullopt;
    return Meaning{Meaning::Kind::metric, row.curve, curve[step].begin.count()};
}

}  // namespace app::gui
