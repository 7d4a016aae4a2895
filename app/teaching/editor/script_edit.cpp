// SPDX-License-Identifier: BSD-3-Clause
#include "app/teaching/editor/script_edit.hpp"

#include "app/gui/scenes/drawing/colours.hpp"
#include "app/gui/scenes/drawing/style.hpp"

#include <QAbstractItemView>
#include <QCompleter>
#include <QFontDatabase>
#include <QKeyEvent>
#include <QPainter>
#include <QRegularExpression>
#include <QScrollBar>
#include <QStringListModel>
#include <QTextBlock>

namespace app::gui {
namespace {

constexpr int shortestBegun = 2;  // letters, before anything is proposed automatically

/// What a script can say (resources/docs/write-your-own.md).
QStringList wordsOfScripts() {
    QStringList words{"algorithm", "collective", "title",    "idea",     "source", "options", "demands", "ports",
                      "wiring",    "parts",      "abreast",  "slots",    "own",    "result",  "repeats", "default",
                      "low",       "high",       "meaning",  "choices",  "name",   "rounds",  "turn",    "block",
                      "blocks",    "all",        "bytes",    "part",     "send",   "receive", "combine", "rank",
                      "round",     "root",       "option",   "function", "local",  "return",  "then",    "else",
                      "elseif",    "end",        "while",    "repeat",   "until",  "for",     "math",    "ipairs",
                      "select",    "tostring",   "tonumber", "error",    "assert"};
    words.sort();
    return words;
}

constexpr int levelBlanks = 2;  // blanks of a level
constexpr QChar faultySign = u'\u2717';
const QStringList closingWords{QStringLiteral("end"), QStringLiteral("else"), QStringLiteral("until"),
                               QStringLiteral("}")};

int leadingBlanks(const QString& line) {
    qsizetype blanks = 0;
    while (blanks < line.size() && line[blanks] == ' ') ++blanks;
    return static_cast<int>(blanks);
}

/// Whether the lines below `line` belong to what it begins.
bool opensLines(const QString& line) {
    static const QRegularExpression last{
        QStringLiteral("(\\{|\\bthen|\\bdo|\\belse|\\brepeat|\\bfunction\\b[^)]*\\))\\s*$")};
    return last.match(line).hasMatch();
}

bool hasDarkBase(const QWidget& widget) { return widget.palette().color(QPalette::Base).lightness() < 128; }

}  // namespace

/// Where the numbers of the lines stand.
class ScriptEdit::Margin final : public QWidget {
public:
    explicit Margin(ScriptEdit& edit) : QWidget{&edit}, edit_{&edit} {}

protected:
    void paintEvent(QPaintEvent*) override { edit_->paintMargin(*this); }

private:
    ScriptEdit* edit_;
};

ScriptEdit::ScriptEdit() : margin_{new Margin{*this}}, completer_{new QCompleter{wordsOfScripts(), this}} {
    setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);  // beside the picture there are few columns
    setTabChangesFocus(true);                                    // the keyboard alone must get out again
    setAccessibleName(tr("Text of the algorithm"));
    completer_->setWidget(this);
    completer_->setCaseSensitivity(Qt::CaseSensitive);
    connect(completer_, qOverload<const QString&>(&QCompleter::activated), this, &ScriptEdit::complete);
    connect(this, &QPlainTextEdit::blockCountChanged, this, &ScriptEdit::fitMargin);
    connect(this, &QPlainTextEdit::updateRequest, margin_, [this] { margin_->update(); });
    fitMargin();
}

void ScriptEdit::mark(std::optional<int> line) {
    if (marked_ == line) return;
    marked_ = line;
    showMark();
}

void ScriptEdit::showMark() {
    QList<QTextEdit::ExtraSelection> marks;
    if (const QTextBlock block = document()->findBlockByNumber(marked_.value_or(0) - 1); marked_ && block.isValid()) {
        const Palette palette = paletteFor(hasDarkBase(*this));
        QTextEdit::ExtraSelection mark;
        mark.format.setBackground(mixed(palette.paper, palette.accent, 0.18));
        mark.format.setProperty(QTextFormat::FullWidthSelection, true);
        mark.cursor = QTextCursor{block};
        mark.cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);  // also where it is wrapped
        marks += mark;
    }
    setExtraSelections(marks);
    margin_->update();
}

void ScriptEdit::fitMargin() {
    const int digits = static_cast<int>(QString::number(std::max(blockCount(), 99)).size());
    // Room for the sign of the faulty line, whichever font has it.
    const int width = (digits + 1) * fontMetrics().horizontalAdvance('9') + fontMetrics().horizontalAdvance(faultySign);
    setViewportMargins(width, 0, 0, 0);
    margin_->setGeometry(contentsRect().left(), contentsRect().top(), width, contentsRect().height());
}

