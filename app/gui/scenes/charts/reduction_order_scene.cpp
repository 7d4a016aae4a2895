// SPDX-License-Identifier: BSD-3-Clause
// How one result was bracketed: operands downwards in their order, rounds to the right; where two lines meet, one rank
// joins the upper with the lower.
#include "app/gui/scenes/common/chart_frame.hpp"
#include "app/gui/scenes/text/run_text.hpp"

#include <algorithm>
#include <map>

namespace app::gui {
namespace {

using analysis::ReductionTree;
using engine::Picoseconds;

constexpr double numbered = 6.5;  // radius of a mark that has room for its rank
constexpr double least = 1.5;
constexpr double tail = 12;  // of the line that leaves the last mark

/// The selected rank, else the first one with the largest result. Only in a scan results are of different sizes.
engine::Rank rankShown(const DrawableRun& subject, const ViewState& state) {
    if (state.rank) return *state.rank;
    const bool grows = subject.problem() && subject.problem()->collective == engine::Collective::scan;
    return grows ? engine::Rank{subject.run().ranks - 1} : subject.order().first();
}

/// What is drawn: the result of the rank shown; the part of it that the selected block begins with.
std::optional<ReductionTree> treeFor(const DrawableRun& subject, const ViewState& state) {
    const analysis::ReductionOrder& order = subject.order();
    const auto results = order.resultsOf(rankShown(subject, state));
    if (results.empty()) return std::nullopt;
    const engine::Bracketed* chosen = &results.front();
    if (state.block && *state.block < subject.columns().count() && subject.cutVectors()) {
        const engine::Bytes at = subject.columns().range(*state.block).begin;
        for (const engine::Bracketed& one : results)
            if (one.range.begin <= at && at < one.range.end) chosen = &one;
    }
    return order.treeOf(*chosen);
}

/// Why nothing can be drawn, as a sentence; empty when something can.
QString whyNone(const DrawableRun& subject, const ViewState& state) {
    const analysis::ReductionOrder& order = subject.order();
    if (!order.unknown().empty()) return QString::fromStdString(order.unknown());
    if (state.rank && order.resultsOf(*state.rank).empty())
        return QStringLiteral("Rank %1 gets no result.").arg(state.rank->value);
    return {};
}

/// Columns of marks: one a round, and more where a rank joins what it has just joined in the same round.
struct Places {
    std::vector<int> column;                   // by node; leaves have none
    std::vector<double> row;                   // by node; of a leaf its place among the operands
    std::map<engine::Round, QPointF> columns;  // first and last of every round in which something is joined
    int count = 0;

