// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/tables/rounds_model.hpp"

#include "app/gui/scenes/drawing/number_text.hpp"
#include "app/gui/scenes/text/run_text.hpp"

#include <QFont>

namespace app::gui {

void RoundsModel::show(SubjectPtr subject) {
    beginResetModel();
    subject_ = std::move(subject);
    current_ = -1;
    endResetModel();
}

void RoundsModel::setCurrent(int row) {
    if (row == current_) return;
    const int before = std::exchange(current_, row);
    for (const int changed : {before, row}) {
        if (changed >= 0 && changed < rowCount()) Q_EMIT dataChanged(index(changed, 0), index(changed, columns - 1));
    }
}

int RoundsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !subject_ || !subject_->hasRounds() ? 0
                                                                   : static_cast<int>(subject_->run().perRound.size());
}

int RoundsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columns; }

QString RoundsModel::words(int row, int column) const {
    const auto at = static_cast<std::size_t>(row);
    const engine::RoundTimes& times = subject_->run().perRound[at];
    switch (column) {
        case round: return QString::number(row + 1);
        case messages: return countInWords(times.messages);
        case bytes: return bytesInWords(times.bytes);
        case duration: return timeInWords(times.end - times.begin);
        // Switches as where links are named to be made slow: the column is narrow.
        case link: return busiest(row).replace("switch ", "s");
        default: return {};
    }
}

QString RoundsModel::busiest(int row) const {
    const auto at = static_cast<std::size_t>(row);
    const Report& report = subject_->report();
    if (!report.congestion || !report.network || at >= report.congestion->perRound.size()) return {};
    const emulation::LinkPeak& peak = report.congestion->perRound[at];
    if (peak.bytes == 0) return {};
    const QString name = QString::fromStdString(report.network->linkName(peak.link)).replace("->", "\u2192");
    return tr("%1: %2").arg(name, bytesInWords(peak.bytes));
}

QString RoundsModel::tip(int row, int column) const {
    const engine::RoundTimes& times = subject_->run().perRound[static_cast<std::size_t>(row)];
    switch (column) {
        case bytes: return tr("Largest message: %1").arg(bytesInWords(times.largest));
        case duration: return tr("From %1 to %2").arg(timeInWords(times.begin), timeInWords(times.end));
        case link: return busiest(row);
        default: return {};
    }
}

QVariant RoundsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    switch (role) {
        case Qt::DisplayRole: return words(index.row(), index.column());
        case Qt::ToolTipRole: return tip(index.row(), index.column());
        case Qt::TextAlignmentRole: return QVariant::fromValue(Qt::AlignVCenter | Qt::AlignRight);
        case Qt::FontRole: {
            QFont font;
            font.setBold(index.row() == current_ && index.column() == round);
            return font;
        }
        default: return {};
    }
}

QVariant RoundsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) return QVariant::fromValue(Qt::AlignVCenter | Qt::AlignRight);
    if (role != Qt::DisplayRole) return {};
    switch (section) {
        case round: return tr("Round");
        case messages: return tr("Messages");
        case bytes: return tr("Bytes");
        case duration: return tr("Duration");
        case link: return tr("Busiest link");
        default: return {};
    }
}

}  // namespace app::gui
