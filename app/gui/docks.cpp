// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/docks.hpp"

#include "engine/error.hpp"

#include <QApplication>
#include <QTabBar>

#include <algorithm>
#include <chrono>

namespace app::gui {
namespace {

using namespace std::chrono_literals;

constexpr int version = 3;   // of the set of docks
constexpr int narrow = 960;  // pixels
constexpr int low = 620;
constexpr auto comingBack = 500ms;  // how long a window may take to be maximised
constexpr auto held = 100ms;        // between looks at a button that is held down

}  // namespace

Docks::Docks(QMainWindow& window) : QObject{&window}, window_{&window} {
    settling_.setSingleShot(true);
    connect(&settling_, &QTimer::timeout, this, &Docks::settle);
}

QDockWidget& Docks::add(const QString& title, const QString& name, QWidget* content) {
    auto* dock = new QDockWidget{title};
    dock->setObjectName(name);
    dock->setWidget(content);
    window_->addDockWidget(Qt::LeftDockWidgetArea, dock);
    all_ += dock;
    return *dock;
}

QDockWidget& Docks::operator[](const QString& name) const {
    const auto found = std::ranges::find(all_, name, &QDockWidget::objectName);
    ENSURE(found != all_.end(), "no dock has this name");
    return **found;
}

void Docks::bringUp(const QString& name) {
    QDockWidget* dock = &(*this)[name];
    const bool fresh = dock->isHidden();
    // Three beside each other would be too narrow.
    if (QDockWidget& when = (*this)["when"]; fresh && name == QLatin1String("answers") && !when.isHidden() && !stacked_)
        window_->tabifyDockWidget(&when, dock);
    dock->show();
    dock->raise();
    nameTabs();
    const bool atTheBottom = window_->dockWidgetArea(dock) == Qt::BottomDockWidgetArea;
    if (fresh && atTheBottom) window_->resizeDocks({dock}, {window_->height() * 3 / 10}, Qt::Vertical);
    // Lines of a program are longer than those of a form.
    if (fresh && name == QLatin1String("editor"))
        window_->resizeDocks({dock}, {std::max(dock->width(), window_->width() * 3 / 10)}, Qt::Horizontal);
}

void Docks::even(const QString& one, const QString& other) {
    const int half = window_->width() / 2;
    window_->resizeDocks({&(*this)[one], &(*this)[other]}, {half, half}, Qt::Horizontal);
}

void Docks::bringForward(const QString& name, const QString& unless) {
    QDockWidget* dock = &(*this)[name];
    QDockWidget* other = &(*this)[unless];
    const bool covers = window_->tabifiedDockWidgets(dock).contains(other) && !other->visibleRegion().isEmpty();
    if (!dock->isHidden() && !covers) dock->raise();
}

/// Side by side where the window is high enough, else all of a side in one place.
void Docks::arrange() {
    const auto dock = [this](const char* name) { return &(*this)[QString::fromLatin1(name)]; };
    const auto place = [&](Qt::DockWidgetArea area, const char* name) { window_->addDockWidget(area, dock(name)); };
    const auto stack = [&](const char* below, const char* above) {
        window_->tabifyDockWidget(dock(below), dock(above));
    };
    for (const char* name : {"setup", "lesson", "editor", "task", "explanation", "details", "notes"})
        place(Qt::LeftDockWidgetArea, name);
    for (const char* name : {"holdings", "bounds", "charts", "strip", "rounds"}) place(Qt::RightDockWidgetArea, name);
    for (const char* name : {"where", "when", "answers"}) place(Qt::BottomDockWidgetArea, name);
    stack("setup", "lesson");
    stack("lesson", "editor");
    stack("bounds", "charts");
    stack("strip", "rounds");
    stack("task", "explanation");
    stack("explanation", "details");
    stack("details", "notes");
    if (stacked_) {
        stack("editor", "task");
        stack("task", "explanation");
        stack("explanation", "details");
        stack("details", "notes");
        stack("holdings", "bounds");
        stack("bounds", "charts");
        stack("charts", "strip");
        stack("strip", "rounds");
        for (const auto& [below, above] : {std::pair{"rounds", "where"}, {"where", "when"}, {"when", "answers"}})
            stack(below, above);
        dock("holdings")->raise();
    } else {
        dock("bounds")->raise();
        dock("strip")->raise();
        dock("explanation")->raise();
    }
    dock("setup")->raise();
    nameTabs();
}

void Docks::nameTabs() {
    for (QTabBar* tabs : window_->findChildren<QTabBar*>(QString{}, Qt::FindDirectChildrenOnly)) {
        tabs->setAccessibleName(tr("Panels in one place"));
        tabs->setElideMode(Qt::ElideNone);
    }
}

void Docks::shareOut() {
    const auto dock = [this](const char* name) { return &(*this)[QString::fromLatin1(name)]; };
    window_->resizeDocks({dock("setup"), dock("holdings")}, {300, 340}, Qt::Horizontal);
    if (stacked_) return;
    window_->resizeDocks({dock("setup"), dock("explanation")}, {372, 346}, Qt::Vertical);
    window_->resizeDocks({dock("holdings"), dock("bounds"), dock("strip")}, {230, 260, 220}, Qt::Vertical);
}

Docks::Arrangement Docks::arrangement() const {
    return coming_.value_or(Arrangement{window_->saveState(version), window_->size(), stacked_});
}

bool Docks::bringBack(const Arrangement& arrangement) {
    ENSURE(window_->isVisible() || !(window_->windowState() & (Qt::WindowMaximized | Qt::WindowFullScreen)),
           "an arrangement comes back before the window is told how large it is");
    if (!window_->restoreState(arrangement.docks, version)) return false;
    stacked_ = arrangement.stacked;
    coming_ = arrangement;
    if (window_->isVisible()) fit();
    return true;
}

void Docks::fit() {
    if (coming_) return settling_.start(window_->size() == coming_->window ? 0ms : comingBack);
    if (stacked_ != (window_->height() < low)) settling_.start(0ms);
    // A main window takes missing room from its middle alone; the pictures there are what a small window is opened for.
    if (window_->width() >= narrow) return;
    const int share = window_->width() * 3 / 10;
    window_->resizeDocks({&(*this)["setup"], &(*this)["holdings"]}, {share, share}, Qt::Horizontal);
}

void Docks::settle() {
    if (!window_->isVisible()) return;  // its size is told again when it is shown
    // Whoever holds a button down may be moving a dock.
    if (QApplication::mouseButtons() != Qt::NoButton) return settling_.start(held);
    if (coming_) {
        window_->restoreState(coming_->docks, version);
        coming_.reset();
        nameTabs();
    }
    if (stacked_ == (window_->height() < low)) return;
    stacked_ = !stacked_;
    arrange();
    shareOut();
}

}  // namespace app::gui
