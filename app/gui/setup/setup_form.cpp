// SPDX-License-Identifier: BSD-3-Clause
// The fields of the set-up: which there are, and which of them the chosen algorithm needs.
#include "app/gui/scenes/drawing/to_qt.hpp"
#include "app/gui/setup/setup_panel.hpp"
#include "app/session/replay/replay_offers.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/algorithm_file.hpp"
#include "engine/catalogue/catalogue.hpp"

#include <QHBoxLayout>
#include <QStandardItemModel>

namespace app::gui {

using engine::Collective;

namespace {

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

}  // namespace

Field* SetupPanel::addField(const QString& label, QWidget* editor, const QStringList& keys, const QString& tip) {
    auto* field = new Field{editor, label, keys};
    field->setToolTip(tip);
    form_->addRow(label, field);
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

void SetupPanel::buildAlgorithm() {
    algorithm_ = slimBox();
    fillAlgorithms(*algorithm_);
    algorithm_->setMaxVisibleItems(30);
    algorithmField_ = new Field{algorithm_, tr("Algorithm"), {}};
    form_->addRow(algorithmField_);
    connect(algorithm_, &QComboBox::currentIndexChanged, this, &SetupPanel::algorithmChanged);
}

void SetupPanel::buildRanks() {
    auto* ranks = new QWidget;
    auto* row = new QHBoxLayout{ranks};
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    groupA_ = new QSpinBox;
    groupB_ = new QSpinBox;
    for (QSpinBox* group : {groupA_, groupB_}) {
        group->setRange(1, mostRanks);
        group->setAccelerated(true);
        group->setMinimumWidth(50);
        row->addWidget(group, 1);
    }
    groupB_->setPrefix("q = ");
    groupB_->setAccessibleName(tr("Ranks of group B, q"));
    ranks->setFocusProxy(groupA_);
    ranksField_ = addField(tr("Ranks"), ranks, {"ranks", "group-a", "group-b"}, {});
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
            auto* box = slimBox();
            for (const std::string& choice : option.choices) box->addItem(toQt(choice), toQt(choice));
            if (box->findData(toQt(option.fallback)) < 0) box->addItem(toQt(option.fallback), toQt(option.fallback));
            if (option.kind != engine::Option::Kind::choice) {
                box->setEditable(true);
                box->setInsertPolicy(QComboBox::NoInsert);
            }
            box->setCurrentIndex(box->findData(toQt(option.fallback)));
            editor = box;
        }
        auto* field = new Field{editor, toQt(option.name), {toQt(option.name)}};
        field->setToolTip(toQt(option.meaning));
        form_->insertRow(++row, toQt(option.name), field);
        fields_.push_back(field);
        watch(editor);
        options_.push_back({&option, field, editor});
    }
    setTabOrder(groupA_, groupB_);
    QWidget* before = groupB_;
    for (const OptionField& shown : options_) {
        setTabOrder(before, shown.editor);
        before = shown.editor;
    }
    setTabOrder(before, widgetOf("size"));
}

const engine::Algorithm& SetupPanel::algorithm() const {
    const std::string id = algorithm_->currentData().toString().toStdString();
    // A file that was changed since may hold anything: the form stays as it is until it has been run.
    if (const engine::Algorithm* opened = engine::schedules::openedAs(id)) return *opened;
    return engine::algorithmNamed(id);
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
    for (const Editor& editor : editors_)
        if (editor.entry->concerns != nullptr) form_->setRowVisible(editor.field, editor.entry->isOf(collective));
    form_->setRowVisible(fieldOf("gamma"), engine::combinesVectors(collective));
    buildOptions();
    if (!filling_) settle_.start();
}

void SetupPanel::suggestTopologies() {
    const int ranks = groupA_->value() + (groupB_->isVisibleTo(this) ? groupB_->value() : 0);
    QStringList items;
    for (const std::string& network : networksFor(ranks)) items += toQt(network);
    const QString text = topology_->currentText();
    const QSignalBlocker quiet{topology_};
    topology_->clear();
    topology_->addItem({});
    topology_->addItems(items);
    topology_->setCurrentText(text);
}

}  // namespace app::gui
