// SPDX-License-Identifier: BSD-3-Clause
// The fields of the set-up about the machine: which model, and what on it is uneven.
#include "app/gui/panels/exact_words.hpp"
#include "app/gui/panels/setup_panel.hpp"
#include "app/gui/path_dialog.hpp"
#include "app/session/models.hpp"
#include "engine/text.hpp"

#include <algorithm>

namespace app::gui {
namespace {

const QString modelFile = QStringLiteral("@");  // the choice that asks for a file

QString toQt(std::string_view words) { return QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size())); }

QString arrivalWords(const emulation::Arrival& arrival) {
    const QString most = exactWords(arrival.most);
    switch (arrival.pattern) {
        case emulation::Arrival::Pattern::none: return {};
        case emulation::Arrival::Pattern::random: return QStringLiteral("random:%1,%2").arg(most).arg(arrival.seed);
        case emulation::Arrival::Pattern::ramp: return QStringLiteral("ramp:%1").arg(most);
        case emulation::Arrival::Pattern::late: return QStringLiteral("late:%1,%2").arg(arrival.rank.value).arg(most);
    }
    return {};
}

/// "3:2.5,7:4" out of "slow-ranks=3:2.5,7:4".
QString listOf(const emulation::Perturbation& perturbation) {
    return toQt(emulation::toText(perturbation)).section('=', 1);
}

/// A time per byte, or a speed.
engine::Rate readRateOrSpeed(const std::string& words) {
    return words.ends_with("B/s") ? engine::readBandwidth(words, "beta") : engine::readRate(words, "beta");
}

}  // namespace

QLineEdit* SetupPanel::addLine(Field*& field, const QString& label, const QString& empty, const QStringList& words,
                               const QString& tip) {
    auto* line = new QLineEdit;
    line->setPlaceholderText(empty);
    field = addField(form_, label, line, words, tip);
    return line;
}

QComboBox* SetupPanel::addBox(Field*& field, const QString& label, const QString& empty, const QStringList& choices,
                              const QStringList& words, const QString& tip) {
    QComboBox* box = slimBox();
    box->setEditable(true);
    box->setInsertPolicy(QComboBox::NoInsert);
    box->lineEdit()->setPlaceholderText(empty);
    box->addItem({});
    box->addItems(choices);
    field = addField(form_, label, box, words, tip);
    return box;
}

void SetupPanel::buildConditions() {
    for (const NamedModel& named : models()) {
        model_->addItem(toQt(named.model.name), toQt(named.model.name));
        model_->setItemData(model_->count() - 1, toQt(named.title), Qt::ToolTipRole);
    }
    model_->addItem(tr("own values"), QString{});
    model_->addItem(ofAFile(), modelFile);
    connect(model_, &QComboBox::activated, this, &SetupPanel::modelChosen);

    more_ = new QPushButton{tr("&More conditions")};
    more_->setAccessibleName(tr("More conditions"));
    more_->setToolTip(tr("Placement, late and slow ranks, slow links, LogGP, large and small messages"));
    more_->setCheckable(true);
    form_->addRow(more_);
    connect(more_, &QPushButton::toggled, this, &SetupPanel::fitConditions);

    placement_ =
        addBox(placementField_, tr("Placement"), tr("in order"), {"block", "round-robin", "snake", "random:1"},
               {"--placement", "placement"}, tr("Where ranks stand on the network; @FILE has one place per rank"));
    relay_ = slimBox();
    relay_->addItem(tr("straight to their receiver"), false);
    relay_->addItem(tr("from neighbour to neighbour"), true);
    relayField_ = addField(form_, tr("Messages"), relay_, {"--neighbours-only"},
                           tr("Whether a message goes all its way, or ranks between pass it on"));
    arrival_ = addBox(
        arrivalField_, tr("Start"), tr("all at once"), {"random:10us,1", "ramp:10us", "late:0,10us"}, {"--arrival"},
        tr("When ranks start: random:10us,SEED within 10 \u00b5s, ramp:10us one after the other, late:RANK,10us one of them"));
    slowRanks_ = addLine(slowRanksField_, tr("Slow ranks"), tr("none"), {"--slow-ranks"},
                         tr("3:2.5,7:4 makes all that rank 3 does take 2.5 times as long, rank 7 four times"));
    slowLinks_ = addLine(slowLinksField_, tr("Slow links"), tr("none"), {"--slow-links"},
                         tr("3-4:8 makes bytes from 3 to 4 take 8 times as long; s0 is switch 0"));
    logGP_ = addLine(logGPField_, tr("LogGP"), tr("none: \u03b1 and \u03b2 hold"), {"--loggp", "LogGP"},
                     tr("In place of \u03b1 and \u03b2: L=5us,o=1us,g=2us,G=1ns/B,O=0ns/B; those left out are 0"));
    eager_ = addLine(eagerField_, tr("Eager"), tr("all"), {"--eager", "eager limit"},
                     tr("Bytes; larger messages wait for their receiver"));
    header_ = addLine(headerField_, tr("Header"), tr("0 B"), {"--header"},
                      tr("Bytes that every message has beyond its own, where links are shared fairly"));
    detached_ = addLine(detachedField_, tr("Detached"), tr("0 B"), {"--detached"},
                        tr("Senders do not wait for smaller messages, where links are shared fairly"));
    for (QLineEdit* line : {alpha_, beta_, gamma_, logGP_, eager_})
        connect(line, &QLineEdit::textEdited, this, &SetupPanel::modelChanged);
    connect(sharing_, &QComboBox::currentIndexChanged, this, &SetupPanel::fitConditions);
    connect(on_, &QComboBox::currentIndexChanged, this, &SetupPanel::fitConditions);
    connect(on_, &QComboBox::currentIndexChanged, this, &SetupPanel::fitProcesses);
    fitConditions();
}