void ScriptEdit::paintMargin(QWidget& margin) {
    QPainter painter{&margin};
    const Palette palette = paletteFor(hasDarkBase(*this));
    painter.setFont(font());
    const int width = margin.width() - fontMetrics().horizontalAdvance('9') / 2;
    for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
        const QRectF box = blockBoundingGeometry(block).translated(contentOffset());
        if (box.top() > margin.height()) break;
        const bool marked = marked_ == block.blockNumber() + 1;
        painter.setPen(marked ? palette.accent : palette.muted);
        // Beside its colour the faulty line has a sign.
        const QString words = (marked ? QString{faultySign} : QString{}) + QString::number(block.blockNumber() + 1);
        painter.drawText(QRectF{0, box.top(), static_cast<double>(width), static_cast<double>(fontMetrics().height())},
                         Qt::AlignRight, words);
    }
}

void ScriptEdit::resizeEvent(QResizeEvent* event) {
    const bool seen = cursorRect().top() >= 0 && cursorRect().top() < event->oldSize().height();
    QPlainTextEdit::resizeEvent(event);
    fitMargin();
    // What is said below may take the line from sight that it is about.
    if (seen) ensureCursorVisible();
}

void ScriptEdit::changeEvent(QEvent* event) {
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) showMark();
}

QString ScriptEdit::begunWord() const {
    QTextCursor cursor = textCursor();
    cursor.select(QTextCursor::WordUnderCursor);
    return cursor.selectedText();
}

void ScriptEdit::keyPressEvent(QKeyEvent* event) {
    const bool asked = event->key() == Qt::Key_Space && event->modifiers() == Qt::ControlModifier;
    const bool shown = completer_->popup()->isVisible();
    if (shown && (event->key() == Qt::Key_Enter || event->key() == Qt::Key_Return || event->key() == Qt::Key_Tab ||
                  event->key() == Qt::Key_Escape)) {
        event->ignore();  // the list takes it
        return;
    }
    if (!asked) QPlainTextEdit::keyPressEvent(event);
    if (indenting_ && event->key() == Qt::Key_Return) indent();
    else if (indenting_ && !event->text().isEmpty()) outdent();
    if (asked || (!event->text().isEmpty() && event->text().front().isLetter())) propose(asked);
    else completer_->popup()->hide();
}

/// A new line begins below the one before it, or within what that opens.
void ScriptEdit::indent() {
    const QString before = textCursor().block().previous().text();
    insertPlainText(QString(leadingBlanks(before) + (opensLines(before) ? levelBlanks : 0), ' '));
}

/// A word that closes something stands below the line that opens it.
void ScriptEdit::outdent() {
    QTextCursor cursor = textCursor();
    const QString line = cursor.block().text();
    const QTextBlock before = cursor.block().previous();
    if (!before.isValid() || !closingWords.contains(line.trimmed()) || !cursor.atBlockEnd()) return;
    const int wanted = std::max(0, leadingBlanks(before.text()) - (opensLines(before.text()) ? 0 : levelBlanks));
    const int more = leadingBlanks(line) - wanted;
    if (more <= 0) return;
    cursor.movePosition(QTextCursor::StartOfBlock);
    cursor.movePosition(QTextCursor::NextCharacter, QTextCursor::KeepAnchor, more);
    cursor.removeSelectedText();
}

void ScriptEdit::propose(bool asked) {
    const QString begun = begunWord();
    completer_->setCompletionPrefix(begun);
    // A word that is there needs no list: Return is then the end of the line.
    const bool whole = completer_->completionCount() > 0 && completer_->currentCompletion() == begun;
    if (!completing_ || whole || completer_->completionCount() == 0 || (!asked && begun.size() < shortestBegun))
        return completer_->popup()->hide();
    completer_->popup()->setCurrentIndex(completer_->completionModel()->index(0, 0));
    QRect place = cursorRect();
    place.setWidth(completer_->popup()->sizeHintForColumn(0) +
                   completer_->popup()->verticalScrollBar()->sizeHint().width());
    completer_->complete(place.translated(viewportMargins().left(), 0));
}

void ScriptEdit::complete(const QString& word) {
    QTextCursor cursor = textCursor();
    cursor.select(QTextCursor::WordUnderCursor);
    cursor.insertText(word);
    setTextCursor(cursor);
    outdent();
}

}  // namespace app::gui
