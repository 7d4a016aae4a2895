// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/charts/tuning_map_scene.hpp"

#include "app/gui/scenes/common/chart_frame.hpp"
#include "app/gui/scenes/drawing/number_text.hpp"
#include "app/gui/scenes/drawing/to_qt.hpp"
#include "app/gui/scenes/text/run_text.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace app::gui {
namespace {

using engine::live::Called;

constexpr double betweenCells = 2;  // pixels between cells
constexpr double mostRow = 44;      // pixels
constexpr double mostColumn = 120;  // likewise

double gainOf(const tune::Tuned& one) { return one.gainOf(one.shown()).median; }

bool hasRule(const tune::Tuned& one) { return one.hasRule(one.shown()); }

/// An algorithm, whatever its segments.
QString nameOf(const tune::Tuned& one) {
    const std::string& name = one.cell.candidates[one.shown()].name;
    return toQt(name.substr(0, name.find(':')));
}

QString speedUpOf(const tune::Tuned& one) {
    return toQt(engine::showNumber(gainOf(one), 3)) + QStringLiteral("\u00d7");
}

/// Algorithms that are faster than the library's choice somewhere, in the order of their names.
QStringList algorithmsOf(const std::vector<tune::Tuned>& cases) {
    std::set<QString> names;
    for (const tune::Tuned& one : cases)
        if (one.shown() != 0) names.insert(nameOf(one));
    return {names.begin(), names.end()};
}

QColor colourOfAlgorithm(const QStringList& all, const tune::Tuned& one, bool dark) {
    return originColour(all.indexOf(nameOf(one)), std::max<qsizetype>(all.size(), 8), dark);
}

QString mapInWords(const std::vector<tune::Tuned>& cases) {
    std::int64_t rules = 0;
    const tune::Tuned* most = nullptr;
    for (const tune::Tuned& one : cases) {
        if (!hasRule(one)) continue;
        ++rules;
        if (most == nullptr || gainOf(one) > gainOf(*most)) most = &one;
    }
    QString words = QStringLiteral("%1 of %2 cases have a rule.").arg(rules).arg(cases.size());
    if (most != nullptr)
        words += QStringLiteral(" The largest measured speed-up over the library's choice is %1 (%2).")
                     .arg(speedUpOf(*most), toQt(titleOf(most->cell)));
    return words;
}

QString tipOf(const tune::Tuned& one) {
    QString words = QStringLiteral("%1: the library's choice takes %2")
                        .arg(toQt(titleOf(one.cell)), timeInSentence(one.verdict.usual));
    if (one.verdict.fastest != 0)
        words += QStringLiteral("; %1: %2")
                     .arg(toQt(toText(one.cell.candidates[one.verdict.fastest])), toQt(gainWords(one.verdict.gain)));
    if (one.checked) words += QStringLiteral("; with the file %1").arg(toQt(gainWords(*one.checked)));
    if (const std::size_t k = one.verdict.catalogue; k != 0)
        words += QStringLiteral("; of the catalogue %1: %2")
                     .arg(toQt(toText(one.cell.candidates[k])), toQt(gainWords(one.verdict.catalogueGain)));
    if (one.dropInChecked)
        words += QStringLiteral("; with the drop-in library %1").arg(toQt(gainWords(*one.dropInChecked)));
    return words;
}

Legend legendOf(const std::vector<tune::Tuned>& cases) {
    Legend legend;
    const QStringList all = algorithmsOf(cases);
    for (qsizetype i = 0; i < all.size(); ++i)
        legend.entry(all[i], [i, count = all.size()](SceneBuilder& pencil, const QRectF& box) {
            pencil.rectangle(box, originColour(i, std::max<qsizetype>(count, 8), pencil.dark()));
        });
    legend.entry(QStringLiteral("the library's choice"),
                 [](SceneBuilder& pencil, const QRectF& box) { pencil.rectangle(box, pencil.palette().groove); });
    if (std::ranges::any_of(cases, [](const tune::Tuned& one) { return one.shown() != 0 && !hasRule(one); }))
        legend.entry(QStringLiteral("faster, without a rule"), [](SceneBuilder& pencil, const QRectF& box) {
            pencil.rectangle(box, pencil.palette().paper, pencil.palette().ink).hatched = true;
        });
    return legend;
}

}  // namespace

