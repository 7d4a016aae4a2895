// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/widgets/field.hpp"

#include "app/gui/scenes/drawing/number_text.hpp"
#include "app/gui/scenes/drawing/style.hpp"
#include "app/gui/widgets/zero_margin_layout.hpp"
#include "app/session/options/run_options.hpp"
#include "app/session/replay/replay_changes.hpp"

#include <QAbstractSpinBox>
#include <QEvent>

namespace app::gui {

Field::Field(QWidget* editor, const QString& name, QStringList keys) : note_{new QLabel}, keys_{std::move(keys)} {
    QVBoxLayout* column = columnIn(*this, 1);
    column->addWidget(editor);
    column->addWidget(note_);
    note_->setWordWrap(true);
    note_->hide();
    setFocusProxy(editor);
    if (editor->accessibleName().isEmpty()) editor->setAccessibleName(name);
    QList<QWidget*> editors = editor->findChildren<QWidget*>();
    editors.append(editor);
    for (QWidget* each : editors) {
        if (qobject_cast<QComboBox*>(each) == nullptr && qobject_cast<QAbstractSpinBox*>(each) == nullptr) continue;
        each->setFocusPolicy(Qt::StrongFocus);
        each->installEventFilter(this);
    }
    colour();
}

void Field::setNote(const QString& sentence) {
    note_->setText(inWords(sentence));
    note_->setVisible(!sentence.isEmpty());
}

void Field::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) colour();
    QWidget::changeEvent(event);
}

// A wheel that scrolls the form must not change a value that happens to pass under the mouse.
bool Field::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::Wheel || static_cast<QWidget*>(watched)->hasFocus()) return false;
    event->ignore();
    return true;
}

void Field::colour() { colourAsRefusal(*note_); }

QComboBox* slimBox() {
    auto* box = new QComboBox;
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(8);
    return box;
}

namespace {

void colourAs(QLabel& label, QColor Palette::*role) {
    const bool dark =
        label.parentWidget() != nullptr && label.parentWidget()->palette().color(QPalette::Window).lightness() < 128;
    QPalette palette = label.palette();
    const QColor colour = paletteFor(dark).*role;
    if (palette.color(QPalette::WindowText) == colour) return;
    palette.setColor(QPalette::WindowText, colour);
    label.setPalette(palette);
}

}  // namespace

void colourAsRefusal(QLabel& label) { colourAs(label, &Palette::wrong); }

void colourAsSuccess(QLabel& label) { colourAs(label, &Palette::better); }

QString inWords(const QString& sentence) {
    const auto label = [](const std::string& key) {
        if (const fields::Entry* entry = fields::find(key)) return std::string{entry->label};
        const ReplayChange* change = findReplayChange(key);
        return change == nullptr ? key : std::string{change->label};
    };
    const auto listing = [](const std::string&) { return std::string{"Set-up"}; };
    return withMu(QString::fromStdString(engine::worded(sentence.toStdString(), label, listing)));
}

}  // namespace app::gui
