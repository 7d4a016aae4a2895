// SPDX-License-Identifier: BSD-3-Clause
// What the run took, what the formula predicts, and what nobody can beat; where the difference comes from, and why.
#include "app/analysis/format/cell_format.hpp"
#include "app/analysis/selection/partial_runs.hpp"
#include "app/gui/scenes/common/gap_bar.hpp"
#include "app/gui/scenes/drawing/legend.hpp"
#include "app/gui/scenes/drawing/number_text.hpp"
#include "app/gui/scenes/drawing/style.hpp"
#include "app/gui/scenes/drawing/to_qt.hpp"
#include "app/gui/scenes/network/binding_cut.hpp"
#include "app/gui/scenes/text/run_text.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace app::gui {
namespace {

constexpr double barHeight = 7;
constexpr std::int64_t timeRow = 4;  ///< of the table below

/// One number of a row: how long its bar is and what it says. Not there: a dash, "not known" or "not evaluated".
struct Value {
    std::optional<double> size;
    QString words = QStringLiteral("not known");
};

struct Row {
    QString name;
    std::array<Value, 3> values;  ///< of this run, formula, bound
    QString tip;
    double full = 0;  ///< length of the whole bar, where it is not the largest value
};

const Value notStated{std::nullopt, QStringLiteral("\u2013")};

template <class T, class Words>
Value value(const std::optional<T>& known, Words words) {
    if (!known) return {};
    if constexpr (std::is_same_v<T, engine::Picoseconds>) return {static_cast<double>(known->count()), words(*known)};
    else return {static_cast<double>(*known), words(*known)};
}

/// Ranks that do nothing; of a program those that wait.
Row stillRow(const DrawableRun& subject) {
    const double share = stillShareOf(subject);
    return {stillName(subject),
            {Value{share, QString::fromStdString(engine::showNumber(100 * share, 3)) + "%"}, notStated, notStated},
            stillInWords(subject),
            1};
}

std::vector<Row> rowsOf(const DrawableRun& subject) {
    const engine::Run& run = subject.run();
    const Report& report = subject.report();
    const auto known = [](const auto& maybe, auto part) {
        using T = std::decay_t<decltype(part(*maybe))>;
        return maybe ? std::optional<T>{part(*maybe)} : std::optional<T>{};
    };
    const auto startups = known(report.predicted, [](const engine::Cost& cost) { return cost.startups; });
    const auto predictedVolume = known(report.predicted, [](const engine::Cost& cost) { return cost.volume; });
    const std::optional<engine::Picoseconds> predictedTime = report.predictedTime;
    const auto rounds = known(report.limits, [](const auto& limits) { return limits.held().rounds.value; });
    const auto bytes = known(report.limits, [](const auto& limits) { return limits.held().serializedBytes; });
    const auto ofRank = known(report.limits, [](const auto& limits) { return limits.bounds.perRank; });
    std::vector<Row> rows{
        {report.startups() == run.rounds ? QStringLiteral("rounds") : QStringLiteral("startups"),
         {value(std::optional{report.startups()}, countInWords), value(startups, countInWords),
          value(rounds, countInWords)},
         report.limits ? QString::fromStdString(report.limits->held().rounds.why) : QString{}},
        {QStringLiteral("messages"), {value(std::optional{run.messageCount}, countInWords), notStated, notStated}, {}},
        {QStringLiteral("serialized bytes"),
         {value(std::optional{report.serializedBytes()}, bytesInWords), value(predictedVolume, bytesInWords),
          value(bytes, bytesInWords)},
         QStringLiteral("the largest message of every round, added up")},
        {QStringLiteral("busiest rank"),
         {value(report.busiestRank(), bytesInWords), notStated, value(ofRank, bytesInWords)},
         QStringLiteral("bytes through the ports of the rank that sends or receives most") +
             (report.limits ? QStringLiteral("; bound: ") + QString::fromStdString(report.limits->bounds.volume.why)
                            : QString{})},
        {QStringLiteral("time"),
         {value(std::optional{run.duration}, timeInWords), value(predictedTime, timeInWords),
          value(report.timeBound(), timeInWords)},
         report.lockstep ? QStringLiteral("if all ranks start each round together: ") + timeInWords(*report.lockstep)
                         : QString{}},
        stillRow(subject),
    };
    if (report.plan && !report.plan->algorithm->formula.empty())
        for (Row& row : rows)
            if (Value& formula = row.values[1]; !formula.size && formula.words == Value{}.words)
                formula.words = QStringLiteral("not evaluated");
    if (!subject.hasRounds())
        for (const std::size_t ofRounds : {std::size_t{0}, std::size_t{2}}) {
            rows[ofRounds].values = {notStated, notStated, notStated};
            rows[ofRounds].tip = noRoundsInWords();
        }
    return rows;
}

/// Bars and numbers; returns the height taken. `all` becomes false where rows have no room.
double drawTable(SceneBuilder& pencil, const DrawableRun& subject, const QRectF& area, bool& all) {
    const Palette& palette = pencil.palette();
    const Report& report = subject.report();
    const std::vector<Row> rows = rowsOf(subject);
    std::array<QString, 3> names{
        QStringLiteral("this run"), QStringLiteral("formula"),
        report.limits ? toQt(analysis::shortNameOfBound(report.limits->blocks)) : QStringLiteral("bound")};
    std::array<double, 3> rights{};
    double widest = 0, nameSize = 0, name = 0;
    const auto measure = [&] {
        widest = 0, name = 0;
        for (const QString& head : names) widest = std::max(widest, sizeOf(head, points::tiny).width() + 12);
        for (const Row& row : rows)
            for (const Value& value : row.values) widest = std::max(widest, sizeOf(value.words, points::small).width());
        // A narrow panel writes the names smaller; a very narrow one writes them above the numbers.
        nameSize = area.width() < 3 * widest + 130 ? points::tiny : points::normal;
        for (const Row& row : rows) name = std::max(name, sizeOf(row.name, nameSize).width());
        return name + 3 * (widest + 6) <= area.width();
    };
    if (!measure() && names[2] == QStringLiteral("one-block bound"))
        names[2] = QStringLiteral("one-block"), (void)measure();
    const bool above = name + 3 * (widest + 6) > area.width();
    const double column = above ? area.width() / 3 : std::min(widest + 12, (area.width() - name) / 3);
    for (std::size_t i = 0; i < 3; ++i) rights[i] = area.right() - column * static_cast<double>(2 - i);

    const double line = lineHeight(points::normal);
    const double headHeight = lineHeight(points::tiny) + 4;
    const double nameHeight = above ? lineHeight(nameSize) : 0;
    const double least = nameHeight + line + barHeight + 4;
    const double pitch =
        std::clamp((area.height() * 0.56 - headHeight) / static_cast<double>(rows.size()), least, least + 14);
    // The head doubles as the key: a bar, a hollow mark, a line.
    for (std::size_t i = 0; i < 3; ++i) {
        const Shape& head =
            pencil.text({rights[i], area.top()}, Qt::AlignRight | Qt::AlignTop, names[i], points::tiny, palette.muted);
        const QPointF key{head.box.left() - 7, head.box.center().y()};
        if (key.x() < area.left() + 5) continue;
        if (i == 0) pencil.rectangle({key - QPointF{5, 3}, QSizeF{9, 6}}, palette.sending);
        if (i == 1) pencil.ellipse({key - QPointF{3, 3}, QSizeF{6, 6}}, palette.paper, palette.ink).width = 1.5;
        if (i == 2) pencil.line(key - QPointF{0, 6}, key + QPointF{0, 6}, palette.accent, 2);
    }
    double y = area.top() + headHeight;
    for (const Row& row : rows) {
        // What does not fit is not begun.
        if (y > area.top() + headHeight && y + least > area.bottom() + 8) {
            all = false;
            break;
        }
        const Meaning meaning{Meaning::Kind::bound, &row - rows.data(), -1};
        pencil.text({area.left(), y}, Qt::AlignLeft | Qt::AlignTop, row.name, nameSize, palette.ink).meaning = meaning;
        y += nameHeight;
        double largest = row.full;
        for (std::size_t i = 0; i < 3; ++i) {
            const Value& value = row.values[i];
            pencil
                .text({rights[i], y}, Qt::AlignRight | Qt::AlignTop, value.words, points::small,
                      value.size ? palette.ink : palette.muted, i == 0 && value.size.has_value())
                .meaning = meaning;
            if (value.size) largest = std::max(largest, *value.size);
        }
        // A number that nothing stands beside needs no bar.
        const bool compared = row.full > 0 || row.values[1].size || row.values[2].size;
        if (!compared) {
            y += pitch - nameHeight - barHeight - 1;
            continue;
        }
        const QRectF bar{area.left(), y + line + 1, area.width(), barHeight};
        Shape& ground = pencil.rectangle(bar, palette.groove);
        ground.meaning = meaning;
        ground.tip = row.tip;
        const auto place = [&](const Value& value) { return largest <= 0 ? 0 : bar.width() * *value.size / largest; };
        if (row.values[0].size) {
            Shape& measured =
                pencil.rectangle({bar.topLeft(), QSizeF{place(row.values[0]), barHeight}}, palette.sending);
            measured.meaning = {Meaning::Kind::bound, &row - rows.data(), 0};
            measured.tip = row.tip;
        }
        if (row.values[2].size) {
            const double x = std::clamp(bar.left() + place(row.values[2]), bar.left() + 1, bar.right() - 1);
            pencil.line({x, bar.top() - 1}, {x, bar.bottom() + 3}, palette.accent, 2);
        }
        if (row.values[1].size) {
            const double x = std::clamp(bar.left() + place(row.values[1]), bar.left() + 4, bar.right() - 4);
            pencil.ellipse({x - 4, bar.center().y() - 4, 8, 8}, palette.paper, palette.ink).width = 1.5;
        }
        y += pitch - nameHeight;
    }
    return y - area.top();
}

QString besideBound(engine::Picoseconds time, engine::Picoseconds bound, engine::Blocks blocks) {
    const QString name = blocks == engine::Blocks::whole ? QStringLiteral("one-block bound") : QStringLiteral("bound");
    if (time == bound) return QStringLiteral("The time meets the %1").arg(name);
    if (bound.count() <= 0) return QStringLiteral("Nothing has to be moved: the bound is no time at all");
    return QStringLiteral("The time is %2 times the %1")
        .arg(name, QString::fromStdString(engine::showNumber(analysis::ratio(time, bound), 3)));
}

/// The time as a bar cut by cause, with the words below; its height, drawn or only measured.
double drawGap(SceneBuilder& pencil, const DrawableRun& subject, const QRectF& area, bool draw) {
    const Report& report = subject.report();
    const std::optional<engine::Picoseconds> bound = report.timeBound();
    if (!report.gap || !bound) return 0;
    const Palette& palette = pencil.palette();
    const double line = lineHeight(points::small);
    const std::vector<GapPart> parts = gapPartsOf(report, pencil.dark());
    const Legend legend = legendOf(parts);
    const double height = line + 3 + 12 + 5 + legend.rowsHeight(area.width());
    if (!draw) return height;
    pencil.text(
        area.topLeft(), Qt::AlignLeft | Qt::AlignTop,
        elided(besideBound(subject.run().duration, *bound, report.limits->blocks), points::small, area.width(), true),
        points::small, palette.muted, true);
    drawGapBar(pencil, parts, {area.left(), area.top() + line + 3, area.width(), 12}, [](const GapPart&) {
        return Meaning{Meaning::Kind::bound, timeRow, 1};
    });
    legend.rows(pencil, {area.left(), area.top() + line + 3 + 12 + 5, area.width(), legend.rowsHeight(area.width())});
    return height;
}

/// "5 rounds, 256 KiB of serialized transfer, 107.9 us (the time bound of 107.9 us is ...)".
QString limitInWords(const analysis::Limit& limit, bool withParts = true) {
    QString words = (limit.rounds.value == 1 ? QStringLiteral("%1 round, %2 of serialized transfer")
                                             : QStringLiteral("%1 rounds, %2 of serialized transfer"))
                        .arg(countInWords(limit.rounds.value), bytesInWords(limit.serializedBytes));
    if (limit.time) words += ", " + timeInSentence(*limit.time);
    const QString parts =
        limit.parts.addsUp || !withParts ? QString{} : withMu(QString::fromStdString(partsOfTime(limit)));
    return parts.isEmpty() ? words : words + " (" + parts + ')';
}

/// What schedules cannot beat, of both classes where there are two.
QString classInWords(const analysis::Limits& limits) {
    if (!limits.whole)
        return limits.anyMessages.parts.addsUp
                   ? QString{}
                   : QStringLiteral("Lower bound: %1.").arg(limitInWords(limits.anyMessages));
    const bool whole = limits.blocks == engine::Blocks::whole;
    QString words = (whole ? QString{} : QStringLiteral("Its messages split or join blocks. ")) +
                    QStringLiteral("Lower bound for one-block messages: %1; for any messages: %2")
                        .arg(limitInWords(*limits.whole, partsOfTime(*limits.whole) != partsOfTime(limits.anyMessages)),
                             limitInWords(limits.anyMessages));
    return words + '.';
}

/// Causes whose name says too little: startups beyond those of a bound that nobody can meet.
QStringList causesInWords(const Report& report) {
    QStringList sentences;
    if (!report.gap || !report.timeBound()) return sentences;
    for (const analysis::GapCause& cause : analysis::gapCauses) {
        if ((*report.gap.*cause.time).count() == 0) continue;
        const std::string meaning = analysis::meaningOf(cause, report);
        if (meaning == cause.meaning) continue;
        const QString name = toQt(nameOf(cause, report));
        sentences << name.left(1).toUpper() + name.mid(1) + QStringLiteral(": ") + toQt(meaning) + '.';
    }
    return sentences;
}

/// Beside a bound of one-block messages: that for any messages is lower. Empty where it is not, or unknown.
QString anyBoundInWords(const analysis::Limits& limits) {
    const auto saves = limits.cuttingSaves();
    if (limits.blocks != engine::Blocks::whole || !saves || !limits.anyMessages.time) return {};
    return QStringLiteral(
               "The one-block bound holds for messages that each carry one whole contribution. For any messages the lower "
               "bound is %1, %2 below it.")
        .arg(timeInSentence(*limits.anyMessages.time), QString::fromStdString(analysis::percent(*saves)));
}

/// How much of the time is startups and how much bytes, where the two are all of it, and the time with twice of each.
QString sharesInWords(const Report& report) {
    if (!report.model || report.model->logGP || report.run->setting.on != "virtual") return {};
    const engine::Picoseconds startups = report.model->alpha * report.startups();
    const engine::Picoseconds bytes = report.model->beta * report.serializedBytes();
    const engine::Picoseconds duration = report.run->duration;
    if (startups + bytes != duration || startups.count() == 0 || bytes.count() == 0) return {};
    return QStringLiteral(
               "Startups take %1 and bytes %2. With twice %5 the run would take %3, with twice the bytes %4.")
        .arg(timeInSentence(startups), timeInSentence(bytes), timeInSentence(duration + startups),
             timeInSentence(duration + bytes), greek("alpha"));
}

struct Sentence {
    QString words;
    double points = points::small;
    QColor colour;
    double before = 0;  ///< gap above
};

/// What there is to say below the bars, the most important first.
std::vector<Sentence> sentencesOf(const DrawableRun& subject, const Palette& palette) {
    const Report& report = subject.report();
    std::vector<Sentence> found;
    if (!report.fault.empty())
        found.push_back({(subject.isUnfinished() ? "Unfinished: " : "Fault: ") + subject.faultInWords(), points::normal,
                         subject.isUnfinished() ? palette.muted : palette.accent, 8});
    if (const QString words = cutInWords(subject); !words.isEmpty())
        found.push_back({withMu(words), points::small, palette.ink, 4});
    if (report.limits)
        if (const QString words = anyBoundInWords(*report.limits); !words.isEmpty())
            found.push_back({words, points::small, palette.ink, 4});
    for (const QString& words : causesInWords(report)) found.push_back({words, points::small, palette.ink, 4});
    if (const QString words = sharesInWords(report); !words.isEmpty())
        found.push_back({words, points::small, palette.ink, 4});
    if (report.plan) {
        const engine::Algorithm& algorithm = *report.plan->algorithm;
        if (!algorithm.formula.empty()) {
            found.push_back({"Formula: " + greek(algorithm.formula), points::normal, palette.ink, 8});
            found.push_back({greek(algorithm.letters), points::small, palette.muted});
        }
        if (const QString words = proofInWords(report); !words.isEmpty())
            found.push_back({words, points::small, palette.ink, 6});
        if (report.limits) {
            if (const QString words = classInWords(*report.limits); !words.isEmpty())
                found.push_back({words, points::small, palette.ink, 4});
            const auto because = [&](const char* what, const auto& bound, double before) {
                found.push_back(
                    {QStringLiteral("Bound on %1: %2 (%3); %4.")
                         .arg(what, QString::fromStdString(bound.why), QString::fromStdString(bound.source),
                              bound.attained.empty() ? QStringLiteral("no algorithm is recorded as attaining it")
                                                     : "attained by " + QString::fromStdString(bound.attained)),
                     points::small, palette.muted, before});
            };
            because("rounds", report.limits->held().rounds, 4);
            because("volume", report.limits->bounds.volume, 2);
            if (report.limits->bounds.together) because("both at once", *report.limits->bounds.together, 2);
        }
        found.push_back({"Source: " + QString::fromStdString(algorithm.source), points::small, palette.muted, 4});
    } else {
        found.push_back(
            {subject.isProgram()
                 ? QStringLiteral(
                       "Formulas and lower bounds are those of single collectives: see tables collectives and "
                       "bounds (in the window under Analysis, or open TRACE --tables bounds).")
                 : QStringLiteral("The algorithm behind these messages is unknown, and so are its formula and bounds."),
             points::small, palette.muted, 8});
    }
    return found;
}

}  // namespace

