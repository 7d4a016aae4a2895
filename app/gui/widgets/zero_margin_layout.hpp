// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QVBoxLayout>

namespace app::gui {

/// Lays out a widget from above to below, with `apart` pixels between its parts and nothing around them.
inline QVBoxLayout* columnIn(QWidget& widget, int apart = 0) {
    auto* column = new QVBoxLayout{&widget};
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(apart);
    return column;
}

}  // namespace app::gui
