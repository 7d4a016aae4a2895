// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/replay/replay_form.hpp"

#include "app/gui/scenes/drawing/to_qt.hpp"
#include "app/gui/widgets/exact_quantity_text.hpp"
#include "app/gui/widgets/list_edit.hpp"
#include "app/session/options/models.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <QCheckBox>
#include <QLineEdit>

#include <algorithm>
#include <array>

namespace app::gui {
namespace {

/// Conditions that are seen at once; others have to be asked for.
constexpr std::array<std::string_view, 5> firstConditions{"topology", "alpha", "beta", "eager", "ports"};
/// Which the field of beta says, too.
constexpr std::string_view asSpeed = "bandwidth";

bool isFirst(std::string_view key) { return std::ranges::find(firstConditions, key) != firstConditions.end(); }

QString asRecorded() { return ReplayForm::tr("as recorded"); }

/// A box whose first choice leaves things as they were.
QComboBox* boxOf(const std::vector<fields::Offer>& offers, bool anythingElse) {
    QComboBox* box = slimBox();
    if (anythingElse) {
        box->setEditable(true);
        box->setInsertPolicy(QComboBox::NoInsert);
        box->lineEdit()->setPlaceholderText(asRecorded());
        box->addItem({});
    } else {
        box->addItem(asRecorded(), QString{});
    }
    for (const fields::Offer& offer : offers) {
        box->addItem(toQt(offer.label.empty() ? offer.words : offer.label), toQt(offer.words));
        if (!offer.tip.empty()) box->setItemData(box->count() - 1, toQt(offer.tip), Qt::ToolTipRole);
    }
    return box;
}

QWidget* editorFor(const ReplayChange& change) {
    const QString label = toQt(change.label);
    if (change.several) {
        auto* line = new WordsLine{label};
        line->setPlaceholder(toQt(change.unset));
        return line;
    }
    if (change.type.empty()) return new QCheckBox{ReplayForm::tr("wait only for data")};
    return boxOf({{"message", "message after message"}, {"byte", "bytes queue"}}, false);
}

QWidget* editorFor(const fields::Entry& entry) {
    if (entry.key == engine::field::model.key) {
        std::vector<fields::Offer> offers;
        for (const NamedModel& named : models()) offers.push_back({.words = named.model.name, .tip = named.title});
        return boxOf(offers, true);
    }
    if (!entry.edited.offers.empty() || entry.edited.anythingElse)
        return boxOf(entry.edited.offers, entry.edited.anythingElse);
    auto* line = new QLineEdit;
    line->setPlaceholderText(asRecorded());
    return line;
}

}  // namespace

ReplayForm::ReplayForm() : form_{new QFormLayout{this}}, more_{new QPushButton{tr("&More conditions")}} {
    form_->setContentsMargins(8, 6, 8, 6);
    form_->setVerticalSpacing(4);
    form_->setHorizontalSpacing(8);
    form_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    for (const ReplayChange& change : replayChanges())
        if (change.key != "in-ports") add(change);
    for (const std::string_view key : firstConditions) add(fields::named(key));
    more_->setAccessibleName(tr("More conditions of the replay"));
    more_->setToolTip(tr("Model, placement, LogGP, how links are shared, slow ranks and links"));
    more_->setCheckable(true);
    form_->addRow(more_);
    connect(more_, &QPushButton::toggled, this, &ReplayForm::fit);
    for (const std::string_view key : replayConditions)
        if (!isFirst(key) && key != asSpeed) add(fields::named(key));
    add(replayChange("in-ports"));
    setFocusProxy(editors_.front().field);
    fit();
}

void ReplayForm::add(const ReplayChange& change) {
    QWidget* widget = editorFor(change);
    const QString label = toQt(change.label);
    auto* field = new Field{widget, label, {toQt(change.key)}};
    put({change.key, nullptr, field, widget, change.key == "in-ports"}, label, toQt(change.tip));
}

void ReplayForm::add(const fields::Entry& entry) {
    QWidget* widget = editorFor(entry);
    QStringList keys{toQt(entry.key)};
    if (entry.key == engine::field::beta.key) keys += toQt(asSpeed);
    auto* field = new Field{widget, tr("%1 of the replay").arg(toQt(entry.label)), keys};
    put({entry.key, &entry, field, widget, !isFirst(entry.key)}, toQt(entry.label), toQt(entry.tip));
}

void ReplayForm::put(const Editor& editor, const QString& label, const QString& tip) {
    editor.field->setToolTip(tip);
    form_->addRow(label, editor.field);
    editors_.push_back(editor);
    QLineEdit* line = nullptr;
    if (auto* several = qobject_cast<WordsLine*>(editor.widget)) {
        line = &several->line();
        connect(several, &WordsLine::chosen, this, &ReplayForm::wanted);
    } else if (auto* box = qobject_cast<QComboBox*>(editor.widget)) {
        line = box->lineEdit();
        connect(box, &QComboBox::activated, this, &ReplayForm::wanted);
    } else if (auto* check = qobject_cast<QCheckBox*>(editor.widget)) {
        connect(check, &QCheckBox::clicked, this, &ReplayForm::wanted);
    } else {
        line = qobject_cast<QLineEdit*>(editor.widget);
    }
    if (line != nullptr) connect(line, &QLineEdit::returnPressed, this, &ReplayForm::wanted);
}

const ReplayForm::Editor& ReplayForm::editorOf(std::string_view key) const {
    const auto found = std::ranges::find(editors_, key == asSpeed ? engine::field::beta.key : key, &Editor::key);
    ENSURE(found != editors_.end(), engine::text("the form of replays has no field ", key));
    return *found;
}

std::vector<std::string> ReplayForm::wordsIn(const Editor& editor) {
    std::vector<std::string> all;
    const auto say = [&](const std::string& words) {
        if (!words.empty()) all.push_back(words);
    };
    if (const auto* several = qobject_cast<const WordsLine*>(editor.widget)) {
        for (const QString& word : several->words()) say(plainly(word));
    } else if (const auto* check = qobject_cast<const QCheckBox*>(editor.widget)) {
        if (check->isChecked()) say(std::string{fields::toggledOn});
    } else if (const auto* box = qobject_cast<const QComboBox*>(editor.widget)) {
        say(box->isEditable() ? plainly(box->currentText()) : box->currentData().toString().toStdString());
    } else {
        say(plainly(qobject_cast<const QLineEdit*>(editor.widget)->text()));
    }
    return all;
}

void ReplayForm::fill(const Editor& editor, const std::vector<std::string>& words) {
    const QString first = words.empty() ? QString{} : toQt(words.front());
    if (auto* several = qobject_cast<WordsLine*>(editor.widget)) {
        QStringList all;
        for (const std::string& word : words) all += toQt(word);
        several->setWords(all);
    } else if (auto* check = qobject_cast<QCheckBox*>(editor.widget)) {
        check->setChecked(!words.empty());
    } else if (auto* box = qobject_cast<QComboBox*>(editor.widget)) {
        if (box->isEditable()) box->setCurrentText(first);
        else box->setCurrentIndex(std::max(0, box->findData(first)));
    } else {
        qobject_cast<QLineEdit*>(editor.widget)->setText(first);
    }
}

ReplayWords ReplayForm::words() const {
    ReplayWords all;
    for (const Editor& editor : editors_) {
        if (editor.entry == nullptr && replayChange(editor.key).ofPrograms && !program_) continue;
        std::vector<std::string> words = wordsIn(editor);
        if (words.empty()) continue;
        const bool speed = editor.key == engine::field::beta.key && words.front().ends_with("B/s");
        all.emplace_back(speed ? asSpeed : editor.key, std::move(words));
    }
    return all;
}

std::optional<ReplayWish> ReplayForm::wish() {
    clearNotes();
    const ReplayWords all = words();
    bool fine = true;
    Specification read;
    for (const auto& [key, words] : all) {
        if (findReplayChange(key) != nullptr) continue;
        try {
            fields::named(key).set(read, words.front());
        } catch (const engine::Error& error) {
            editorOf(key).field->setNote(toQt(error.words()));
            fine = false;
        }
    }
    return fine ? std::optional{replayWishFrom(all)} : std::nullopt;
}

void ReplayForm::setWords(const ReplayWords& words) {
    clearNotes();
    for (const Editor& editor : editors_) fill(editor, {});
    for (const auto& [key, values] : words) {
        const Editor& editor = editorOf(key);
        fill(editor, values);
        // What is said must be seen.
        if (editor.further && !values.empty()) more_->setChecked(true);
    }
}

void ReplayForm::add(std::string_view key, const QString& word) {
    qobject_cast<WordsLine*>(editorOf(key).widget)->add(word);
}

void ReplayForm::setTrace(std::int32_t ranks, bool program) {
    program_ = program;
    auto* networks = qobject_cast<QComboBox*>(editorOf("topology").widget);
    const QString typed = networks->currentText();
    const QSignalBlocker quiet{networks};
    networks->clear();
    networks->addItem({});
    for (const std::string& network : networksFor(ranks)) networks->addItem(toQt(network));
    networks->setCurrentText(typed);
    fit();
}

void ReplayForm::offer(const ReplayOffers& offers) {
    const auto put = [this](std::string_view key, const std::vector<ReplayOffer>& all) {
        QList<WordsLine::Offer> offered;
        for (const ReplayOffer& one : all) offered.emplace_back(toQt(one.words), inWords(toQt(one.why)));
        qobject_cast<WordsLine*>(editorOf(key).widget)->offer(offered);
    };
    put("with", offers.with);
    put("compute", offers.compute);
    put("without", offers.without);
    put("even", offers.even);
}

bool ReplayForm::refuse(const QString& sentence) {
    for (const std::string& key : engine::fieldsIn(sentence.toStdString()))
        for (const Editor& editor : editors_) {
            if (!editor.field->holds(toQt(key))) continue;
            if (editor.further) more_->setChecked(true);
            editor.field->setNote(sentence);
            return true;
        }
    return false;
}

void ReplayForm::clearNotes() {
    for (const Editor& editor : editors_) editor.field->setNote({});
}

QString ReplayForm::refusal() const {
    for (const Editor& editor : editors_)
        if (!editor.field->note().isEmpty()) return editor.field->note();
    return {};
}

void ReplayForm::setSlim(bool slim) {
    form_->setRowWrapPolicy(slim ? QFormLayout::WrapAllRows : QFormLayout::DontWrapRows);
}

void ReplayForm::fit() {
    for (const Editor& editor : editors_) {
        const bool meant = program_ || editor.entry != nullptr || !replayChange(editor.key).ofPrograms;
        form_->setRowVisible(editor.field, meant && (!editor.further || more_->isChecked()));
    }
}

}  // namespace app::gui
