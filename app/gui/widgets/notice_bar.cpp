// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/widgets/notice_bar.hpp"

#include "app/gui/widgets/field.hpp"

#include <QAccessible>
#include <QEvent>
#include <QHBoxLayout>
#include <QToolButton>

namespace app::gui {

NoticeBar::NoticeBar() : label_{new QLabel} {
    setFrameShape(QFrame::StyledPanel);
    auto* row = new QHBoxLayout{this};
    row->setContentsMargins(8, 4, 4, 4);
    label_->setWordWrap(true);
    label_->setAccessibleName(tr("Notice"));
    auto* close = new QToolButton;
    close->setText(tr("Close"));
    close->setAccessibleName(tr("Close the notice"));
    close->setAutoRaise(true);
    close->setFocusPolicy(Qt::StrongFocus);
    row->addWidget(label_, 1);
    row->addWidget(close);
    connect(close, &QToolButton::clicked, this, [this] { write({}); });
    hide();
}

void NoticeBar::say(const QString& sentence) {
    if (!telling_ || !sentence.isEmpty()) write(sentence);
}

void NoticeBar::tell(const QString& sentence) {
    write(sentence);
    telling_ = true;
}

void NoticeBar::write(const QString& sentence) {
    telling_ = false;
    label_->setText(inWords(sentence));
    setVisible(!sentence.isEmpty());
    colourAsRefusal(*label_);
    if (sentence.isEmpty()) return;
    QAccessibleEvent alert{label_, QAccessible::Alert};
    QAccessible::updateAccessibility(&alert);
}

void NoticeBar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) colourAsRefusal(*label_);
    QFrame::changeEvent(event);
}

}  // namespace app::gui
