// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/tables/rounds_table.hpp"

#include "app/gui/scenes/text/run_text.hpp"
#include "app/gui/tables/table_look.hpp"

#include <QHeaderView>
#include <QPainter>

namespace app::gui {
namespace {

constexpr int linkColumn = 4;

/// No rows where rounds were not recorded.
Table roundsOf(const DrawableRun& subject) {
    Table table = tableWith({{"round", Content::round},
                             {"messages", Content::count},
                             {"bytes", Content::bytes},
                             {"duration_s", Content::time},
                             {"busiest link"},
                             {"largest_bytes", Content::bytes, "largest message"},
                             {"begin_s", Content::time}});
    if (!subject.hasRounds()) return table;
    const Report& report = subject.report();
    for (const engine::RoundTimes& times : subject.run().perRound) {
        const std::size_t round = table.rows.size();
        QString busiest;
        if (report.congestion && report.network && round < report.congestion->perRound.size())
            if (const emulation::LinkPeak& peak = report.congestion->perRound[round]; peak.bytes > 0)
                busiest = QStringLiteral("%1: %2").arg(linkName(*report.network, peak.link), bytesInWords(peak.bytes));
        table.rows.push_back({static_cast<std::int64_t>(round), times.messages, times.bytes, times.end - times.begin,
                              cellOf(busiest), times.largest, times.begin});
    }
    return table;
}

}  // namespace

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
        if (!index.isValid() || engine::Round{index.row()} == playback_->round()) return;
        playback_->pause();
        playback_->seekRound(engine::Round{index.row()});
    });
    connect(&playback, &Playback::subjectChanged, this, [this] {
        model_.show(playback_->subject() ? roundsOf(*playback_->subject()) : Table{});
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
    // The links of rounds to come would give away the answer of a quiz.
    const auto& congestion = playback_->subject()->report().congestion;
    const bool without = !congestion || congestion->perLink.empty() || playback_->state().veil;
    if (without != isColumnHidden(linkColumn)) setColumnHidden(linkColumn, without);
    const int row = static_cast<int>(playback_->round().value);
    if (row == currentIndex().row()) return;
    setCurrentIndex(model_.index(row, std::max(0, currentIndex().column())));
}

}  // namespace app::gui
