// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/window/layout_switcher.hpp"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QMenuBar>

namespace app::gui {

LayoutSwitcher::LayoutSwitcher(QMainWindow& window, Contents& contents) : QObject{&window}, contents_{&contents} {
    auto* choice = new QWidget;
    choice->setAccessibleName(tr("Layouts"));
    auto* row = new QHBoxLayout{choice};
    row->setContentsMargins(0, 2, 8, 2);
    row->setSpacing(0);
    auto* group = new QButtonGroup{choice};
    for (const Layout layout : layouts) {
        auto* button = new QToolButton;
        button->setText(title(layout));
        button->setAccessibleName(tr("Layout: %1").arg(title(layout)));
        button->setToolTip(meaning(layout));
        button->setCheckable(true);
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::StrongFocus);
        group->addButton(button);
        row->addWidget(button);
        connect(button, &QToolButton::clicked, this, [this, layout] { choose(layout); });
        buttons_[static_cast<std::size_t>(layout)] = button;
    }
    window.menuBar()->setCornerWidget(choice, Qt::TopRightCorner);
    show();
}

QString LayoutSwitcher::title(Layout layout) {
    switch (layout) {
        case Layout::learn: return tr("Learn");
        case Layout::inspect: return tr("Inspect");
        case Layout::compare: return tr("Compare");
        case Layout::analyse: return tr("Analyse");
    }
    return {};
}

QString LayoutSwitcher::meaning(Layout layout) {
    switch (layout) {
        case Layout::learn: return tr("A lesson next to its pictures");
        case Layout::inspect: return tr("One run: its messages, and the reasons for its time");
        case Layout::compare: return tr("Two runs above each other on one time axis, and their differences");
        case Layout::analyse: return tr("The trace of a program: tables, charts and details");
    }
    return {};
}

Layout LayoutSwitcher::layout() const { return contents_->docks.layout(); }

void LayoutSwitcher::choose(Layout layout) {
    if (layout == this->layout()) return show();
    DockAreas& docks = contents_->docks;
    docks.catchUp();
    left_[static_cast<std::size_t>(this->layout())] = docks.arrangement();
    const auto& before = left_[static_cast<std::size_t>(layout)];
    if (!before || !docks.comeBackTo(*before)) {
        docks.arrange(layout);
        docks.shareOut();
    }
    show();
    Q_EMIT changed(layout);
}

void LayoutSwitcher::reset() {
    left_[static_cast<std::size_t>(layout())].reset();
    contents_->docks.arrange(layout());
    contents_->docks.shareOut();
}

void LayoutSwitcher::bringBack(const Left& left) {
    left_ = left;
    show();
}

void LayoutSwitcher::show() {
    for (const Layout layout : layouts)
        buttons_[static_cast<std::size_t>(layout)]->setChecked(layout == this->layout());
    contents_->setAbove(rowOf(layout()).runsAbove);
}

}  // namespace app::gui