QStringList boundsInWords(const DrawableRun& subject) {
    QStringList words;
    for (const Sentence& sentence : sentencesOf(subject, paletteFor(false))) words << sentence.words;
    return words;
}

Scene boundsScene(const DrawableRun& subject, const ViewState& state, QSizeF size) {
    Scene scene;
    SceneBuilder pencil{scene, state.dark};
    const QRectF whole = QRectF{QPointF{}, size}.adjusted(margin, margin, -margin, -margin);
    bool all = true;
    double y = whole.top() + drawTable(pencil, subject, whole, all);
    const auto below = [&] { return QRectF{whole.left(), y, whole.width(), whole.bottom() - y}; };
    const std::vector<Sentence> sentences = sentencesOf(subject, pencil.palette());
    const double lastLine = lineHeight(points::tiny) + 2;
    // With room to say at least how much more there is.
    if (drawGap(pencil, subject, below(), false) + 4 + lastLine <= below().height()) {
        y += 4;
        y += drawGap(pencil, subject, below(), true);
    } else {
        all = false;
    }
    for (std::size_t i = 0; i < sentences.size(); ++i) {
        const Sentence& sentence = sentences[i];
        const double height =
            sentence.before + lineHeight(sentence.points) *
                                  static_cast<double>(wrapped(sentence.words, sentence.points, whole.width()).size());
        const bool last = i + 1 == sentences.size();
        if (height + (last ? 0 : lastLine) > below().height()) {
            // What has no room is counted, never left out without a word.
            if (lastLine <= below().height()) {
                Shape& more = pencil.text({whole.left(), y + 2}, Qt::AlignLeft | Qt::AlignTop,
                                          QStringLiteral("More about the bounds"), points::tiny, pencil.palette().link);
                more.meaning = {Meaning::Kind::bound, boundsAtLength, -1};
                more.tip = QStringLiteral("Click to show it in Details");
            }
            all = false;
            break;
        }
        pencil.paragraph({whole.left(), y + sentence.before}, whole.width(), sentence.words, sentence.points,
                         sentence.colour);
        y += height;
    }
    QStringList words;
    for (const Row& row : rowsOf(subject))
        words << QStringLiteral("%1: this run %2, formula %3, lower bound %4")
                     .arg(row.name, row.values[0].words, row.values[1].words, row.values[2].words);
    for (const Sentence& sentence : sentences) words << sentence.words;
    scene.description = words.join(QStringLiteral(". "));
    scene.crowded = !all;
    return scene;
}

Table boundsTable(const DrawableRun& subject, const ViewState&) {
    Table table = tableWith({{"what"}, {"this run"}, {"formula"}, {"lower bound"}, {"why"}});
    for (const Row& row : rowsOf(subject))
        table.rows.push_back({cellOf(row.name), cellOf(row.values[0].words), cellOf(row.values[1].words),
                              cellOf(row.values[2].words), cellOf(row.tip)});
    return table;
}

}  // namespace app::gui
