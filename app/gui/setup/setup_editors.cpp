// SPDX-License-Identifier: BSD-3-Clause
// The editors of the set-up: each holds the words of one field of the table.
#include "app/gui/scenes/drawing/to_qt.hpp"
#include "app/gui/setup/setup_panel.hpp"
#include "app/gui/widgets/exact_quantity_text.hpp"
#include "engine/base/text.hpp"

#include <algorithm>

namespace app::gui {
namespace {

QWidget* spinBox(const fields::Editing& edited) {
    auto* spin = new QSpinBox;
    spin->setRange(static_cast<int>(edited.low), edited.high > 0 ? static_cast<int>(edited.high) : mostRanks);
    spin->setAccelerated(true);
    return spin;
}

QWidget* lineEdit(const fields::Editing& edited) {
    auto* line = new QLineEdit;
    line->setPlaceholderText(toQt(edited.unset));
    return line;
}

QWidget* choiceBox(const fields::Entry& entry) {
    QComboBox* box = slimBox();
    if (entry.edited.anythingElse) {
        box->setEditable(true);
        box->setInsertPolicy(QComboBox::NoInsert);
        box->lineEdit()->setPlaceholderText(toQt(entry.edited.unset));
        if (entry.fallback.empty()) box->addItem({});
    }
    for (const fields::Offer& offer : entry.edited.offers) {
        box->addItem(toQt(offer.label.empty() ? offer.words : offer.label), toQt(offer.words));
        if (!offer.tip.empty()) box->setItemData(box->count() - 1, toQt(offer.tip), Qt::ToolTipRole);
    }
    return box;
}

QWidget* editorFor(const fields::Entry& entry) {
    const fields::Editing& edited = entry.edited;
    if (entry.kind == fields::Kind::number) return spinBox(edited);
    return edited.offers.empty() && !edited.anythingElse ? lineEdit(edited) : choiceBox(entry);
}

}  // namespace

void SetupPanel::add(fields::Section section) {
    for (const fields::Entry& entry : fields::all()) {
        if (entry.edited.section != section) continue;
        // These two offer what stands in files, too.
        if (entry.key == "model") buildModel();
        else if (entry.key == "hostfile") buildHosts();
        else {
            QWidget* widget = editorFor(entry);
            Field* field = addField(toQt(entry.label), widget, {toQt(entry.key)}, toQt(entry.tip));
            editors_.push_back({&entry, field, widget});
        }
    }
}

const SetupPanel::Editor& SetupPanel::editorOf(std::string_view key) const {
    const auto found =
        std::find_if(editors_.begin(), editors_.end(), [&](const Editor& editor) { return editor.entry->key == key; });
    ENSURE(found != editors_.end(), engine::text("the set-up has no field ", key));
    return *found;
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
