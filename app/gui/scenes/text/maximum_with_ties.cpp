// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/text/maximum_with_ties.hpp"

#include "app/gui/scenes/drawing/number_text.hpp"
#include "app/gui/scenes/text/run_text.hpp"
#include "engine/base/text.hpp"

namespace app::gui {

QString inWords(const Leaders& leaders, const QString& one, const QString& several,
                const std::function<QString(std::size_t)>& name) {
    const QString first = name(leaders.first);
    if (leaders.count <= 1) return one + ' ' + first;
    if (leaders.count > static_cast<std::int64_t>(leaders.named.size()))
        return QStringLiteral("%1 %2 (such as %3)").arg(countInWords(leaders.count), several, first);
    QStringList names;
    for (const std::size_t place : leaders.named) names << name(place);
    const QString last = names.takeLast();
    return several + ' ' + names.join(QStringLiteral(", ")) + QStringLiteral(" and ") + last;
}

QString ranksInWords(const Leaders& leaders) {
    const bool few = leaders.count <= static_cast<std::int64_t>(leaders.named.size());
    return inWords(leaders, QStringLiteral("rank"), QStringLiteral("ranks"), [few](std::size_t rank) {
        return few ? QString::number(rank) : QStringLiteral("rank %1").arg(rank);
    });
}

QString capitalised(const QString& words) { return words.left(1).toUpper() + words.mid(1); }

QString whoLongest(const std::vector<engine::Picoseconds>& times, engine::Picoseconds duration, const QString& one,
                   const QString& several) {
    const Leaders most = leadersOf(times);
    const engine::Picoseconds longest = times[most.first];
    const bool equal = most.count > 1 && most.count == static_cast<std::int64_t>(times.size());
    const QString who =
        equal ? QStringLiteral(", each as long")
              : QStringLiteral(". %1 %2 longest").arg(capitalised(ranksInWords(most)), most.count > 1 ? several : one);
    const double whole = std::max(1.0, static_cast<double>(duration.count()));
    return who +
           QStringLiteral(": %1 of %2%3 (%4%).")
               .arg(timeInWords(longest), timeInWords(duration),
                    most.count > 1 && !equal ? QStringLiteral(" each") : QString{},
                    QString::fromStdString(engine::showNumber(100 * static_cast<double>(longest.count()) / whole, 3)));
}

}  // namespace app::gui
