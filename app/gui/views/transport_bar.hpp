// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "app/gui/playback/playback.hpp"
#include "app/gui/widgets/fitting_label.hpp"

#include <QComboBox>
#include <QToolButton>

namespace app::gui {

class ScrubBar;

/// Begin, back, play, forward, end, the scrub bar, where the cursor is, and the speed.
class TransportBar final : public QWidget {
    Q_OBJECT

public:
    explicit TransportBar(Playback& playback);

    [[nodiscard]] QToolButton& playButton() { return *play_; }
    [[nodiscard]] ScrubBar& scrubBar() { return *scrub_; }
    /// Whether there is room for the round alone.
    void setSlim(bool slim);
    [[nodiscard]] QString position() const { return position_->words(); }

protected:
    void changeEvent(QEvent* event) override;

private:
    QToolButton* button(const QString& name, const QString& tip);
    void drawIcons();
    void follow();
    void reserveWidth();

    Playback* playback_;
    QToolButton* begin_;
    QToolButton* back_;
    QToolButton* play_;
    QToolButton* forward_;
    QToolButton* end_;
    QToolButton* loop_;
    ScrubBar* scrub_;
    QToolButton* whole_;  // seen where the bar is of a part
    FittingLabel* position_;
    QComboBox* speed_;
};

}  // namespace app::gui
