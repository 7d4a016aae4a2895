// SPDX-License-Identifier: BSD-3-Clause
// Which of the four layouts the window has, and how each stood when it was left: what is asked for chooses it, the
// switch at the upper right changes it, and what a user moved in one is there again when it comes back.
#pragma once

#include "app/gui/workflows/window_contents.hpp"

#include <QToolButton>

#include <array>
#include <optional>

namespace app::gui {

class LayoutSwitcher final : public QObject {
    Q_OBJECT

public:
    using Left = std::array<std::optional<DockAreas::Arrangement>, layouts.size()>;

    LayoutSwitcher(QMainWindow& window, Contents& contents);

    [[nodiscard]] Layout layout() const;
    /// Sets the window so, as it stood when that layout was left.
    void choose(Layout layout);
    /// Sets the present layout as at the first start.
    void reset();

    /// How the other layouts stood.
    [[nodiscard]] const Left& left() const { return left_; }
    /// After the arrangement of the window came back.
    void bringBack(const Left& left);

    static QString title(Layout layout);
    static QString meaning(Layout layout);

Q_SIGNALS:
    void changed(Layout layout);

private:
    void show();

    Contents* contents_;
    Left left_;
    std::array<QToolButton*, layouts.size()> buttons_{};
};

}  // namespace app::gui
