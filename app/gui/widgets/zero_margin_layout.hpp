// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QVBoxLayout>

namespace app::gui {

/// Lays out a widget from above to below, with nothing between its parts or around them.
inline QVBoxLayout* columnIn(QWidget& widget) {
    auto* column = new QVBoxLayout{&widget};
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    return column;
}

}  // namespace app::gui