    explicit Places(const ReductionTree& tree) : column(tree.nodes.size(), -1), row(tree.nodes.size()) {
        for (std::size_t i = 0; i < tree.leaves.size(); ++i)
            row[engine::asSize(tree.leaves[i])] = static_cast<double>(i);
        std::vector<int> step(tree.nodes.size());
        std::map<engine::Round, int> steps;
        const auto after = [&](const ReductionTree::Node& node, std::int32_t operand) {
            const ReductionTree::Node& other = tree.nodes[engine::asSize(operand)];
            return other.isLeaf() || other.round != node.round ? 0 : step[engine::asSize(operand)] + 1;
        };
        for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
            const ReductionTree::Node& node = tree.nodes[i];
            if (node.isLeaf()) continue;
            row[i] = (row[engine::asSize(node.left)] + row[engine::asSize(node.right)]) / 2;
            step[i] = std::max(after(node, node.left), after(node, node.right));
            int& most = steps[node.round];
            most = std::max(most, step[i] + 1);
        }
        std::map<engine::Round, int> first;
        for (const auto& [round, inIt] : steps) {
            first[round] = count;
            columns[round] = QPointF(count, count + inIt - 1);
            count += inIt;
        }
        for (std::size_t i = 0; i < tree.nodes.size(); ++i)
            if (!tree.nodes[i].isLeaf()) column[i] = first[tree.nodes[i].round] + step[i];
    }
};

/// When the messages of a round that a rank got have all ended; nothing where none is known.
std::optional<Picoseconds> arrivedAt(const DrawableRun& subject, engine::Rank rank, engine::Round round) {
    const engine::Messages& messages = subject.run().messages;
    const auto all = subject.receivedBy(rank);
    std::optional<Picoseconds> latest;
    for (auto i = std::partition_point(all.begin(), all.end(), [&](auto m) { return messages.round()[m] < round; });
         i != all.end() && messages.round()[*i] == round; ++i)
        latest = std::max(latest.value_or(Picoseconds{}), messages.receiveEnd()[*i]);
    return latest;
}

QString partOf(const DrawableRun& subject, const ReductionTree& tree) {
    if (!subject.cutVectors()) return {};
    const std::int32_t first = subject.columns().numberAt(tree.range.begin);
    const std::int32_t last = subject.columns().numberAt(tree.range.end - 1);
    const QString blocks =
        first == last ? QStringLiteral("block %1").arg(first) : QStringLiteral("blocks %1 to %2").arg(first).arg(last);
    return QStringLiteral(", %1, bytes %2 to %3").arg(blocks).arg(tree.range.begin).arg(tree.range.end - 1);
}

QString sentenceOf(const DrawableRun& subject, const ReductionTree& tree, const Places& places) {
    const auto rounds = static_cast<std::int64_t>(places.columns.size());
    QString words = QStringLiteral("Rank %1%2: ").arg(tree.rank.value).arg(partOf(subject, tree));
    words += tree.leaves.size() == 1 ? QStringLiteral("one vector, nothing is combined")
                                     : QStringLiteral("%1 vectors, combined in %2 %3")
                                           .arg(tree.leaves.size())
                                           .arg(rounds)
                                           .arg(rounds == 1 ? QStringLiteral("round") : QStringLiteral("rounds"));
    if (const auto bits = subject.order().sameBits()) {
        const std::string_view same = inWords(*bits);
        words += QStringLiteral("; ") + QString::fromUtf8(same.data(), static_cast<qsizetype>(same.size()));
    }
    return words + '.';
}

Legend legendOf() {
    Legend legend;
    const auto mark = [](const QColor& fill, const QColor& pen) {
        return [fill, pen](SceneBuilder& pencil, const QRectF& box) {
            pencil.ellipse({box.center() - QPointF{4, 4}, QSizeF{8, 8}}, fill, pen).width = 1.5;
        };
    };
    const auto shown = [&](SceneBuilder& pencil, const QRectF& box, const auto& colours) {
        const auto& [fill, pen] = colours(pencil.palette());
        mark(fill, pen)(pencil, box);
    };
    legend.entry(
        QStringLiteral("combined, by the rank in the circle"), [shown](SceneBuilder& pencil, const QRectF& box) {
            shown(pencil, box, [](const Palette& palette) { return std::pair{palette.sending, palette.sending}; });
        });
    legend.entry(
        QStringLiteral("combined since the last round began"), [shown](SceneBuilder& pencil, const QRectF& box) {
            shown(pencil, box, [](const Palette& palette) { return std::pair{palette.sending, palette.accent}; });
        });
    legend.entry(QStringLiteral("not combined yet"), [shown](SceneBuilder& pencil, const QRectF& box) {
        shown(pencil, box, [](const Palette& palette) { return std::pair{palette.paper, palette.muted}; });
    });
    return legend;
}

void drawOperands(SceneBuilder& pencil, const DrawableRun& subject, const ReductionTree& tree, const ChartFrame& frame,
                  double pitch) {
    const std::int32_t step = labelStep(pitch, lineHeight(points::tiny));
    for (std::size_t i = 0; i < tree.leaves.size(); ++i) {
        const engine::Rank rank = tree.nodes[engine::asSize(tree.leaves[i])].rank;
        const double y = frame.plot.top() + (static_cast<double>(i) + 0.5) * pitch;
        const double radius = std::clamp(pitch / 2 - 1, least, 4.0);
        const Meaning meaning{Meaning::Kind::rank, rank.value, -1};
        const QString words = QStringLiteral("vector of rank %1").arg(rank.value);
        Shape& mark = pencil.ellipse({frame.plot.left(), y - radius, 2 * radius, 2 * radius},
                                     originColour(rank.value, subject.run().ranks, pencil.dark()));
        mark.meaning = meaning;
        mark.tip = words;
        if (static_cast<std::int32_t>(i) % step != 0) continue;
        Shape& number = pencil.text({frame.numbers, y}, Qt::AlignRight | Qt::AlignVCenter, QString::number(rank.value),
                                    points::tiny, pencil.palette().ink);
        number.meaning = meaning;
        number.tip = words;
    }
}

/// A border between what the rank of a result had and received, as data boundaries of End et al. 2016: behind the j-th
/// part of round l it is g_l[j], behind its own contribution g_0, behind all parts g_B.
struct Border {
    std::size_t operands = 0;  ///< before it
    QString name;
};

std::vector<Border> bordersOf(const ReductionTree& tree, const RoundsShown& shown) {
    struct Part {
        std::size_t end = 0;
        int round = 0;  ///< from 1; 0: its own
    };
    std::vector<Part> parts{{tree.leaves.size(), 0}};
    const auto leavesBelow = [&](auto self, std::int32_t at) -> std::size_t {
        const ReductionTree::Node& node = tree.nodes[engine::asSize(at)];
        return node.isLeaf() ? 1 : self(self, node.left) + self(self, node.right);
    };
    // From the last join of the rank down to its own contribution, which comes first.
    for (std::int32_t at = tree.top(); !tree.nodes[engine::asSize(at)].isLeaf();) {
        const ReductionTree::Node& node = tree.nodes[engine::asSize(at)];
        if (node.rank != tree.rank) break;
        parts.back().round = static_cast<int>(node.round.value) + 1;
        parts.push_back({leavesBelow(leavesBelow, node.left), 0});
        at = node.left;
    }
    std::reverse(parts.begin(), parts.end());
    const QString symbol = QString::fromStdString(shown.borders);
    std::vector<Border> borders;
    int inRound = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const Part& part = parts[i];
        if (shown.bordersTo > 0 && part.round > shown.bordersTo) break;
        inRound = i > 0 && parts[i - 1].round == part.round ? inRound + 1 : 1;
        borders.push_back({part.end, part.round == 0 ? symbol + QStringLiteral("_0")
                                     : i + 1 == parts.size()
                                         ? symbol + QStringLiteral("_B")
                                         : QStringLiteral("%1_%2[%3]").arg(symbol).arg(part.round).arg(inRound)});
    }
    return borders;
}

