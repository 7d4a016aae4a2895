// SPDX-License-Identifier: BSD-3-Clause
// Charts, links, holdings against their own tables: what is drawn long or strong must be said to be large, at its
// place.
#include "app/gui/scenes/drawing/colours.hpp"
#include "app/gui/scenes/drawing/style.hpp"
#include "app/gui/scenes/picture/picture.hpp"
#include "tests/app/gui/scenes/scenes_judging.hpp"
#include "tests/app/gui/shown_table.hpp"

#include <array>

namespace app::gui {
namespace {

TEST(EveryScene, staysWithinItsFrame) {
    everywhere([](const DrawableRun& subject, const ViewState& state, QSizeF size) {
        for (const PictureView& view : pictureViews) {
            if (view.name == "poster") continue;  // made of those
            const QRectF frame = QRectF{QPointF{}, size}.adjusted(-3, -3, 3, 3);
            for (const Shape& shape : viewScene(view.name, subject, state, size).shapes) {
                const bool isLine = shape.kind == Shape::Kind::line || shape.kind == Shape::Kind::arrow;
                const bool within =
                    isLine ? frame.contains(shape.from) && frame.contains(shape.to) : frame.contains(shape.box);
                ASSERT_TRUE(within) << view.name << ": " << shape.text.toStdString();
            }
        }
    });
}

/// The y of a label of the axis at the left.
std::optional<double> heightOf(const Scene& scene, const QString& label) {
    for (const Shape& shape : scene.shapes)
        if (shape.kind == Shape::Kind::text && shape.text == label) return shape.box.center().y();
    return std::nullopt;
}

TEST(IdleJudged, everyRankIsCutAsItsRowOfTheTable) {
    everywhere([](const DrawableRun& subject, const ViewState& state, QSizeF size) {
        const Palette palette = paletteFor(state.dark);
        const Scene scene = idleScene(subject, state, size);
        const ShownTable table{idleTable(subject, state)};
        const double bottom = heightOf(scene, "0%").value();
        const double high = bottom - heightOf(scene, "100%").value();
        double before = -1;
        for (std::size_t rank = 0; rank < table.rows.size(); ++rank) {
            // Of the table's columns: not there yet, busy, waiting, done.
            std::array<double, 4> heights{};
            std::array<double, 4> tops{bottom, bottom, bottom, bottom};
            double x = 0;
            for (const Shape& piece : shapesOf(scene, Meaning::Kind::rank, Shape::Kind::rectangle)) {
                if (piece.meaning.index != static_cast<std::int64_t>(rank)) continue;
                const std::size_t which = piece.dashed ? 0 : piece.hatched ? 2 : piece.fill == palette.sending ? 1 : 3;
                EXPECT_TRUE(which != 3 || piece.fill == palette.paper);
                heights[which] = piece.box.height() + (piece.pen.isValid() ? 1 : 0);  // its outline
                tops[which] = piece.box.top();
                x = piece.box.left();
                EXPECT_LE(piece.box.bottom(), bottom + 0.6);
            }
            EXPECT_GT(x, before) << "ranks from left to right";
            before = x;
            for (std::size_t i = 0; i < heights.size(); ++i) {
                const double time = numberIn(table.rows[rank][static_cast<qsizetype>(i) + 1]).value();
                EXPECT_NEAR(heights[i], high * time / static_cast<double>(subject.run().duration.count()), 1.3)
                    << "rank " << rank << ", " << table.columns[static_cast<qsizetype>(i) + 1].toStdString();
            }
            if (heights[1] > 1 && heights[2] > 1) {
                EXPECT_LT(tops[2], tops[1]) << "waiting stands on busy";
            }
            if (heights[2] > 1 && heights[0] > 1) {
                EXPECT_LT(tops[0], tops[2]) << "not there yet stands on waiting";
            }
            if (heights[2] > 1 && heights[3] > 1) {
                EXPECT_LT(tops[3], tops[2]) << "done early stands on waiting";
            }
        }
    });
}

TEST(WaitsJudged, everyRankRisesAndFallsAsItsRowOfTheTable) {
    int drawn = 0;
    everywhere([&](const DrawableRun& subject, const ViewState& state, QSizeF size) {
        const Scene scene = waitsScene(subject, state, size);
        const ShownTable table{waitsTable(subject, state)};
        const std::vector<Shape> pieces = shapesOf(scene, Meaning::Kind::rank, Shape::Kind::rectangle);
        if (pieces.empty()) return;
        ++drawn;
        const Palette palette = paletteFor(state.dark);
        const std::array<QColor, 3> colours{mixed(palette.waitingGround, palette.waiting, 0.5), palette.waiting,
                                            mixed(palette.paper, palette.ink, 0.55)};
        // Wait states that no rank had are no columns.
        const auto timeOf = [&](std::size_t rank, std::size_t which) {
            constexpr std::array names{"waited for senders", "waited for receivers", "made others wait"};
            const qsizetype column = table.columns.indexOf(QString::fromLatin1(names[which]));
            return column < 0 ? 0.0 : numberIn(table.rows[rank][column]).value();
        };
        // One scale for all: that of the longest.
        double scale = 0;
        double zero = 0;
        for (const Shape& piece : pieces) {
            const auto which = std::find(colours.begin(), colours.end(), piece.fill) - colours.begin();
            ASSERT_LT(which, 3);
            const double time = timeOf(static_cast<std::size_t>(piece.meaning.index), static_cast<std::size_t>(which));
            scale = std::max(scale, piece.box.height() / time);
            if (which == 0) zero = piece.box.bottom();
        }
        for (std::size_t rank = 0; rank < table.rows.size(); ++rank) {
            double above = 0;
            for (std::size_t i = 0; i < 3; ++i) {
                const double expected = scale * timeOf(rank, i);
                double height = 0;
                for (const Shape& piece : pieces)
                    if (piece.meaning.index == static_cast<std::int64_t>(rank) && piece.fill == colours[i]) {
                        height = piece.box.height();
                        if (zero > 0) {
                            EXPECT_NEAR(i == 2 ? piece.box.top() : piece.box.bottom() + above, zero, 0.5)
                                << "rank " << rank << ", " << i;
                        }
                    }
                EXPECT_NEAR(height, expected, 0.8 + slack(size.height())) << "rank " << rank << ", " << i;
                above += i < 2 ? height : 0;
            }
        }
    });
    EXPECT_GT(drawn, 10);
}

TEST(LinksJudged, cellsAreAsStrongAsTheirLoads) {
    int drawn = 0;
    everywhere([&](const DrawableRun& subject, const ViewState& state, QSizeF size) {
        const Scene scene = linksScene(subject, state, size);
        const ShownTable table{linksTable(subject, state)};
        const std::vector<Shape> cells = shapesOf(scene, Meaning::Kind::link, Shape::Kind::rectangle);
        if (cells.empty()) return;
        double most = 0;
        for (const QStringList& row : table.rows) most = std::max(most, numberIn(row[2]).value());
        std::map<std::int64_t, double> sums;  // by link
        std::map<std::int64_t, double> tops;
        for (const Shape& cell : cells) {
            if (cell.tip.isEmpty()) return;  // too small to be told apart
            ++drawn;
            const double load = numberIn(cell.tip.section(": ", 1)).value();
            if (load > 0) {
                const QColor expected = loadColour(load / most, state.dark);
                EXPECT_LE(std::abs(cell.fill.red() - expected.red()) + std::abs(cell.fill.green() - expected.green()) +
                              std::abs(cell.fill.blue() - expected.blue()),
                          6)
                    << cell.tip.toStdString();
            }
            EXPECT_TRUE(cell.tip.contains(QStringLiteral("round %1:").arg(cell.meaning.second + 1)));
            sums[cell.meaning.index] += load;
            tops[cell.meaning.index] = cell.box.top();
        }
        // Rows from the top as in the table, each with its sum.
        std::vector<std::pair<double, std::int64_t>> order;
        for (const auto& [link, top] : tops) order.emplace_back(top, link);
        std::sort(order.begin(), order.end());
        for (std::size_t i = 0; i < order.size(); ++i) {
            const double said = numberIn(table.rows[i][3]).value();
            EXPECT_NEAR(sums[order[i].second], said, 3 * slack(said)) << table.rows[i].join('|').toStdString();
        }
        // Rounds from left to right.
        for (std::size_t i = 1; i < cells.size(); ++i)
            if (cells[i].meaning.index == cells[i - 1].meaning.index) {
                EXPECT_GT(cells[i].box.left(), cells[i - 1].box.left());
            }
    });
    EXPECT_GT(drawn, 100);
}

TEST(MatrixJudged, cellsStandAtTheirRanksAndAreAsStrongAsTheirBytes) {
    everywhere([](const DrawableRun& subject, const ViewState& state, QSizeF size) {
        const Scene scene = trafficScene(subject, state, size);
        const ShownTable table{trafficTable(subject, state)};
        const std::vector<Shape> cells = shapesOf(scene, Meaning::Kind::rank, Shape::Kind::rectangle);
        ASSERT_EQ(cells.size(), table.rows.size());
        double most = 0;
        for (const QStringList& row : table.rows) most = std::max(most, numberIn(row[3]).value());
        const QRectF ground = [&] {
            for (const Shape& shape : scene.shapes)
                if (shape.fill == paletteFor(state.dark).tint && shape.box.width() > 50) return shape.box;
            return QRectF{};
        }();
        const double pitch = ground.width() / subject.run().ranks;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const QStringList& row = table.rows[i];
            EXPECT_NEAR(cells[i].box.left(), ground.left() + row[1].toDouble() * pitch, 0.01);
            EXPECT_NEAR(cells[i].box.top(), ground.top() + row[0].toDouble() * pitch, 0.01);
            EXPECT_EQ(cells[i].tip,
                      QStringLiteral("from %1 to %2: %3 messages, %4").arg(row[0], row[1], row[2], row[3]));
            const QColor expected = loadColour(most > 0 ? numberIn(row[3]).value() / most : 0, state.dark);
            EXPECT_LE(std::abs(cells[i].fill.red() - expected.red()) +
                          std::abs(cells[i].fill.green() - expected.green()) +
                          std::abs(cells[i].fill.blue() - expected.blue()),
                      6)
                << cells[i].tip.toStdString();
        }
    });
}

TEST(HoldingsJudged, cellsAreFilledAsFarAsTheTableSays) {
    int judgedCells = 0;
    everywhere([&](const DrawableRun& subject, const ViewState& state, QSizeF size) {
        const Scene scene = ownershipScene(subject, state, size);
        const ShownTable table{holdingsTable(subject, state)};
        std::map<std::pair<std::int64_t, std::int64_t>, std::vector<Shape>> cells;  // by rank and column
        for (const Shape& shape : shapesOf(scene, Meaning::Kind::block, Shape::Kind::rectangle))
            cells[{shape.meaning.second, shape.meaning.index}].push_back(shape);
        for (const auto& [place, shapes] : cells) {
            const auto& [rank, column] = place;
            const QString name = QString::fromStdString(subject.columns().name(static_cast<std::int32_t>(column)));
            const auto row = std::find_if(table.rows.begin(), table.rows.end(), [&](const QStringList& one) {
                return one[0] == QString::number(rank) && one[1] == name;
            });
            // A dot where nothing is and nothing has to come; else what is missing, below what is held.
            if (row == table.rows.end()) {
                EXPECT_LE(shapes.front().box.width(), 2);
                continue;
            }
            ++judgedCells;
            const double percent = numberIn((*row)[3].section(',', 0, 0)).value();
            const std::vector<Shape> filled = [&] {
                std::vector<Shape> all;
                for (const Shape& shape : shapes)
                    if (shape.fill.isValid() && shape.fill != paletteFor(state.dark).paper) all.push_back(shape);
                return all;
            }();
            if (percent == 0) {
                EXPECT_TRUE(filled.empty()) << row->join('|').toStdString();
            } else {
                ASSERT_FALSE(filled.empty()) << row->join('|').toStdString();
                const double whole = shapes.front().box.width();
                EXPECT_NEAR(100 * filled.front().box.width() / whole, percent < 100 ? percent : 100, 1.01)
                    << row->join('|').toStdString();
            }
        }
    });
    EXPECT_GT(judgedCells, 100);
}

TEST(SpaceTimeJudged, barsSayWhetherARankSendsOrReceives) {
    int judgedBars = 0;
    everywhere([&](const DrawableRun& subject, const ViewState& state, QSizeF size) {
        const Palette palette = paletteFor(state.dark);
        const TimeAxis axis = runTimelineAxis(subject, state, size);
        const engine::Messages& messages = subject.run().messages;
        for (const Shape& bar :
             shapesOf(runTimelineScene(subject, state, size), Meaning::Kind::rank, Shape::Kind::rectangle)) {
            if (bar.box.width() < 3 || bar.hatched) continue;
            const engine::Picoseconds middle = axis.time(bar.box.center().x());
            bool sends = false;
            bool receives = false;
            for (std::size_t i = 0; i < messages.size(); ++i) {
                const auto during = [&](engine::Picoseconds begin, engine::Picoseconds end) {
                    return begin <= middle && middle < end;
                };
                sends = sends || (messages.from()[i].value == bar.meaning.index &&
                                  during(messages.sendBegin()[i], messages.sendEnd()[i]));
                receives = receives || (messages.to()[i].value == bar.meaning.index &&
                                        during(messages.receiveBegin()[i], messages.receiveEnd()[i]));
            }
            if (!sends && !receives) continue;
            ++judgedBars;
            EXPECT_EQ(bar.fill, sends && receives ? palette.both
                                : sends           ? palette.sending
                                                  : palette.receiving)
                << "rank " << bar.meaning.index << " at " << middle.count();
        }
    });
    EXPECT_GT(judgedBars, 200);
}

}  // namespace
}  // namespace app::gui
