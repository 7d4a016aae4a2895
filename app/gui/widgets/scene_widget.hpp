// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "app/gui/scenes/drawing/scene.hpp"

#include <QWidget>

#include <functional>

namespace app::gui {

/// A picture that keeps nothing but its scene: says what is under the mouse, and is framed while it has the focus.
class SceneWidget : public QWidget {
    Q_OBJECT

public:
    /// `name`: what a screen reader calls it. `draw` is called once for each size and look until `drawAgain`.
    SceneWidget(const QString& name, QSize least, std::function<Scene(QSizeF)> draw);

    void drawAgain();

Q_SIGNALS:
    void clicked(QPointF at);

protected:
    [[nodiscard]] const Scene& scene();

    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    std::function<Scene(QSizeF)> draw_;
    Scene scene_;
};

}  // namespace app::gui
