// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "app/gui/playback/playback.hpp"
#include "app/gui/tables/answer_model.hpp"

#include <QTableView>

namespace app::gui {

/// The rounds as a table; a click, or Up and Down, moves the cursor to the start of a round.
class RoundsTable final : public QTableView {
    Q_OBJECT

public:
    explicit RoundsTable(Playback& playback);

    [[nodiscard]] QSize sizeHint() const override { return {330, 180}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {120, 80}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void follow();

    Playback* playback_;
    AnswerModel model_;
};

}  // namespace app::gui
