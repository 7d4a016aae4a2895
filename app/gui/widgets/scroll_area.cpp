// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/widgets/scroll_area.hpp"

#include <QEvent>
#include <QLayout>
#include <QScrollBar>

#include <algorithm>

namespace app::gui {
Scrolled::Scrolled(QWidget* content, int leastSeen) {
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    setMinimumHeight(leastSeen);
    setWidget(content);
    // The card below is the paper of both.
    for (QWidget* each : {viewport(), content}) each->setAutoFillBackground(false);
}

void Scrolled::resizeEvent(QResizeEvent* event) {
    QScrollArea::resizeEvent(event);
    fit();
}

bool Scrolled::eventFilter(QObject* watched, QEvent* event) {
    const bool done = QScrollArea::eventFilter(watched, event);
    if (watched == widget() && event->type() == QEvent::LayoutRequest) fit();
    return done;
}

int Scrolled::heightAt(int width) const {
    const QLayout* layout = widget()->layout();
    if (layout == nullptr) return std::max(widget()->heightForWidth(width), widget()->minimumSizeHint().height());
    return layout->hasHeightForWidth() ? layout->minimumHeightForWidth(width) : layout->minimumSize().height();
}

void Scrolled::fit() {
    const QSize place = contentsRect().size();
    const bool bar = heightAt(place.width()) > place.height();
    const int width = place.width() - (bar ? verticalScrollBar()->sizeHint().width() : 0);
    setVerticalScrollBarPolicy(bar ? Qt::ScrollBarAlwaysOn : Qt::ScrollBarAlwaysOff);
    widget()->resize(width, std::max(heightAt(width), place.height()));
}

}  // namespace app::gui
