// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "app/gui/scenes/subject/drawable_run.hpp"

#include <QAbstractTableModel>

namespace app::gui {

/// The rounds of a run as rows, none where they were not recorded; rounds are counted from 1 for people.
class RoundsModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column : int { round, messages, bytes, duration, link, columns };

    using QAbstractTableModel::QAbstractTableModel;

    void show(SubjectPtr subject);
    /// Marks the row of the round in progress; -1 for none.
    void setCurrent(int row);
    [[nodiscard]] int current() const { return current_; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QString words(int row, int column) const;
    [[nodiscard]] QString tip(int row, int column) const;
    [[nodiscard]] QString busiest(int row) const;  ///< link of that round

    SubjectPtr subject_;
    int current_ = -1;
};

}  // namespace app::gui
