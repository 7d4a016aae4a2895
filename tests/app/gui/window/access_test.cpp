// SPDX-License-Identifier: BSD-3-Clause
// The keyboard alone reaches everything, and a screen reader has a name for it.
#include "app/gui/views/view_widget.hpp"
#include "tests/app/gui/window_fixture.hpp"

#include <QAccessible>

#include <set>

namespace app::gui {
namespace {

bool takesTab(const QWidget& widget) {
    return widget.isVisible() && widget.isEnabled() && (widget.focusPolicy() & Qt::TabFocus) != 0 &&
           widget.focusProxy() == nullptr;
}

QString nameOf(QWidget& widget) {
    const QAccessibleInterface* interface = QAccessible::queryAccessibleInterface(&widget);
    return interface == nullptr ? QString{} : interface->text(QAccessible::Name);
}

std::string describe(const QWidget& widget) {
    return std::string{widget.metaObject()->className()} + " '" + widget.accessibleName().toStdString() + "'";
}

TEST(Access, everythingHasAName) {
    Stage stage;
    stage.begin();
    int seen = 0;
    for (QWidget* widget : stage.window.findChildren<QWidget*>()) {
        if (!takesTab(*widget)) continue;
        ++seen;
        EXPECT_FALSE(nameOf(*widget).isEmpty()) << describe(*widget) << " in " << describe(*widget->parentWidget());
    }
    EXPECT_GT(seen, 20);
}

TEST(Access, tabReachesEverything) {
    Stage stage;
    stage.begin();
    std::set<const QWidget*> reached;
    const QWidget* previous = nullptr;
    for (int presses = 0; presses < 400; ++presses) {
        QWidget* focus = QApplication::focusWidget();
        if (focus != nullptr) reached.insert(focus);
        previous = focus;
        QTest::keyClick(focus != nullptr ? focus : &stage.window, Qt::Key_Tab);
    }
    EXPECT_NE(previous, nullptr);
    for (const QWidget* widget : stage.window.findChildren<QWidget*>()) {
        EXPECT_TRUE(!takesTab(*widget) || reached.contains(widget)) << describe(*widget);
    }
}

TEST(Access, picturesAreDescribedInWords) {
    Stage stage;
    stage.begin();
    for (const ViewWidget* view : stage.window.findChildren<ViewWidget*>()) {
        if (view->visibleRegion().isEmpty()) continue;
        EXPECT_GT(view->accessibleDescription().size(), 60) << view->accessibleName().toStdString();
    }
}

}  // namespace
}  // namespace app::gui
