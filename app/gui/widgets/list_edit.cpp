// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/widgets/list_edit.hpp"

#include <QHBoxLayout>
#include <QKeyEvent>

namespace app::gui {
namespace {

const QChar parted{';'};

/// Completes the last of several entries.
class LastEntry final : public QCompleter {
public:
    LastEntry(QAbstractItemModel* model, QObject* parent) : QCompleter{model, parent} {
        setCaseSensitivity(Qt::CaseInsensitive);
        setFilterMode(Qt::MatchContains);
        setMaxVisibleItems(12);
    }

    [[nodiscard]] QStringList splitPath(const QString& path) const override {
        return {path.section(parted, -1).trimmed()};
    }
    [[nodiscard]] QString pathFromIndex(const QModelIndex& index) const override {
        const auto* line = qobject_cast<const QLineEdit*>(widget());
        QStringList words = line == nullptr ? QStringList{} : line->text().split(parted);
        if (!words.isEmpty()) words.removeLast();
        words += QCompleter::pathFromIndex(index);
        for (QString& word : words) word = word.trimmed();
        return words.join(QStringLiteral("; "));
    }
};

}  // namespace

WordsLine::WordsLine(const QString& name)
    : line_{new QLineEdit}, opens_{new QToolButton}, menu_{new QMenu{this}}, known_{new QStringListModel{this}} {
    line_->setAccessibleName(name);
    line_->setCompleter(new LastEntry{known_, line_});
    line_->installEventFilter(this);
    opens_->setArrowType(Qt::DownArrow);
    opens_->setAutoRaise(true);
    opens_->setAccessibleName(tr("What there is for %1").arg(name));
    opens_->setToolTip(tr("What this trace offers (Down)"));
    // Down does the same by keyboard.
    opens_->setFocusPolicy(Qt::NoFocus);
    opens_->setEnabled(false);
    menu_->setToolTipsVisible(true);
    auto* row = new QHBoxLayout{this};
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(1);
    row->addWidget(line_, 1);
    row->addWidget(opens_);
    setFocusProxy(line_);
    connect(opens_, &QToolButton::clicked, this, &WordsLine::openList);
    connect(menu_, &QMenu::aboutToShow, this, &WordsLine::fill);
}

void WordsLine::offer(const QList<Offer>& offers) {
    offers_ = offers;
    QStringList words;
    for (const auto& [word, why] : offers) words += word;
    known_->setStringList(words);
    opens_->setEnabled(!offers.isEmpty());
}

QStringList WordsLine::words() const {
    QStringList words;
    for (const QString& word : line_->text().split(parted))
        if (const QString said = word.trimmed(); !said.isEmpty()) words += said;
    return words;
}

void WordsLine::setWords(const QStringList& words) { line_->setText(words.join(QStringLiteral("; "))); }

void WordsLine::add(const QString& word) {
    QStringList all = words();
    if (all.contains(word)) return;
    if (!all.isEmpty() && !line_->text().trimmed().endsWith(parted) && word.contains(all.last(), Qt::CaseInsensitive))
        all.removeLast();
    all += word;
    setWords(all);
}

bool WordsLine::eventFilter(QObject* watched, QEvent* event) {
    if (watched == line_ && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Down && !offers_.isEmpty()) {
        openList();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void WordsLine::fill() {
    menu_->clear();
    for (const auto& [word, why] : offers_) {
        QString shown = word;
        shown.replace('&', QStringLiteral("&&"));
        QAction* action = menu_->addAction(why.isEmpty() ? shown : shown + '\t' + why, this, [this, word = word] {
            add(word);
            Q_EMIT chosen();
        });
        action->setToolTip(why);
    }
}

void WordsLine::openList() { menu_->popup(mapToGlobal(QPoint{0, height()})); }

}  // namespace app::gui
