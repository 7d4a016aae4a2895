// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/explain/details_panel.hpp"

#include "app/gui/explain/details.hpp"

#include <QEvent>

namespace app::gui {

DetailsPanel::DetailsPanel(Playback& playback) : playback_{&playback} {
    setAccessibleName(tr("Details"));
    setAccessibleDescription(tr("What was clicked last, and why it is so; links lead to what they name."));
    setOpenLinks(false);
    setFrameShape(QFrame::NoFrame);
    setTabChangesFocus(false);
    document()->setDocumentMargin(8);
    setPlaceholderText(tr("Once a run is there, what you click is explained here."));
    connect(this, &QTextBrowser::anchorClicked, this, &DetailsPanel::lead);
    connect(&playback, &Playback::changed, this, &DetailsPanel::follow);
}

void DetailsPanel::lead(const QUrl& link) {
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

void DetailsPanel::speakOf(Playback& playback) {
    disconnect(playback_, nullptr, this, nullptr);
    playback_ = &playback;
    connect(playback_, &Playback::changed, this, &DetailsPanel::follow);
    follow();
}

// Links take their colour from the palette when the text is set.
void DetailsPanel::changeEvent(QEvent* event) {
    QTextBrowser::changeEvent(event);
    if (event->type() != QEvent::PaletteChange) return;
    subject_.reset();
    follow();
}

// Only when the words would differ: some walk along all messages.
void DetailsPanel::follow() {
    const SubjectPtr& subject = playback_->subject();
    if (!subject) return;
    const ViewState& state = playback_->state();
    const bool ofRound = state.asked && state.asked->kind == Meaning::Kind::link;
    const engine::Round round = ofRound ? subject->roundAt(state.time) : engine::Round{0};
    if (subject == subject_ && state.asked == asked_ && round == round_ && state.veil == veil_) return;
    subject_ = subject;
    asked_ = state.asked;
    round_ = round;
    veil_ = state.veil;
    setHtml(detailsOf(*subject, state));
}

}  // namespace app::gui
