// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/panels/setup_panel.hpp"

#include "app/gui/recall.hpp"
#include "engine/catalogue.hpp"
#include "engine/sizes.hpp"
#include "engine/text.hpp"

#include <QHBoxLayout>
#include <QScrollArea>
#include <QStandardItemModel>

namespace app::gui {

using engine::Collective;

namespace {

constexpr int mostRanks = 1 << 20;  // what a picture of a run can still be about
constexpr int settleMilliseconds = 150;

QString toQt(std::string_view words) { return QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size())); }

/// `short_` where it reads back exactly, else the number with all its figures.
template <class Value, class Read>
QString exact(const std::string& brief, Value value, Read read, double number, const char* unit) {
    return read(brief, "value") == value ? toQt(brief) : QString::number(number, 'g', 15) + unit;
}

QString wordsOf(engine::Bytes bytes) {
    return exact(engine::showBytes(bytes), bytes, engine::readBytes, static_cast<double>(bytes), " B");
}

QString wordsOf(engine::Picoseconds time) {
    return exact(engine::showTime(time), time, engine::readTime, static_cast<double>(time.count()) / 1e6, " us");
}

QString wordsOf(engine::Rate rate) {
    return exact(engine::showRate(rate), rate, engine::readRate, static_cast<double>(rate.femtosecondsPerByte) / 1e6,
                 " ns/B");
}

/// The catalogue under headings, one per collective; headings cannot be chosen.
void fillAlgorithms(QComboBox& box) {
    auto* model = new QStandardItemModel{&box};
    Collective last{};
    for (const engine::Algorithm* algorithm : engine::catalogue()) {
        if (model->rowCount() == 0 || algorithm->collective != last) {
            auto* heading = new QStandardItem{toQt(engine::name(algorithm->collective))};
            heading->setFlags(Qt::NoItemFlags);
            QFont font;
            font.setBold(true);
            heading->setFont(font);
            model->appendRow(heading);
        }
        last = algorithm->collective;
        auto* item = new QStandardItem{"   " + toQt(algorithm->title)};
        item->setData(toQt(algorithm->id), Qt::UserRole);
        item->setToolTip(toQt(algorithm->id + "\n" + algorithm->idea));
        item->setData(toQt(algorithm->id), Qt::AccessibleDescriptionRole);
        model->appendRow(item);
    }
    box.setModel(model);
}

/// "4x3" for 12: the factors of `ranks` that lie nearest to each other.
std::string squarest(int ranks) {
    int side = 1;
    for (int i = 1; i * i <= ranks; ++i) {
        if (ranks % i == 0) side = i;
    }
    return engine::showDimensions({ranks / side, side});
}

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

    algorithm_ = new QComboBox;
    fillAlgorithms(*algorithm_);
    algorithm_->setMaxVisibleItems(30);
    algorithm_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    algorithm_->setMinimumContentsLength(12);
    algorithmField_ = new Field{algorithm_, tr("Algorithm"), {}};
    form_->addRow(algorithmField_);
    connect(algorithm_, &QComboBox::currentIndexChanged, this, &SetupPanel::algorithmChanged);

    buildProblem();
    buildMachine();

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

Field* SetupPanel::addField(QFormLayout* form, const QString& label, QWidget* editor, const QStringList& words,
                            const QString& tip) {
    auto* field = new Field{editor, label, words};
    field->setToolTip(tip);
    form->addRow(label, field);
    fields_.push_back(field);
    QList<QWidget*> editors = editor->findChildren<QWidget*>(Qt::FindDirectChildrenOnly);
    editors.prepend(editor);
    for (QWidget* each : editors) watch(each);
    return field;
}

void SetupPanel::watch(QWidget* editor) {
    const auto settle = [this] {
        if (filling_) return;
        settle_.start();
    };
    if (auto* spin = qobject_cast<QSpinBox*>(editor)) connect(spin, &QSpinBox::valueChanged, this, settle);
    else if (auto* line = qobject_cast<QLineEdit*>(editor)) connect(line, &QLineEdit::textEdited, this, settle);
    else if (auto* box = qobject_cast<QComboBox*>(editor)) connect(box, &QComboBox::currentTextChanged, this, settle);
}

