// SPDX-License-Identifier: BSD-3-Clause
// The window's menus: every action with its key, so that the keyboard alone reaches everything. They say what the
// window does and how it stands; they do nothing themselves.
#pragma once

#include <QMenu>

namespace app::gui {

class MainWindow;

class Menus final : public QObject {
    Q_OBJECT

public:
    /// Fills the menu bar of `window`, all of whose parts must be there.
    explicit Menus(MainWindow& window);

private:
    void buildFile();
    void buildRun();
    void buildCompare();
    void buildTeach();
    void buildView();
    void buildLayouts(QMenu& menu);
    void buildColours(QMenu& menu);
    void buildHelp();
    void fillRecent(QMenu& menu);
    void fillRivals(QMenu& menu);
    void fillLessons(QMenu& menu);
    QMenu* add(const QString& title);
    /// An action that is on or off.
    QAction* addSwitch(QMenu& menu, const QString& words, const QKeySequence& key = {});

    MainWindow* window_;
};

}  // namespace app::gui
