// SPDX-License-Identifier: BSD-3-Clause
// The editors of the set-up: each holds the words of one field of the table.
#include "app/gui/panels/exact_words.hpp"
#include "app/gui/panels/setup_panel.hpp"
#include "app/gui/to_qt.hpp"
#include "engine/text.hpp"

#include <algorithm>

namespace app::gui {
namespace {

/// Words of the field as people read them: quantities with a blank before their unit.
QString forPeople(fields::Kind kind, const std::string& words) {
    switch (kind) {
        case fields::Kind::bytes: return exactWords(engine::readBytes(words, ""));
        case fields::Kind::time: return exactWords(engine::readTime(words, ""));
        case fields::Kind::rate: return exactWords(engine::readRate(words, ""));
        default: return toQt(words);
    }
}

}  // namespace

template <class Widget>
Widget* SetupPanel::add(const char* key, Widget* widget, Editor::Empty empty) {
    const fields::Entry& entry = fields::named(key);
    editors_.push_back({&entry, addField(toQt(entry.label), widget, {key}, toQt(entry.tip)), widget, empty});
    return widget;
}

template QLineEdit* SetupPanel::add(const char*, QLineEdit*, Editor::Empty);
template QComboBox* SetupPanel::add(const char*, QComboBox*, Editor::Empty);
template QSpinBox* SetupPanel::add(const char*, QSpinBox*, Editor::Empty);

QLineEdit* SetupPanel::addLine(const char* key, const QString& empty) {
    auto* line = add(key, new QLineEdit);
    line->setPlaceholderText(empty);
    return line;
}

QComboBox* SetupPanel::addBox(const char* key, const QString& empty, const QStringList& choices) {
    QComboBox* box = add(key, slimBox());
    box->setEditable(true);
    box->setInsertPolicy(QComboBox::NoInsert);
    box->lineEdit()->setPlaceholderText(empty);
    box->addItem({});
    box->addItems(choices);
    return box;
}

QSpinBox* SetupPanel::addNumber(const char* key, int low, int high) {
    auto* spin = new QSpinBox;
    spin->setRange(low, high);
    return add(key, spin);
}

Field* SetupPanel::fieldOf(std::string_view key) const {
    const auto found =
        std::find_if(editors_.begin(), editors_.end(), [&](const Editor& editor) { return editor.entry->key == key; });
    ENSURE(found != editors_.end(), engine::text("the set-up has no field ", key));
    return found->field;
}

QLineEdit* SetupPanel::lineOf(std::string_view key) const {
    return qobject_cast<QLineEdit*>(fieldOf(key)->focusProxy());
}

std::string SetupPanel::wordsIn(const Editor& editor) {
    if (const auto* spin = qobject_cast<const QSpinBox*>(editor.widget)) return std::to_string(spin->value());
    if (const auto* line = qobject_cast<const QLineEdit*>(editor.widget)) return plainly(line->text());
    const auto* box = qobject_cast<const QComboBox*>(editor.widget);
    return box->isEditable() ? plainly(box->currentText()) : box->currentData().toString().toStdString();
}

void SetupPanel::fill(const Editor& editor, const std::string& words) {
    const std::string said = words.empty() ? std::string{editor.entry->fallback} : words;
    if (auto* spin = qobject_cast<QSpinBox*>(editor.widget)) return spin->setValue(toQt(said).toInt());
    if (auto* line = qobject_cast<QLineEdit*>(editor.widget))
        return line->setText(words.empty() ? QString{} : forPeople(editor.entry->kind, words));
    auto* box = qobject_cast<QComboBox*>(editor.widget);
    if (box->isEditable()) box->setCurrentText(toQt(said));
    else box->setCurrentIndex(std::max(0, box->findData(toQt(said))));
}

}  // namespace app::gui
