// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/widgets/fitting_label.hpp"

#include <QEvent>

#include <algorithm>

namespace app::gui {

FittingLabel::FittingLabel(const QString& words) : words_{words} {
    setTextFormat(Qt::PlainText);
    fit();
}

void FittingLabel::setWords(const QString& words) {
    if (words == words_) return;
    words_ = words;
    updateGeometry();
    fit();
}

void FittingLabel::setLeast(int least) {
    least_ = least;
    updateGeometry();
}

void FittingLabel::reserve(const QString& widest) {
    widest_ = widest;
    updateGeometry();
}

QSize FittingLabel::sizeWith(int width) const {
    const QMargins around = contentsMargins();
    return {width + around.left() + around.right(), fontMetrics().height() + around.top() + around.bottom()};
}

int FittingLabel::wanted() const {
    return std::max(fontMetrics().horizontalAdvance(words_), fontMetrics().horizontalAdvance(widest_));
}

QSize FittingLabel::sizeHint() const { return sizeWith(wanted()); }

QSize FittingLabel::minimumSizeHint() const { return sizeWith(std::min(least_, wanted())); }

void FittingLabel::resizeEvent(QResizeEvent* event) {
    QLabel::resizeEvent(event);
    fit();
}

void FittingLabel::changeEvent(QEvent* event) {
    QLabel::changeEvent(event);
    if (event->type() == QEvent::FontChange) fit();
}

void FittingLabel::fit() {
    const int room = contentsRect().width();
    const auto widthOf = [this](const QString& words) { return fontMetrics().horizontalAdvance(words); };
    QString shown = words_;
    // Of less than a letter and the dots nothing could be read.
    if (widthOf(words_) > room)
        shown = room < widthOf(QStringLiteral("m\u2026")) ? QString{}
                                                          : fontMetrics().elidedText(words_, Qt::ElideRight, room);
    if (shown != text()) setText(shown);
    setToolTip(shown == words_ ? QString{} : words_);
}

}  // namespace app::gui
