// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/comparison/differences_panel.hpp"

#include "app/analysis/overview/run_comparison.hpp"
#include "app/analysis/overview/run_diff.hpp"
#include "app/gui/scenes/drawing/number_text.hpp"
#include "app/gui/scenes/drawing/scene_builder.hpp"
#include "app/gui/scenes/drawing/style.hpp"
#include "app/gui/scenes/drawing/to_qt.hpp"
#include "app/gui/tables/table_look.hpp"
#include "app/gui/widgets/zero_margin_layout.hpp"
#include "app/session/compare/run_differences.hpp"
#include "engine/base/text.hpp"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QRegularExpression>
#include <QToolButton>

namespace app::gui {
namespace {

constexpr int leastLines = 6;     // of the first four rows
constexpr int widestValue = 132;  // pixels of a column where there is less room than all need

}  // namespace

DifferencesPanel::DifferencesPanel(Playback& first, Playback& second, LinkedPlayback& pairing)
    : first_{&first},
      second_{&second},
      pairing_{&pairing},
      winner_{new QLabel},
      match_{new QComboBox},
      rows_{new QTableView} {
    winner_->setAccessibleName(tr("Which run is faster, and why"));
    winner_->setContentsMargins(8, 3, 8, 3);
    winner_->setTextFormat(Qt::RichText);
    winner_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    winner_->setWordWrap(true);
    winner_->installEventFilter(this);
    match_->setAccessibleName(tr("What is shown together"));
    match_->addItem(tr("the same round"), static_cast<int>(Match::round));
    match_->addItem(tr("the same time"), static_cast<int>(Match::time));
    match_->addItem(tr("the same share of the run"), static_cast<int>(Match::share));
    connect(match_, &QComboBox::activated, this,
            [this](int index) { pairing_->setMatch(static_cast<Match>(match_->itemData(index).toInt())); });
    auto* close = new QToolButton;
    close->setText(tr("Stop comparing"));
    close->setAccessibleName(close->text());
    close->setFocusPolicy(Qt::StrongFocus);
    connect(close, &QToolButton::clicked, this, &DifferencesPanel::closed);

    showRows(*rows_, model_, tr("Differences"));
    chooseRows(*rows_);
    rows_->viewport()->installEventFilter(this);
    rows_->setAccessibleDescription(tr("Both runs number by number, then round by round."));
    rows_->setWordWrap(true);
    rows_->verticalHeader()->setMinimumSectionSize(fontMetrics().height() + 5);
    rows_->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    keepRows(*rows_, leastLines);

    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(8, 2, 4, 2);
    bar->setSpacing(8);
    bar->addWidget(new QLabel{tr("Both show")});
    bar->addWidget(match_);
    bar->addStretch(1);
    bar->addWidget(close);
    QVBoxLayout* column = columnIn(*this);
    column->addLayout(bar);
    column->addWidget(rows_, 1);
    connect(&first, &Playback::subjectChanged, this, &DifferencesPanel::fill);
    connect(&second, &Playback::subjectChanged, this, &DifferencesPanel::fill);
    connect(rows_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
        if (!index.isValid()) return;
        const auto& name = std::get<std::string>(model_.table().rows[static_cast<std::size_t>(index.row())].front());
        const auto numberBehind = [&](std::string_view kind) {
            return toQt(name).mid(static_cast<qsizetype>(kind.size())).section(QRegularExpression{"[ ,]"}, 0, 0);
        };
        if (name.starts_with(iterationRow) && first_->subject()->programReady())
            return first_->choose({Meaning::Kind::iteration, numberBehind(iterationRow).toLongLong() - 1, -1});
        if (!name.starts_with(roundRow)) return;
        const qlonglong round = numberBehind(roundRow).toLongLong() - 1;
        first_->pause();
        // The run that has this round leads.
        (round < first_->subject()->run().rounds ? first_ : second_)->seekRound(engine::Round{round});
    });
}

void DifferencesPanel::setMatch(Match match) {
    match_->setCurrentIndex(match_->findData(static_cast<int>(match)));
    pairing_->setMatch(match);
}

void DifferencesPanel::fill() {
    times_.clear();
    const DrawableRunPtr &first = first_->subject(), &second = second_->subject();
    if (!first || !second) return comparer_.cancel();
    const engine::Picoseconds a = analysis::timeOf(first->queue()->trace()),
                              b = analysis::timeOf(second->queue()->trace());
    if (first->isProgram() && second->isProgram())
        times_.push_back({"Time from MPI_Init to MPI_Finalize", engine::Content::time, a, b});
    say(withMu(toQt(analysis::winInWords(analysis::winnerOf(first->report(), second->report(), a, b),
                                         first_->side().toStdString(), second_->side().toStdString()))));
    fillRows();
}

