// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/text/maximum_with_ties.hpp"

#include "app/gui/scenes/drawing/number_text.hpp"
#include "app/gui/scenes/text/run_text.hpp"
#include "engine/base/text.hpp"

namespace app::gui {

QString withOthers(const QString& first, std::int64_t all) {
    if (all <= 1) return first;
    return QStringLiteral("%1 (and %2 alike)")
        .arg(first, countedInWords(all - 1, QStringLiteral("other"), QStringLiteral("others")));
}

QString withOthers(const QString& first, std::int64_t all, const QString& one, const QString& several) {
    return withOthers(first, all) + ' ' + (all <= 1 ? one : several);
}

QString whoLongest(const std::vector<engine::Picoseconds>& times, engine::Picoseconds duration, const QString& one,
                   const QString& several) {
    const Leaders most = leadersOf(times);
    const engine::Picoseconds longest = times[most.first];
    const bool equal = most.count > 1 && most.count == static_cast<std::int64_t>(times.size());
    const QString who = equal
                            ? QStringLiteral(", each as long")
                            : QStringLiteral(". %1 longest")
                                  .arg(withOthers(QStringLiteral("Rank %1").arg(most.first), most.count, one, several));
    const double whole = std::max(1.0, static_cast<double>(duration.count()));
    return who +
           QStringLiteral(": %1 of %2%3 (%4%).")
               .arg(timeInWords(longest), timeInWords(duration),
                    most.count > 1 && !equal ? QStringLiteral(" each") : QString{},
                    QString::fromStdString(engine::showNumber(100 * static_cast<double>(longest.count()) / whole, 3)));
}

}  // namespace app::gui
