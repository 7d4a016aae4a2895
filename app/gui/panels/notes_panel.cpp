// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/panels/notes_panel.hpp"

#include "app/gui/scenes/words.hpp"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>

#include <algorithm>

namespace app::gui {
namespace {

constexpr int noteColumn = 1;

}  // namespace

NotesPanel::NotesPanel(Playback& playback)
    : playback_{&playback},
      rows_{new QTableWidget{0, 2}},
      remove_{new QPushButton{tr("Remove")}},
      hint_{new QLabel{tr("Marked moments stand here and in Ranks over time, each with a note. Save session, in File, "
                          "keeps them.")}} {
    hint_->setWordWrap(true);
    hint_->setContentsMargins(8, 4, 8, 4);
    rows_->setAccessibleName(tr("Notes"));
    rows_->setAccessibleDescription(tr("One row for each marked moment; choosing a row goes there."));
    rows_->setHorizontalHeaderLabels({tr("Moment"), tr("Note")});
    rows_->verticalHeader()->hide();
    rows_->horizontalHeader()->setStretchLastSection(true);
    rows_->setSelectionBehavior(QAbstractItemView::SelectRows);
    rows_->setSelectionMode(QAbstractItemView::SingleSelection);
    rows_->setTabKeyNavigation(false);
    rows_->setShowGrid(false);
    rows_->setFrameShape(QFrame::NoFrame);
    auto* add = new QPushButton{tr("Mark this moment")};
    for (QPushButton* button : {add, remove_}) button->setAccessibleName(button->text());
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(8, 2, 8, 4);
    bar->addWidget(add);
    bar->addWidget(remove_);
    bar->addStretch(1);
    auto* column = new QVBoxLayout{this};
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(hint_);
    column->addWidget(rows_, 1);
    column->addLayout(bar);
    connect(add, &QPushButton::clicked, this, &NotesPanel::mark);
    connect(remove_, &QPushButton::clicked, this, &NotesPanel::remove);
    connect(rows_, &QTableWidget::cellClicked, this, [this](int row, int) {
        playback_->pause();
        playback_->seek(shown_[static_cast<std::size_t>(row)].time);
    });
    connect(rows_, &QTableWidget::cellChanged, this, [this](int row, int cell) {
        if (cell != noteColumn) return;
        std::vector<Mark> marks = shown_;
        marks[static_cast<std::size_t>(row)].note = rows_->item(row, noteColumn)->text();
        playback_->setMarks(std::move(marks));
    });
    connect(&playback, &Playback::changed, this, &NotesPanel::follow);
    follow();
}

void NotesPanel::mark() {
    if (!playback_->subject()) return;
    const engine::Picoseconds time = playback_->state().time;
    playback_->mark({});
    for (int row = 0; row < rows_->rowCount(); ++row) {
        const Mark& mark = shown_[static_cast<std::size_t>(row)];
        if (mark.time != time || !mark.note.isEmpty()) continue;
        rows_->setCurrentCell(row, noteColumn);
        if (isVisible()) rows_->editItem(rows_->item(row, noteColumn));
    }
}

void NotesPanel::remove() {
    const int row = rows_->currentRow();
    if (row < 0) return;
    std::vector<Mark> marks = shown_;
    marks.erase(marks.begin() + row);
    playback_->setMarks(std::move(marks));
}

void NotesPanel::follow() {
    const std::vector<Mark>& marks = playback_->state().marks;
    remove_->setEnabled(!marks.empty());
    hint_->setVisible(marks.empty());
    if (marks == shown_ && rows_->rowCount() == static_cast<int>(marks.size())) return;
    shown_ = marks;
    const QSignalBlocker quiet{rows_};
    rows_->setRowCount(static_cast<int>(marks.size()));
    for (int row = 0; row < rows_->rowCount(); ++row) {
        const Mark& mark = marks[static_cast<std::size_t>(row)];
        auto* time = new QTableWidgetItem{timeInWords(mark.time)};
        time->setFlags(time->flags() & ~Qt::ItemIsEditable);
        rows_->setItem(row, 0, time);
        rows_->setItem(row, noteColumn, new QTableWidgetItem{mark.note});
    }
    rows_->resizeColumnToContents(0);
}

}  // namespace app::gui