void DifferencesPanel::fillRows() {
    const DrawableRunPtr &first = first_->subject(), &second = second_->subject();
    const std::array sides{first_->side().toStdString(), second_->side().toStdString()};
    const bool rounds = first->hasRounds() && second->hasRounds();
    showDifferences(runDifferences(first->report(), second->report(), sides, rounds, {}, times_));
    if (!first->isProgram() || !second->isProgram()) return comparer_.cancel();
    comparer_.start(
        [a = first, b = second, sides, rounds, times = times_](const engine::Progress& progress) {
            return runDifferences(
                a->report(), b->report(), sides, rounds,
                analysis::programChanges({sides[0], a->queue()->trace()}, {sides[1], b->queue()->trace()}, progress),
                times);
        },
        [this](Table table) { showDifferences(std::move(table)); }, [](const QString&) {});
}

void DifferencesPanel::setVerdict(const QString& sentence, Compared times) {
    if (!first_->subject() || !second_->subject()) return;
    say(sentence);
    times_.insert(times_.begin(), std::move(times));
    fillRows();
}

void DifferencesPanel::say(const QString& sentence) {
    sentence_ = sentence;
    winner_->setAccessibleDescription(sentence_);
    fitVerdict();
}

void DifferencesPanel::showDifferences(engine::Table table) {
    rows_->setToolTip(toQt(engine::joined(table.remarks, "\n")));
    model_.show(std::move(table));
    shareOut();
}

/// Columns have what they need where there is room, and the last one the rest. Else what is compared keeps a third of
/// the width; the rest is the values', and what comes of them has a quarter of all. What is longer goes on below.
void DifferencesPanel::shareOut() {
    QHeaderView& header = *rows_->horizontalHeader();
    header.setSectionResizeMode(QHeaderView::Fixed);
    for (const int column : {0, 1, 2, 3}) rows_->resizeColumnToContents(column);
    const int width = rows_->viewport()->width();
    const int what = std::max(header.sectionSize(0), width / 3);
    const int rest = width - what - header.sectionSize(1) - header.sectionSize(2);
    if (rest >= header.sectionSize(3)) {
        header.resizeSection(0, what);
        return header.resizeSection(3, rest);
    }
    const int beside = width * 2 / 3 - header.sectionSize(1) - header.sectionSize(2);
    header.resizeSection(3, std::min(header.sectionSize(3), std::max({header.sectionSizeHint(3), width / 4, beside})));
    const int most = std::min(widestValue, std::max(40, (width * 2 / 3 - header.sectionSize(3)) / 2));
    for (const int column : {1, 2}) header.resizeSection(column, std::min(header.sectionSize(column), most));
    const int left = width - header.sectionSize(1) - header.sectionSize(2) - header.sectionSize(3);
    header.resizeSection(0, std::max(left, header.minimumSectionSize()));
}

/// Which run is faster stands out, as the result of one run does, and why stands below; both as large as they fit. In
/// the smallest window the times are left out, which stand at both pictures.
void DifferencesPanel::fitVerdict() {
    const qsizetype colon = sentence_.indexOf(QStringLiteral(": "));
    const QString result = colon < 0 ? sentence_ : sentence_.left(colon);
    const QString why = colon < 0 ? QString{} : sentence_.mid(colon + 2);
    const QRectF room = QRectF{winner_->contentsRect()};
    const double scale = winner_->font().pointSizeF() / points::normal;
    const auto heightOf = [&](const QString& words, double size, bool bold) {
        return lineHeight(size * scale) *
               static_cast<double>(wrapped(words, size * scale, room.width() - 6, bold).size());
    };
    constexpr double between = (points::title + points::heading) / 2;
    const std::pair<double, double> pairs[] = {{points::title, points::heading},  {points::title, points::normal},
                                               {between, points::heading},        {between, points::normal},
                                               {points::heading, points::normal}, {points::normal, points::normal},
                                               {points::normal, points::small},   {points::tiny, points::tiny}};
    const auto* const sizes = std::ranges::find_if(pairs, [&](const auto& each) {
        return heightOf(result, each.first, true) + heightOf(why, each.second, false) <= room.height();
    });
    const auto [large, small] = sizes == std::end(pairs) ? std::end(pairs)[-1] : *sizes;
    const auto part = [&](const QString& words, double size, int weight) {
        return words.isEmpty() ? QString{}
                               : QStringLiteral("<div style=\"font-size:%1pt; font-weight:%2\">%3</div>")
                                     .arg(size * scale)
                                     .arg(weight)
                                     .arg(words.toHtmlEscaped());
    };
    if (sizes != std::end(pairs)) winner_->setText(part(result, large, 600) + part(why, small, 400));
    else winner_->setText(part(result + why.mid(why.indexOf(QStringLiteral(". "))), small, 400));
    winner_->setToolTip(sentence_);
}

/// The rows have the width that their scroll bar leaves.
bool DifferencesPanel::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize && watched == winner_) fitVerdict();
    else if (event->type() == QEvent::Resize) shareOut();
    return QWidget::eventFilter(watched, event);
}

}  // namespace app::gui
