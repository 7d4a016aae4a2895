// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/widgets/scene_widget.hpp"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

namespace app::gui {

SceneWidget::SceneWidget(const QString& name, QSize least, std::function<Scene(QSizeF)> draw) : draw_{std::move(draw)} {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(name);
    setMinimumSize(least);
}

void SceneWidget::drawAgain() {
    scene_ = {};
    update();
}

const Scene& SceneWidget::scene() {
    if (scene_.shapes.empty()) {
        scene_ = draw_(QSizeF{size()});
        if (scene_.description != accessibleDescription()) setAccessibleDescription(scene_.description);
    }
    return scene_;
}

bool SceneWidget::event(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) drawAgain();
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString tip = ownTipAt(scene(), QPointF{help->pos()});
    if (tip.isEmpty()) QToolTip::hideText();
    else QToolTip::showText(help->globalPos(), tip, this);
    return true;
}

void SceneWidget::paintEvent(QPaintEvent*) {
    QPainter painter{this};
    painter.fillRect(rect(), palette().color(QPalette::Base));
    paint(painter, scene());
    if (!hasFocus()) return;
    painter.setPen(QPen{palette().color(QPalette::Highlight), 2});
    painter.drawRect(rect().adjusted(1, 1, -1, -1));
}

void SceneWidget::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    drawAgain();
}

void SceneWidget::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) Q_EMIT clicked(event->position());
}

}  // namespace app::gui