Scene tuningMapScene(const std::vector<tune::Tuned>& cases, bool dark, QSizeF size) {
    if (cases.empty()) return sorry(QStringLiteral("No case was measured."), dark, size);
    Scene scene;
    SceneBuilder pencil{scene, dark};
    const Palette& palette = pencil.palette();
    scene.description = mapInWords(cases);
    std::set<engine::Bytes> sizes;
    std::map<Called, std::set<std::int64_t>> rows;
    std::int64_t mostRanks = 0;
    for (const tune::Tuned& one : cases) {
        sizes.insert(one.cell.bytes);
        rows[one.cell.called].insert(one.cell.ranks);
        mostRanks = std::max(mostRanks, one.cell.ranks);
    }
    const QString widest = QStringLiteral("%1 ranks").arg(mostRanks);
    const ChartFrame frame =
        chartFrame(pencil, size, scene.description, widest, QStringLiteral("bytes"), legendOf(cases));
    std::size_t lines = 0;
    for (const auto& [called, ranks] : rows) lines += ranks.size();
    const double title = lineHeight(points::normal) + 2;
    const double height = std::clamp(
        (frame.plot.height() - title * static_cast<double>(rows.size())) / static_cast<double>(lines), 4.0, mostRow);
    const double width = std::min(frame.plot.width() / static_cast<double>(sizes.size()), mostColumn);
    const QStringList algorithms = algorithmsOf(cases);
    std::map<std::pair<Called, std::int64_t>, double> tops;
    double y = frame.plot.top();
    for (const auto& [called, ranks] : rows) {
        pencil.text({frame.plot.left(), y}, Qt::AlignLeft | Qt::AlignTop, toQt(std::string{name(called)}),
                    points::normal, palette.ink, true);
        y += title;
        for (const std::int64_t count : ranks) {
            tops[{called, count}] = y;
            if (height >= lineHeight(points::tiny))
                pencil.text({frame.numbers, y + height / 2}, Qt::AlignRight | Qt::AlignVCenter,
                            QStringLiteral("%1 ranks").arg(count), points::tiny, palette.muted);
            y += height;
        }
    }
    const auto column = [&](engine::Bytes bytes) {
        return frame.plot.left() + width * static_cast<double>(std::distance(sizes.begin(), sizes.find(bytes)));
    };
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const tune::Tuned& one = cases[i];
        const QRectF box{column(one.cell.bytes), tops[{one.cell.called, one.cell.ranks}], width - betweenCells,
                         height - betweenCells};
        const bool faster = one.shown() != 0;
        const bool ruled = hasRule(one);
        const QColor colour = faster ? colourOfAlgorithm(algorithms, one, dark) : palette.groove;
        Shape& shape = pencil.rectangle(box, faster && !ruled ? mixed(palette.paper, colour, 0.35) : colour);
        if (faster && !ruled) {
            shape.pen = colour;
            shape.hatched = true;
        }
        shape.meaning = {Meaning::Kind::collective, static_cast<std::int64_t>(i), -1};
        shape.tip = tipOf(one);
        const QString words = speedUpOf(one);
        const QSizeF room = sizeOf(words, points::tiny);
        if (!ruled || room.width() > box.width() || room.height() > box.height()) continue;
        Shape& number = pencil.text(box.center(), Qt::AlignCenter, words, points::tiny, readableOn(colour));
        number.meaning = {Meaning::Kind::collective, static_cast<std::int64_t>(i), -1};
        number.tip = tipOf(one);
    }
    double behind = frame.plot.left() - 4;
    for (const engine::Bytes bytes : sizes) {
        const QString words = toQt(engine::showBytes(bytes));
        const double half = sizeOf(words, points::tiny).width() / 2;
        const double at = std::max(column(bytes) + (width - betweenCells) / 2, frame.plot.left() + half);
        if (at - half < behind + 4) continue;
        pencil.text({at, y + 2}, Qt::AlignHCenter | Qt::AlignTop, words, points::tiny, palette.muted);
        behind = at + half;
    }
    return scene;
}

Table tuningTable(const tune::Tuned& one) {
    Table table = tableWith({{"algorithm"},
                             {"measured_s", Content::time},
                             {"predicted_s", Content::time},
                             {"speed-up"},
                             {"95% interval"},
                             {"rounds", Content::count},
                             {"remark"}});
    for (std::size_t k = 0; k < one.cell.candidates.size(); ++k) {
        const tune::Candidate& candidate = one.cell.candidates[k];
        const tune::Tried tried = k < one.tried.size() ? one.tried[k] : tune::Tried{};
        table.rows.push_back({toText(candidate), tried.time ? engine::Cell{*tried.time} : engine::Cell{},
                              candidate.predicted.count() > 0 ? engine::Cell{candidate.predicted} : engine::Cell{}});
        std::vector<engine::Cell>& row = table.rows.back();
        if (tried.gain)
            row.insert(row.end(), {engine::showNumber(tried.gain->median, 3) + "\u00d7",
                                   engine::text(engine::showNumber(tried.gain->low, 3), " to ",
                                                engine::showNumber(tried.gain->high, 3)),
                                   tried.gain->rounds});
        row.resize(table.columns.size() - 1);
        row.push_back(engine::cell(remarkOn(one, k)));
    }
    return table;
}

}  // namespace app::gui
