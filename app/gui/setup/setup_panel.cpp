// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/setup/setup_panel.hpp"

#include "app/gui/scenes/drawing/to_qt.hpp"
#include "app/gui/widgets/scroll_area.hpp"

#include "app/gui/widgets/zero_margin_layout.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/algorithm_file.hpp"
#include "engine/catalogue/catalogue.hpp"

#include <QHBoxLayout>
#include <QScrollArea>

#include <algorithm>

namespace app::gui {

using engine::Collective;

namespace {

constexpr int wishSettles = 150;  // milliseconds

void choose(QComboBox& box, const QString& data) { box.setCurrentIndex(std::max(0, box.findData(data))); }

}  // namespace

SetupPanel::SetupPanel() {
    QVBoxLayout* column = columnIn(*this);
    auto* page = new QWidget;
    form_ = new QFormLayout{page};
    form_->setContentsMargins(8, 6, 8, 6);
    form_->setVerticalSpacing(4);
    form_->setHorizontalSpacing(8);
    form_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form_->setRowWrapPolicy(QFormLayout::DontWrapRows);
    scroll_ = new Scrolled{page};
    column->addWidget(scroll_, 1);

    buildAlgorithm();
    buildRanks();
    using enum fields::Section;
    for (const fields::Section section : {problem, where, launch, measuring, machine}) add(section);
    on_ = widgetOf<QComboBox>("on");
    topology_ = widgetOf<QComboBox>("topology");
    sharing_ = widgetOf<QComboBox>("sharing");
    setProcesses({});
    fitProcesses();
    buildConditions();

    auto* bottom = new QHBoxLayout;
    bottom->setContentsMargins(8, 4, 8, 6);
    hint_ = new QLabel;
    hint_->setWordWrap(true);
    run_ = new QPushButton{tr("Run")};
    run_->setAccessibleName(tr("Run"));
    run_->setToolTip(tr("Run with the values of the fields (Ctrl+R)"));
    bottom->addWidget(hint_, 1);
    bottom->addWidget(run_);
    column->addLayout(bottom);
    connect(run_, &QPushButton::clicked, this, &SetupPanel::runNow);

    settle_.setSingleShot(true);
    settle_.setInterval(wishSettles);
    connect(&settle_, &QTimer::timeout, this, [this] { consider(false); });
    setWish(firstWish());
}

void SetupPanel::setWish(const RunWish& wish) {
    filling_ = true;
    clearNotes();
    if (engine::schedules::openedAs(wish.algorithm) != nullptr && algorithm_->findData(toQt(wish.algorithm)) < 0)
        algorithm_->addItem(toQt(wish.algorithm), toQt(wish.algorithm));
    choose(*algorithm_, toQt(wish.algorithm));
    algorithmChanged();
    const ProblemWish& problem = wish.problem;
    const auto ranks = [](const std::optional<std::int64_t>& number) { return static_cast<int>(number.value_or(4)); };
    groupA_->setValue(ranks(problem.ranks ? problem.ranks : problem.groupA));
    groupB_->setValue(ranks(problem.groupB));
    const Specification specification{.run = wish};
    for (const Editor& editor : editors_) {
        // Costs are those of a machine, and how processes are started is no part of the wish.
        const bool cost = std::find(costs.begin(), costs.end(), editor.entry->key) != costs.end();
        if (cost || editor.entry->part > fields::Part::execution) continue;
        const fields::Words words = editor.entry->print(specification);
        // A toggle that is on has no words of its own.
        const bool on = editor.entry->kind == fields::Kind::toggle && !words.empty();
        fill(editor, on ? std::string{fields::toggledOn} : words.empty() ? "" : words.front());
    }
    for (const OptionField& shown : options_) {
        const auto found = wish.options.find(shown.option->name);
        const std::string set = found == wish.options.end() ? "" : found->second;
        if (auto* line = qobject_cast<QLineEdit*>(shown.editor)) line->setText(toQt(set));
        if (auto* box = qobject_cast<QComboBox*>(shown.editor)) {
            box->setCurrentText(toQt(set.empty() ? shown.option->fallback : set));
        }
    }
    suggestTopologies();
    showConditions(wish);
    settle_.stop();
    filling_ = false;
}

// Where there is no room beside a label, its field stands below.
void SetupPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    form_->setRowWrapPolicy(width() < slimForm ? QFormLayout::WrapAllRows : QFormLayout::DontWrapRows);
}

