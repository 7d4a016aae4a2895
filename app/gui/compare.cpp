// SPDX-License-Identifier: BSD-3-Clause
// The window's second run: where it comes from, and when it goes.
#include "app/gui/main_window.hpp"
#include "app/gui/panels/compare_panel.hpp"
#include "app/gui/panels/notice_bar.hpp"
#include "app/gui/panels/setup_panel.hpp"
#include "app/gui/recall.hpp"

#include <QMenu>
#include <QMenuBar>

namespace app::gui {

void MainWindow::buildCompareMenu() {
    QMenu* menu = menuBar()->addMenu(tr("&Compare"));
    QMenu* rivals = menu->addMenu(tr("With another &algorithm"));
    connect(rivals, &QMenu::aboutToShow, this, [this, rivals] { fillRivals(*rivals); });
    // A submenu is entered only when it has something to enter.
    fillRivals(*rivals);
    menu->addAction(tr("With a &trace..."), this, &MainWindow::askForTraceToCompare);
    menu->addAction(tr("This run with the &next"), QKeySequence{"Ctrl+K"}, this, &MainWindow::compareWithNext);
    menu->addSeparator();
    menu->addAction(tr("&Stop comparing"), QKeySequence{"Ctrl+Shift+K"}, this, &MainWindow::stopComparing);
}

void MainWindow::fillRivals(QMenu& menu) {
    menu.clear();
    const SubjectPtr& subject = playback_.subject();
    if (subject && subject->report().plan) {
        const engine::Algorithm& shown = *subject->report().plan->algorithm;
        for (const engine::Algorithm* rival : engine::catalogue()) {
            if (rival->collective != shown.collective || rival->id == shown.id) continue;
            QAction* action = menu.addAction(QString::fromStdString(rival->title));
            action->setToolTip(QString::fromStdString(rival->id));
            connect(action, &QAction::triggered, this, [this, id = rival->id] { compareWith(id); });
        }
    }
    if (menu.isEmpty()) menu.addAction(tr("There is none for this run"))->setEnabled(false);
}

void MainWindow::compareWith(const std::string& algorithm) {
    if (!playback_.subject()) return;
    std::optional<RunWish> wish = wishBehind(playback_.subject()->report());
    if (!wish) return notice_->say(tr("Only runs of a known algorithm can be compared with another algorithm."));
    wish->algorithm = algorithm;
    wish->options.clear();
    comparer_.start(
        [wish = *wish, processes = setup_->processes()](const engine::Progress& progress) -> std::any {
            return std::make_shared<const Subject>(runWished(wish, processes, progress).report);
        },
        [this, algorithm](const std::any& result) {
            rival_ = algorithm;
            presentOther(std::any_cast<std::shared_ptr<const Subject>>(result), QString::fromStdString(algorithm));
        },
        [this](const QString& sentence) { notice_->say(sentence); });
}

void MainWindow::compareWithTrace(const std::filesystem::path& path) {
    comparer_.start(
        [path](const engine::Progress& progress) -> std::any {
            return std::make_shared<const Subject>(
                analysis::openTrace(path, analysis::Clocks::recorded, progress).report);
        },
        [this, path](const std::any& result) {
            rival_.clear();
            presentOther(std::any_cast<std::shared_ptr<const Subject>>(result),
                         QString::fromStdString(path.filename().string()));
        },
        [this](const QString& sentence) { notice_->say(sentence); });
}

void MainWindow::compareWithNext() {
    if (!playback_.subject()) return;
    rival_.clear();
    presentOther(playback_.subject(), shownName());
}

QString MainWindow::shownName() const { return windowTitle().section(QStringLiteral(" - "), 0, 0); }

void MainWindow::presentOther(SubjectPtr subject, const QString& name) {
    otherSide_->setTitle(tr("B: %1").arg(name));
    other_.show(std::move(subject));
    other_.setDark(playback_.state().dark);
    pairing_.setMatch(pairing_.match());
    title_->setText(tr("A: %1").arg(shownName()));
    title_->show();
    otherSide_->show();
    differences_->show();
}

void MainWindow::stopComparing() {
    comparer_.cancel();
    rival_.clear();
    title_->hide();
    otherSide_->hide();
    differences_->hide();
    other_.show(nullptr);
}

void MainWindow::askForTraceToCompare() {
    const QString path =
        ask({.title = tr("Compare with a trace"), .filters = tr("OTF2 archives (*.otf2);;All files (*)")});
    if (!path.isEmpty()) compareWithTrace(path.toStdString());
}

}  // namespace app::gui
