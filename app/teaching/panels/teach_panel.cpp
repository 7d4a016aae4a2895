// SPDX-License-Identifier: BSD-3-Clause
#include "app/teaching/panels/teach_panel.hpp"

#include "app/gui/widgets/flow_layout.hpp"
#include "app/gui/widgets/scroll_area.hpp"
#include "app/gui/widgets/slim_button.hpp"
#include "app/teaching/lessons/lesson_draft.hpp"

#include <QVBoxLayout>

#include <algorithm>

namespace app::gui {

using engine::Picoseconds;

TeachPanel::TeachPanel(Playback& playback)
    : playback_{&playback},
      head_{new QLabel},
      text_{new QTextBrowser},
      box_{new QuizBox{playback}},
      score_{new QLabel},
      play_{new SlimButton{QString{}}},
      back_{new SlimButton{tr("Bac&k")}},
      next_{new SlimButton{tr("Ne&xt")}},
      leave_{new SlimButton{tr("Leave")}} {
    head_->setWordWrap(true);
    head_->setTextFormat(Qt::RichText);
    text_->setAccessibleName(tr("Lesson"));
    text_->setFrameShape(QFrame::NoFrame);
    text_->setOpenLinks(false);
    text_->setTabChangesFocus(true);
    text_->setMinimumHeight(24);
    // Its words are scrolled in it: it has no height of its own.
    text_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);
    back_->setAccessibleName(tr("Previous step"));
    next_->setAccessibleName(tr("Next step"));
    leave_->setAccessibleName(tr("Leave the lesson"));
    auto* column = new QVBoxLayout{this};
    column->setContentsMargins(6, 6, 6, 6);
    // What is asked comes and goes, and must not make the window higher.
    auto* stop = new QWidget;
    auto* both = new QVBoxLayout{stop};
    both->setContentsMargins(0, 0, 0, 0);
    both->addWidget(head_);
    both->addWidget(text_, 3);
    both->addWidget(box_, 2);
    both->addWidget(score_);
    both->addWidget(play_);
    column->addWidget(new Scrolled{stop}, 1);
    auto* buttons = new FlowLayout;
    play_->setAutoDefault(false);
    for (QPushButton* each : {leave_, back_, next_}) {
        each->setAutoDefault(false);
        buttons->addWidget(each);
    }
    column->addLayout(buttons);
    connect(back_, &QPushButton::clicked, this, &TeachPanel::back);
    connect(next_, &QPushButton::clicked, this, &TeachPanel::next);
    connect(leave_, &QPushButton::clicked, this, &TeachPanel::leave);
    connect(play_, &QPushButton::clicked, this, [this] {
        running_.reset();  // the game is shown in its place
        Q_EMIT playWanted();
    });
    connect(box_, &QuizBox::answered, this, &TeachPanel::count);
    connect(playback_, &Playback::subjectChanged, this, [this] {
        asked_.clear();
        if (awaiting_) arrive();
    });
    connect(playback_, &Playback::changed, this, &TeachPanel::watch);
    say();
}

void TeachPanel::start(const Lesson& lesson) {
    setPredicting(false);
    lesson_ = &lesson;
    over_ = nullptr;
    running_.reset();
    answered_.clear();
    right_ = all_ = 0;
    show(0);
}

void TeachPanel::showDraft(const Lesson& lesson, std::set<std::size_t> held, std::size_t stop) {
    setPredicting(false);
    std::optional<RunWish> shown;
    if (showsDraft() && running_) shown = draft_.stops[*running_].run;
    draft_ = lesson;
    held_ = std::move(held);
    lesson_ = &draft_;
    over_ = nullptr;
    answered_.clear();
    right_ = all_ = 0;
    stop = std::min(stop, draft_.stops.size() - 1);
    const std::size_t runs = stopOfRun(draft_, stop);
    if (shown && shown == draft_.stops[runs].run) {
        running_ = runs;
    } else {
        running_.reset();
        awaiting_ = false;
    }
    show(stop);
}

void TeachPanel::goTo(std::size_t stop) {
    if (lesson_ != nullptr && stop < lesson_->stops.size() && stop != stop_) show(stop);
}

void TeachPanel::next() {
    if (over_ != nullptr) {
        if (const Lesson* following = lessonAfter(*over_)) start(*following);
        return;
    }
    if (lesson_ == nullptr) return;
    if (stop_ + 1 < lesson_->stops.size()) return show(stop_ + 1);
    over_ = std::exchange(lesson_, nullptr);
    box_->clear();
    say();
    if (over_ != &draft_) Q_EMIT finished(over_->title);
}

void TeachPanel::back() {
    if (lesson_ != nullptr && stop_ > 0) show(stop_ - 1);
}

void TeachPanel::leave() {
    lesson_ = over_ = nullptr;
    awaiting_ = false;
    setPredicting(false);
    box_->clear();
    say();
    Q_EMIT left();
}

void TeachPanel::setPredicting(bool on) {
    if (on == predicting_) return;
    if (on && (lesson_ != nullptr || over_ != nullptr)) leave();
    predicting_ = on;
    asked_.clear();
    right_ = all_ = 0;
    box_->clear();
    say();
    if (!on) return;
    // What has been seen already is no question.
    if (playback_->subject())
        for (std::int64_t round = 0; round <= playback_->round().value; ++round) asked_.insert(round);
}

