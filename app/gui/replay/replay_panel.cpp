// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/replay/replay_panel.hpp"

#include "app/gui/widgets/flow_layout.hpp"
#include "app/gui/widgets/zero_margin_layout.hpp"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QSplitter>

namespace app::gui {
namespace {

constexpr int leastFields = 80;  // pixels of height: three of them
constexpr int lowPanel = 420;    // pixels of height, below which fields and answer do not share what is seen

FlowLayout* lineIn(QWidget& widget) {
    auto* line = new FlowLayout;
    widget.setLayout(line);
    line->setContentsMargins(8, 3, 8, 3);
    line->setSpacing(4);
    return line;
}

}  // namespace

ReplayPanel::ReplayPanel()
    : form_{new ReplayForm},
      upper_{new QWidget},
      below_{new QWidget},
      fold_{new QToolButton},
      clear_{new QPushButton{tr("Clear")}},
      fields_{new Scrolled{upper_, leastFields}},
      answer_{new ReplayAnswer},
      progress_{new RunProgress{tr("Progress of the replay"), tr("Cancel the replay"), RunProgress::shortBar}},
      refusal_{new QLabel},
      shown_{new QButtonGroup{this}},
      save_{new QPushButton{tr("&Save...")}},
      command_{new QLineEdit},
      copy_{new QPushButton{tr("Copy")}} {
    columnIn(*upper_)->addWidget(form_);
    QVBoxLayout* last = columnIn(*below_);
    last->addWidget(buildShown());
    last->addWidget(buildCommand());
    refusal_->setWordWrap(true);
    refusal_->setContentsMargins(8, 2, 8, 2);
    refusal_->setAccessibleName(tr("Why it cannot be replayed"));
    refusal_->hide();
    auto* levels = new QSplitter{Qt::Vertical};
    levels->addWidget(fields_);
    levels->addWidget(answer_);
    levels->setChildrenCollapsible(false);
    // Of little room the answer gets more: fields can be scrolled to.
    levels->setStretchFactor(0, 2);
    levels->setStretchFactor(1, 3);
    levels->setSizes({200, 300});
    QVBoxLayout* column = columnIn(*this);
    column->addWidget(buildActions());
    column->addWidget(refusal_);
    column->addWidget(levels, 1);
    column->addWidget(below_);
    setFocusProxy(form_);
    connect(form_, &ReplayForm::wanted, this, &ReplayPanel::wanted);
    connect(fold_, &QToolButton::clicked, this, &ReplayPanel::unfold);
    setShown(ReplayShown::recorded, false);
    setCommand({});
    unfold(true);
}

QWidget* ReplayPanel::buildActions() {
    auto* all = new QWidget;
    actions_ = lineIn(*all);
    auto* go = new QPushButton{tr("Re&play")};
    go->setAccessibleName(tr("Replay with these changes"));
    go->setToolTip(tr("Replay with the values of the fields (Return in any field)"));
    clear_->setAccessibleName(tr("Clear all changes"));
    clear_->setToolTip(tr("All as recorded again"));
    fold_->setText(tr("Changes"));
    fold_->setAccessibleName(tr("Changes of the replay"));
    fold_->setToolTip(tr("Changes, the part that the pictures show, and the command that repeats the replay"));
    fold_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    fold_->setCheckable(true);
    fold_->setAutoRaise(true);
    fold_->setFocusPolicy(Qt::StrongFocus);
    fold_->hide();
    for (QWidget* each : {static_cast<QWidget*>(fold_), static_cast<QWidget*>(go), static_cast<QWidget*>(clear_),
                          static_cast<QWidget*>(progress_)})
        actions_->addWidget(each);
    connect(go, &QPushButton::clicked, this, &ReplayPanel::wanted);
    connect(clear_, &QPushButton::clicked, this, &ReplayPanel::cleared);
    connect(progress_, &RunProgress::cancelled, this, &ReplayPanel::cancelled);
    return all;
}

QWidget* ReplayPanel::buildShown() {
    auto* all = new QWidget;
    FlowLayout* line = lineIn(*all);
    auto* label = new QLabel{tr("Show")};
    line->addWidget(label);
    const auto add = [&](ReplayShown shown, const QString& words, const QString& name, const QString& tip) {
        auto* button = new QToolButton;
        button->setText(words);
        button->setAccessibleName(name);
        button->setToolTip(tip);
        button->setCheckable(true);
        button->setFocusPolicy(Qt::StrongFocus);
        shown_->addButton(button, static_cast<int>(shown));
        line->addWidget(button);
    };
    add(ReplayShown::recorded, tr("recorded"), tr("Show what was recorded"), tr("What was recorded, alone"));
    add(ReplayShown::both, tr("both"), tr("Show both on one axis"),
        tr("The recording above the replay, on one time axis"));
    add(ReplayShown::replay, tr("replay"), tr("Show the replay as a trace"),
        tr("The replay as a trace: tables, wait states, critical path, export"));
    save_->setAccessibleName(tr("Save the replay as a trace"));
    save_->setToolTip(tr("Write the replay as an OTF2 archive"));
    line->addWidget(save_);
    connect(shown_, &QButtonGroup::idClicked, this,
            [this](int shown) { Q_EMIT shownWanted(static_cast<ReplayShown>(shown)); });
    connect(save_, &QPushButton::clicked, this, &ReplayPanel::saveWanted);
    return all;
}

QWidget* ReplayPanel::buildCommand() {
    auto* all = new QWidget;
    auto* line = new QHBoxLayout{all};
    line->setContentsMargins(8, 3, 8, 3);
    line->setSpacing(4);
    command_->setReadOnly(true);
    command_->setAccessibleName(tr("The command that repeats the replay"));
    command_->setPlaceholderText(tr("the command that repeats it"));
    copy_->setAccessibleName(tr("Copy the command"));
    line->addWidget(command_, 1);
    line->addWidget(copy_);
    connect(copy_, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(command_->text()); });
    return all;
}

void ReplayPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    form_->setSlim(width() < slimForm);
    setLow(height() < lowPanel);
}

void ReplayPanel::setLow(bool low) {
    if (low == low_) return;
    low_ = low;
    auto* column = static_cast<QVBoxLayout*>((low ? upper_ : this)->layout());
    column->addWidget(below_);
    fold_->setVisible(low);
    actions_->setContentsMargins(8, low ? 0 : 3, 8, low ? 0 : 3);
    unfold(answer_->text().isEmpty());
}

void ReplayPanel::unfold(bool unfolded) {
    fold_->setChecked(unfolded);
    fold_->setArrowType(unfolded ? Qt::DownArrow : Qt::RightArrow);
    for (QWidget* each : {static_cast<QWidget*>(fields_), static_cast<QWidget*>(clear_)})
        each->setVisible(!low_ || unfolded);
    answer_->setVisible(!low_ || !unfolded);
}

void ReplayPanel::show(const Replaying& replaying) {
    answer_->show(replaying);
    unfold(false);
}

void ReplayPanel::refuse(const QString& sentence) {
    clearRefusal();
    if (form_->refuse(sentence)) return unfold(true);
    refusal_->setText(inWords(sentence));
    colourAsRefusal(*refusal_);
    refusal_->setVisible(!sentence.isEmpty());
}

QString ReplayPanel::refusal() const {
    const QString ofField = form_->refusal();
    return ofField.isEmpty() ? refusal_->text() : ofField;
}

void ReplayPanel::clearRefusal() {
    form_->clearNotes();
    refusal_->clear();
    refusal_->hide();
}

void ReplayPanel::setCommand(const QString& command) {
    command_->setText(command);
    command_->setToolTip(command);
    command_->setCursorPosition(0);
    copy_->setEnabled(!command.isEmpty());
}

void ReplayPanel::setShown(ReplayShown shown, bool possible) {
    shown_->button(static_cast<int>(shown))->setChecked(true);
    for (QAbstractButton* button : shown_->buttons()) button->setEnabled(possible);
    save_->setEnabled(possible);
}

}  // namespace app::gui
