// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/panels/setup_panel.hpp"

#include "app/gui/panels/exact_words.hpp"
#include "app/gui/to_qt.hpp"
#include "engine/catalogue.hpp"
#include "engine/text.hpp"

#include <QHBoxLayout>
#include <QScrollArea>

namespace app::gui {

using engine::Collective;

namespace {

constexpr int settleMilliseconds = 150;
constexpr int slim = 250;  // pixels

void choose(QComboBox& box, const QString& data) { box.setCurrentIndex(std::max(0, box.findData(data))); }

}  // namespace

SetupPanel::SetupPanel() {
    auto* column = new QVBoxLayout{this};
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    auto* page = new QWidget;
    form_ = new QFormLayout{page};
    form_->setContentsMargins(8, 6, 8, 6);
    form_->setVerticalSpacing(4);
    form_->setHorizontalSpacing(8);
    form_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form_->setRowWrapPolicy(QFormLayout::DontWrapRows);
    scroll->setWidget(page);
    column->addWidget(scroll, 1);

    buildAlgorithm();
    buildProblem();
    buildMachine();
    buildConditions();

    auto* bottom = new QHBoxLayout;
    bottom->setContentsMargins(8, 4, 8, 6);
    hint_ = new QLabel;
    hint_->setWordWrap(true);
    run_ = new QPushButton{tr("Run")};
    run_->setAccessibleName(tr("Run"));
    run_->setToolTip(tr("Run what the fields say (Ctrl+R)"));
    progress_ = new QProgressBar;
    progress_->setAccessibleName(tr("Progress of the run"));
    progress_->setRange(0, 100);
    progress_->hide();
    cancel_ = new QPushButton{tr("Cancel")};
    cancel_->setAccessibleName(tr("Cancel"));
    cancel_->hide();
    bottom->addWidget(hint_, 1);
    bottom->addWidget(progress_, 1);
    bottom->addWidget(cancel_);
    bottom->addWidget(run_);
    column->addLayout(bottom);
    connect(run_, &QPushButton::clicked, this, &SetupPanel::runNow);
    connect(cancel_, &QPushButton::clicked, this, &SetupPanel::cancelled);

    settle_.setSingleShot(true);
    settle_.setInterval(settleMilliseconds);
    connect(&settle_, &QTimer::timeout, this, [this] { consider(false); });
    setWish(firstWish());
}

void SetupPanel::setWish(const RunWish& wish) {
    filling_ = true;
    clearNotes();
    choose(*algorithm_, toQt(wish.algorithm));
    algorithmChanged();
    const ProblemWish& problem = wish.problem;
    const auto ranks = [](const std::optional<std::int64_t>& number) { return static_cast<int>(number.value_or(4)); };
    groupA_->setValue(ranks(problem.ranks ? problem.ranks : problem.groupA));
    groupB_->setValue(ranks(problem.groupB));
    size_->setText(exactWords(problem.size));
    sizeB_->setText(problem.sizeB ? exactWords(*problem.sizeB) : QString{});
    sizes_->setCurrentText(toQt(problem.sizes));
    root_->setValue(static_cast<int>(problem.root));
    choose(*operation_, toQt(engine::name(problem.operation)));
    choose(*element_, toQt(engine::name(problem.element)));
    ports_->setValue(problem.ports);
    for (const OptionField& shown : options_) {
        const auto found = wish.options.find(shown.option->name);
        const std::string set = found == wish.options.end() ? "" : found->second;
        if (auto* line = qobject_cast<QLineEdit*>(shown.editor)) line->setText(toQt(set));
        if (auto* box = qobject_cast<QComboBox*>(shown.editor)) {
            box->setCurrentText(toQt(set.empty() ? shown.option->fallback : set));
        }
    }
    choose(*on_, toQt(wish.on));
    suggestTopologies();
    topology_->setCurrentText(toQt(wish.topology));
    stepping_->setCurrentIndex(wish.stepping == emulation::Stepping::lockstep ? 1 : 0);
    choose(*sharing_, toQt(emulation::toText(wish.sharing, {})));
    showConditions(wish);
    settle_.stop();
    filling_ = false;
}

// Where there is no room beside a label, its field stands below.
void SetupPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    form_->setRowWrapPolicy(width() < slim ? QFormLayout::WrapAllRows : QFormLayout::DontWrapRows);
}

