// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QPlainTextEdit>

#include <optional>

class QCompleter;

namespace app::gui {

/// The text of an algorithm or a lesson, with numbers of lines, a mark at one of them, and completion of the words of
/// scripts.
class ScriptEdit final : public QPlainTextEdit {
    Q_OBJECT

public:
    ScriptEdit();

    /// Marks a line, from 1; nothing marks none.
    void mark(std::optional<int> line);
    [[nodiscard]] std::optional<int> marked() const { return marked_; }
    /// Whether the words of scripts are proposed.
    void setCompleting(bool on) { completing_ = on; }
    /// Whether lines are indented as those of programs.
    void setIndenting(bool on) { indenting_ = on; }
    [[nodiscard]] QCompleter& completer() const { return *completer_; }

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    class Margin;

    void paintMargin(QWidget& margin);
    void fitMargin();
    void showMark();
    [[nodiscard]] QString begunWord() const;
    void propose(bool asked);
    void complete(const QString& word);
    void indent();
    void outdent();

    QWidget* margin_;
    QCompleter* completer_;
    std::optional<int> marked_;
    bool completing_ = true;
    bool indenting_ = true;
};

}  // namespace app::gui
