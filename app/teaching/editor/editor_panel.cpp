// SPDX-License-Identifier: BSD-3-Clause
#include "app/teaching/editor/editor_panel.hpp"

#include "app/gui/scenes/drawing/to_qt.hpp"
#include "app/gui/widgets/field.hpp"
#include "app/teaching/lessons/lesson.hpp"
#include "app/teaching/lessons/lesson_draft.hpp"
#include "app/teaching/lessons/templates.hpp"

#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace app::gui {
namespace {

QToolButton* button(const QString& words, const QString& tip) {
    auto* made = new QToolButton;
    made->setText(words);
    made->setToolTip(tip);
    made->setAccessibleName(tip);
    made->setFocusPolicy(Qt::StrongFocus);
    return made;
}

}  // namespace

EditorPanel::EditorPanel() : file_{new QLabel}, edit_{new ScriptEdit}, said_{new QLabel} {
    auto* column = new QVBoxLayout{this};
    column->setContentsMargins(8, 6, 8, 6);
    column->setSpacing(4);
    auto* row = new QHBoxLayout;
    QToolButton* fresh = button(tr("New"), tr("Begin with a template"));
    buildTemplates(*fresh);
    QToolButton* open = button(tr("Open..."), tr("Open the file of an algorithm or a lesson"));
    QToolButton* save = button(tr("Save"), tr("Save the algorithm or lesson"));
    for (QToolButton* each : {fresh, open, save}) row->addWidget(each);
    file_->setAccessibleName(tr("File in the editor"));
    file_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    row->addWidget(file_, 1);
    column->addLayout(row);
    column->addWidget(edit_, 1);
    said_->setWordWrap(true);
    said_->setTextFormat(Qt::PlainText);
    said_->setAccessibleName(tr("What is known of the text"));
    column->addWidget(said_);
    setFocusProxy(edit_);
    connect(open, &QToolButton::clicked, this, &EditorPanel::opened);
    connect(save, &QToolButton::clicked, this, &EditorPanel::saved);
    connect(edit_, &QPlainTextEdit::textChanged, this, &EditorPanel::edited);
    connect(edit_->document(), &QTextDocument::modificationChanged, this, &EditorPanel::nameFile);
}

void EditorPanel::buildTemplates(QToolButton& button) {
    auto* menu = new QMenu{&button};
    QMenu* ideas = nullptr;
    for (const Template& each : templates()) {
        if (each.name == each.collective) ideas = menu->addMenu(each.title);
        ideas->addAction(each.idea, this, [this, name = each.name] { Q_EMIT begun(name); });
    }
    menu->addSeparator();
    QMenu* beginnings = menu->addMenu(tr("Lesson"));
    beginnings->addAction(tr("A short one to begin with"), this, [this] { Q_EMIT lessonBegun({}); });
    for (const Lesson& lesson : lessons())
        beginnings->addAction(tr("Like '%1'").arg(lesson.title), this,
                              [this, name = toQt(lesson.name)] { Q_EMIT lessonBegun(name); });
    button.setMenu(menu);
    button.setPopupMode(QToolButton::InstantPopup);
}

void EditorPanel::show(const QString& name, const QString& text, bool asInTheFile) {
    const int place = name == name_ ? edit_->textCursor().position() : 0;
    const bool sameFile = name == name_;
    name_ = name;
    edit_->setIndenting(!isLesson(name.toStdString()));
    edit_->setCompleting(name.endsWith(QStringLiteral(".lua")));
    // Of the same file as a change that can be undone; but what is undone must never be the text of another file.
    if (!sameFile) edit_->setPlainText(text);
    QTextCursor all{edit_->document()};
    if (sameFile) {
        all.select(QTextCursor::Document);
        all.insertText(text);
    }
    all.setPosition(std::min(place, static_cast<int>(text.size())));
    edit_->setTextCursor(all);
    edit_->document()->setModified(!asInTheFile);
    nameFile();
}

void EditorPanel::setSaved(const QString& name) {
    name_ = name;
    edit_->document()->setModified(false);
    nameFile();
}

// The document's own plain text has spaces in the place of those that do not break.
QString EditorPanel::text() const {
    return edit_->document()->toRawText().replace(QChar::ParagraphSeparator, QChar{'\n'});
}

bool EditorPanel::modified() const { return edit_->document()->isModified(); }

void EditorPanel::nameFile() {
    const QString file = QFileInfo{name_}.fileName();  // what is before it does not fit beside the buttons
    file_->setText(modified() ? tr("%1 (not saved)").arg(file) : file);
    file_->setToolTip(name_);
}

void EditorPanel::sayRight(const QString& sentence) {
    edit_->mark(std::nullopt);
    say(QStringLiteral("\u2713 ") + sentence, true);
}

void EditorPanel::sayWrong(const QString& sentence, std::optional<int> line) {
    edit_->mark(line);
    say(QStringLiteral("\u2717 ") + sentence, false);
}

void EditorPanel::say(const QString& sentence, bool right) {
    right_ = right;
    said_->setText(sentence);
    if (right) colourAsSuccess(*said_);
    else colourAsRefusal(*said_);
}

void EditorPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) say(said_->text(), right_);
}

}  // namespace app::gui