/// Which fields there are, and which of them matter now.
void SetupPanel::fitConditions() {
    const bool live = on_->currentData().toString() != "virtual";
    const bool letters = !logGP_->text().trimmed().isEmpty();
    for (Field* field : {modelField_, gammaField_, steppingField_, sharingField_, arrivalField_, slowRanksField_,
                         slowLinksField_, logGPField_, eagerField_, headerField_, detachedField_})
        field->setEnabled(!live);
    for (Field* field : {alphaField_, betaField_}) field->setEnabled(!live && !letters);
    const bool more = more_->isChecked();
    for (Field* field :
         {placementField_, relayField_, arrivalField_, slowRanksField_, slowLinksField_, logGPField_, eagerField_})
        form_->setRowVisible(field, more);
    const bool fair =
        emulation::isFair(emulation::sharingFromText(sharing_->currentData().toString().toStdString()).sharing);
    for (Field* field : {headerField_, detachedField_}) form_->setRowVisible(field, more && fair);
}

void SetupPanel::takeModel(const engine::Model& model) {
    const auto known =
        std::find_if(models().begin(), models().end(), [&](const NamedModel& named) { return named.model == model; });
    ownModel_ = model.name;
    model_->setCurrentIndex(model_->findData(known == models().end() ? QString{} : toQt(known->model.name)));
    alpha_->setText(exactWords(model.alpha));
    beta_->setText(exactWords(model.beta));
    gamma_->setText(exactWords(model.gamma));
    logGP_->setText(model.logGP ? exactWords(*model.logGP) : QString{});
    eager_->setText(model.eagerLimit ? exactWords(*model.eagerLimit) : QString{});
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
    if (readInto(modelField_, [&] { takeModel(modelNamed(name)); })) settle_.start();
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
    placement_->setCurrentText(toQt(wish.placement));
    relay_->setCurrentIndex(wish.neighboursOnly ? 1 : 0);
    arrival_->setCurrentText(arrivalWords(wish.perturbation.arrival));
    slowRanks_->setText(listOf({.arrival = {}, .slowRanks = wish.perturbation.slowRanks, .slowLinks = {}}));
    slowLinks_->setText(listOf({.arrival = {}, .slowRanks = {}, .slowLinks = wish.perturbation.slowLinks}));
    header_->setText(wish.protocol.header > 0 ? exactWords(wish.protocol.header) : QString{});
    detached_->setText(wish.protocol.detached > 0 ? exactWords(wish.protocol.detached) : QString{});
    // What is set must be seen.
    if (!wish.placement.empty() || wish.neighboursOnly || !wish.perturbation.none() ||
        !(wish.protocol == emulation::Protocol{}))
        more_->setChecked(true);
    takeModel(wish.model);
}

bool SetupPanel::readConditions(RunWish& wish) {
    const auto words = [](const QLineEdit* line) { return plainly(line->text()); };
    bool fine = true;
    const auto read = [&](Field* field, const std::string& typed, const auto& take) {
        if (!typed.empty()) fine &= readInto(field, [&] { take(typed); });
    };
    engine::Model& model = wish.model;
    model.name = model_->currentData().toString().toStdString();
    if (model.name.empty() || model.name == modelFile.toStdString()) model.name = ownModel_;
    fine &= readInto(alphaField_, [&] { model.alpha = engine::readTime(words(alpha_), "alpha"); });
    fine &= readInto(betaField_, [&] { model.beta = readRateOrSpeed(words(beta_)); });
    fine &= readInto(gammaField_, [&] { model.gamma = engine::readRate(words(gamma_), "gamma"); });
    read(logGPField_, words(logGP_), [&](const auto& typed) { model.logGP = engine::readLogGP(typed, "LogGP"); });
    if (words(eager_) != "all")
        read(eagerField_, words(eager_),
             [&](const auto& typed) { model.eagerLimit = engine::readBytes(typed, "eager"); });
    wish.placement = placement_->currentText().trimmed().toStdString();
    wish.neighboursOnly = relay_->currentData().toBool();
    emulation::Perturbation& uneven = wish.perturbation;
    read(arrivalField_, plainly(arrival_->currentText()),
         [&](const auto& typed) { uneven.arrival = emulation::readArrival(typed); });
    read(slowRanksField_, words(slowRanks_),
         [&](const auto& typed) { uneven.slowRanks = emulation::readSlowRanks(typed); });
    read(slowLinksField_, words(slowLinks_),
         [&](const auto& typed) { uneven.slowLinks = emulation::readSlowLinks(typed); });
    if (!emulation::isFair(wish.sharing)) return fine;
    read(headerField_, words(header_),
         [&](const auto& typed) { wish.protocol.header = engine::readBytes(typed, "header"); });
    read(detachedField_, words(detached_),
         [&](const auto& typed) { wish.protocol.detached = engine::readBytes(typed, "detached"); });
    return fine;
}

}  // namespace app::gui
