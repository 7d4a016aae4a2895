// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/widgets/focused_keys.hpp"

#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QKeyEvent>
#include <QMenuBar>
#include <QTabBar>

namespace app::gui {
namespace {

bool needs(const QObject* widget, const QKeyEvent& event) {
    const int key = event.key();
    if (event.modifiers() != Qt::NoModifier) return false;
    if (qobject_cast<const QAbstractButton*>(widget) != nullptr) return key == Qt::Key_Space;
    if (qobject_cast<const QComboBox*>(widget) != nullptr) return !event.text().isEmpty();
    const bool walks =
        qobject_cast<const QTabBar*>(widget) != nullptr || qobject_cast<const QMenuBar*>(widget) != nullptr;
    if (!walks) return false;
    return key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Home || key == Qt::Key_End;
}

}  // namespace

FocusedKeys::FocusedKeys() { qApp->installEventFilter(this); }

FocusedKeys::~FocusedKeys() { qApp->removeEventFilter(this); }

bool FocusedKeys::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::ShortcutOverride || !needs(watched, *static_cast<QKeyEvent*>(event))) return false;
    event->accept();
    return true;
}

}  // namespace app::gui
