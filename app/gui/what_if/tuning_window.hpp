// SPDX-License-Identifier: BSD-3-Clause
// The map of a tuning: which algorithm of an MPI library is the fastest. A click on a cell shows the measurements
// behind it beside the model's predictions, and the schedules of the two fastest algorithms side by side.
#pragma once

#include "app/gui/scenes/time/multiples_scene.hpp"
#include "app/gui/tables/answer_table.hpp"
#include "app/gui/widgets/scene_widget.hpp"
#include "app/gui/widgets/worker.hpp"
#include "app/session/tune/measured_file.hpp"

#include <QDialog>
#include <QLabel>

namespace app::gui {

class TuningWindow final : public QDialog {
    Q_OBJECT

public:
    /// Of the file of a measurement, or of its rules beside it. Throws Error where it is none.
    TuningWindow(const std::string& path, bool dark, QWidget* parent);

    /// Shows the case at `index`.
    void choose(std::size_t index);
    [[nodiscard]] const std::vector<tune::Tuned>& cases() const { return cases_; }
    [[nodiscard]] const Table& measurements() const { return rows_->table(); }
    /// The schedules that are shown.
    [[nodiscard]] const std::vector<SmallMultiple>& schedules() const { return schedules_; }
    [[nodiscard]] bool busy() const { return worker_.busy(); }

private:
    class Map;

    void runFastest();

    tune::MeasuredFile file_;
    std::vector<tune::Tuned> cases_;
    bool dark_;
    std::size_t chosen_ = 0;
    std::vector<SmallMultiple> schedules_;
    QString why_;  ///< there are none
    Worker worker_;
    QLabel* title_;
    AnswerTable* rows_;
    Map* map_;
    SceneWidget* pictures_;  ///< two space-time diagrams, or a sentence
};

}  // namespace app::gui
