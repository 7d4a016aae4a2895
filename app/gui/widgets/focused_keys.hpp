// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QObject>

namespace app::gui {

/// Leaves a focused widget the keys that it needs for itself, although they are shortcuts of the window: a button its
/// Space, a box its letters, tabs and menus their arrows. As long as it is there, in all windows of the program.
class FocusedKeys final : public QObject {
public:
    FocusedKeys();
    ~FocusedKeys() override;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace app::gui
