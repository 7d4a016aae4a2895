// SPDX-License-Identifier: BSD-3-Clause
// The cells of the space-time diagram, where there are too many messages to draw them one by one.
#include "app/gui/scenes/space_time_frame.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace app::gui {
namespace {

constexpr std::int32_t mostTold = 4000;  // cells that say what is in them
constexpr double cellWidth = 4;
constexpr double cellHeight = 3;
constexpr int shades = 8;

/// How dark a cell is: 0 where nothing happened, at least 1 where something did.
class Shades {
public:
    /// `whole`: picoseconds that the ports of one rank have in a cell.
    Shades(const PortLoads& loads, double whole) : loads_{&loads}, firsts_{loads.firstRanks()}, whole_{whole} {}

    [[nodiscard]] std::int32_t first(std::int32_t row) const { return firsts_[static_cast<std::size_t>(row)]; }
    [[nodiscard]] int of(std::int32_t row, std::int32_t column) const {
        const PortLoad& load = loads_->at(row, column);
        if (!load.any()) return 0;
        const double share = load.busy / (whole_ * std::max(first(row + 1) - first(row), 1));
        return std::clamp(static_cast<int>(std::ceil(share * shades)), 1, shades);
    }

private:
    const PortLoads* loads_;
    std::vector<std::int32_t> firsts_;
    double whole_;
};

/// A shape for every run of one shade, which says what is in it.
void drawTold(Pencil& pencil, const QRectF& plot, const PortLoads& loads, const Shades& shadesOf) {
    const double height = plot.height() / loads.rows();
    const double width = plot.width() / loads.columns();
    for (std::int32_t row = 0; row < loads.rows(); ++row) {
        const std::int32_t first = shadesOf.first(row);
        const std::int32_t next = shadesOf.first(row + 1);
        for (std::int32_t column = 0; column < loads.columns();) {
            const int shade = shadesOf.of(row, column);
            const std::int32_t from = column;
            double count = 0;
            for (; column < loads.columns() && shadesOf.of(row, column) == shade; ++column)
                count += loads.at(row, column).messages;
            if (shade == 0) continue;
            Shape& cell = pencil.rectangle(
                {plot.left() + from * width, plot.top() + row * height, (column - from) * width, height},
                mixed(pencil.palette().tint, pencil.palette().both, static_cast<double>(shade) / shades));
            cell.meaning = {Meaning::Kind::rank, first, -1};
            cell.tip = QStringLiteral("ranks %1-%2: about %3 % of the ports busy, %4 messages in cells of %5 ranks")
                           .arg(first)
                           .arg(next - 1)
                           .arg(100 * shade / shades)
                           .arg(std::llround(count))
                           .arg(next - first);
        }
    }
}

/// One picture of all cells.
void drawPicture(Pencil& pencil, const QRectF& plot, const PortLoads& loads, const Shades& shadesOf) {
    std::array<QRgb, shades + 1> colours{};
    for (int shade = 1; shade <= shades; ++shade)
        colours[static_cast<std::size_t>(shade)] =
            mixed(pencil.palette().tint, pencil.palette().both, static_cast<double>(shade) / shades).rgba();
    QImage picture{loads.columns(), loads.rows(), QImage::Format_ARGB32_Premultiplied};
    uchar* bits = picture.bits();
    for (std::int32_t column = 0; column < loads.columns(); ++column)
        for (std::int32_t row = 0; row < loads.rows(); ++row)
            reinterpret_cast<QRgb*>(bits + row * picture.bytesPerLine())[column] =
                colours[static_cast<std::size_t>(shadesOf.of(row, column))];
    // What a click finds; the picture below shows it.
    const double height = plot.height() / loads.rows();
    for (std::int32_t row = 0; row < loads.rows(); ++row)
        pencil.rectangle({plot.left(), plot.top() + row * height, plot.width(), height}, {}).meaning = {
            Meaning::Kind::rank, shadesOf.first(row), -1};
    pencil.cells(plot, picture);
}

}  // namespace

void drawDensity(Pencil& pencil, const Subject& subject, const SpaceTimeFrame& frame) {
    const Bundles bundles{subject.run().ranks};
    const auto columns = std::max(static_cast<std::int32_t>(frame.plot.width() / cellWidth), 1);
    const auto rows = std::clamp(static_cast<std::int32_t>(frame.plot.height() / cellHeight), 1, bundles.count());
    PortLoads loads{bundles, rows, frame.axis, columns};
    loads.fill(subject);
    const double ports = 2.0 * (subject.problem() ? subject.problem()->ports : 1);
    const double step = static_cast<double>((frame.axis.end() - frame.axis.begin()).count()) / columns;
    const Shades shadesOf{loads, ports * step};
    if (rows * columns <= mostTold) drawTold(pencil, frame.plot, loads, shadesOf);
    else drawPicture(pencil, frame.plot, loads, shadesOf);
}

}  // namespace app::gui
