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
    /// `name`: what a screen reader calls the editor. `keys`: of the fields (engine/base/option_placeholders.hpp) whose
    /// values it holds.
    Field(QWidget* editor, const QString& name, QStringList keys);

    /// Shows the sentence in words of the window; an empty one takes its room away.
    void setNote(const QString& sentence);
    [[nodiscard]] QString note() const { return note_->text(); }
    [[nodiscard]] bool holds(const QString& key) const { return keys_.contains(key); }

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void colour();

    QLabel* note_;
    QStringList keys_;
};

/// A box that does not claim the width of its longest item.
QComboBox* slimBox();

/// Pixels below which labels of a form stand above their fields.
inline constexpr int slimForm = 250;

/// Gives a label the colour of things that went wrong, readable on its ground.
void colourAsRefusal(QLabel& label);
/// The same of things that are right.
void colourAsSuccess(QLabel& label);

/// The sentence as the window says it: with its labels for the fields that are named, times with a real mu.
QString inWords(const QString& sentence);

}  // namespace app::gui
