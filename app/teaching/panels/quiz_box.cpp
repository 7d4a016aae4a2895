// SPDX-License-Identifier: BSD-3-Clause
#include "app/teaching/panels/quiz_box.hpp"

#include "app/teaching/lessons/lesson.hpp"

#include <QAccessible>
#include <QVBoxLayout>

#include <utility>

namespace app::gui {
namespace {

constexpr int mostTries = 2;

QLabel* wrappedLabel() {
    auto* label = new QLabel;
    label->setWordWrap(true);
    label->setTextFormat(Qt::RichText);
    return label;
}

}  // namespace

QuizBox::QuizBox(Playback& playback)
    : playback_{&playback},
      words_{wrappedLabel()},
      how_{wrappedLabel()},
      choices_{new QListWidget},
      verdict_{wrappedLabel()} {
    choices_->setAccessibleName(tr("Answers"));
    choices_->setAccessibleDescription(tr("Choose with Up and Down, answer with Return."));
    choices_->setMinimumHeight(60);
    verdict_->setAccessibleName(tr("Verdict"));
    auto* column = new QVBoxLayout{this};
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    for (QWidget* each : std::initializer_list<QWidget*>{words_, how_, choices_, verdict_}) column->addWidget(each);
    const auto chosen = [this](const QListWidgetItem* item) {
        answer(offered_[static_cast<std::size_t>(choices_->row(item))].meaning);
    };
    connect(choices_, &QListWidget::itemActivated, this, chosen);
    connect(choices_, &QListWidget::itemClicked, this, chosen);
    // Another run, another truth.
    connect(&playback, &Playback::subjectChanged, this, &QuizBox::clear);
    clear();
}

void QuizBox::ask(const Question& question) {
    const DrawableRun& subject = *playback_->subject();
    question_ = question;
    answered_ = false;
    tries_ = 0;
    offered_ = choices(subject, question);
    words_->setText("<b>" + inWords(subject, question).toHtmlEscaped() + "</b>");
    how_->setText(howToAnswer(question).toHtmlEscaped());
    choices_->clear();
    for (const Choice& choice : offered_) choices_->addItem(choice.words);
    verdict_->clear();
    for (QWidget* each : std::initializer_list<QWidget*>{words_, how_, choices_}) each->show();
    verdict_->hide();
    show();
    playback_->setVeil(veilOf(question, subject));
    playback_->ask([this](const Meaning& meaning) { answer(meaning); });
    asks_ = true;
    QAccessibleEvent alert{words_, QAccessible::Alert};
    QAccessible::updateAccessibility(&alert);
}

void QuizBox::clear() {
    question_.reset();
    answered_ = false;
    offered_.clear();
    for (QWidget* each : std::initializer_list<QWidget*>{words_, how_, choices_, verdict_}) each->hide();
    verdict_->clear();
    hide();
    uncover();
}

void QuizBox::uncover() {
    if (std::exchange(asks_, false)) playback_->ask(nullptr);
    playback_->setVeil(std::nullopt);
}

void QuizBox::answer(const Meaning& meaning) {
    if (!open()) return;
    const std::optional<Judgement> judgement = judge(*playback_->subject(), *question_, meaning);
    if (!judgement) return;
    ++tries_;
    answered_ = judgement->right || tries_ == mostTries;
    QString words = judgement->right ? tr("<b>Right.</b> ") : tr("<b>No.</b> ");
    words += judgement->mistake.toHtmlEscaped() + ' ';
    words += answered_ ? judgement->reason.toHtmlEscaped() : tr("Try again.");
    verdict_->setText(words);
    verdict_->show();
    how_->setVisible(!answered_);
    choices_->setVisible(!answered_);
    if (answered_) uncover();
    QAccessibleEvent alert{verdict_, QAccessible::Alert};
    QAccessible::updateAccessibility(&alert);
    if (answered_) Q_EMIT answered(judgement->right && tries_ == 1);
}

}  // namespace app::gui
