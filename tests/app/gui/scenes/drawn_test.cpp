// SPDX-License-Identifier: BSD-3-Clause
// Figures of papers that are pictures: what is drawn is what the print shows. Expected messages are worked out by hand
// from the papers' algorithms, or read off the figures.
#include "app/cli/figures/figure_drawn.hpp"
#include "app/gui/scenes/picture/picture.hpp"
#include "engine/base/text.hpp"
#include "tests/app/gui/scenes/scenes_support.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace app::gui {
namespace {

constexpr QSizeF canvas{900, 700};

/// One panel, drawn.
struct Drawing {
    std::shared_ptr<const DrawableRun> subject;
    Scene scene;

    [[nodiscard]] std::set<std::int64_t> indices(Meaning::Kind kind) const {
        std::set<std::int64_t> found;
        for (const Shape& shape : scene.shapes)
            if (shape.meaning.kind == kind) found.insert(shape.meaning.index);
        return found;
    }
    /// "0>1" for each message drawn of a round, from 1, or of all rounds (0); rising.
    [[nodiscard]] std::string messages(std::int64_t round = 0, bool blocks = false) const {
        std::set<std::pair<std::pair<int, int>, std::string>> pairs;
        for (const std::int64_t index : indices(Meaning::Kind::message)) {
            const auto i = static_cast<std::size_t>(index);
            const engine::MessageRecord message = subject->run().messages[i];
            if (round > 0 && message.round.value + 1 != round) continue;
            pairs.insert({{message.from.value, message.to.value},
                          blocks ? ":" + std::to_string(subject->columnOf(i)) : std::string{}});
        }
        std::string words;
        for (const auto& [pair, block] : pairs)
            words += (words.empty() ? "" : " ") + engine::text(pair.first, '>', pair.second, block);
        return words;
    }
    [[nodiscard]] std::size_t arrows() const {
        return shapesOf(scene, Meaning::Kind::message, Shape::Kind::arrow).size();
    }
    /// Texts beside the marks of a rank.
    [[nodiscard]] std::vector<std::string> heldBy(std::int64_t rank, std::int64_t round) const {
        std::vector<std::string> words;
        for (const Shape& shape : shapesOf(scene, Meaning::Kind::rank, Shape::Kind::text))
            if (shape.meaning == Meaning{Meaning::Kind::rank, rank, round - 1})
                words.push_back(shape.text.toStdString());
        return words;
    }
};

cli::FigureResult madeOf(std::string_view paper, std::string_view name) {
    for (const figures::Paper& one : figures::papers())
        for (const figures::Item& item : one.items)
            if (one.name == paper && item.name == name) return {.paper = &one, .item = &item};
    throw engine::Error{"no such item"};
}

/// Items that are pictures.
std::vector<cli::FigureResult> allDrawn() {
    std::vector<cli::FigureResult> all;
    for (const figures::Paper& paper : figures::papers())
        for (const figures::Item& item : paper.items)
            if (!item.drawn.panels.empty()) all.push_back({.paper = &paper, .item = &item});
    return all;
}

std::vector<Drawing> drawings(std::string_view paper, std::string_view name) {
    std::vector<Drawing> drawn;
    for (const Panel& panel : cli::drawnPanelsOf(madeOf(paper, name)).panels) {
        auto subject = std::make_shared<const DrawableRun>(panel.trace.report);
        Scene scene = viewNamed(panel.picture.view).scene(*subject, stateOf(*subject, panel.picture), canvas);
        drawn.push_back({std::move(subject), std::move(scene)});
    }
    return drawn;
}

TEST(Drawn, hasAPictureForEachItemThatIsOne) {
    std::set<std::string> names;
    for (const cli::FigureResult& made : allDrawn()) {
        EXPECT_TRUE(made.item->panels.empty()) << made.name() << " has a chart";
        EXPECT_TRUE(names.insert(made.name()).second) << made.name();
    }
    EXPECT_EQ(names.size(), 17U);
}

TEST(Drawn, keepsTextsApart) {
    for (const cli::FigureResult& made : allDrawn()) {
        const Panels panels = cli::drawnPanelsOf(made);
        EXPECT_EQ(quarrelsIn(panelsScene(panels, false, {1600, 1000}), {1600, 1000}), "") << made.name();
        EXPECT_EQ(panelsInSvg(panels).rfind("<svg", 0), 0U);
    }
}

/// Nodes of 1, 5, 2, 1, 1, 1 ranks: one message into and one out of each.
TEST(Drawn, traff2010Figure1) {
    const auto drawn = drawings("traff2010", "fig1");
    ASSERT_EQ(drawn.size(), 1U);
    const std::vector<int> nodeOf{0, 1, 1, 1, 1, 1, 2, 2, 3, 4, 5};
    std::map<int, int> in;
    std::map<int, int> out;
    for (const std::int64_t index : drawn[0].indices(Meaning::Kind::message)) {
        const engine::MessageRecord message = drawn[0].subject->run().messages[static_cast<std::size_t>(index)];
        EXPECT_EQ(message.to.value, (message.from.value + 1) % 11);
        const int from = nodeOf[message.from.index()];
        const int to = nodeOf[message.to.index()];
        if (from != to) ++out[from], ++in[to];
    }
    EXPECT_EQ(in, (std::map<int, int>{{0, 1}, {1, 1}, {2, 1}, {3, 1}, {4, 1}, {5, 1}}));
    EXPECT_EQ(out, in);
    EXPECT_EQ(drawn[0].indices(Meaning::Kind::rank).size(), 11U);
}

/// b_i = 2, 2, 2, 1, 1, 1: r = 9 - 1 rounds. 6 ranks need the 5 contributions that are not empty, and have their own.
TEST(Drawn, traff2010Figure2) {
    const auto drawn = drawings("traff2010", "fig2");
    ASSERT_EQ(drawn.size(), 4U);
    EXPECT_EQ(drawn[1].messages(), "0>1 1>2 2>3 3>4 4>5 5>0");
    EXPECT_EQ(drawn[3].subject->run().rounds, 8);
    EXPECT_TRUE(says(drawn[0].scene, QStringLiteral("5 of 30"))) << drawn[0].scene.description.toStdString();
    EXPECT_TRUE(says(drawn[3].scene, QStringLiteral("30 of 30"))) << drawn[3].scene.description.toStdString();
}

/// 9 blocks go to 5 ranks each; 3 empty ones may, too.
TEST(Drawn, traff2010Figure3) {
    const auto drawn = drawings("traff2010", "fig3");
    ASSERT_EQ(drawn.size(), 2U);
    EXPECT_EQ(drawn[0].subject->run().rounds, 11);
    EXPECT_EQ(drawn[1].subject->run().rounds, 9);
    EXPECT_EQ(drawn[1].arrows(), 45U);
    EXPECT_EQ(drawn[1].messages(1), "0>1 2>3 4>5");
}

/// Linear ring, 32 ranks: 31 transfers one after the other, so that 62 of 32 * 31 steps are busy. Pipelined in 32
/// blocks: 62 steps, of which rank 0 and the last one are busy in 32 and the others in 33.
TEST(Drawn, traff2010Figure8) {
    const auto drawn = drawings("traff2010", "fig8");
    ASSERT_EQ(drawn.size(), 2U);
    EXPECT_NEAR(engine::idleShare(drawn[0].subject->run()), 1 - 62.0 / (32 * 31), 0.01);
    EXPECT_NEAR(engine::idleShare(drawn[1].subject->run()), 1 - (2 * 32.0 + 30 * 33) / (32 * 62), 0.01);
    for (const Drawing& one : drawn) EXPECT_EQ(one.indices(Meaning::Kind::rank).size(), 32U);
}

TEST(Drawn, hasanov2014Figures) {
    const auto flat = drawings("hasanov2014", "fig1");
    ASSERT_EQ(flat.size(), 1U);
    EXPECT_EQ(flat[0].messages(), "0>1 0>2 0>3 0>4 0>5 0>6 0>7 0>8 0>9 0>10 0>11");
    const auto steps = drawings("hasanov2014", "fig2");
    ASSERT_EQ(steps.size(), 2U);
    EXPECT_EQ(steps[0].messages(), "0>4 0>8");
    EXPECT_EQ(steps[1].messages(), "0>1 0>2 0>3 4>5 4>6 4>7 8>9 8>10 8>11");
    for (const Drawing& step : steps) {
        std::set<std::int64_t> leaders;  // are wider than high
        for (const Shape& mark : shapesOf(step.scene, Meaning::Kind::rank, Shape::Kind::ellipse))
            if (mark.box.width() > mark.box.height() + 1) leaders.insert(mark.meaning.index);
        EXPECT_EQ(leaders, (std::set<std::int64_t>{0, 4, 8}));
    }
}

/// Rank a of subgroup j and b_j exchange in round i, where a is the i-th of its subgroup.
TEST(Drawn, kang2019Figures1And2) {
    const auto even = drawings("kang2019", "fig1");
    ASSERT_EQ(even.size(), 1U);
    EXPECT_EQ(even[0].messages(1), "0>6 3>7 6>0 7>3");
    EXPECT_EQ(even[0].messages(2), "1>6 4>7 6>1 7>4");
    EXPECT_EQ(even[0].messages(3), "2>6 5>7 6>2 7>5");
    EXPECT_EQ(even[0].heldBy(6, 4), std::vector<std::string>{"0 1 2 6"});
    EXPECT_EQ(even[0].heldBy(0, 4), (std::vector<std::string>{"0", "(6)"}));
    const auto uneven = drawings("kang2019", "fig2");
    ASSERT_EQ(uneven.size(), 1U);
    EXPECT_EQ(uneven[0].messages(1), "0>8 3>9 6>10 8>0 9>3 10>6");
    EXPECT_EQ(uneven[0].messages(2), "1>8 4>9 7>10 8>1 9>4 10>7");
    EXPECT_EQ(uneven[0].messages(3), "2>8 5>9 8>2 9>5");
}

/// A: 0, 400, 800, 1200, 1600, 2000 bytes, halves of 3000: rank 4 has 600 of the first. B: 2000 bytes of rank 7.
TEST(Drawn, kang2019Figure3) {
    const auto drawn = drawings("kang2019", "fig3");
    ASSERT_EQ(drawn.size(), 2U);
    EXPECT_EQ(drawn[0].messages(), "1>6 2>6 3>6 4>6 4>7 5>7");
    EXPECT_EQ(drawn[1].messages(), "7>0 7>1 7>2 7>3 7>4 7>5");
}

TEST(Drawn, kangHalfDuplexFigure1) {
    const auto drawn = drawings("kang-half-duplex", "fig1");
    ASSERT_EQ(drawn.size(), 4U);
    EXPECT_EQ(drawn[0].messages(), "0>6 1>7");
    for (const std::int64_t index : drawn[1].indices(Meaning::Kind::message)) {
        const engine::MessageRecord message = drawn[1].subject->run().messages[static_cast<std::size_t>(index)];
        EXPECT_TRUE(message.from.value >= 2 && message.to.value >= 2) << "a_0 and a_1 have finished";
    }
    EXPECT_EQ(drawn[1].arrows(), 18U);  // 6 ranks, lg 6 rounds
    EXPECT_EQ(drawn[2].messages(0, true), "0>2:0 0>4:0 1>3:1 1>5:1 4>6:0 5>7:1");
    EXPECT_EQ(drawn[3].messages(0, true), "2>3:0 3>2:1 4>5:0 5>4:1 6>7:0 7>6:1");
}

/// Algorithm 3 with p = 4, q = 6 (figure 2), and Algorithm 1 with p = 6, q = 4 (figure 3), whose sequence 1 holds
/// m_2 to m_5.
TEST(Drawn, kangHalfDuplexFigures2And3) {
    const auto fewer = drawings("kang-half-duplex", "fig2");
    ASSERT_EQ(fewer.size(), 1U);
    EXPECT_EQ(fewer[0].indices(Meaning::Kind::round).size(), 7U);
    EXPECT_EQ(fewer[0].messages(1, true), "0>9:0 1>0:1 2>3:2 3>4:3");
    EXPECT_EQ(fewer[0].messages(2, true), "0>9:1 1>2:1 2>1:2 3>4:2 4>5:3 9>8:0");
    EXPECT_EQ(fewer[0].heldBy(0, 1), std::vector<std::string>{"0"});
    EXPECT_EQ(fewer[0].heldBy(9, 2), std::vector<std::string>{"0"});
    EXPECT_EQ(fewer[0].heldBy(9, 3), std::vector<std::string>{"0 1"});
    const auto more = drawings("kang-half-duplex", "fig3");
    ASSERT_EQ(more.size(), 1U);
    EXPECT_EQ(more[0].indices(Meaning::Kind::round).size(), 8U);
    EXPECT_EQ(more[0].messages(1, true), "0>9:0 1>0:1 2>3:2 3>4:3 4>5:4 5>6:5");
}

/// The rows of the marks at the left, from above: their numbers.
std::string rowsOf(const Scene& scene) {
    std::map<double, std::pair<double, std::string>> leftmost;  // by height
    for (const Shape& shape : shapesOf(scene, Meaning::Kind::rank, Shape::Kind::text)) {
        const QPointF at = shape.box.center();
        const auto [row, first] = leftmost.try_emplace(std::round(at.y()), at.x(), shape.text.toStdString());
        if (!first && at.x() < row->second.first) row->second = {at.x(), shape.text.toStdString()};
    }
    std::string words;
    for (const auto& [height, mark] : leftmost) words += mark.second;
    return words;
}

/// Virtual processes 5, 6, 7 are played by ranks 0, 1, 2: 8 rows, of which those that differ in bit l swap in round l.
TEST(Drawn, end2016Figure1) {
    const auto drawn = drawings("end2016", "fig1");
    ASSERT_EQ(drawn.size(), 2U);
    EXPECT_EQ(rowsOf(drawn[0].scene), "01234012");
    const std::vector<Shape> arrows = shapesOf(drawn[0].scene, Meaning::Kind::message, Shape::Kind::arrow);
    ASSERT_EQ(arrows.size(), 24U);
    const std::vector<Shape> marks = shapesOf(drawn[0].scene, Meaning::Kind::rank, Shape::Kind::ellipse);
    ASSERT_EQ(marks.size(), 32U);
    const auto markAt = [&](QPointF at) {
        const auto near = [&](const Shape& mark) { return QLineF{mark.box.center(), at}.length(); };
        return static_cast<int>(std::min_element(marks.begin(), marks.end(),
                                                 [&](const Shape& a, const Shape& b) { return near(a) < near(b); }) -
                                marks.begin());
    };
    for (const Shape& arrow : arrows) {
        const int from = markAt(arrow.from);
        const int to = markAt(arrow.to);
        EXPECT_EQ(to / 8, from / 8 + 1);
        EXPECT_EQ((from % 8) ^ (to % 8), 1 << from / 8) << from << ' ' << to;
    }
    EXPECT_EQ(rowsOf(drawn[1].scene), "01234");
    EXPECT_EQ(drawn[1].messages(1), "4>0");
    EXPECT_EQ(drawn[1].messages(2), "0>1 1>0 2>3 3>2");
    EXPECT_EQ(drawn[1].messages(3), "0>2 1>3 2>0 3>1");
    EXPECT_EQ(drawn[1].messages(4), "0>4");
}

/// Peers p + 1, p + 2, then p + 3 with all 3 contributions, or adapted with 2. (To p + 6 = p + 1 nothing new could go.)
TEST(Drawn, end2016Figure2) {
    const auto drawn = drawings("end2016", "fig2");
    ASSERT_EQ(drawn.size(), 2U);
    const std::string first = "0>1 0>2 1>2 1>3 2>3 2>4 3>0 3>4 4>0 4>1";
    EXPECT_EQ(drawn[0].messages(1), first);
    EXPECT_EQ(drawn[0].messages(2), "0>3 1>4 2>0 3>1 4>2");
    EXPECT_EQ(drawn[1].messages(1), first);
    EXPECT_EQ(drawn[1].messages(2), "0>3 1>4 2>0 3>1 4>2");
    for (const std::size_t side : {0U, 1U})
        for (std::size_t i = 10; i < 15; ++i)
            EXPECT_EQ(drawn[side].subject->cargoOf(i),
                      side == 0 ? QStringLiteral("\u03a33") : QStringLiteral("\u03a32"));
}

/// The vectors downwards in the order of the print, and who has combined after round 1.
TEST(Drawn, end2016Figure3) {
    const auto drawn = drawings("end2016", "fig3");
    ASSERT_EQ(drawn.size(), 2U);
    const auto leavesOf = [](const Scene& scene) {
        std::map<double, std::string> found;
        for (const Shape& shape : shapesOf(scene, Meaning::Kind::rank, Shape::Kind::text))
            if (shape.tip.startsWith(QStringLiteral("vector of")))
                found[shape.box.center().y()] = shape.text.toStdString();
        std::string words;
        for (const auto& [height, number] : found) words += number;
        return words;
    };
    EXPECT_EQ(leavesOf(drawn[0].scene), "07654321");  // rank 2 sends x2, x1 alone
    EXPECT_EQ(leavesOf(drawn[1].scene), "21076543");
    for (const Drawing& one : drawn) {
        int done = 0;
        int open = 0;
        for (const Shape& shape : shapesOf(one.scene, Meaning::Kind::rank, Shape::Kind::ellipse)) {
            if (!shape.tip.startsWith(QStringLiteral("round"))) continue;
            ++(shape.fill == paletteFor(false).sending ? done : open);
        }
        EXPECT_EQ(done, 5);  // x0 x7 x6, x5 x4 x3 and x2 x1
        EXPECT_EQ(open, 2);
    }
    const auto bordersOf = [](const Scene& scene) {
        std::map<double, std::string> found;
        for (const Shape& shape : scene.shapes)
            if (shape.kind == Shape::Kind::text && shape.text.startsWith(QStringLiteral("g")))
                found[shape.box.bottom()] = shape.text.toStdString();
        std::string words;
        for (const auto& [height, name] : found) words += name + ' ';
        return words;
    };
    EXPECT_EQ(bordersOf(drawn[0].scene), "g_0 g_1[1] g_1[2] g_2[1] g_B ");
    EXPECT_EQ(bordersOf(drawn[1].scene), "g^2_0 g^2_1[1] g^2_1[2] ");
}

/// P = 8, n = 2: both rounds send to two peers.
TEST(Drawn, end2016Figure4) {
    const auto drawn = drawings("end2016", "fig4");
    ASSERT_EQ(drawn.size(), 1U);
    EXPECT_EQ(rowsOf(drawn[0].scene), "01234567");
    EXPECT_EQ(drawn[0].arrows(), 32U);
    EXPECT_EQ(drawn[0].subject->run().rounds, 2);
}

QString indexed(int number, bool raised) {
    return QStringLiteral(
        "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"
        "\u2080\u2081\u2082\u2083\u2084\u2085\u2086\u2087\u2088\u2089")[number + (raised ? 0 : 10)];
}

/// Row p: S_1^p = x_p o x_(p-1) o x_(p-2), S_2^p = S_1^p o S_1^(p-3) o S_1^(p-6).
TEST(Drawn, end2016Table1) {
    const auto drawn = drawings("end2016", "tab1");
    ASSERT_EQ(drawn.size(), 2U);
    for (const int ranks : {9, 8}) {
        const Scene& scene = drawn[ranks == 9 ? 0 : 1].scene;
        const auto back = [&](int p, int by) { return (p + 2 * ranks - by) % ranks; };
        const auto x = [&](int p) { return 'x' + indexed(p, false); };
        const auto s = [&](int round, int p) { return 'S' + indexed(round, false) + indexed(p, true); };
        const QString o = QStringLiteral(" \u2218 ");
        for (int p = 0; p < ranks; ++p) {
            std::set<std::string> row;
            for (const Shape& shape : shapesOf(scene, Meaning::Kind::rank, Shape::Kind::text))
                if (shape.meaning.index == p) row.insert(shape.text.toStdString());
            EXPECT_EQ(row,
                      (std::set<std::string>{
                          std::to_string(p), x(p).toStdString(),
                          (s(1, p) + " = " + x(p) + o + x(back(p, 1)) + o + x(back(p, 2))).toStdString(),
                          (s(2, p) + " = " + s(1, p) + o + s(1, back(p, 3)) + o + s(1, back(p, 6))).toStdString()}));
        }
    }
}

}  // namespace
}  // namespace app::gui