void drawBorders(SceneBuilder& pencil, const ReductionTree& tree, const ViewState& state, const ChartFrame& frame,
                 double pitch) {
    for (const Border& border : bordersOf(tree, state.rounds)) {
        const double y = frame.plot.top() + static_cast<double>(border.operands) * pitch;
        pencil.line({frame.numbers - 12, y}, {frame.plot.right(), y}, pencil.palette().accent).dashed = true;
        pencil.text({frame.plot.right(), y - 1}, Qt::AlignRight | Qt::AlignBottom, border.name, points::small,
                    pencil.palette().accent);
    }
}

}  // namespace

Scene bracketsScene(const DrawableRun& subject, const ViewState& state, QSizeF size) {
    if (state.veil) return sorry(hiddenWords(), state.dark, size);
    if (const QString why = whyNone(subject, state); !why.isEmpty()) return sorry(why, state.dark, size);
    const ReductionTree tree = treeFor(subject, state).value();
    const Places places{tree};
    Scene scene;
    SceneBuilder pencil{scene, state.dark};
    const Palette& palette = pencil.palette();
    scene.description = sentenceOf(subject, tree, places);
    const ChartFrame frame =
        chartFrame(pencil, size, scene.description, QStringLiteral("rank ") + QString::number(subject.run().ranks),
                   QStringLiteral("round"), legendOf());
    const double pitch = frame.plot.height() / static_cast<double>(tree.leaves.size());
    const double columns = (frame.plot.width() - tail) / std::max(places.count, 1);
    const double radius = std::clamp(std::min(columns, 2 * pitch) / 2 - 2, least, numbered + 1);
    const auto middle = [&](std::int32_t node) {
        const int column = places.column[engine::asSize(node)];
        return QPointF{column < 0 ? frame.plot.left() + std::clamp(pitch / 2 - 1, least, 4.0)
                                  : frame.plot.left() + (column + 0.5) * columns + 4,
                       frame.plot.top() + (places.row[engine::asSize(node)] + 0.5) * pitch};
    };
    const Picoseconds lately = subject.roundBegan(state.time);
    std::vector<std::optional<Picoseconds>> done(tree.nodes.size());
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        const ReductionTree::Node& node = tree.nodes[i];
        if (node.isLeaf()) continue;
        const auto at = arrivedAt(subject, node.rank, node.round);
        if (at && *at <= state.time) done[i] = at;
        const QPointF mark = middle(static_cast<std::int32_t>(i));
        const QColor pen = done[i] ? palette.ink : palette.faint;
        for (const std::int32_t operand : {node.left, node.right}) {
            const QPointF from = middle(operand);
            pencil.line(from, {mark.x(), from.y()}, pen);
            pencil.line({mark.x(), from.y()}, mark, pen);
        }
    }
    const QPointF top = middle(tree.top());
    pencil.line(top, {frame.plot.right(), top.y()},
                tree.nodes.size() == 1 || done.back() ? palette.ink : palette.faint);
    if (!state.rounds.borders.empty()) drawBorders(pencil, tree, state, frame, pitch);
    drawOperands(pencil, subject, tree, frame, pitch);
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        const ReductionTree::Node& node = tree.nodes[i];
        if (node.isLeaf()) continue;
        const QPointF mark = middle(static_cast<std::int32_t>(i));
        const QColor fill = done[i] ? palette.sending : palette.paper;
        const bool last = done[i] && (*done[i] > lately || *done[i] == state.time);
        Shape& circle = pencil.ellipse({mark - QPointF{radius, radius}, QSizeF{2 * radius, 2 * radius}}, fill,
                                       last      ? palette.accent
                                       : done[i] ? palette.sending
                                                 : palette.muted);
        circle.width = last ? 2 : 1;
        circle.meaning = {Meaning::Kind::rank, node.rank.value, -1};
        circle.tip =
            QStringLiteral("round %1: rank %2 combines %3 and %4")
                .arg(node.round.value + 1)
                .arg(node.rank.value)
                .arg(QString::fromStdString(tree.words(node.left)), QString::fromStdString(tree.words(node.right)));
        const QString number = QString::number(node.rank.value);
        if (radius >= numbered && sizeOf(number, points::tiny).width() <= 2 * radius)
            pencil.text(mark, Qt::AlignCenter, number, points::tiny, done[i] ? readableOn(fill) : palette.ink);
    }
    for (const auto& [round, span] : places.columns) {
        const double x = frame.plot.left() + ((span.x() + span.y()) / 2 + 0.5) * columns + 4;
        const QString number = QString::number(round.value + 1);
        const double half = sizeOf(number, points::tiny).width() / 2;
        const QRectF box{x - half, frame.plot.bottom() + 3, 2 * half, lineHeight(points::tiny)};
        if (pencil.freeOfText(box.adjusted(-3, 0, 6, 0)))
            pencil.text({x, box.top()}, Qt::AlignHCenter | Qt::AlignTop, number, points::tiny, palette.muted);
    }
    return scene;
}

Table bracketsTable(const DrawableRun& subject, const ViewState& state) {
    Table table = tableWith(
        {{"round", Content::round}, {"rank", Content::rank}, {"joins", Content::words, "combines"}, {"with"}});
    if (!whyNone(subject, state).isEmpty()) return table;
    const ReductionTree tree = treeFor(subject, state).value();
    std::vector<ReductionTree::Node> joins;
    std::copy_if(tree.nodes.begin(), tree.nodes.end(), std::back_inserter(joins),
                 [](const ReductionTree::Node& node) { return !node.isLeaf(); });
    std::stable_sort(joins.begin(), joins.end(), [](const auto& a, const auto& b) { return a.round < b.round; });
    for (const ReductionTree::Node& node : joins)
        table.rows.push_back(
            {engine::cell(node.round), engine::cell(node.rank), tree.words(node.left), tree.words(node.right)});
    return table;
}

}  // namespace app::gui
