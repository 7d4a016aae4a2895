// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "app/gui/models/words_model.hpp"
#include "app/gui/playback.hpp"
#include "app/gui/scenes/sweep_scene.hpp"
#include "app/gui/worker.hpp"

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>

namespace app::gui {

/// Time against size: all algorithms that solve the problem of the run shown, on demand; as lines or as a table.
class SweepPanel final : public QWidget {
    Q_OBJECT

public:
    explicit SweepPanel(Playback& playback);

    [[nodiscard]] const Chart& chart() const { return chart_; }
    [[nodiscard]] bool busy() const { return worker_.busy(); }
    void start();

private:
    class Picture;

    Playback* playback_;
    Chart chart_;
    WordsModel model_;
    Picture* picture_;
    QStackedWidget* pages_;
    QPushButton* run_;
    QPushButton* asTable_;
    QProgressBar* progress_;
    QLabel* why_;
    Worker worker_;
};

}  // namespace app::gui
