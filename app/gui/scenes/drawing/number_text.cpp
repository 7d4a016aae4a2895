// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/drawing/number_text.hpp"

#include "app/analysis/format/cell_format.hpp"

#include <QRegularExpression>

namespace app::gui {

QString countInWords(std::int64_t number) { return QString::fromStdString(analysis::counted(number)); }

QString countedInWords(std::int64_t number, const QString& one, const QString& many) {
    return QStringLiteral("%1 %2").arg(countInWords(number), number == 1 ? one : many);
}

QString withMu(QString words) {
    // Asked first: nearly no words have one, and frames ask often.
    if (!words.contains(QStringLiteral(" us"))) return words;
    static const QRegularExpression micro{QStringLiteral("(?<=\\d )us\\b")};
    return words.replace(micro, QStringLiteral("\u00b5s"));
}

}  // namespace app::gui
