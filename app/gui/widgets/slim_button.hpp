// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QPushButton>

namespace app::gui {

/// A button that may be as narrow as its words, where there is little room.
class SlimButton final : public QPushButton {
    Q_OBJECT

public:
    explicit SlimButton(const QString& words) : QPushButton{words} {
        setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    }

    [[nodiscard]] QSize minimumSizeHint() const override {
        constexpr int aroundWords = 14;  // pixels
        const QString words = QString{text()}.remove('&');
        return {fontMetrics().horizontalAdvance(words) + aroundWords, QPushButton::minimumSizeHint().height()};
    }
};

}  // namespace app::gui
