// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "app/analysis/tables/table_definition.hpp"

#include <QAbstractTableModel>

namespace app::gui {

/// A computed table: cells in words with units, and by `order` as what they are sorted by.
class AnswerModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    static constexpr int order = Qt::UserRole;

    using QAbstractTableModel::QAbstractTableModel;

    /// `definition` has the meaning of the columns and outlives the model; null where no table is chosen.
    void show(engine::Table table, const analysis::TableDefinition* definition = nullptr);
    [[nodiscard]] const engine::Table& table() const { return table_; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] bool isText(int column) const;

    engine::Table table_;
    const analysis::TableDefinition* question_ = nullptr;
};

}  // namespace app::gui
