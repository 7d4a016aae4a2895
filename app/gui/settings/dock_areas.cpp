// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/settings/dock_areas.hpp"

#include "app/gui/views/card.hpp"
#include "engine/base/error.hpp"

#include <QApplication>
#include <QChildEvent>
#include <QCoreApplication>
#include <QTabBar>

#include <algorithm>
#include <chrono>
#include <cstdlib>

namespace app::gui {
namespace {

using namespace std::chrono_literals;

constexpr int dockVersion = 5;  // of the set of docks
constexpr int narrow = 960;     // pixels
constexpr int slimWindow = 720;
constexpr int low = 620;
constexpr int leastBottom = 210;    // of a panel at the bottom: four rows of a table, and what stands around them
constexpr int narrowSide = 27;      // percent of a narrow window
constexpr int onlySide = 40;        // where all panels stand there
constexpr auto comingBack = 500ms;  // how long a window may take to be maximised
constexpr auto held = 100ms;        // between looks at a button that is held down

int bottomHeight(const QMainWindow& window) { return std::max(leastBottom, window.height() * 3 / 10); }

/// All stacks of a layout, those at the left first.
std::vector<Plan::Stack> everywhereIn(const Plan& plan) {
    std::vector<Plan::Stack> all = plan.left;
    for (const auto* side : {&plan.right, &plan.bottom}) all.insert(all.end(), side->begin(), side->end());
    return all;
}

}  // namespace

DockAreas::DockAreas(QMainWindow& window) : QObject{&window}, window_{&window} {
    settling_.setSingleShot(true);
    connect(&settling_, &QTimer::timeout, this, &DockAreas::settle);
    namingTabs_.setSingleShot(true);
    connect(&namingTabs_, &QTimer::timeout, this, &DockAreas::nameTabs);
    window.installEventFilter(this);
}

void DockAreas::add(Dock which, QWidget* content) {
    ENSURE(all_.size() == static_cast<qsizetype>(which), "docks are added in their order");
    const DockRow& row = rowOf(which);
    auto* dock = new CardDock{QCoreApplication::translate("app::gui::Contents", row.title), content};
    dock->setObjectName(QString::fromLatin1(row.name));
    window_->addDockWidget(Qt::LeftDockWidgetArea, dock);
    all_ += dock;
}

QDockWidget& DockAreas::operator[](Dock dock) const { return *all_[static_cast<qsizetype>(dock)]; }

CardTitle& DockAreas::titleOf(Dock dock) const { return static_cast<CardDock&>((*this)[dock]).title(); }

void DockAreas::bringUp(Dock which) {
    QDockWidget* dock = &(*this)[which];
    const bool fresh = dock->isHidden();
    dock->show();
    dock->raise();
    const bool atTheBottom = window_->dockWidgetArea(dock) == Qt::BottomDockWidgetArea;
    if (fresh && atTheBottom) window_->resizeDocks({dock}, {bottomHeight(*window_)}, Qt::Vertical);
    if (fresh && rowOf(which).isWide)
        window_->resizeDocks({dock}, {std::max(dock->width(), window_->width() * 3 / 10)}, Qt::Horizontal);
}

void DockAreas::even(Dock one, Dock other) {
    const int half = window_->width() / 2;
    window_->resizeDocks({&(*this)[one], &(*this)[other]}, {half, half}, Qt::Horizontal);
}

void DockAreas::growBy(Dock which, int pixels) {
    QDockWidget* dock = &(*this)[which];
    if (dock->isHidden() || dock->isFloating()) return;
    QList<QDockWidget*> column{dock};
    int others = 0;
    for (QDockWidget* each : all_) {
        const bool beside = each != dock && !each->isFloating() && !each->visibleRegion().isEmpty() &&
                            window_->dockWidgetArea(each) == window_->dockWidgetArea(dock);
        if (!beside) continue;
        column += each;
        others += each->height();
    }
    if (others == 0) return;
    // Qt shrinks all of a column if the height of only one of them is set.
    const int more = std::min(pixels, window_->height() * 3 / 5 - dock->height());
    if (more <= 0) return;
    QList<int> heights{dock->height() + more};
    for (const QDockWidget* each : column.mid(1)) heights += each->height() - more * each->height() / others;
    window_->resizeDocks(column, heights, Qt::Vertical);
}

void DockAreas::bringForward(Dock which, Dock unless) {
    QDockWidget* dock = &(*this)[which];
    QDockWidget* other = &(*this)[unless];
    const bool covers = window_->tabifiedDockWidgets(dock).contains(other) && !other->visibleRegion().isEmpty();
    if (!dock->isHidden() && !covers) dock->raise();
}

void DockAreas::arrange(Layout layout) {
    layout_ = layout;
    coming_.reset();
    if (window_->isVisible()) packing_ = packingNow();
    for (QDockWidget* dock : all_) dock->setFloating(false);
    for (const DockRow& row : dockRows()) (*this)[row.dock].setVisible(row.in(layout).sight != DockSight::closed);
    place();
}

DockAreas::Stacks DockAreas::stacksOf(const std::vector<Plan::Stack>& planned) const {
    Stacks stacks;
    for (const Plan::Stack& stack : planned) {
        if (packing_ == Packing::apart || stacks.empty()) stacks.emplace_back();
        for (const Dock dock : stack) stacks.back() += &(*this)[dock];
    }
    return stacks;
}

Packing DockAreas::packingNow() const {
    if (window_->width() < slimWindow) return Packing::together;
    return window_->height() < low ? Packing::stacked : Packing::apart;
}

/// Pixels of a side for which a layout has planned so many.
int DockAreas::sideWidth(int planned) const {
    if (packing_ == Packing::together) return window_->width() * onlySide / 100;
    return window_->width() < narrow ? window_->width() * narrowSide / 100 : planned;
}

void DockAreas::pack() {
    packing_ = packingNow();
    place();
    shareOut();
}

void DockAreas::place() {
    const Plan plan = planOf(layout_);
    const auto fill = [this](Qt::DockWidgetArea area, Qt::Orientation way, const std::vector<Plan::Stack>& names) {
        for (const QList<QDockWidget*>& stack : stacksOf(names)) {
            window_->addDockWidget(area, stack.front(), way);
            for (qsizetype i = 1; i < stack.size(); ++i) window_->tabifyDockWidget(stack[i - 1], stack[i]);
        }
    };
    const auto raise = [this](Dock which) {
        if (QDockWidget& dock = (*this)[which]; !dock.isHidden()) dock.raise();
    };
    if (packing_ == Packing::together) {
        fill(Qt::RightDockWidgetArea, Qt::Vertical, everywhereIn(plan));
    } else {
        fill(Qt::LeftDockWidgetArea, Qt::Vertical, plan.left);
        fill(Qt::RightDockWidgetArea, Qt::Vertical, plan.right);
        fill(Qt::BottomDockWidgetArea, Qt::Horizontal, plan.bottom);
    }
    for (const Dock dock : plan.front) raise(dock);
    if (const auto alone = rowOf(layout_).alone; alone && packing_ == Packing::together) raise(*alone);
}

void DockAreas::nameTabs() {
    for (QTabBar* tabs : window_->findChildren<QTabBar*>(QString{}, Qt::FindDirectChildrenOnly)) {
        tabs->setAccessibleName(tr("Panels in one place"));
        // Which lays it out again, also where it was so before; and that would name all tabs again.
        if (tabs->elideMode() != Qt::ElideNone) tabs->setElideMode(Qt::ElideNone);
        // Those of panels that were closed stay, somewhere, with the line that tabs stand on.
        tabs->setFocusPolicy(tabs->count() > 1 ? Qt::TabFocus : Qt::NoFocus);
        if (tabs->drawBase() != (tabs->count() > 1)) tabs->setDrawBase(tabs->count() > 1);
    }
}

/// Qt makes bars of tabs as it needs them.
bool DockAreas::eventFilter(QObject* watched, QEvent* event) {
    // A child that is added is not all there yet, and one that nobody sees is never polished.
    if (event->type() == QEvent::ChildAdded || event->type() == QEvent::LayoutRequest) namingTabs_.start(0ms);
    return QObject::eventFilter(watched, event);
}

void DockAreas::shareOut() {
    const Plan plan = planOf(layout_);
    const LayoutRow& layout = rowOf(layout_);
    const auto shown = [](const QList<QDockWidget*>& stack) {
        const auto found = std::ranges::find_if(stack, [](const QDockWidget* dock) { return !dock->isHidden(); });
        return found == stack.end() ? nullptr : *found;
    };
    const auto share = [&](const std::vector<Plan::Stack>& names, int width) {
        QList<QDockWidget*> column;
        for (const QList<QDockWidget*>& stack : stacksOf(names))
            if (QDockWidget* dock = shown(stack)) column += dock;
        if (column.isEmpty()) return;
        window_->resizeDocks({column.front()}, {sideWidth(width)}, Qt::Horizontal);
        if (column.size() > 1)
            window_->resizeDocks(column, QList<int>(column.size(), window_->height() / static_cast<int>(column.size())),
                                 Qt::Vertical);
    };
    squeezed_ = window_->width() < narrow;
    if (packing_ == Packing::together) return share(everywhereIn(plan), layout.rightWidth);
    share(plan.left, layout.leftWidth);
    share(plan.right, layout.rightWidth);
    for (const QList<QDockWidget*>& stack : stacksOf(plan.bottom))
        if (QDockWidget* dock = shown(stack)) window_->resizeDocks({dock}, {bottomHeight(*window_)}, Qt::Vertical);
}

void DockAreas::catchUp() {
    if (settling_.isActive() && !coming_) settle();
}

DockAreas::Arrangement DockAreas::arrangement() const {
    return coming_.value_or(Arrangement{window_->saveState(dockVersion), window_->size(), packing_, layout_});
}

bool DockAreas::comeBackTo(const Arrangement& arrangement) {
    if (!window_->isVisible()) return bringBack(arrangement);
    if (!window_->restoreState(arrangement.docks, dockVersion)) return false;
    packing_ = arrangement.packing;
    layout_ = arrangement.layout;
    coming_.reset();
    if (packing_ != packingNow()) pack();
    // What a user made of them stays; in a window of quite another width it would be out of all proportion.
    else if (std::abs(arrangement.window.width() - window_->width()) * 5 > window_->width()) shareOut();
    return true;
}

bool DockAreas::bringBack(const Arrangement& arrangement) {
    ENSURE(window_->isVisible() || !(window_->windowState() & (Qt::WindowMaximized | Qt::WindowFullScreen)),
           "an arrangement comes back before the window has its size");
    if (!window_->restoreState(arrangement.docks, dockVersion)) return false;
    packing_ = arrangement.packing;
    layout_ = arrangement.layout;
    coming_ = arrangement;
    if (window_->isVisible()) fit();
    return true;
}

void DockAreas::fit() {
    if (coming_) return settling_.start(window_->size() == coming_->window ? 0ms : comingBack);
    if (packing_ != packingNow() || (squeezed_ && window_->width() >= narrow)) settling_.start(0ms);
    // A main window takes missing room from its middle alone; the pictures there are what a small window is opened for.
    if (window_->width() >= narrow) return;
    squeezed_ = true;
    for (const auto side : {Qt::LeftDockWidgetArea, Qt::RightDockWidgetArea}) {
        const auto found = std::ranges::find_if(all_, [&](QDockWidget* dock) {
            return !dock->isHidden() && !dock->isFloating() && window_->dockWidgetArea(dock) == side;
        });
        if (found != all_.end()) window_->resizeDocks({*found}, {sideWidth(0)}, Qt::Horizontal);
    }
}

void DockAreas::settle() {
    if (!window_->isVisible()) return;  // its size is set again when it is shown
    // Whoever holds a button down may be moving a dock.
    if (QApplication::mouseButtons() != Qt::NoButton) return settling_.start(held);
    // Panels that were brought up since the start stay so: what comes back is older.
    QList<QDockWidget*> open;
    QList<QDockWidget*> inFront;
    if (coming_) {
        for (QDockWidget* dock : all_) {
            if (!dock->isHidden()) open += dock;
            if (!dock->visibleRegion().isEmpty()) inFront += dock;
        }
        window_->restoreState(coming_->docks, dockVersion);
        coming_.reset();
    }
    if (packing_ != packingNow()) pack();
    else if (squeezed_ && window_->width() >= narrow) shareOut();
    for (QDockWidget* dock : open) dock->show();
    for (QDockWidget* dock : inFront) dock->raise();
}

}  // namespace app::gui
