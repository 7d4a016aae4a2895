// SPDX-License-Identifier: BSD-3-Clause
// The fields of the set-up about the machine: which model, and what on it is uneven.
#include "app/gui/scenes/drawing/to_qt.hpp"
#include "app/gui/setup/setup_panel.hpp"
#include "app/gui/widgets/exact_quantity_text.hpp"
#include "app/gui/widgets/path_dialog.hpp"
#include "app/session/options/models.hpp"
#include "engine/base/text.hpp"

#include <algorithm>

namespace app::gui {

using fields::Section;

namespace {

const QString modelFile = QStringLiteral("@");  // the choice that asks for a file

}  // namespace

void SetupPanel::buildModel() {
    model_ = slimBox();
    const fields::Entry& entry = fields::named("model");
    modelField_ = addField(toQt(entry.label), model_, {"model"}, toQt(entry.tip));
    for (const NamedModel& named : models()) {
        model_->addItem(toQt(named.model.name), toQt(named.model.name));
        model_->setItemData(model_->count() - 1, toQt(named.title), Qt::ToolTipRole);
    }
    model_->addItem(tr("own values"), QString{});
    model_->addItem(ofAFile(), modelFile);
    connect(model_, &QComboBox::activated, this, &SetupPanel::modelChosen);
}

void SetupPanel::buildConditions() {
    more_ = new QPushButton{tr("&More conditions")};
    more_->setAccessibleName(tr("More conditions"));
    more_->setToolTip(tr("Placement, late and slow ranks, slow links, LogGP, large and small messages"));
    more_->setCheckable(true);
    form_->addRow(more_);
    connect(more_, &QPushButton::toggled, this, &SetupPanel::fitConditions);

    for (const Section section : {Section::placing, Section::perturbation, Section::costs, Section::wire}) add(section);
    for (const std::string_view key : costs)
        connect(widgetOf(key), &QLineEdit::textEdited, this, &SetupPanel::modelChanged);
    connect(sharing_, &QComboBox::currentIndexChanged, this, &SetupPanel::fitConditions);
    connect(on_, &QComboBox::currentIndexChanged, this, &SetupPanel::fitConditions);
    connect(on_, &QComboBox::currentIndexChanged, this, &SetupPanel::fitProcesses);
    fitConditions();
}

/// Which fields there are, and which of them matter now.
void SetupPanel::fitConditions() {
    const bool live = on_->currentData().toString() != "virtual";
    const bool letters = !widgetOf("loggp")->text().trimmed().isEmpty();
    const bool more = more_->isChecked();
    const bool fair =
        emulation::isFair(emulation::sharingFromText(sharing_->currentData().toString().toStdString()).sharing);
    modelField_->setEnabled(!live);
    for (const Editor& editor : editors_) {
        const fields::Scope scope = editor.entry->scope;
        if (scope == fields::Scope::virtualTime || scope == fields::Scope::noThreads) editor.field->setEnabled(!live);
        const Section section = editor.entry->edited.section;
        if (section >= Section::placing) form_->setRowVisible(editor.field, more && (fair || section != Section::wire));
    }
    for (const char* key : {"alpha", "beta"}) fieldOf(key)->setEnabled(!live && !letters);
}

void SetupPanel::takeModel(const engine::Model& model) {
    const auto known =
        std::find_if(models().begin(), models().end(), [&](const NamedModel& named) { return named.model == model; });
    ownModel_ = model.name;
    gammaOf_ = model.gammaOf;
    model_->setCurrentIndex(model_->findData(known == models().end() ? QString{} : toQt(known->model.name)));
    widgetOf("alpha")->setText(exactWords(model.alpha));
    widgetOf("beta")->setText(exactWords(model.beta));
    widgetOf("gamma")->setText(exactWords(model.gamma));
    widgetOf("loggp")->setText(model.logGP ? exactWords(*model.logGP) : QString{});
    widgetOf("eager")->setText(model.eagerLimit ? exactWords(*model.eagerLimit) : QString{});
    if (model.logGP || model.eagerLimit) more_->setChecked(true);
    fitConditions();
}

/// The user took one from the list.
void SetupPanel::modelChosen() {
    std::string name = model_->currentData().toString().toStdString();
    if (name.empty()) return;
    modelField_->setNote({});
    if (name == modelFile.toStdString()) {
        const QString path =
            askForPath(this, {.title = tr("Open a model"), .filters = tr("Models (*.model);;All files (*)")});
        if (path.isEmpty()) return modelChanged();
        name += path.toStdString();
    }
    if (readInto(modelField_, [&] { takeModel(modelFromNameOrFile(name)); })) settle_.start();
}

/// The user changed a value: then it is that machine no longer.
void SetupPanel::modelChanged() {
    const std::string name = model_->currentData().toString().toStdString();
    const bool listed = !name.empty() && name != modelFile.toStdString();
    if (listed && name != engine::Model{}.name) ownModel_ = name + "-changed";
    const QSignalBlocker quiet{model_};
    model_->setCurrentIndex(model_->findData(QString{}));
    fitConditions();
}

void SetupPanel::showConditions(const RunWish& wish) {
    // What is set must be seen; of costs, takeModel knows.
    const Specification specification{.run = wish};
    for (const Editor& editor : editors_) {
        const Section section = editor.entry->edited.section;
        if (section >= Section::placing && section != Section::costs && !editor.entry->print(specification).empty())
            more_->setChecked(true);
    }
    takeModel(wish.model);
}

void SetupPanel::readModelName(engine::Model& model) const {
    model.gammaOf = gammaOf_;
    model.name = model_->currentData().toString().toStdString();
    if (model.name.empty() || model.name == modelFile.toStdString()) model.name = ownModel_;
}

}  // namespace app::gui
