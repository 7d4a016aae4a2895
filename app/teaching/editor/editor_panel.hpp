// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "app/teaching/editor/script_edit.hpp"

#include <QLabel>
#include <QWidget>

class QToolButton;

namespace app::gui {

/// The file of an algorithm or a lesson as text, and below it what is known of it. It knows neither files nor runs:
/// whoever does hears of every change, and says what came of it.
class EditorPanel final : public QWidget {
    Q_OBJECT

public:
    EditorPanel();

    /// Shows another text, under the name of its file, that is as in the file, or is not.
    void show(const QString& name, const QString& text, bool asInTheFile);
    /// The text is that of the file, which may have another name now.
    void setSaved(const QString& name);
    [[nodiscard]] QString text() const;
    [[nodiscard]] bool modified() const;
    [[nodiscard]] ScriptEdit& edit() { return *edit_; }

    /// Something holds of the text.
    void sayRight(const QString& sentence);
    /// Something is wrong with it; in a line, where one is named.
    void sayWrong(const QString& sentence, std::optional<int> line);
    /// What was said last.
    [[nodiscard]] QString said() const { return said_->text(); }

    [[nodiscard]] QSize sizeHint() const override { return {420, 400}; }

Q_SIGNALS:
    /// By the user, or because another text is shown.
    void edited();
    void opened();
    void saved();
    /// The template of that name is to be begun with.
    void begun(const QString& name);
    /// A lesson is to be begun with: like the one of that name, or a short one.
    void lessonBegun(const QString& name);

protected:
    void changeEvent(QEvent* event) override;

private:
    void buildTemplates(QToolButton& button);
    void say(const QString& sentence, bool right);
    void nameFile();

    QLabel* file_;
    ScriptEdit* edit_;
    QLabel* said_;
    QString name_;
    bool right_ = true;
};

}  // namespace app::gui
