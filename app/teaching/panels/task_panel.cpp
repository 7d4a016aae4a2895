// SPDX-License-Identifier: BSD-3-Clause
#include "app/teaching/panels/task_panel.hpp"

#include "app/gui/scenes/drawing/to_qt.hpp"
#include "app/gui/widgets/field.hpp"
#include "app/gui/widgets/flow_layout.hpp"
#include "app/gui/widgets/scroll_area.hpp"

#include <QEvent>
#include <QVBoxLayout>

namespace app::gui {
namespace {

QLabel* paragraph(const QString& name) {
    auto* label = new QLabel;
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setAccessibleName(name);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

QString pointsInWords(std::int64_t number) {
    return number == 1 ? TaskPanel::tr("1 point") : TaskPanel::tr("%1 points").arg(number);
}

}  // namespace

TaskPanel::TaskPanel()
    : head_{new QLabel},
      text_{paragraph(tr("What is to be written"))},
      hints_{paragraph(tr("Hints"))},
      more_{new QPushButton},
      play_{new QPushButton{tr("Play by hand")}},
      checks_{new QVBoxLayout},
      score_{new QLabel} {
    head_->setWordWrap(true);
    head_->setTextFormat(Qt::RichText);
    score_->setAccessibleName(tr("Points"));
    more_->setAccessibleName(tr("Next hint"));
    auto* fresh = new QPushButton{tr("Begin empty")};
    fresh->setToolTip(tr("Opens a new script, which does nothing yet, in the editor"));
    fresh->setAccessibleName(fresh->text());
    play_->setToolTip(tr("Sends blocks by clicks, round by round"));
    play_->setAccessibleName(play_->text());
    for (QPushButton* each : {more_, play_, fresh}) each->setAutoDefault(false);
    auto* content = new QWidget;
    auto* column = new QVBoxLayout{content};
    column->setContentsMargins(8, 6, 8, 6);
    for (QWidget* each : std::initializer_list<QWidget*>{head_, text_, hints_}) column->addWidget(each);
    auto* buttons = new FlowLayout;
    for (QPushButton* each : {more_, play_, fresh}) buttons->addWidget(each);
    column->addLayout(buttons);
    column->addLayout(checks_);
    column->addWidget(score_);
    column->addStretch(1);
    auto* whole = new QVBoxLayout{this};
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(new Scrolled{content});
    connect(more_, &QPushButton::clicked, this, &TaskPanel::openHint);
    connect(play_, &QPushButton::clicked, this, &TaskPanel::played);
    connect(fresh, &QPushButton::clicked, this, &TaskPanel::begun);
    head_->setText(tr("Open a task in the menu Teach."));
    for (QPushButton* each : {more_, play_}) each->hide();
    fresh->setVisible(true);
}

void TaskPanel::show(const Task& task, bool playable) {
    setVisible(true);
    play_->setVisible(playable);
    task_ = task;
    marks_.assign(task.checks.size(), std::nullopt);
    open_ = 0;
    head_->setText(QStringLiteral("<b>%1</b>").arg(toQt(task.title).toHtmlEscaped()));
    text_->setText(toQt(task.text));
    hints_->clear();
    hints_->hide();
    buildChecks();
    more_->setVisible(!task_.hints.empty());
    more_->setText(tr("Hint"));
    addUp();
}

void TaskPanel::buildChecks() {
    for (QLabel* row : rows_) delete row;
    rows_.clear();
    for (const Check& check : task_.checks) {
        if (check.hidden) {
            rows_.push_back(nullptr);
            continue;
        }
        auto* row = new QLabel;
        row->setWordWrap(true);
        row->setTextFormat(Qt::RichText);
        row->setTextInteractionFlags(Qt::TextBrowserInteraction);
        connect(row, &QLabel::linkActivated, this, [this, number = rows_.size()] { Q_EMIT asked(number); });
        checks_->addWidget(row);
        rows_.push_back(row);
        write(rows_.size() - 1);
    }
}

void TaskPanel::setMark(std::size_t check, const std::optional<Outcome>& mark) {
    marks_[check] = mark;
    write(check);
    addUp();
}

void TaskPanel::write(std::size_t number) {
    QLabel* row = rows_[number];
    if (row == nullptr) return;
    const Check& check = task_.checks[number];
    const std::optional<Outcome>& mark = marks_[number];
    const QString sign = !mark        ? QStringLiteral("\u2026")
                         : mark->held ? QStringLiteral("\u2713")
                                      : QStringLiteral("\u2717");
    QString words =
        QStringLiteral("%1 %2 (%3)").arg(sign, toQt(check.words).toHtmlEscaped(), pointsInWords(check.points));
    if (mark && !mark->held) {
        words += QStringLiteral("<br>") + inWords(toQt(mark->said)).toHtmlEscaped();
        if (mark->problem) words += QStringLiteral(" <a href=\"#\">%1</a>").arg(tr("Show it"));
    }
    row->setText(words);
    row->setAccessibleName(toQt(check.words));
    if (!mark) row->setPalette(palette());
    else if (mark->held) colourAsSuccess(*row);
    else colourAsRefusal(*row);
}

void TaskPanel::addUp() {
    std::int64_t got = 0;
    std::int64_t seen = 0;
    for (std::size_t i = 0; i < task_.checks.size(); ++i) {
        if (task_.checks[i].hidden) continue;
        seen += task_.checks[i].points;
        if (marks_[i] && marks_[i]->held) got += task_.checks[i].points;
    }
    const std::int64_t hidden = pointsOf(task_) - seen;
    const QString words = tr("%1 of %2").arg(got).arg(pointsInWords(seen));
    score_->setText(hidden == 0 ? words : tr("%1; %2 more for checks that are hidden").arg(words).arg(hidden));
}

void TaskPanel::openHint() {
    if (open_ >= task_.hints.size()) return;
    const QString hint = toQt(task_.hints[open_++]);
    hints_->setText(hints_->text().isEmpty() ? hint : hints_->text() + QStringLiteral("\n\n") + hint);
    hints_->show();
    more_->setText(tr("Another hint"));
    more_->setVisible(open_ < task_.hints.size());
}

QString TaskPanel::said(std::size_t check) const { return rows_[check] == nullptr ? QString{} : rows_[check]->text(); }

void TaskPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        for (std::size_t i = 0; i < rows_.size(); ++i) write(i);
}

}  // namespace app::gui
