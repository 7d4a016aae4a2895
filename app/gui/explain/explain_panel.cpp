// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/explain/explain_panel.hpp"

#include "app/gui/explain/explanation.hpp"

#include <QEvent>
#include <QScrollBar>

namespace app::gui {

ExplainPanel::ExplainPanel(Playback& playback) : playback_{&playback} {
    setAccessibleName(tr("Explanation"));
    setAccessibleDescription(tr("The round in progress in words; links select ranks and messages."));
    setOpenLinks(false);
    setFrameShape(QFrame::NoFrame);
    setTabChangesFocus(false);
    document()->setDocumentMargin(8);
    setPlaceholderText(tr("The rounds of the run are explained here."));
    connect(this, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
        const qlonglong number = link.path().toLongLong();
        if (link.scheme() == "rank") playback_->selectRank(engine::Rank{static_cast<std::int32_t>(number)});
        if (link.scheme() == "message") playback_->selectMessage(static_cast<std::size_t>(number));
    });
    connect(&playback, &Playback::changed, this, &ExplainPanel::follow);
}

void ExplainPanel::speakOf(Playback& playback) {
    disconnect(playback_, nullptr, this, nullptr);
    playback_ = &playback;
    connect(playback_, &Playback::changed, this, &ExplainPanel::follow);
    follow();
}

// Links take their colour from the palette when the text is set.
void ExplainPanel::changeEvent(QEvent* event) {
    QTextBrowser::changeEvent(event);
    if (event->type() != QEvent::PaletteChange) return;
    subject_.reset();
    words_.clear();
    follow();
}

// Only when the words would differ: laying out rich text at every frame would cost more than all pictures.
void ExplainPanel::follow() {
    const SubjectPtr& subject = playback_->subject();
    if (!subject) return;
    const ViewState& state = playback_->state();
    const bool over = state.time >= playback_->duration();
    const std::size_t late = latecomers(*subject, state);
    const engine::Round round = explainedRound(*subject, state);
    const RoundSpan rounds = subject->roundsAt(state.time);
    // For a program it shows what ranks do at this time.
    const std::optional<engine::Picoseconds> time = subject->isProgram() ? std::optional{state.time} : std::nullopt;
    if (subject == subject_ && round == round_ && rounds == rounds_ && state.rank == rank_ && late == latecomers_ &&
        over == over_ && time == time_) {
        return;
    }
    time_ = time;
    subject_ = subject;
    round_ = round;
    rounds_ = rounds;
    rank_ = state.rank;
    latecomers_ = late;
    over_ = over;
    const QString words = explain(*subject, state);
    if (words == words_) return;
    words_ = words;
    const int place = verticalScrollBar()->value();
    setHtml(words);
    verticalScrollBar()->setValue(place);
}

}  // namespace app::gui
