// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/views/table_window.hpp"

#include "app/gui/scenes/drawing/to_qt.hpp"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace app::gui {
namespace {

constexpr int filterSettles = 60;  // milliseconds
constexpr int widestColumn = 400;  // pixels of a column; longer words are in the tip

}  // namespace

TableWindow::TableWindow(ViewWidget& view, Playback& playback, QWidget* parent)
    : QDialog{parent},
      view_{&view},
      playback_{&playback},
      rows_{new AnswerTable{view.accessibleName(), {}}},
      remarks_{new QLabel} {
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("%1 as a table").arg(view.accessibleName()));
    rows_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    remarks_->setWordWrap(true);
    auto* buttons = new QDialogButtonBox{QDialogButtonBox::Close};
    QPushButton* copyButton = buttons->addButton(tr("&Copy"), QDialogButtonBox::ActionRole);
    connect(copyButton, &QPushButton::clicked, rows_, &AnswerTable::copy);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* column = new QVBoxLayout{this};
    column->addWidget(rows_, 1);
    column->addWidget(remarks_);
    column->addWidget(buttons);
    settle_.setSingleShot(true);
    settle_.setInterval(filterSettles);
    connect(&settle_, &QTimer::timeout, this, &TableWindow::follow);
    connect(&playback, &Playback::changed, this, [this] {
        if (!settle_.isActive()) settle_.start();
    });
    follow();
    rows_->horizontalHeader()->setStretchLastSection(true);
    int width = 60;
    for (int section = 0; section < rows_->model()->columnCount(); ++section) width += rows_->columnWidth(section);
    resize(std::clamp(width, 360, 900), 480);
}

void TableWindow::follow() {
    if (!view_ || playback_->playing()) return;
    if (!view_->ready()) return settle_.start();
    Table now = view_->table();
    QStringList remarks;
    for (const std::string& remark : now.remarks) remarks << toQt(remark);
    if (now.rows.empty() && remarks.isEmpty()) remarks << tr("There is nothing to list.");
    remarks_->setText(remarks.join('\n'));
    remarks_->setVisible(!remarks.isEmpty());
    if (now != rows_->table()) rows_->show(std::move(now), widestColumn);
}

}  // namespace app::gui
