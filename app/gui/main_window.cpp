// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/main_window.hpp"

#include "app/gui/icons.hpp"
#include "app/gui/panels/notice_bar.hpp"
#include "app/gui/panels/pictures.hpp"
#include "app/gui/panels/setup_panel.hpp"
#include "app/gui/panels/space_time_panel.hpp"
#include "app/gui/panels/table_window.hpp"
#include "app/gui/panels/teach_panel.hpp"
#include "app/gui/panels/transport_bar.hpp"
#include "app/gui/recall.hpp"
#include "app/gui/scenes/numbers.hpp"
#include "app/gui/scenes/words.hpp"
#include "engine/text.hpp"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QFileInfo>
#include <QKeyEvent>
#include <QLabel>
#include <QMenuBar>
#include <QStatusBar>
#include <QTabBar>
#include <QToolBar>

#include <utility>

namespace app::gui {

using engine::Picoseconds;

namespace {

QString counted(std::int64_t number, const QString& one, const QString& many) {
    return countInWords(number) + ' ' + (number == 1 ? one : many);
}

/// Keys that a focused widget needs for itself, although they are shortcuts of the window.
bool needs(const QObject* widget, const QKeyEvent& event) {
    const int key = event.key();
    if (event.modifiers() != Qt::NoModifier) return false;
    if (qobject_cast<const QAbstractButton*>(widget) != nullptr) return key == Qt::Key_Space;
    if (qobject_cast<const QComboBox*>(widget) != nullptr) return !event.text().isEmpty();
    const bool walks =
        qobject_cast<const QTabBar*>(widget) != nullptr || qobject_cast<const QMenuBar*>(widget) != nullptr;
    if (!walks) return false;
    return key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Home || key == Qt::Key_End;
}

}  // namespace

MainWindow::MainWindow(QSettings& settings, Playback::Clock clock)
    : settings_{settings}, playback_{clock}, other_{clock} {
    setObjectName("window");
    setWindowTitle(QCoreApplication::applicationName());
    setWindowIcon(programIcon());
    setAcceptDrops(true);
    setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
    buildPanels();
    buildMenus();

    connect(setup_, &SetupPanel::wished, this, [this](const RunWish& wish) { run(wish, Where::sameShare); });
    connect(setup_, &SetupPanel::cancelled, &runner_, &Worker::cancel);
    connect(&runner_, &Worker::busyChanged, setup_, &SetupPanel::setBusy);
    connect(&runner_, &Worker::progressed, setup_, &SetupPanel::setProgress);
    connect(&playback_, &Playback::subjectChanged, this, [this] {
        summary_->setText(summary());
        save_->setEnabled(true);
        export_->setEnabled(true);
    });
    qApp->installEventFilter(this);
    restore();
}

MainWindow::~MainWindow() {
    qApp->removeEventFilter(this);
    // Views look at the playbacks, and some hear of changes while they go; Qt would take them down after our members.
    delete takeCentralWidget();
    qDeleteAll(findChildren<QDockWidget*>());
    qDeleteAll(findChildren<QToolBar*>());
}

void MainWindow::begin(Beginning beginning) {
    if (auto* trace = std::get_if<Trace>(&beginning)) return showTrace(std::move(*trace));
    RunWish wish = savedWish(settings_);
    // Starting processes is asked for every time.
    if (wish.on == "mpi") wish.on = "virtual";
    setup_->setWish(wish);
    if (const auto* unread = std::get_if<Unread>(&beginning)) return openTrace(unread->path, unread->opening);
    // What was looked at last, if it is still there.
    const QString last = settings_.value("trace").toString();
    if (!last.isEmpty() && QFileInfo::exists(last)) return openTrace(last.toStdString());
    if (!settings_.contains("run/algorithm")) statusBar()->showMessage(tr("Space plays; F1 lists all keys"));
    run(wish, Where::tellingMoment);
}

void MainWindow::showTrace(Trace trace) {
    if (const std::optional<RunWish> behind = wishBehind(trace.report)) setup_->setWish(*behind);
    const std::string& algorithm = trace.report.run->setting.algorithm;
    const QString name = algorithm.empty() ? tr("trace") : QString::fromStdString(algorithm);
    if (!trace.own()) showAnswers();
    present(std::make_shared<const Subject>(std::move(trace.report), std::move(trace.recording)), name,
            Where::tellingMoment);
}

void MainWindow::run(const RunWish& wish, Where where) {
    struct Result {
        SubjectPtr subject;
        QString measured;
        QString command;
    };
    runner_.start(
        [wish, processes = setup_->processes()](const engine::Progress& progress) -> std::any {
            Ran ran = runWished(wish, processes, progress);
            return Result{.subject = std::make_shared<const Subject>(std::move(ran.report)),
                          .measured = QString::fromStdString(ran.measured),
                          .command = QString::fromStdString(ran.command)};
        },
        [this, wish, where](const std::any& result) {
            save(settings_, wish);
            settings_.remove("trace");
            const QString name = QString::fromStdString(wish.algorithm);
            const auto& [subject, measured, command] = std::any_cast<const Result&>(result);
            present(subject, name, where);
            if (!command.isEmpty())
                setup_->say(measured.isEmpty() ? tr("Executed once.") : withMu(measured),
                            tr("Started by %1").arg(command));
            if (!rival_.empty()) compareWith(std::string{rival_});
        },
        [this](const QString& sentence) { setup_->refuse(sentence); });
}

void MainWindow::present(SubjectPtr subject, const QString& name, Where where) {
    const double before = static_cast<double>(playback_.duration().count());
    const double share = before > 0 ? static_cast<double>(playback_.state().time.count()) / before : 0;
    notice_->say(std::exchange(tellNext_, {}));
    setWindowTitle(tr("%1 - %2").arg(name, QCoreApplication::applicationName()));
    title_->setText(tr("A: %1").arg(name));
    playback_.show(std::move(subject));
    if (where == Where::begin) return;
    if (where == Where::sameShare && before > 0) {
        const double time = share * static_cast<double>(playback_.duration().count());
        playback_.seek(Picoseconds{static_cast<std::int64_t>(time)});
    } else {
        toTellingMoment();
    }
}

// A little before the middle of the run and in the middle of a round: messages are under way, some blocks have arrived.
void MainWindow::toTellingMoment() {
    const engine::Run& run = playback_.subject()->run();
    const Picoseconds about = run.duration * 9 / 20;
    const auto round = static_cast<std::size_t>(playback_.subject()->roundAt(about).value);
    if (round >= run.perRound.size()) return playback_.seek(about);
    const engine::RoundTimes& times = run.perRound[round];
    playback_.seek(times.begin + (times.end - times.begin) / 2);
}

void MainWindow::showTable() {
    auto* view = qobject_cast<ViewWidget*>(focusWidget());
    if (view == nullptr || !view->isVisible()) view = network_;
    (new TableWindow{*view, playback_, this})->show();
}

QString MainWindow::notice() const { return notice_->sentence(); }

QString MainWindow::summary() const {
    const Report& report = playback_.subject()->report();
    const engine::Run& run = *report.run;
    QString text = tr("%1, %2, %3, %4")
                       .arg(counted(run.ranks, tr("rank"), tr("ranks")), counted(run.rounds, tr("round"), tr("rounds")),
                            counted(run.messageCount, tr("message"), tr("messages")), timeInWords(run.duration));
    if (report.timeBound && report.timeBound->count() > 0 && run.setting.on == "virtual") {
        const double over = static_cast<double>(run.duration.count()) / static_cast<double>(report.timeBound->count());
        text += tr(", %1\u00d7 the lower bound").arg(QString::fromStdString(engine::showNumber(over, 3)));
    }
    if (!report.fault.empty()) text += tr(", WRONG");
    else if (report.verdict && report.verdict->proved) text += tr(", proved");
    return text;
}

void MainWindow::closeEvent(QCloseEvent* event) {
    // A window that leaves the full screen has its size again only later.
    const QByteArray geometry = projecting() ? beforeProjecting_->geometry : saveGeometry();
    setProjecting(false);
    remember(geometry);
    QMainWindow::closeEvent(event);
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && needs(watched, *static_cast<QKeyEvent*>(event))) {
        event->accept();
        return true;
    }
    return QMainWindow::eventFilter(watched, event);
}

}  // namespace app::gui