bool SetupPanel::readInto(Field* field, const std::function<void()>& read) {
    try {
        read();
        return true;
    } catch (const engine::Error& error) {
        field->setNote(toQt(error.what()));
        return false;
    }
}

std::optional<RunWish> SetupPanel::wish() {
    clearNotes();
    RunWish wish;
    wish.algorithm = algorithm().id;
    ProblemWish& problem = wish.problem;
    const Collective collective = algorithm().collective;
    if (engine::isIntergroup(collective)) {
        problem.groupA = groupA_->value();
        problem.groupB = groupB_->value();
        problem.sizes = sizes_->currentText().trimmed().toStdString();
    } else {
        problem.ranks = groupA_->value();
        if (collective == Collective::allgatherv) problem.sizes = sizes_->currentText().trimmed().toStdString();
    }
    bool fine = true;
    const auto words = [](const QLineEdit* line) { return plainly(line->text()); };
    if (collective != Collective::barrier) {
        fine &= readInto(sizeField_, [&] { problem.size = engine::readBytes(words(size_), "size"); });
    }
    if (collective == Collective::intergroupAllgatherv && !words(sizeB_).empty()) {
        fine &= readInto(sizeBField_, [&] { problem.sizeB = engine::readBytes(words(sizeB_), "size in B"); });
    }
    if (collective == Collective::bcast) problem.root = root_->value();
    if (collective == Collective::allreduce) {
        problem.operation = engine::operationNamed(operation_->currentData().toString().toStdString());
        problem.element = engine::elementNamed(element_->currentData().toString().toStdString());
    }
    problem.ports = ports_->value();
    for (const OptionField& shown : options_) {
        const auto* box = qobject_cast<const QComboBox*>(shown.editor);
        const QString value = box ? box->currentText() : qobject_cast<const QLineEdit*>(shown.editor)->text();
        const std::string set = value.trimmed().toStdString();
        if (!set.empty() && set != shown.option->fallback) wish.options[shown.option->name] = set;
    }
    wish.on = on_->currentData().toString().toStdString();
    wish.topology = topology_->currentText().trimmed().toStdString();
    if (stepping_->currentData().toBool()) wish.stepping = emulation::Stepping::lockstep;
    wish.sharing = emulation::sharingFromText(sharing_->currentData().toString().toStdString()).sharing;
    fine &= readConditions(wish);
    return fine ? std::optional{wish} : std::nullopt;
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
    const auto meant = [&](Field* field) { return field->isVisibleTo(this) && field->isMeant(sentence); };
    const auto option = std::find_if(options_.begin(), options_.end(), [&](const auto& o) { return meant(o.field); });
    if (option != options_.end()) return option->field->setNote(withoutFlags(sentence));
    const auto field = std::find_if(fields_.begin(), fields_.end(), meant);
    (field == fields_.end() ? algorithmField_ : *field)->setNote(withoutFlags(sentence));
}

QString SetupPanel::refusal() const {
    if (!algorithmField_->note().isEmpty()) return algorithmField_->note();
    for (const Field* field : fields_) {
        if (!field->note().isEmpty()) return field->note();
    }
    return {};
}

void SetupPanel::setBusy(bool busy) {
    progress_->setVisible(busy);
    cancel_->setVisible(busy);
    hint_->setVisible(!busy);
    progress_->setValue(0);
}

void SetupPanel::setProgress(double share) { progress_->setValue(static_cast<int>(share * 100)); }

void SetupPanel::runNow() { consider(true); }

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
        refuse(toQt(error.what()));
    }
}

}  // namespace app::gui
