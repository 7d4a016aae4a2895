// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QStringList>
#include <QWidget>

namespace app::gui {

/// An editor with room beneath for the sentence that says what is wrong with its value.
class Field final : public QWidget {
    Q_OBJECT

public:
    /// `name`: what a screen reader calls the editor. `words`: what sentences about this value are recognised by, such
    /// as "--root" or "root".
    Field(QWidget* editor, const QString& name, QStringList words);

    /// Shows the sentence; an empty one takes its room away.
    void setNote(const QString& sentence);
    [[nodiscard]] QString note() const { return note_->text(); }
    /// Whether `sentence` speaks of this value.
    [[nodiscard]] bool isMeant(const QString& sentence) const;

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void colour();

    QLabel* note_;
    QStringList words_;
};

/// A box that does not claim the width of its longest item.
QComboBox* slimBox();

/// Gives a label the colour of things that went wrong, readable on its ground.
void colourAsRefusal(QLabel& label);

/// The sentence as the window says it: without the dashes of the command line's flags, times with a real mu.
QString withoutFlags(const QString& sentence);

}  // namespace app::gui