void TeachPanel::show(std::size_t stop) {
    stop_ = stop;
    box_->clear();
    const std::size_t runs = stopOfRun(*lesson_, stop);
    if (showsDraft() && held_.contains(runs)) {
        awaiting_ = false;
        running_.reset();
        return say();
    }
    const bool another = running_ != runs;
    awaiting_ = another || awaiting_;  // that which is on its way may be this one
    running_ = runs;
    say();
    if (another) Q_EMIT runWanted(*lesson_->stops[runs].run);
    else if (!awaiting_) arrive();
}

void TeachPanel::arrive() {
    awaiting_ = false;
    if (lesson_ == nullptr) return;
    const Stop& stop = lesson_->stops[stop_];
    playback_->pause();
    playback_->selectRank(stop.rank);
    const bool asks = stop.question && !answered_.contains(stop_) && canBeAsked(*playback_->subject(), *stop.question);
    playback_->seek(asks ? askedAt(*stop.question, stop, *playback_->subject())
                         : momentOf(stop, *playback_->subject()));
    if (asks) box_->ask(*stop.question);
    say();
}

// Whoever passes the start of a round that was not asked about is taken back to just before it.
void TeachPanel::watch() {
    if (!predicting_ || box_->open() || !playback_->subject()) return;
    const DrawableRun& subject = *playback_->subject();
    const engine::Round round = playback_->round();
    if (asked_.contains(round.value) || round.value == 0) return;
    std::int64_t first = round.value;
    while (first > 1 && !asked_.contains(first - 1)) --first;
    for (std::int64_t each = first; each <= round.value; ++each) {
        asked_.insert(each);
        const auto question = questionFor(subject, engine::Round{each}, turn_++);
        const Picoseconds begin = subject.run().perRound[static_cast<std::size_t>(each)].begin;
        if (!question || begin.count() == 0) continue;
        playback_->pause();
        playback_->seek(begin - Picoseconds{1});
        box_->ask(*question);
        return say();
    }
}

void TeachPanel::count(bool right) {
    if (lesson_ != nullptr) answered_.insert(stop_);
    ++all_;
    right_ += right ? 1 : 0;
    if (lesson_ != nullptr) playback_->seek(momentOf(lesson_->stops[stop_], *playback_->subject()));
    say();
}

void TeachPanel::say() {
    fill();
    Q_EMIT said();
}

/// All lessons, each a link to it by its number.
static QString listOfLessons() {
    QStringList lines;
    for (std::size_t number = 0; number < lessons().size(); ++number)
        lines += QStringLiteral("<a href=\"lesson:%1\">%2. %3</a>")
                     .arg(number)
                     .arg(number + 1)
                     .arg(lessons()[number].title.toHtmlEscaped());
    return QStringLiteral("<p>%1</p><p>%2</p>")
        .arg(TeachPanel::tr("Choose a lesson:"), lines.join(QStringLiteral("<br>")));
}

void TeachPanel::fill() {
    const Lesson* following = over_ != nullptr ? lessonAfter(*over_) : nullptr;
    back_->setVisible(lesson_ != nullptr);
    next_->setVisible(lesson_ != nullptr || following != nullptr);
    leave_->setVisible(lesson_ != nullptr || over_ != nullptr || predicting_);
    leave_->setText(predicting_ ? tr("Stop asking") : tr("Leave"));
    score_->setText(all_ > 0 ? tr("%1 of %2 right").arg(right_).arg(all_) : QString{});
    score_->setVisible(all_ > 0);
    play_->setVisible(lesson_ != nullptr && !lesson_->stops[stop_].play.isEmpty());
    play_->setEnabled(!awaiting_);
    if (over_ != nullptr) {
        head_->setText(tr("<b>%1</b><br><small>to its end</small>").arg(over_->title.toHtmlEscaped()));
        text_->setPlainText(following != nullptr
                                ? tr("The next lesson: %1, %2 minutes.").arg(following->title).arg(following->minutes)
                                : tr("This was the last lesson. The menu Teach has all of them."));
        next_->setText(tr("Ne&xt lesson"));
        next_->setEnabled(true);
        return;
    }
    if (lesson_ == nullptr) {
        head_->setText(predicting_ ? tr("<b>Predict</b>") : QString{});
        if (predicting_)
            text_->setPlainText(
                tr("Press Space or step with the arrows. Before every round there is a "
                   "question about it."));
        else text_->setHtml(listOfLessons());
        return;
    }
    const Stop& stop = lesson_->stops[stop_];
    const std::size_t all = lesson_->stops.size();
    head_->setText(
        tr("<b>%1</b><br><small>%2 of %3</small>").arg(lesson_->title.toHtmlEscaped()).arg(stop_ + 1).arg(all));
    text_->setHtml(paragraphsOf(stop.text));
    play_->setText(stop.play);
    play_->setAccessibleName(stop.play);
    back_->setEnabled(stop_ > 0);
    next_->setText(stop_ + 1 == all ? tr("&Finish") : tr("Ne&xt"));
    next_->setEnabled(!awaiting_);
}

}  // namespace app::gui
