// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/widgets/drilldown_bar.hpp"

#include <QHBoxLayout>
#include <QToolButton>

namespace app::gui {

InsideBar::InsideBar() : label_{new QLabel} {
    auto* row = new QHBoxLayout{this};
    row->setContentsMargins(8, 4, 4, 4);
    label_->setWordWrap(true);
    label_->setAccessibleName(tr("What is opened"));
    auto* back = new QToolButton;
    back->setText(tr("Back to the trace"));
    back->setAccessibleName(back->text());
    back->setToolTip(tr("Where it was left (Alt+Up)"));
    back->setFocusPolicy(Qt::StrongFocus);
    row->addWidget(label_, 1);
    row->addWidget(back);
    connect(back, &QToolButton::clicked, this, &InsideBar::left);
    hide();
}

void InsideBar::say(const QString& sentence) {
    label_->setText(sentence);
    setVisible(!sentence.isEmpty());
}

}  // namespace app::gui
