// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "app/gui/tables/text_table_model.hpp"
#include "app/gui/views/view_widget.hpp"

#include <QDialog>
#include <QPointer>
#include <QTableView>
#include <QTimer>

namespace app::gui {

/// The table behind a picture, in a window of its own; follows the cursor while it does not run. Rows can be selected
/// and copied as tab-separated text.
class TableWindow final : public QDialog {
    Q_OBJECT

public:
    TableWindow(ViewWidget& view, Playback& playback, QWidget* parent);

    [[nodiscard]] const TextTableModel& model() const { return model_; }
    /// Puts the selected rows, or all of them, on the clipboard.
    void copy();

private:
    void follow();

    QPointer<ViewWidget> view_;
    Playback* playback_;
    TextTableModel model_;
    QTableView* rows_;
    QTimer settle_;
};

}  // namespace app::gui
