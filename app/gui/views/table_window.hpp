// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "app/gui/tables/answer_table.hpp"
#include "app/gui/views/view_widget.hpp"

#include <QDialog>
#include <QLabel>
#include <QPointer>
#include <QTimer>

namespace app::gui {

/// The table behind a picture, in a window of its own; follows the cursor while it does not run. Rows can be selected
/// and copied as tab-separated text.
class TableWindow final : public QDialog {
    Q_OBJECT

public:
    TableWindow(ViewWidget& view, Playback& playback, QWidget* parent);

    [[nodiscard]] const AnswerTable& rows() const { return *rows_; }

private:
    void follow();

    QPointer<ViewWidget> view_;
    Playback* playback_;
    AnswerTable* rows_;
    QLabel* remarks_;
    QTimer settle_;
};

}  // namespace app::gui
