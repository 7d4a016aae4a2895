// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/tables/rounds_table.hpp"

#include "app/gui/scenes/text/run_text.hpp"
#include "app/gui/tables/table_look.hpp"

#include <QHeaderView>
#include <QPainter>

namespace app::gui {

RoundsTable::RoundsTable(Playback& playback) : playback_{&playback} {
    showRows(*this, model_, tr("Rounds"));
    chooseRows(*this);
    setAccessibleDescription(tr("One row per round; choosing a row moves the cursor to its start."));
    setSelectionMode(SingleSelection);
    setWordWrap(false);
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
    verticalHeader()->setMinimumSectionSize(fontMetrics().height() + 6);
    horizontalHeader()->setStretchLastSection(true);
    horizontalHeader()->setMinimumSectionSize(30);

    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
        if (!index.isValid() || index.row() == model_.current()) return;
        playback_->pause();
        playback_->seekRound(engine::Round{index.row()});
    });
    connect(&playback, &Playback::subjectChanged, this, [this] {
        model_.show(playback_->subject());
        resizeColumnsToContents();
    });
    connect(&playback, &Playback::changed, this, &RoundsTable::follow);
}

void RoundsTable::paintEvent(QPaintEvent* event) {
    QTableView::paintEvent(event);
    if (!playback_->subject() || playback_->subject()->hasRounds()) return;
    QPainter painter{viewport()};
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(viewport()->rect().adjusted(8, 8, -8, -8), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap,
                     noRoundsInWords());
}

void RoundsTable::follow() {
    if (!playback_->subject() || model_.rowCount() == 0) return;
    // The links of rounds to come would answer a question about them.
    const auto& congestion = playback_->subject()->report().congestion;
    const bool without = !congestion || congestion->perLink.empty() || playback_->state().veil;
    if (without != isColumnHidden(RoundsModel::link)) setColumnHidden(RoundsModel::link, without);
    const int row = static_cast<int>(playback_->round().value);
    if (row == model_.current()) return;
    model_.setCurrent(row);
    setCurrentIndex(model_.index(row, std::max(0, currentIndex().column())));
}

}  // namespace app::gui
