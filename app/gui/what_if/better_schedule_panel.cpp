// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/what_if/better_schedule_panel.hpp"

#include "app/gui/scenes/drawing/number_text.hpp"
#include "app/gui/scenes/drawing/to_qt.hpp"
#include "app/gui/views/basic_views.hpp"
#include "app/gui/widgets/run_progress.hpp"
#include "app/gui/widgets/zero_margin_layout.hpp"
#include "app/session/options/recorded.hpp"
#include "app/session/proofs/schedule_json.hpp"

#include <QHBoxLayout>

#include <sstream>

namespace app::gui {
namespace {

const QString linkToFewerRounds = QStringLiteral("rounds");
const QString linkToFewerBlocks = QStringLiteral("blocks");

}  // namespace

BetterSchedulePanel::BetterSchedulePanel(Playback& playback)
    : playback_{&playback},
      start_{new QPushButton{tr("Look for a better schedule")}},
      progress_{new RunProgress{tr("Progress of the search"), tr("Cancel the search"), RunProgress::shortBar}},
      words_{new QLabel} {
    start_->setToolTip(tr(
        "Search for schedules without split contributions that have fewer rounds or fewer serialized blocks. The result is a schedule or a "
        "proof that none exists; the search may also end undecided"));
    words_->setWordWrap(true);
    words_->setTextInteractionFlags(Qt::TextBrowserInteraction);
    words_->setAccessibleName(tr("Better schedules"));
    auto* row = new QHBoxLayout;
    row->setContentsMargins(8, 0, 8, 4);
    row->addWidget(start_);
    row->addWidget(progress_);
    row->addWidget(words_, 1);
    row->addStretch();
    QVBoxLayout* column = columnIn(*this);
    column->addWidget(new ViewWidget{playback, viewNamed("bounds")}, 1);
    column->addLayout(row);
    connect(start_, &QPushButton::clicked, this, &BetterSchedulePanel::search);
    connect(progress_, &RunProgress::cancelled, this, [this] {
        searcher_.cancel();
        begin();
    });
    connect(words_, &QLabel::linkActivated, this, [this](const QString& link) { open(link == linkToFewerRounds); });
    progress_->follow(searcher_);
    connect(&playback, &Playback::subjectChanged, this, &BetterSchedulePanel::begin);
    begin();
}

void BetterSchedulePanel::begin() {
    searcher_.cancel();
    subject_ = playback_->subject();
    words_->clear();
    words_->hide();
    start_->setVisible(subject_ && mayBeImproved(subject_->report()) && wishBehind(subject_->report()));
}

void BetterSchedulePanel::search() {
    start_->hide();
    searcher_.start(
        [subject = subject_](const engine::Progress& progress) {
            const Report& report = subject->report();
            return lookForBetter(report, wishBehind(report)->problem, limit, progress);
        },
        [this](const Better& better) { tell(better); },
        [this](const QString& sentence) {
            words_->setText(sentence.toHtmlEscaped());
            words_->show();
        });
}

void BetterSchedulePanel::tell(const Better& better) {
    better_ = better;
    QStringList sentences;
    sentences << withMu(toQt(inOneSentence(better, subject_->report()))).toHtmlEscaped();
    const auto isFound = [](const std::optional<BetterAnswer>& answer) {
        return answer && answer->row.answer == SearchAnswer::found;
    };
    const auto addLink = [&](const std::optional<BetterAnswer>& answer, const QString& link, const QString& words) {
        if (isFound(answer)) sentences << QStringLiteral("<a href=\"%1\">%2</a>").arg(link, words);
    };
    const bool same = foundTheSame(better);
    const bool both = isFound(better.fewerBlocks) && isFound(better.fewerRounds) && !same;
    addLink(better.fewerBlocks, linkToFewerBlocks, both ? tr("Open the one with fewer blocks") : tr("Open it"));
    if (!same)
        addLink(better.fewerRounds, linkToFewerRounds, both ? tr("Open the one with fewer rounds") : tr("Open it"));
    words_->setText(sentences.join(QChar{' '}));
    words_->show();
}

void BetterSchedulePanel::open(bool fewerRounds) {
    const std::optional<BetterAnswer>& answer = fewerRounds ? better_.fewerRounds : better_.fewerBlocks;
    const engine::Plan plan = planOf(answer->row);
    std::ostringstream text;
    writeScheduleJson(plan, wholeOf(*plan.schedule), text);
    Q_EMIT scheduleWanted(*wishBehind(subject_->report()), toQt(text.str()));
}

}  // namespace app::gui
