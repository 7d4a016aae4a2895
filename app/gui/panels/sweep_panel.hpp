// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "app/gui/models/words_model.hpp"
#include "app/gui/playback.hpp"
#include "app/gui/scenes/sweep_scene.hpp"
#include "app/gui/worker.hpp"

#include <QComboBox>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>

namespace app::gui {

/// Time against size or ranks: all algorithms that solve the problem of the run shown, on demand; as lines or as a
/// table. Once asked for, the lines follow the run as long as it is of the same collective, the old ones left faint.
class SweepPanel final : public QWidget {
    Q_OBJECT

public:
    explicit SweepPanel(Playback& playback);

    [[nodiscard]] const Chart& chart() const { return chart_; }
    [[nodiscard]] bool busy() const { return worker_.busy(); }
    void start();
    [[nodiscard]] Across across() const;

private:
    class Picture;

    void follow();
    void markRun();

    Playback* playback_;
    Chart chart_;
    std::string collective_;  // of the chart
    WordsModel model_;
    Picture* picture_;
    QStackedWidget* pages_;
    QComboBox* across_;
    QPushButton* run_;
    QPushButton* asTable_;
    QProgressBar* progress_;
    QLabel* why_;
    Worker worker_;
};

}  // namespace app::gui
