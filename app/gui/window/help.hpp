// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QList>

class QAction;
class QWidget;

namespace app::gui {

/// All keys in a table: those of `actions`, then those of the pictures.
void showKeys(QWidget* parent, const QList<QAction*>& actions);

/// Lines of a report, in columns as they are written, beside the window.
void showReport(QWidget* parent, const QString& title, const QString& text);

/// What this is, and with what it was built.
void showAbout(QWidget* parent);

}  // namespace app::gui
