// SPDX-License-Identifier: BSD-3-Clause
// "All algorithms": every algorithm for the problem of the run that is shown, as small diagrams on one axis of time,
// the fastest first; a click puts one beside the run.
#pragma once

#include "app/gui/scenes/time/multiples_scene.hpp"
#include "app/gui/what_if/algorithm_comparison_panel.hpp"

#include <vector>

namespace app::gui {

/// Runs `wish` and every other algorithm of its collective, the fastest first; those that cannot solve the problem go
/// to `absent` by their titles. Throws Cancelled.
std::vector<SmallMultiple> runAll(const RunWish& wish, std::vector<Absent>& absent, const engine::Progress& progress);

class MultiplesPanel final : public AlgorithmComparisonPanel {
    Q_OBJECT

public:
    explicit MultiplesPanel(Playback& playback);

    [[nodiscard]] const std::vector<SmallMultiple>& runs() const { return runs_; }
    void start() override;

    [[nodiscard]] QSize sizeHint() const override { return {420, 300}; }

Q_SIGNALS:
    /// That algorithm is to stand beside the run.
    void chosen(const QString& algorithm);

private:
    class Picture;

    MultiplesPanel(Playback& playback, Picture* picture);
    void follow();
    void choose(std::size_t index);

    std::vector<SmallMultiple> runs_;
    Picture* picture_;
};

}  // namespace app::gui