void SetupPanel::buildProblem() {
    auto* ranks = new QWidget;
    auto* row = new QHBoxLayout{ranks};
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    groupA_ = new QSpinBox;
    groupB_ = new QSpinBox;
    for (QSpinBox* group : {groupA_, groupB_}) {
        group->setRange(1, mostRanks);
        group->setAccelerated(true);
        row->addWidget(group, 1);
    }
    groupB_->setPrefix("q = ");
    groupB_->setAccessibleName(tr("Ranks of group B, q"));
    ranks->setFocusProxy(groupA_);
    ranksField_ = addField(form_, tr("Ranks"), ranks, {"--ranks", "--group-a", "--group-b", "group A", "group B"}, {});

    size_ = new QLineEdit;
    sizeField_ = addField(form_, tr("Size"), size_, {"--size", "a vector of", "size"},
                          tr("Bytes of each contribution, for example 64 KiB"));
    sizeB_ = new QLineEdit;
    sizeB_->setPlaceholderText(tr("as in group A"));
    sizeBField_ = addField(form_, tr("Size in B"), sizeB_, {"--size-b", "size in B"},
                           tr("Bytes of each contribution of group B, if it differs"));
    sizes_ = new QComboBox;
    for (const engine::Distribution& distribution : engine::distributions()) {
        sizes_->addItem(toQt(distribution.name), toQt(distribution.name));
        sizes_->setItemData(sizes_->count() - 1, toQt(distribution.meaning), Qt::ToolTipRole);
    }
    sizesField_ = addField(form_, tr("Spread"), sizes_, {"--sizes"}, tr("How the contributions differ in size"));
    root_ = new QSpinBox;
    root_->setRange(0, mostRanks);
    rootField_ = addField(form_, tr("Root"), root_, {"--root", "root"}, tr("The rank that has the message"));
    operation_ = new QComboBox;
    for (const auto operation : {engine::Operation::sum, engine::Operation::min, engine::Operation::max}) {
        operation_->addItem(toQt(engine::name(operation)), toQt(engine::name(operation)));
    }
    operationField_ = addField(form_, tr("Operation"), operation_, {"--op"}, tr("How two vectors become one"));
    element_ = new QComboBox;
    for (const auto element : {engine::Element::int32, engine::Element::int64, engine::Element::float32,
                               engine::Element::float64}) {
        element_->addItem(toQt(engine::name(element)), toQt(engine::name(element)));
    }
    elementField_ = addField(form_, tr("Element"), element_, {"--type"}, tr("What the vectors are made of"));
    ports_ = new QSpinBox;
    ports_->setRange(1, 64);
    addField(form_, tr("Ports"), ports_, {"--ports", "ports"},
             tr("Messages a rank can send, and receive, at one time"));
}

void SetupPanel::buildMachine() {
    on_ = new QComboBox;
    on_->addItem(tr("in virtual time"), "virtual");
    on_->addItem(tr("on threads"), "threads");
    addField(form_, tr("Run"), on_, {"--on", "threads"},
             tr("Emulated, or really executed by threads of this program"));
    topology_ = new QComboBox;
    topology_->setEditable(true);
    topology_->setInsertPolicy(QComboBox::NoInsert);
    topology_->lineEdit()->setPlaceholderText(tr("the algorithm's own"));
    addField(form_, tr("Network"), topology_, {"--topology", "torus", "places"},
             tr("What the messages travel on: full, ring or torus:AxBxC"));
    alpha_ = new QLineEdit;
    alphaField_ = addField(form_, tr("alpha"), alpha_, {"--alpha", "alpha"}, tr("Startup of a message"));
    beta_ = new QLineEdit;
    betaField_ = addField(form_, tr("beta"), beta_, {"--beta", "beta"}, tr("Time per byte moved"));
    gamma_ = new QLineEdit;
    gammaField_ = addField(form_, tr("gamma"), gamma_, {"--gamma", "gamma"}, tr("Time per byte combined"));
    stepping_ = new QComboBox;
    stepping_->addItem(tr("each at its own pace"), false);
    stepping_->addItem(tr("all in step"), true);
    steppingField_ = addField(form_, tr("Rounds"), stepping_, {"--progress"},
                              tr("Whether a rank goes on as soon as its own round is done, or waits for all"));
    sharing_ = new QComboBox;
    sharing_->addItem(tr("shared by messages"), true);
    sharing_->addItem(tr("never crowded"), false);
    sharingField_ = addField(form_, tr("Links"), sharing_, {"--sharing"},
                             tr("Whether messages on one link slow each other down"));
}

