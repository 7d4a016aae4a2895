// SPDX-License-Identifier: BSD-3-Clause
// The fields of the set-up about a run over MPI: who starts its processes, where, and how often they execute it.
#include "app/gui/panels/setup_panel.hpp"
#include "app/gui/path_dialog.hpp"

#include <utility>

namespace app::gui {
namespace {

constexpr int mostRepeats = 100'000;

}  // namespace

void SetupPanel::buildProcesses() {
    launcher_ = addLine(launcherField_, tr("Launcher"), QStringLiteral("mpirun"), {"--mpirun"},
                        tr("The program that starts the processes, with the arguments it needs here; several words are "
                           "taken as they are, such as srun -n 8"));
    hosts_ =
        addBox(hostsField_, tr("Hosts"), tr("this machine"), {theLab(), ofAFile()}, {"--hostfile", "--lab"},
               tr("Where the processes run: here, on the hosts of the lab that stands, or on those of a file as the "
                  "launcher reads it"));
    connect(hosts_, &QComboBox::activated, this, &SetupPanel::hostsChosen);
    repeats_ = new QSpinBox;
    repeats_->setRange(1, mostRepeats);
    repeats_->setAccelerated(true);
    repeatsField_ = addField(form_, tr("Executions"), repeats_, {"--repeat"},
                             tr("How often it is measured; the execution of median length is shown"));
    warmUps_ = new QSpinBox;
    warmUps_->setRange(0, mostRepeats);
    warmUps_->setAccelerated(true);
    warmUpsField_ =
        addField(form_, tr("Warm-ups"), warmUps_, {"--warm-ups"}, tr("Executions before those, not measured"));
    setProcesses({});
    fitProcesses();
}

QString SetupPanel::theLab() { return tr("the lab"); }

QString SetupPanel::ofAFile() { return tr("from a file..."); }

void SetupPanel::fitProcesses() {
    const bool processes = on_->currentData().toString() == "mpi";
    for (Field* field : {launcherField_, hostsField_, repeatsField_, warmUpsField_})
        form_->setRowVisible(field, processes);
}

/// The user took one from the list.
void SetupPanel::hostsChosen() {
    if (hosts_->currentText() == ofAFile())
        hosts_->setCurrentText(askForPath(this, {.title = tr("Open a list of hosts")}));
}

void SetupPanel::setProcesses(const Processes& processes) {
    const bool filling = std::exchange(filling_, true);
    launcher_->setText(QString::fromStdString(processes.launcher.command));
    hosts_->setCurrentText(processes.launcher.lab ? theLab() : QString::fromStdString(processes.launcher.hostfile));
    repeats_->setValue(processes.repeats);
    warmUps_->setValue(processes.warmUps);
    filling_ = filling;
}

Processes SetupPanel::processes() const {
    Processes processes{.repeats = repeats_->value(), .warmUps = warmUps_->value()};
    processes.launcher.command = launcher_->text().trimmed().toStdString();
    const QString hosts = hosts_->currentText().trimmed();
    processes.launcher.lab = hosts == theLab();
    if (!processes.launcher.lab) processes.launcher.hostfile = hosts.toStdString();
    return processes;
}

}  // namespace app::gui
