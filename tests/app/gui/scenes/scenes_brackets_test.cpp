// SPDX-License-Identifier: BSD-3-Clause
// The order of reduction against its own table and against the brackets that the engine proves.
#include "app/gui/gui.hpp"
#include "app/gui/scenes/drawing/colours.hpp"
#include "app/gui/scenes/drawing/style.hpp"
#include "app/gui/scenes/picture/picture.hpp"
#include "engine/proof/bracketing.hpp"
#include "tests/app/gui/scenes/scenes_judging.hpp"
#include "tests/app/gui/shown_table.hpp"

namespace app::gui {
namespace {

const QSizeF canvas{640, 420};

DrawableRun reduced(const std::string& id, std::int64_t ranks, engine::Bytes size = 4096) {
    RunWish wish = wishFor(id, ranks);
    wish.problem.size = size;
    return subjectOf(wish);
}

std::vector<Shape> circlesOf(const Scene& scene) {
    return those(scene, [](const Shape& shape) {
        return shape.kind == Shape::Kind::ellipse && shape.tip.startsWith(QStringLiteral("round"));
    });
}

std::vector<Shape> operandsOf(const Scene& scene) {
    return those(scene, [](const Shape& shape) {
        return shape.kind == Shape::Kind::ellipse && shape.tip.startsWith(QStringLiteral("vector"));
    });
}

TEST(BracketsScene, joinsWhatItsTableSays) {
    for (const char* id :
         {"allreduce/ring", "allreduce/pairwise-exchange", "allreduce/binomial-tree", "allreduce/circulant",
          "allreduce/reduce-scatter-allgather", "reduce/flat", "reduce-scatter/ring", "scan/linear"})
        for (const std::int64_t ranks : {2, 5, 8}) {
            const DrawableRun subject = reduced(id, ranks);
            const ViewState state{.time = subject.run().duration, .rank = subject.order().first()};
            const Scene scene = bracketsScene(subject, state, canvas);
            const ShownTable table{bracketsTable(subject, state)};
            const std::vector<Shape> joins = circlesOf(scene);
            ASSERT_EQ(joins.size(), table.rows.size()) << id;
            EXPECT_EQ(operandsOf(scene).size(), table.rows.size() + 1) << id;
            for (const QStringList& row : table.rows) {
                const QString tip =
                    QStringLiteral("round %1: rank %2 combines %3 and %4").arg(row[0], row[1], row[2], row[3]);
                EXPECT_EQ(std::count_if(joins.begin(), joins.end(), [&](const Shape& join) { return join.tip == tip; }),
                          1)
                    << id << ": " << tip.toStdString();
            }
            // Later rounds stand to the right.
            for (const Shape& a : joins)
                for (const Shape& b : joins) {
                    const auto round = [](const Shape& join) { return join.tip.mid(6).section(':', 0, 0).toInt(); };
                    if (round(a) < round(b)) {
                        EXPECT_LT(a.box.center().x(), b.box.center().x());
                    }
                }
        }
}

/// Operands from top to bottom are the leaves of what `show` and `verify` call the brackets of that element.
TEST(BracketsScene, listsOperandsInTheirOrder) {
    for (const char* id :
         {"allreduce/ring", "allreduce/reduce-scatter-allgather", "allreduce/circulant", "reduce/chain"}) {
        const DrawableRun subject = reduced(id, 6);
        const engine::Plan& plan = *subject.report().plan;
        const engine::Bracketing found = bracketingOf(*plan.schedule, plan.problem);
        for (const engine::Bracketed& one : found.results) {
            const std::int32_t block = subject.cutVectors() ? subject.columns().columnAt(one.range.begin) : 0;
            const ViewState state{.rank = one.rank, .block = block};
            std::vector<Shape> operands = operandsOf(bracketsScene(subject, state, canvas));
            std::sort(operands.begin(), operands.end(),
                      [](const Shape& a, const Shape& b) { return a.box.center().y() < b.box.center().y(); });
            std::vector<std::int32_t> ranks;
            for (const Shape& operand : operands) ranks.push_back(static_cast<std::int32_t>(operand.meaning.index));
            EXPECT_EQ(ranks, found.brackets.leaves(one.expression)) << id << " on rank " << one.rank.value;
            const ShownTable table{bracketsTable(subject, state)};
            const QString top = QStringLiteral("(%1 %2)").arg(table.rows.back()[2], table.rows.back()[3]);
            EXPECT_EQ(top.toStdString(), found.brackets.words(one.expression)) << id;
        }
    }
}

TEST(BracketsScene, growsWithTheCursor) {
    const DrawableRun subject = reduced("allreduce/pairwise-exchange", 8);
    const auto joined = [&](engine::Picoseconds time) {
        const std::vector<Shape> circles = circlesOf(bracketsScene(subject, {.time = time}, canvas));
        return std::count_if(circles.begin(), circles.end(),
                             [](const Shape& circle) { return circle.fill == paletteFor(false).sending; });
    };
    EXPECT_EQ(joined({}), 0);
    EXPECT_EQ(joined(subject.stops()[1]), 4);
    EXPECT_EQ(joined(subject.stops()[2]), 6);
    EXPECT_EQ(joined(subject.run().duration), 7);
}

/// Rank 0 of 9 has its own vector, then those that two ranks send it in each of two rounds.
TEST(BracketsScene, drawsBordersBetweenWhatARankReceivedWhereAsked) {
    RunWish wish = wishFor("allreduce/dissemination", 9);
    wish.problem.ports = 2;
    wish.options = {{"n", "2"}};
    const DrawableRun subject = subjectOf(wish);
    const auto borders = [&](std::string symbol, std::int64_t to) {
        const Scene scene = bracketsScene(
            subject, {.rank = engine::Rank{0}, .rounds = {.borders = std::move(symbol), .bordersTo = to}}, canvas);
        std::map<double, std::string> found;
        for (const Shape& shape : scene.shapes)
            if (shape.kind == Shape::Kind::text && shape.text.contains(QStringLiteral("_")))
                found[shape.box.bottom()] = shape.text.toStdString();
        std::string words;
        for (const auto& [height, name] : found) words += name + ' ';
        return words;
    };
    EXPECT_EQ(borders("", 0), "");
    EXPECT_EQ(borders("g", 0), "g_0 g_1[1] g_1[2] g_2[1] g_B ");
    EXPECT_EQ(borders("g^2", 1), "g^2_0 g^2_1[1] g^2_1[2] ");
}

TEST(BracketsScene, saysWhyThereIsNothingToSee) {
    const auto words = [](const DrawableRun& subject, const ViewState& state) {
        return bracketsScene(subject, state, canvas).description.toStdString();
    };
    EXPECT_EQ(words(subjectOf(wishFor("bcast/flat", 4)), {}),
              "Nothing is reduced here: Broadcast combines no vectors.");
    EXPECT_EQ(words(DrawableRun{analysis::reportOn(std::make_shared<const engine::Run>(strangeRun()))}, {}),
              "It is not known which problem these messages solve.");
    const DrawableRun reduce = reduced("reduce/chain", 4);
    EXPECT_EQ(words(reduce, {.rank = engine::Rank{2}}), "Rank 2 gets no result.");
    EXPECT_EQ(words(reduce, {}), "Rank 0: 4 vectors, combined in 3 rounds.");
    EXPECT_EQ(words(reduce, {.veil = engine::Picoseconds{1}}), hiddenWords().toStdString());
    EXPECT_EQ(words(reduced("scan/linear", 4), {.rank = engine::Rank{0}}), "Rank 0: one vector, nothing is combined.");
    EXPECT_EQ(words(reduced("allreduce/binomial-tree", 300), {}), "Sums of 300 vectors are too large to be drawn.");
    EXPECT_EQ(
        words(reduced("allreduce/ring", 4), {.rank = engine::Rank{1}, .block = 2}),
        "Rank 1, block 2, bytes 2048 to 3071: 4 vectors, combined in 3 rounds; results are bitwise identical on all ranks, with "
        "floating-point rounding too.");
}

TEST(BracketsScene, cutsNoTextAndLetsNoneOverlap) {
    for (const char* id : {"allreduce/ring", "allreduce/pairwise-exchange", "allreduce/reduce-scatter-allgather",
                           "reduce/flat", "allreduce/circulant"})
        for (const std::int64_t ranks : {2, 7, 16, 100}) {
            const DrawableRun subject = reduced(id, ranks, 65536);
            for (const QSizeF size : {QSizeF{200, 200}, QSizeF{320, 220}, QSizeF{640, 480}, QSizeF{300, 500}})
                EXPECT_EQ(quarrelsIn(bracketsScene(subject, {.time = subject.run().duration / 2}, size), size), "")
                    << id << ' ' << ranks << " at " << size.width() << 'x' << size.height();
        }
}

/// x0 o x1 of a scan is not x1 o x0 where the operation does not commute.
TEST(PartialsScene, writesOperandsInTheOrderOfCombining) {
    const DrawableRun scan = reduced("scan/binomial-tree", 8);
    const ShownTable table{partialsTable(scan, {})};
    EXPECT_EQ(table.columns.mid(0, 3), (QStringList{"Rank", "Start", "Round 1"}));
    EXPECT_EQ(table.rows[1][2], QString::fromUtf8("S₁¹ = x₀ ∘ x₁"));
    EXPECT_EQ(table.rows[3][3], QString::fromUtf8("S₂³ = S₁¹ ∘ S₁³"));
    EXPECT_TRUE(partialsScene(scan, {}, canvas).description.contains("Operands are in the order of combining."));
}

/// A rank of a scan keeps the total of its group beside its result.
TEST(PartialsScene, showsResultsBesideTotalsOfGroups) {
    const auto last = [](const DrawableRun& subject) {
        const ShownTable table{partialsTable(subject, {})};
        QStringList words{table.columns.back()};
        for (const auto& row : table.rows) words << row.back();
        return words;
    };
    EXPECT_EQ(last(reduced("scan/recursive-doubling", 4)),
              (QStringList{"Result", QString::fromUtf8("x₀"), QString::fromUtf8("x₀ ∘ x₁"),
                           QString::fromUtf8("x₀ ∘ x₁ ∘ x₂"), QString::fromUtf8("x₀ ∘ … ∘ x₃")}));
    EXPECT_NE(last(reduced("allreduce/butterfly", 8)).front(), "Result");
}

/// The result of rank 0 is its own vector, and nothing is combined.
TEST(BracketsScene, showsTheRankWithTheLargestResult) {
    const Scene scene = bracketsScene(reduced("scan/recursive-doubling", 7), {}, canvas);
    EXPECT_TRUE(scene.description.startsWith("Rank 6: 7 vectors, ")) << scene.description.toStdString();
}

}  // namespace
}  // namespace app::gui
