// SPDX-License-Identifier: BSD-3-Clause
// The fields of the set-up about a run over MPI: who starts its processes, where, and how often they execute it.
#include "app/gui/scenes/drawing/to_qt.hpp"
#include "app/gui/setup/setup_panel.hpp"
#include "app/gui/widgets/path_dialog.hpp"

#include <utility>

namespace app::gui {

void SetupPanel::buildHosts() {
    hosts_ = slimBox();
    hosts_->setEditable(true);
    hosts_->setInsertPolicy(QComboBox::NoInsert);
    hosts_->lineEdit()->setPlaceholderText(tr("this machine"));
    hosts_->addItems({QString{}, theLab(), ofAFile()});
    const fields::Entry& hosts = fields::named("hostfile");
    hostsField_ = addField(toQt(hosts.label), hosts_, {"hostfile", "lab"}, toQt(hosts.tip));
    connect(hosts_, &QComboBox::activated, this, &SetupPanel::hostsChosen);
}

QString SetupPanel::theLab() { return tr("the lab"); }

QString SetupPanel::ofAFile() { return tr("from a file..."); }

void SetupPanel::fitProcesses() {
    const bool processes = on_->currentData().toString() == "mpi";
    form_->setRowVisible(hostsField_, processes);
    for (const Editor& editor : editors_)
        if (editor.entry->part > fields::Part::execution) form_->setRowVisible(editor.field, processes);
}

/// The user took one from the list.
void SetupPanel::hostsChosen() {
    if (hosts_->currentText() == ofAFile())
        hosts_->setCurrentText(askForPath(this, {.title = tr("Open a list of hosts")}));
}

void SetupPanel::setProcesses(const Processes& processes) {
    const bool filling = std::exchange(filling_, true);
    widgetOf("mpirun")->setText(QString::fromStdString(processes.launcher.command));
    hosts_->setCurrentText(processes.launcher.lab ? theLab() : QString::fromStdString(processes.launcher.hostfile));
    widgetOf<QSpinBox>("repeat")->setValue(processes.repeats);
    widgetOf<QSpinBox>("warm-ups")->setValue(processes.warmUps);
    filling_ = filling;
}

Processes SetupPanel::processes() const {
    Processes processes{.repeats = widgetOf<QSpinBox>("repeat")->value(),
                        .warmUps = widgetOf<QSpinBox>("warm-ups")->value()};
    processes.launcher.command = widgetOf("mpirun")->text().trimmed().toStdString();
    const QString hosts = hosts_->currentText().trimmed();
    processes.launcher.lab = hosts == theLab();
    if (!processes.launcher.lab) processes.launcher.hostfile = hosts.toStdString();
    return processes;
}

}  // namespace app::gui
