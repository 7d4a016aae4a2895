// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/views/table_window.hpp"

#include "app/gui/tables/table_look.hpp"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace app::gui {
namespace {

constexpr int filterSettles = 60;  // milliseconds

}  // namespace

TableWindow::TableWindow(ViewWidget& view, Playback& playback, QWidget* parent)
    : QDialog{parent}, view_{&view}, playback_{&playback}, rows_{new QTableView} {
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("%1 as a table").arg(view.accessibleName()));
    showRows(*rows_, model_, view.accessibleName());
    rows_->setSelectionBehavior(QAbstractItemView::SelectRows);
    rows_->setAlternatingRowColors(true);
    rows_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    rows_->horizontalHeader()->setHighlightSections(false);
    auto* left = new QLabel;
    left->setWordWrap(true);
    auto* buttons = new QDialogButtonBox{QDialogButtonBox::Close};
    QPushButton* copyButton = buttons->addButton(tr("&Copy"), QDialogButtonBox::ActionRole);
    connect(copyButton, &QPushButton::clicked, this, &TableWindow::copy);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* column = new QVBoxLayout{this};
    column->addWidget(rows_, 1);
    column->addWidget(left);
    column->addWidget(buttons);
    settle_.setSingleShot(true);
    settle_.setInterval(filterSettles);
    connect(&settle_, &QTimer::timeout, this, &TableWindow::follow);
    connect(&playback, &Playback::changed, this, [this] {
        if (!settle_.isActive()) settle_.start();
    });
    connect(&model_, &TextTableModel::modelReset, left, [this, left] {
        const std::int64_t missing = model_.table().left;
        left->setText(missing > 0              ? tr("%1 more rows are not listed.").arg(missing)
                      : model_.rowCount() == 0 ? tr("There is nothing to list.")
                                               : QString{});
        left->setVisible(!left->text().isEmpty());
    });
    follow();
    rows_->resizeColumnsToContents();
    rows_->horizontalHeader()->setStretchLastSection(true);
    int width = 60;
    for (int section = 0; section < model_.columnCount(); ++section) width += rows_->columnWidth(section);
    resize(std::clamp(width, 360, 900), 480);
}

void TableWindow::follow() {
    if (!view_ || playback_->playing()) return;
    if (!view_->ready()) return settle_.start();
    Table now = view_->table();
    if (now.columns == model_.table().columns && now.rows == model_.table().rows) return;
    model_.show(std::move(now));
}

void TableWindow::copy() {
    QStringList lines{model_.table().columns.join('\t')};
    const QModelIndexList chosen = rows_->selectionModel()->selectedRows();
    for (std::size_t row = 0; row < model_.table().rows.size(); ++row) {
        const bool wanted = chosen.isEmpty() ||
                            std::any_of(chosen.begin(), chosen.end(),
                                        [&](const QModelIndex& index) { return index.row() == static_cast<int>(row); });
        if (wanted) lines += model_.table().rows[row].join('\t');
    }
    QApplication::clipboard()->setText(lines.join('\n'));
}

}  // namespace app::gui
