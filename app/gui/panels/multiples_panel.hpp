// SPDX-License-Identifier: BSD-3-Clause
// "All algorithms": every algorithm for the problem of the run that is shown, as small diagrams on one axis of time,
// the fastest first; a click puts one beside the run.
#pragma once

#include "app/gui/models/words_model.hpp"
#include "app/gui/playback.hpp"
#include "app/gui/scenes/multiples_scene.hpp"
#include "app/gui/worker.hpp"
#include "app/session/session.hpp"

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QWidget>

#include <vector>

namespace app::gui {

/// Runs `wish` and every other algorithm of its collective, the fastest first; those that cannot solve the problem go
/// to `absent` by their titles. Throws Cancelled.
std::vector<SmallMultiple> runAll(const RunWish& wish, QStringList& absent, const engine::Progress& progress);

class MultiplesPanel final : public QWidget {
    Q_OBJECT

public:
    explicit MultiplesPanel(Playback& playback);

    [[nodiscard]] const std::vector<SmallMultiple>& runs() const { return runs_; }
    [[nodiscard]] bool busy() const { return worker_.busy(); }
    void start();

    [[nodiscard]] QSize sizeHint() const override { return {420, 300}; }

Q_SIGNALS:
    /// That algorithm is to stand beside the run.
    void chosen(const QString& algorithm);

private:
    class Picture;

    void follow();
    void choose(std::size_t index);

    Playback* playback_;
    std::vector<SmallMultiple> runs_;
    WordsModel model_;
    Picture* picture_;
    QStackedWidget* pages_;  // the picture, or its table
    QPushButton* run_;
    QPushButton* asTable_;
    QProgressBar* progress_;
    QLabel* why_;
    Worker worker_;
};

}  // namespace app::gui
