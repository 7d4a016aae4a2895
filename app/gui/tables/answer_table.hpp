// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "app/gui/tables/answer_model.hpp"

#include <QSortFilterProxyModel>
#include <QTableView>

namespace app::gui {

/// An answer as rows that can be sorted.
class AnswerTable final : public QTableView {
    Q_OBJECT

public:
    AnswerTable(const QString& name, const QString& description);

    /// Columns that say nothing are hidden, and none is wider than `widest` pixels: longer words are in the tip.
    /// `definition` as in AnswerModel::show.
    void show(engine::Table table, int widest, const analysis::TableDefinition* definition = nullptr);
    [[nodiscard]] const engine::Table& table() const { return model_.table(); }
    /// The rows as they are sorted now.
    [[nodiscard]] const QSortFilterProxyModel& sorted() const { return sorted_; }
    /// The place of the row in the table.
    [[nodiscard]] std::size_t rowOf(const QModelIndex& index) const {
        return static_cast<std::size_t>(sorted_.mapToSource(index).row());
    }
    /// Puts the selected rows, or all, on the clipboard, as they are sorted now: tab-separated text.
    void copy() const;
    /// Rows are closer where otherwise only few could be seen.
    void fitRows(bool low);

private:
    AnswerModel model_;
    QSortFilterProxyModel sorted_;
};

}  // namespace app::gui
