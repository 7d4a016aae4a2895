// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/tables/answer_table.hpp"

#include "app/analysis/format/cell_format.hpp"
#include "app/gui/tables/table_look.hpp"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>

#include <algorithm>

namespace app::gui {

AnswerTable::AnswerTable(const QString& name, const QString& description) {
    sorted_.setSourceModel(&model_);
    sorted_.setSortRole(AnswerModel::order);
    showRows(*this, sorted_, name);
    chooseRows(*this);
    setAccessibleDescription(description);
    setWordWrap(false);
    setSortingEnabled(true);
    sortByColumn(-1, Qt::AscendingOrder);
}

void AnswerTable::show(engine::Table table, int widest, const analysis::TableDefinition* definition) {
    const bool another = table.name != model_.table().name;
    model_.show(std::move(table), definition);
    if (another) sortByColumn(-1, Qt::AscendingOrder);
    for (int column = 0; column < model_.columnCount(); ++column)
        setColumnHidden(column, !analysis::says(model_.table(), static_cast<std::size_t>(column)));
    resizeColumnsToContents();
    for (int column = 0; column < model_.columnCount(); ++column)
        if (!isColumnHidden(column)) setColumnWidth(column, std::min(columnWidth(column), widest));
}

void AnswerTable::copy() const {
    QList<int> columns;
    for (int column = 0; column < sorted_.columnCount(); ++column)
        if (!isColumnHidden(column)) columns += column;
    const auto line = [&](const auto& wordsOf) {
        QStringList words;
        for (const int column : columns) words += wordsOf(column).toString();
        return words.join('\t');
    };
    QStringList lines{line([&](int column) { return sorted_.headerData(column, Qt::Horizontal); })};
    const QItemSelectionModel& chosen = *selectionModel();
    for (int row = 0; row < sorted_.rowCount(); ++row)
        if (!chosen.hasSelection() || chosen.isRowSelected(row))
            lines += line([&](int column) { return sorted_.index(row, column).data(); });
    QApplication::clipboard()->setText(lines.join('\n'));
}

void AnswerTable::fitRows(bool low) {
    const int row = fontMetrics().height() + (low ? 2 : 6);
    if (row == verticalHeader()->defaultSectionSize()) return;
    verticalHeader()->setDefaultSectionSize(row);
    keepRows(*this);
}

}  // namespace app::gui
