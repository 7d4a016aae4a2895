// SPDX-License-Identifier: BSD-3-Clause
// The bounds as bars against their own table: what is drawn long must be said to be large, in the order in which it is
// said.
#include "app/gui/scenes/drawing/colours.hpp"
#include "app/gui/scenes/drawing/style.hpp"
#include "engine/base/text.hpp"
#include "tests/app/gui/scenes/scenes_judging.hpp"
#include "tests/app/gui/shown_table.hpp"

#include <array>
#include <map>
#include <set>

namespace app::gui {
namespace {

using engine::Picoseconds;

TEST(BoundsJudged, barsAndMarksStandWhereTheTableSays) {
    int bars = 0;
    everywhere([&](const DrawableRun& subject, const ViewState& state, QSizeF size) {
        const Palette palette = paletteFor(state.dark);
        const Scene scene = boundsScene(subject, state, size);
        const ShownTable table{boundsTable(subject, state)};
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            const auto part = [&](std::int64_t second) {
                return those(scene, [&](const Shape& shape) {
                    return shape.kind == Shape::Kind::rectangle &&
                           shape.meaning == Meaning{Meaning::Kind::bound, static_cast<std::int64_t>(row), second};
                });
            };
            const std::vector<Shape> grounds = part(-1);
            if (grounds.empty()) continue;
            ++bars;
            ASSERT_EQ(grounds.size(), 1U);
            const QRectF ground = grounds.front().box;
            const std::array<std::optional<double>, 3> values{
                numberIn(table.rows[row][1]), numberIn(table.rows[row][2]), numberIn(table.rows[row][3])};
            double largest = table.rows[row][1].endsWith('%') ? 100 : 0;
            for (const auto& value : values) largest = std::max(largest, value.value_or(0));
            const auto place = [&](double value) { return ground.left() + ground.width() * value / largest; };
            const double near = 1 + slack(ground.width());
            // This run: the bar.
            const std::vector<Shape> measured = those(scene, [&](const Shape& shape) {
                return shape.meaning == Meaning{Meaning::Kind::bound, static_cast<std::int64_t>(row), 0};
            });
            ASSERT_EQ(measured.size(), 1U);
            EXPECT_EQ(measured[0].fill, palette.sending);
            EXPECT_EQ(measured[0].box.left(), ground.left());
            EXPECT_NEAR(measured[0].box.right(), place(values[0].value()), near) << table.rows[row][0].toStdString();
            // Formula: a hollow mark. Bound: a line.
            const auto onBar = [&](double y) { return y > ground.top() - 3 && y < ground.bottom() + 3; };
            const std::vector<Shape> formula = those(scene, [&](const Shape& shape) {
                return shape.kind == Shape::Kind::ellipse && onBar(shape.box.center().y());
            });
            ASSERT_EQ(formula.size(), values[1] ? 1U : 0U);
            if (values[1]) {
                EXPECT_NEAR(formula[0].box.center().x(),
                            std::clamp(place(*values[1]), ground.left() + 4, ground.right() - 4), near)
                    << table.rows[row][0].toStdString();
            }
            const std::vector<Shape> bound = those(scene, [&](const Shape& shape) {
                return shape.kind == Shape::Kind::line && shape.pen == palette.accent &&
                       onBar((shape.from.y() + shape.to.y()) / 2);
            });
            ASSERT_EQ(bound.size(), values[2] ? 1U : 0U);
            if (values[2]) {
                EXPECT_NEAR(bound[0].from.x(), std::clamp(place(*values[2]), ground.left() + 1, ground.right() - 1),
                            near)
                    << table.rows[row][0].toStdString();
            }
            // The numbers above the bar, from left to right as in the table, below their heads.
            std::vector<Shape> words = those(scene, [&](const Shape& shape) {
                return shape.kind == Shape::Kind::text && (shape.align & Qt::AlignRight) != 0 &&
                       std::abs(shape.box.bottom() - ground.top()) < 9 && shape.box.top() < ground.top();
            });
            std::sort(words.begin(), words.end(),
                      [](const Shape& a, const Shape& b) { return a.box.right() < b.box.right(); });
            ASSERT_EQ(words.size(), 3U) << table.rows[row][0].toStdString();
            const bool isOneBlock = subject.report().limits && subject.report().limits->blocks == engine::Blocks::whole;
            const bool isShort =
                those(scene, [](const Shape& shape) { return shape.text == "one-block bound"; }).empty();
            const std::array<const char*, 3> heads{"this run", "formula",
                                                   !isOneBlock ? "bound"
                                                   : isShort   ? "one-block"
                                                               : "one-block bound"};
            for (std::size_t i = 0; i < 3; ++i) {
                EXPECT_EQ(words[i].text, table.rows[row][static_cast<qsizetype>(i) + 1]);
                const std::vector<Shape> head =
                    those(scene, [&](const Shape& shape) { return shape.text == QLatin1String{heads[i]}; });
                ASSERT_EQ(head.size(), 1U);
                EXPECT_NEAR(head[0].box.right(), words[i].box.right(), 0.5) << heads[i];
            }
            EXPECT_EQ(those(scene, [&](const Shape& shape) { return shape.text == table.rows[row][0]; }).size(), 1U);
        }
    });
    EXPECT_GT(bars, 60);
}

TEST(BoundsJudged, theTableSaysWhatTheReportKnows) {
    for (const DrawableRun& subject : judged()) {
        const auto& report = subject.report();
        const std::vector<QStringList> rows = ShownTable{boundsTable(subject, {})}.rows;
        ASSERT_EQ(rows.size(), 6U);
        const auto expect = [&](std::size_t row, qsizetype column, std::optional<double> value) {
            const auto found = numberIn(rows[row][column]);
            ASSERT_EQ(found.has_value(), value.has_value()) << rows[row].join('|').toStdString();
            if (value) {
                EXPECT_NEAR(*found, *value, slack(*value)) << rows[row].join('|').toStdString();
            }
        };
        const auto of = [](const auto& maybe, auto part) {
            return maybe ? std::optional{static_cast<double>(part(*maybe))} : std::nullopt;
        };
        engine::Bytes volume = 0;
        for (const engine::RoundTimes& round : subject.run().perRound) volume += round.largest;
        expect(0, 1, static_cast<double>(subject.run().rounds));
        expect(0, 2, of(report.predicted, [](const auto& cost) { return cost.startups; }));
        expect(0, 3, of(report.limits, [](const auto& limits) { return limits.held().rounds.value; }));
        expect(1, 1, static_cast<double>(subject.run().messageCount));
        expect(2, 1, static_cast<double>(volume));
        expect(2, 2, of(report.predicted, [](const auto& cost) { return cost.volume; }));
        expect(2, 3, of(report.limits, [](const auto& limits) { return limits.held().serializedBytes; }));
        std::map<std::pair<engine::Rank, bool>, engine::Bytes> ports;
        const engine::Messages& messages = subject.run().messages;
        for (std::size_t i = 0; i < messages.size(); ++i)
            for (const bool sends : {true, false})
                ports[{sends ? messages.from()[i] : messages.to()[i], sends}] += messages.bytes()[i];
        engine::Bytes busiest = 0;
        for (const auto& [port, bytes] : ports) busiest = std::max(busiest, bytes);
        expect(3, 1, static_cast<double>(busiest));
        expect(3, 3, of(report.limits, [](const auto& limits) { return limits.bounds.perRank; }));
        expect(4, 1, static_cast<double>(subject.run().duration.count()));
        expect(4, 2, of(report.predictedTime, [](Picoseconds time) { return time.count(); }));
        expect(4, 3, of(report.timeBound(), [](Picoseconds time) { return time.count(); }));
        expect(5, 1, std::round(1000 * engine::idleShare(subject.run())) / 10);
    }
}

TEST(BoundsJudged, sharesOfTheTimeStandInOrderAndAreAsLongAsTheyAreSaidToBe) {
    std::set<QString> seen;
    everywhere([&](const DrawableRun& subject, const ViewState& state, QSizeF size) {
        const auto& report = subject.report();
        if (!report.gap) return;
        const auto& gap = *report.gap;
        const std::vector<std::pair<QString, Picoseconds>> all{{"lower bound", *report.timeBound()},
                                                               {"extra startups", gap.extraRounds},
                                                               {"extra bytes", gap.extraBytes},
                                                               {"combining", gap.combining},
                                                               {"congestion", gap.congestion},
                                                               {"imbalance", gap.perturbation},
                                                               {"waiting", gap.waiting}};
        const Scene scene = boundsScene(subject, state, size);
        const std::vector<Shape> pieces = those(scene, [](const Shape& shape) {
            return shape.meaning == Meaning{Meaning::Kind::bound, 4, 1};
        });
        if (pieces.empty()) return;  // no room
        double whole = 0;
        for (const auto& [name, time] : all) whole += std::max(0.0, static_cast<double>(time.count()));
        const double left = pieces.front().box.left();
        const double width = size.width() - 2 * left;
        double x = left;
        auto piece = pieces.begin();
        std::vector<Shape> legend;  // the words of the shares, in reading order
        for (const auto& [name, time] : all) {
            if (time.count() == 0) continue;
            const QString told =
                (name == "lower bound" ? toQt(analysis::shortNameOfBound(report.limits->blocks)) : name) + ' ' +
                (time.count() < 0 ? QStringLiteral("\u2212") : QString{}) +
                timeInWords(time.count() < 0 ? -time : time);
            const std::vector<Shape> words = those(scene, [&](const Shape& shape) {
                return shape.kind == Shape::Kind::text && shape.text == told &&
                       shape.box.top() > pieces.front().box.top();
            });
            ASSERT_EQ(words.size(), 1U) << told.toStdString();
            // The mark beside the words has the colour of the piece; a share that won time has none.
            const std::vector<Shape> mark = those(scene, [&](const Shape& shape) {
                return shape.kind == Shape::Kind::rectangle && shape.box.right() <= words[0].box.left() &&
                       shape.box.right() > words[0].box.left() - 16 &&
                       std::abs(shape.box.center().y() - words[0].box.center().y()) < 4;
            });
            ASSERT_EQ(mark.size(), 1U) << name.toStdString();
            if (!legend.empty()) {
                EXPECT_TRUE(legend.back().box.bottom() <= words[0].box.top() + 2 ||
                            legend.back().box.right() < words[0].box.left())
                    << "in the order of the bar";
            }
            legend.push_back(words[0]);
            if (time.count() < 0) {
                EXPECT_FALSE(mark[0].fill.isValid());
                continue;
            }
            ASSERT_NE(piece, pieces.end()) << name.toStdString();
            seen.insert(name);
            EXPECT_EQ(piece->tip, name + ": " + timeInWords(time));
            EXPECT_EQ(mark[0].fill, piece->fill) << name.toStdString();
            const double wide = width * static_cast<double>(time.count()) / whole;
            EXPECT_NEAR(piece->box.left(), x, 0.01) << name.toStdString();
            EXPECT_NEAR(piece->box.width(), std::max(wide - 1, 0.5), 0.01) << name.toStdString();
            x += wide;
            ++piece;
        }
        EXPECT_EQ(piece, pieces.end());
        EXPECT_NEAR(x, left + width, 0.01) << "all of the bar";
        const double times =
            static_cast<double>(subject.run().duration.count()) / static_cast<double>(report.timeBound()->count());
        if (subject.run().duration != *report.timeBound()) {
            const bool isOneBlock = report.limits->blocks == engine::Blocks::whole;
            EXPECT_TRUE(says(scene, "The time is " + QString::fromStdString(engine::showNumber(times, 3)) +
                                        (isOneBlock ? " times the one-block bound" : " times the bound")));
        }
    });
    EXPECT_GE(seen.size(), 6U) << "nearly every share is seen";
}

/// In a card of any height that holds the table: what is not told is counted.
TEST(BoundsJudged, leaveNoSentenceOutWithoutAWord) {
    const DrawableRun subject = subjectOf(wishFor("allgatherv/linear-ring", 8));
    int counted = 0;
    for (double height = 250; height < 800; height += 3) {
        const Scene scene = boundsScene(subject, {}, {310, height});
        const bool all = says(scene, "Source: ");
        EXPECT_TRUE(all || says(scene, "More about the bounds")) << height;
        EXPECT_EQ(scene.crowded, !all) << height;
        counted += all ? 0 : 1;
    }
    EXPECT_GT(counted, 30);
    EXPECT_LT(counted, 150);
}

}  // namespace
}  // namespace app::gui
