// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/notes/annotations_panel.hpp"

#include "app/gui/scenes/common/annotation_notes.hpp"
#include "app/gui/scenes/text/run_text.hpp"
#include "app/gui/tables/table_look.hpp"
#include "app/gui/widgets/flow_layout.hpp"
#include "app/gui/widgets/scroll_area.hpp"
#include "app/gui/widgets/slim_button.hpp"

#include <QHeaderView>
#include <QVBoxLayout>

#include <algorithm>

namespace app::gui {
namespace {

constexpr int leastRows = 60;  // pixels of height
constexpr int placeColumn = 1;
constexpr int noteColumn = 2;

/// A cell that cannot be written in.
QTableWidgetItem* fixed(const QString& words) {
    auto* item = new QTableWidgetItem{words};
    item->setFlags(item->flags() & ~Qt::ItemIsEditable);
    return item;
}

}  // namespace

AnnotationsPanel::AnnotationsPanel(Playback& playback)
    : playback_{&playback},
      pages_{new QStackedWidget},
      rows_{new QTableWidget{0, 3}},
      move_{new SlimButton{tr("Move here")}},
      remove_{new SlimButton{tr("Remove")}},
      hint_{new QLabel{tr("Marked times and notes on ranks and links are listed here and shown in the pictures. To add "
                          "a note, right-click in a picture, or press Ctrl+Shift+B for the selection. File, Save "
                          "session saves them.")}} {
    hint_->setWordWrap(true);
    hint_->setContentsMargins(8, 4, 8, 4);
    hint_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    keepCellsWhole(*rows_);
    rows_->setMinimumHeight(leastRows);
    rows_->setAccessibleName(tr("Notes"));
    rows_->setAccessibleDescription(tr("One row for each note. Select a row to go to its time."));
    rows_->setHorizontalHeaderLabels({tr("Time"), tr("Place"), tr("Note")});
    rows_->verticalHeader()->hide();
    rows_->horizontalHeader()->setStretchLastSection(true);
    rows_->setSelectionBehavior(QAbstractItemView::SelectRows);
    rows_->setSelectionMode(QAbstractItemView::SingleSelection);
    rows_->setTabKeyNavigation(false);
    rows_->setShowGrid(false);
    rows_->setFrameShape(QFrame::NoFrame);
    QPushButton* add = new SlimButton{tr("Mark this time")};
    for (QPushButton* button : {add, move_, remove_}) button->setAccessibleName(button->text());
    auto* bar = new FlowLayout;
    bar->setContentsMargins(6, 2, 6, 4);
    bar->addWidget(add);
    move_->setToolTip(tr("To the time cursor, and to the selected rank or link"));
    bar->addWidget(move_);
    bar->addWidget(remove_);
    auto* column = new QVBoxLayout{this};
    column->setContentsMargins(0, 0, 0, 0);
    pages_->addWidget(rows_);
    pages_->addWidget(new Scrolled{hint_});
    column->addWidget(pages_, 1);
    column->addLayout(bar);
    connect(add, &QPushButton::clicked, this, &AnnotationsPanel::mark);
    connect(remove_, &QPushButton::clicked, this, &AnnotationsPanel::remove);
    connect(move_, &QPushButton::clicked, this, &AnnotationsPanel::moveHere);
    connect(rows_, &QTableWidget::cellClicked, this, &AnnotationsPanel::choose);
    connect(rows_, &QTableWidget::cellActivated, this, &AnnotationsPanel::choose);
    connect(rows_, &QTableWidget::cellChanged, this, [this](int row, int cell) {
        if (cell != noteColumn) return;
        Mark mark = shown_[static_cast<std::size_t>(row)];
        mark.note = rows_->item(row, noteColumn)->text().toStdString();
        playback_->changeMark(static_cast<std::size_t>(row), mark);
    });
    connect(&playback, &Playback::changed, this, &AnnotationsPanel::follow);
    follow();
}

void AnnotationsPanel::mark() {
    if (!playback_->subject()) return;
    const auto row = static_cast<int>(playback_->addMark({.time = playback_->state().time}));
    rows_->setCurrentCell(row, noteColumn);
    if (isVisible()) rows_->editItem(rows_->item(row, noteColumn));
}

void AnnotationsPanel::remove() {
    if (const int row = rows_->currentRow(); row >= 0) playback_->removeMark(static_cast<std::size_t>(row));
}

void AnnotationsPanel::choose(int row) {
    playback_->pause();
    playback_->seek(shown_[static_cast<std::size_t>(row)].time);
    playback_->selectMark(static_cast<std::size_t>(row));
}

void AnnotationsPanel::moveHere() {
    const int row = rows_->currentRow();
    if (row < 0) return;
    const ViewState& state = playback_->state();
    Mark mark = shown_[static_cast<std::size_t>(row)];
    mark.time = state.time;
    if (mark.on == Mark::On::network && state.link) {
        mark.link = state.link;
        mark.rank.reset();
    } else if (mark.on != Mark::On::moment && state.rank) {
        mark.rank = state.rank;
        mark.link.reset();
    }
    rows_->setCurrentCell(static_cast<int>(playback_->changeMark(static_cast<std::size_t>(row), mark)), noteColumn);
}

void AnnotationsPanel::follow() {
    const std::vector<Mark>& marks = playback_->state().marks;
    for (QPushButton* button : {move_, remove_}) button->setEnabled(!marks.empty());
    pages_->setCurrentIndex(marks.empty() ? 1 : 0);
    const std::optional<std::size_t> selected = playback_->selectedMark();
    if (marks == shown_ && rows_->rowCount() == static_cast<int>(marks.size())) {
        if (selected) rows_->setCurrentCell(static_cast<int>(*selected), noteColumn);
        return;
    }
    shown_ = marks;
    const QSignalBlocker quiet{rows_};
    rows_->setRowCount(static_cast<int>(marks.size()));
    for (int row = 0; row < rows_->rowCount(); ++row) {
        const Mark& mark = marks[static_cast<std::size_t>(row)];
        rows_->setItem(row, 0, fixed(timeInWords(mark.time)));
        rows_->setItem(row, placeColumn,
                       fixed(playback_->subject() ? whereInWords(*playback_->subject(), mark) : QString{}));
        rows_->setItem(row, noteColumn, new QTableWidgetItem{QString::fromStdString(mark.note)});
    }
    for (const int column : {0, placeColumn}) rows_->resizeColumnToContents(column);
    if (selected) rows_->setCurrentCell(static_cast<int>(*selected), noteColumn);
}

}  // namespace app::gui
