// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/views/search_bar.hpp"

#include "app/gui/scenes/run/search.hpp"
#include "engine/base/error.hpp"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QToolButton>

#include <algorithm>

namespace app::gui {

SearchBar::SearchBar(Playback& playback) : playback_{&playback}, words_{new QLineEdit}, verdict_{new QLabel} {
    setFrameShape(QFrame::StyledPanel);
    words_->setAccessibleName(tr("Search for messages"));
    words_->setPlaceholderText(tr("rank 3    2 > 7    round 5    block 4    > 64 KiB"));
    words_->setToolTip(tr("Return: next; Shift+Return: previous; Escape: close"));
    words_->installEventFilter(this);
    verdict_->setAccessibleName(tr("What was found"));
    verdict_->setWordWrap(true);
    auto* row = new QHBoxLayout{this};
    row->setContentsMargins(8, 3, 4, 3);
    row->addWidget(words_, 2);
    const auto add = [&](const QString& text, const QString& name, auto act) {
        auto* button = new QToolButton;
        button->setText(text);
        button->setAccessibleName(name);
        button->setToolTip(name);
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::StrongFocus);
        connect(button, &QToolButton::clicked, this, act);
        row->addWidget(button);
    };
    add(QStringLiteral("\u2039"), tr("Previous one found"), [this] { step(-1); });
    add(QStringLiteral("\u203a"), tr("Next one found"), [this] { step(+1); });
    row->addWidget(verdict_, 1);
    add(tr("Close"), tr("Close the search"), [this] { hide(); });
    connect(words_, &QLineEdit::textEdited, this, &SearchBar::find);
    connect(&playback, &Playback::subjectChanged, this, &SearchBar::find);
    hide();
}

void SearchBar::begin() {
    show();
    words_->setFocus(Qt::ShortcutFocusReason);
    words_->selectAll();
}

void SearchBar::find() {
    found_.clear();
    at_.reset();
    if (!playback_->subject()) return;
    try {
        found_ = search(*playback_->subject(), words_->text());
        say();
    } catch (const engine::Error& error) {
        verdict_->setText(QString::fromUtf8(error.what()));
    }
}

void SearchBar::say() {
    if (words_->text().trimmed().isEmpty()) return verdict_->clear();
    const QString all = found_.size() == 1 ? tr("1 message") : tr("%1 messages").arg(found_.size());
    verdict_->setText(at_ ? tr("%1 of %2").arg(*at_ + 1).arg(all) : all);
}

void SearchBar::step(int direction) {
    if (found_.empty()) return;
    const std::size_t count = found_.size();
    if (at_) {
        at_ = (*at_ + (direction > 0 ? 1 : count - 1)) % count;
    } else {
        // From the cursor on.
        const auto begins = playback_->subject()->run().messages.sendBegin();
        const auto after = std::find_if(found_.begin(), found_.end(),
                                        [&](std::size_t i) { return begins[i] >= playback_->state().time; });
        at_ = after == found_.end() ? 0 : static_cast<std::size_t>(after - found_.begin());
    }
    const std::size_t message = found_[*at_];
    playback_->pause();
    playback_->selectMessage(message);
    playback_->seek(playback_->subject()->run().messages.sendBegin()[message]);
    say();
}

bool SearchBar::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress) return QFrame::eventFilter(watched, event);
    const auto& key = *static_cast<QKeyEvent*>(event);
    if (key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter) {
        step(key.modifiers().testFlag(Qt::ShiftModifier) ? -1 : +1);
        return true;
    }
    if (key.key() == Qt::Key_Escape) {
        hide();
        return true;
    }
    return QFrame::eventFilter(watched, event);
}

}  // namespace app::gui