void SetupPanel::buildOptions() {
    if (builtFor_ == algorithm().id) return;
    builtFor_ = algorithm().id;
    for (const OptionField& shown : options_) {
        std::erase(fields_, shown.field);
        form_->removeRow(shown.field);
    }
    options_.clear();
    int row = 0;
    QFormLayout::ItemRole role{};
    form_->getWidgetPosition(ranksField_, &row, &role);
    for (const engine::Option& option : algorithm().options) {
        QWidget* editor = nullptr;
        if (option.choices.empty()) {
            auto* line = new QLineEdit;
            line->setPlaceholderText(toQt(option.fallback));
            editor = line;
        } else {
            auto* box = new QComboBox;
            for (const std::string& choice : option.choices) box->addItem(toQt(choice), toQt(choice));
            if (box->findData(toQt(option.fallback)) < 0) box->addItem(toQt(option.fallback), toQt(option.fallback));
            if (option.kind != engine::Option::Kind::choice) {
                box->setEditable(true);
                box->setInsertPolicy(QComboBox::NoInsert);
            }
            choose(*box, toQt(option.fallback));
            editor = box;
        }
        auto* field = new Field{editor, toQt(option.name), {toQt(option.name)}};
        field->setToolTip(toQt(option.meaning));
        form_->insertRow(++row, toQt(option.name), field);
        fields_.push_back(field);
        watch(editor);
        options_.push_back({&option, field, editor});
    }
    QWidget* before = ranksField_->focusProxy();
    setTabOrder(groupA_, groupB_);
    before = groupB_;
    for (const OptionField& shown : options_) {
        setTabOrder(before, shown.editor);
        before = shown.editor;
    }
    setTabOrder(before, size_);
}

const engine::Algorithm& SetupPanel::algorithm() const {
    return engine::algorithmNamed(algorithm_->currentData().toString().toStdString());
}

void SetupPanel::algorithmChanged() {
    if (!algorithm_->currentData().isValid()) return;
    const Collective collective = algorithm().collective;
    const bool two = engine::isIntergroup(collective);
    const bool sends = collective == Collective::halfduplexAllgather;
    groupA_->setPrefix(two ? "p = " : "n = ");
    groupA_->setAccessibleName(two ? tr("Ranks of group A, p") : tr("Ranks, n"));
    groupA_->setToolTip(sends ? tr("Senders") : two ? tr("Ranks of group A") : tr("Ranks"));
    groupB_->setToolTip(sends ? tr("Receivers") : tr("Ranks of group B"));
    groupB_->setVisible(two);
    algorithm_->setToolTip(toQt(algorithm().id));
    const auto show = [&](Field* field, bool visible) { form_->setRowVisible(field, visible); };
    show(sizeField_, collective != Collective::barrier);
    show(sizeBField_, collective == Collective::intergroupAllgatherv);
    show(sizesField_, collective == Collective::allgatherv || two);
    show(rootField_, collective == Collective::bcast);
    show(operationField_, collective == Collective::allreduce);
    show(elementField_, collective == Collective::allreduce);
    show(gammaField_, collective == Collective::allreduce);
    buildOptions();
    if (!filling_) settle_.start();
}