bool SetupPanel::readInto(Field* field, const std::function<void()>& read) {
    try {
        read();
        return true;
    } catch (const engine::Error& error) {
        field->setNote(toQt(error.words()));
        return false;
    }
}

std::optional<RunWish> SetupPanel::wish() {
    clearNotes();
    Specification specification;
    RunWish& wish = specification.run;
    wish.algorithm = algorithm().id;
    if (engine::isIntergroup(algorithm().collective)) {
        wish.problem.groupA = groupA_->value();
        wish.problem.groupB = groupB_->value();
    } else {
        wish.problem.ranks = groupA_->value();
    }
    for (const OptionField& shown : options_) {
        const auto* box = qobject_cast<const QComboBox*>(shown.editor);
        const QString value = box ? box->currentText() : qobject_cast<const QLineEdit*>(shown.editor)->text();
        const std::string set = value.trimmed().toStdString();
        if (!set.empty() && set != shown.option->fallback) wish.options[shown.option->name] = set;
    }
    const bool fine = readEditors(specification);
    readModelName(wish.model);
    return fine ? std::optional{wish} : std::nullopt;
}

bool SetupPanel::readEditors(Specification& specification) {
    bool fine = true;
    for (const Editor& editor : editors_) {
        const fields::Entry* entry = editor.entry;
        const std::string words = wordsIn(editor);
        if (entry->part > fields::Part::execution || !entry->isOf(algorithm().collective)) continue;
        if (words.empty() && !entry->edited.needed) continue;
        // How links are shared stands above it.
        const bool onTheWire = entry->edited.section == fields::Section::wire;
        if (onTheWire && !emulation::isFair(specification.run.sharing)) continue;
        if (entry->key == "beta" && words.ends_with("B/s")) entry = &fields::named("bandwidth");
        fine &= readInto(editor.field, [&] { entry->set(specification, words); });
    }
    return fine;
}

void SetupPanel::clearNotes() {
    algorithmField_->setNote({});
    say({});
    for (Field* field : fields_) field->setNote({});
}

void SetupPanel::say(const QString& sentence, const QString& more) {
    hint_->setText(sentence);
    hint_->setToolTip(more);
}

void SetupPanel::refuse(const QString& sentence) {
    for (const std::string& key : engine::fieldsIn(sentence.toStdString()))
        for (Field* field : fields_)
            if (field->isVisibleTo(this) && field->holds(toQt(key))) return field->setNote(sentence);
    algorithmField_->setNote(sentence);
}

QString SetupPanel::refusal() const {
    if (!algorithmField_->note().isEmpty()) return algorithmField_->note();
    for (const Field* field : fields_) {
        if (!field->note().isEmpty()) return field->note();
    }
    return {};
}

void SetupPanel::runNow() { consider(true); }

void SetupPanel::edit(const QString& key) {
    const auto found =
        std::find_if(fields_.begin(), fields_.end(), [&](const Field* field) { return field->holds(key); });
    Field* field = found == fields_.end() ? algorithmField_ : *found;
    // What is asked for must be seen.
    if (!form_->isRowVisible(field)) more_->setChecked(true);
    (key == QLatin1String("group-b") ? static_cast<QWidget*>(groupB_) : field)->setFocus(Qt::ShortcutFocusReason);
    scroll_->ensureWidgetVisible(field);
}

void SetupPanel::consider(bool evenIfLarge) {
    settle_.stop();
    suggestTopologies();
    fitConditions();
    const std::optional<RunWish> wanted = wish();
    if (!wanted) return;
    try {
        const engine::Plan plan = app::makePlan(*wanted);
        if (evenIfLarge || isSmall(*wanted, plan)) Q_EMIT wished(*wanted);
        else say(wanted->on == "mpi" ? tr("Starts processes: press Run") : tr("A large run: press Run"));
    } catch (const engine::Error& error) {
        refuse(toQt(error.words()));
    }
}

}  // namespace app::gui
