// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "app/gui/scenes/charts/sweep_scene.hpp"
#include "app/gui/what_if/algorithm_comparison_panel.hpp"

#include <QComboBox>
#include <QScrollArea>

namespace app::gui {

/// Time against size or ranks: all algorithms that solve the problem of the run shown, on demand; as lines or as a
/// table. Once asked for, the lines follow the run as long as it is of the same collective, the old ones left faint.
class SweepPanel final : public AlgorithmComparisonPanel {
    Q_OBJECT

public:
    explicit SweepPanel(Playback& playback);

    [[nodiscard]] const Chart& chart() const { return chart_; }
    void start() override;
    [[nodiscard]] Across across() const;

Q_SIGNALS:
    /// New lines are shown, with so many pixels less than all of it needs; it can be scrolled.
    void tooLow(int missing);

private:
    class Picture;

    SweepPanel(Playback& playback, Picture* picture, QScrollArea* room);
    void follow();
    void markRun();
    void askForRoom();

    Chart chart_;
    std::string collective_;  // of the chart
    Picture* picture_;
    QScrollArea* room_;  // of the picture
    QComboBox* across_;
};

}  // namespace app::gui
