// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "app/gui/playback/playback.hpp"

#include <QSlider>

namespace app::gui {

/// What is seen of the run as a slider with a tick at every round's begin; a click or drag moves the cursor there.
class ScrubBar final : public QSlider {
    Q_OBJECT

public:
    explicit ScrubBar(Playback& playback);

    /// Of which part of the time it is; empty: of all.
    [[nodiscard]] QString partInWords() const;

    [[nodiscard]] QSize sizeHint() const override { return {300, 28}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {80, 28}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    void follow();
    [[nodiscard]] QRectF groove() const;
    /// Of what is seen, 0..1; and back.
    [[nodiscard]] double shareOf(engine::Picoseconds time) const;
    [[nodiscard]] engine::Picoseconds timeOf(double share) const;
    void seekTo(double x);

    Playback* playback_;
};

}  // namespace app::gui
