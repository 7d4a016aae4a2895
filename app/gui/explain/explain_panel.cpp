// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/explain/explain_panel.hpp"

#include "app/gui/explain/details.hpp"
#include "app/gui/explain/explanation.hpp"

#include <QEvent>
#include <QScrollBar>

namespace app::gui {

RunTextPanel::RunTextPanel(Playback& playback) : playback_{&playback} {
    setOpenLinks(false);
    setFrameShape(QFrame::NoFrame);
    setTabChangesFocus(false);
    document()->setDocumentMargin(8);
    connect(this, &QTextBrowser::anchorClicked, this, &RunTextPanel::lead);
    connect(&playback, &Playback::changed, this, &RunTextPanel::follow);
}

void RunTextPanel::lead(const QUrl& link) {
    const QStringList words = link.path().split(':');
    const qlonglong number = words.value(0).toLongLong();
    const auto index = static_cast<std::int32_t>(number);
    const QString kind = link.scheme();
    if (kind == "rank") playback_->selectRank(engine::Rank{index});
    if (kind == "message") playback_->selectMessage(static_cast<std::size_t>(number));
    if (kind == "link") playback_->selectLink(engine::LinkId{index});
    if (kind == "block") playback_->selectBlock(index);
    if (kind == "round") playback_->seekRound(engine::Round{number});
    if (kind == "open") playback_->open(Meaning{Meaning::Kind::collective, number, -1});
    if (kind == "cause") playback_->select(Meaning{Meaning::Kind::cause, number, -1});
    if (kind == "still") playback_->select(Meaning{Meaning::Kind::still, number, words.value(1).toLongLong()});
}

void RunTextPanel::speakOf(Playback& playback) {
    disconnect(playback_, nullptr, this, nullptr);
    playback_ = &playback;
    connect(playback_, &Playback::changed, this, &RunTextPanel::follow);
    follow();
}

// Links take their colour from the palette when the text is set.
void RunTextPanel::changeEvent(QEvent* event) {
    QTextBrowser::changeEvent(event);
    if (event->type() != QEvent::PaletteChange) return;
    subject_.reset();
    follow();
}

ExplainPanel::ExplainPanel(Playback& playback) : RunTextPanel{playback} {
    setAccessibleName(tr("Explanation"));
    setAccessibleDescription(tr("The round in progress in words; links select ranks and messages."));
    setPlaceholderText(tr("The rounds of the run are explained here."));
}

void ExplainPanel::follow() {
    const DrawableRunPtr& subject = playback().subject();
    if (!subject) return;
    const ViewState& state = playback().state();
    // For a program it shows what ranks do at this time.
    const std::optional<engine::Picoseconds> time = subject->isProgram() ? std::optional{state.time} : std::nullopt;
    const decltype(of_) of{explainedRound(*subject, state), subject->roundsAt(state.time),       state.rank,
                           latecomers(*subject, state),     state.time >= playback().duration(), time};
    if (subject == subject_ && of == of_) return;
    const bool again = subject_ == nullptr;
    subject_ = subject;
    of_ = of;
    const QString words = explain(*subject, state);
    if (words == words_ && !again) return;
    words_ = words;
    const int place = verticalScrollBar()->value();
    setHtml(words);
    verticalScrollBar()->setValue(place);
}

DetailsPanel::DetailsPanel(Playback& playback) : RunTextPanel{playback} {
    setAccessibleName(tr("Details"));
    setAccessibleDescription(
        tr("The object that was clicked last, with its times and their reasons; links open related objects."));
    setPlaceholderText(tr("Run an algorithm and click something in a view: it is explained here."));
}

void DetailsPanel::follow() {
    const DrawableRunPtr& subject = playback().subject();
    if (!subject) return;
    const ViewState& state = playback().state();
    const bool ofRound = state.asked && state.asked->kind == Meaning::Kind::link;
    const engine::Round round = ofRound ? subject->roundAt(state.time) : engine::Round{0};
    const decltype(of_) of{state.asked, round, state.veil};
    if (subject == subject_ && of == of_) return;
    subject_ = subject;
    of_ = of;
    setHtml(detailsOf(*subject, state));
}

}  // namespace app::gui
