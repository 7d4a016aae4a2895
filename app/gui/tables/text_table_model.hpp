// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "app/gui/scenes/drawing/scene_table.hpp"

#include <QAbstractTableModel>

namespace app::gui {

/// A table of words.
class TextTableModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void show(Table table);
    [[nodiscard]] const Table& table() const { return table_; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    Table table_;
};

}  // namespace app::gui
