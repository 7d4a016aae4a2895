// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/tables/answer_model.hpp"

#include "app/analysis/format/cell_format.hpp"
#include "app/gui/scenes/drawing/number_text.hpp"

namespace app::gui {
namespace {

QVariant orderOf(const engine::Cell& cell) {
    if (const auto* words = std::get_if<std::string>(&cell)) return QString::fromStdString(*words);
    if (const auto* count = std::get_if<std::int64_t>(&cell)) return static_cast<qlonglong>(*count);
    if (const auto* number = std::get_if<double>(&cell)) return *number;
    if (const auto* time = std::get_if<engine::Picoseconds>(&cell)) return static_cast<qlonglong>(time->count());
    return {};
}

}  // namespace

void AnswerModel::show(engine::Table table, const analysis::TableDefinition* definition) {
    beginResetModel();
    table_ = std::move(table);
    question_ = definition;
    endResetModel();
}

int AnswerModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(table_.rows.size());
}

int AnswerModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(table_.columns.size());
}

bool AnswerModel::isText(int column) const {
    return table_.columns[static_cast<std::size_t>(column)].content == engine::Content::words;
}

QVariant AnswerModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const auto column = static_cast<std::size_t>(index.column());
    const engine::Cell& cell = table_.rows[static_cast<std::size_t>(index.row())][column];
    switch (role) {
        case Qt::DisplayRole:
        case Qt::ToolTipRole:
            return withMu(QString::fromStdString(analysis::shown(cell, table_.columns[column].content)));
        case order: return orderOf(cell);
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(Qt::AlignVCenter | (isText(index.column()) ? Qt::AlignLeft : Qt::AlignRight));
        default: return {};
    }
}

QVariant AnswerModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section >= columnCount()) return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::AlignVCenter | (isText(section) ? Qt::AlignLeft : Qt::AlignRight));
    if (role == Qt::ToolTipRole && question_ != nullptr) {
        const std::string_view meaning = question_->columns[static_cast<std::size_t>(section)].meaning;
        return QString::fromUtf8(meaning.data(), static_cast<qsizetype>(meaning.size()));
    }
    if (role != Qt::DisplayRole) return {};
    return QString::fromStdString(analysis::heading(table_.columns[static_cast<std::size_t>(section)]));
}

}  // namespace app::gui
