// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/ties.hpp"

#include "app/gui/scenes/numbers.hpp"

namespace app::gui {

QString withOthers(const QString& first, std::int64_t all) {
    if (all <= 1) return first;
    return first + QStringLiteral(" and ") + countedInWords(all - 1, QStringLiteral("other"), QStringLiteral("others"));
}

QString withOthers(const QString& first, std::int64_t all, const QString& one, const QString& several) {
    return withOthers(first, all) + ' ' + (all <= 1 ? one : several);
}

}  // namespace app::gui
