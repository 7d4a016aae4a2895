// SPDX-License-Identifier: BSD-3-Clause
// "What if": sliders for startup, time per byte, size and ranks. The run follows while one is dragged, with a line
// where it ended before; below, time against size or ranks for all algorithms.
#pragma once

#include "app/gui/playback/playback.hpp"
#include "app/gui/what_if/sweep_panel.hpp"
#include "app/session/options/recorded.hpp"

#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSlider>

#include <optional>
#include <vector>

namespace app::gui {

struct Dial;

class SlidersPanel final : public QWidget {
    Q_OBJECT

public:
    explicit SlidersPanel(Playback& playback);
    ~SlidersPanel() override;

    /// What was wished last is shown.
    void settle();
    /// It cannot be run: why, as a sentence.
    void refuse(const QString& sentence);
    /// What the run took before and takes now, or why it could not be run.
    [[nodiscard]] QString said() const { return words_->text(); }
    [[nodiscard]] SweepPanel& sweep() const { return *sweep_; }
    /// Pixels of height without which it is scrolled.
    [[nodiscard]] int lacking() const;

    [[nodiscard]] QSize sizeHint() const override { return {340, 320}; }

Q_SIGNALS:
    /// Asked for one at a time: the next only when this one is shown or refused, and then the latest.
    void wished(const app::RunWish& wish);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    /// A slider with what it stands at.
    struct Row {
        const Dial* dial;
        QSlider* slider;
        QLabel* value;
    };

    void begin();
    void moved();
    void place();
    void ask(const RunWish& wish);
    void say(const QString& words);
    [[nodiscard]] RunWish wishNow() const;

    Playback* playback_;
    QFormLayout* form_;
    std::vector<Row> rows_;
    QLabel* words_;
    QPushButton* back_;
    SweepPanel* sweep_;
    QScrollArea* room_ = nullptr;
    std::optional<RunWish> base_;  // before the sliders were moved
    engine::Picoseconds before_{};
    bool placing_ = false;
    bool moved_ = false;    // since base_
    bool waiting_ = false;  // for what was asked
    std::optional<RunWish> next_;
};

}  // namespace app::gui