void SetupPanel::suggestTopologies() {
    const int ranks = groupA_->value() + (groupB_->isVisibleTo(this) ? groupB_->value() : 0);
    QStringList items;
    for (const emulation::Topology& topology : emulation::topologies()) {
        items += toQt(topology.usage).replace("AxBxC", toQt(squarest(ranks)));
    }
    const QString text = topology_->currentText();
    const QSignalBlocker quiet{topology_};
    topology_->clear();
    topology_->addItem({});
    topology_->addItems(items);
    topology_->setCurrentText(text);
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
    size_->setText(wordsOf(problem.size));
    sizeB_->setText(problem.sizeB ? wordsOf(*problem.sizeB) : QString{});
    choose(*sizes_, toQt(problem.sizes));
    root_->setValue(static_cast<int>(problem.root));
    choose(*operation_, toQt(engine::name(problem.operation)));
    choose(*element_, toQt(engine::name(problem.element)));
    ports_->setValue(problem.ports);
    for (const OptionField& shown : options_) {
        const auto set = wish.options.find(shown.option->name);
        const QString value = toQt(set == wish.options.end() ? shown.option->fallback : set->second);
        if (auto* box = qobject_cast<QComboBox*>(shown.editor)) box->setCurrentText(value);
        else if (auto* line = qobject_cast<QLineEdit*>(shown.editor)) line->setText(set == wish.options.end() ? "" : value);
    }
    choose(*on_, toQt(wish.on));
    suggestTopologies();
    topology_->setCurrentText(toQt(wish.topology));
    alpha_->setText(wordsOf(wish.model.alpha));
    beta_->setText(wordsOf(wish.model.beta));
    gamma_->setText(wordsOf(wish.model.gamma));
    stepping_->setCurrentIndex(wish.stepping == emulation::Stepping::lockstep ? 1 : 0);
    sharing_->setCurrentIndex(wish.sharing == emulation::Sharing::none ? 1 : 0);
    settle_.stop();
    filling_ = false;
}

template <class Read>
bool SetupPanel::readInto(Field* field, Read read) {
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
        problem.sizes = sizes_->currentData().toString().toStdString();
    } else {
        problem.ranks = groupA_->value();
        if (collective == Collective::allgatherv) problem.sizes = sizes_->currentData().toString().toStdString();
    }
    bool fine = true;
    const auto words = [](const QLineEdit* line) { return line->text().trimmed().toStdString(); };
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
        fine &= readInto(gammaField_, [&] { wish.model.gamma = engine::readRate(words(gamma_), "gamma"); });
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
    fine &= readInto(alphaField_, [&] { wish.model.alpha = engine::readTime(words(alpha_), "alpha"); });
    fine &= readInto(betaField_, [&] { wish.model.beta = engine::readRate(words(beta_), "beta"); });
    if (stepping_->currentData().toBool()) wish.stepping = emulation::Stepping::lockstep;
    if (!sharing_->currentData().toBool()) wish.sharing = emulation::Sharing::none;
    return fine ? std::optional{wish} : std::nullopt;
}

void SetupPanel::clearNotes() {
    algorithmField_->setNote({});
    hint_->clear();
    for (Field* field : fields_) field->setNote({});
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
    const bool live = on_->currentData().toString() == "threads";
    for (Field* field : {alphaField_, betaField_, gammaField_, steppingField_, sharingField_}) field->setEnabled(!live);
    const std::optional<RunWish> wanted = wish();
    if (!wanted) return;
    try {
        const engine::Plan plan = app::makePlan(*wanted);
        if (evenIfLarge || isSmall(*wanted, plan)) Q_EMIT wished(*wanted);
        else hint_->setText(tr("A large run: press Run"));
    } catch (const engine::Error& error) {
        refuse(toQt(error.what()));
    }
}

}  // namespace app::gui
