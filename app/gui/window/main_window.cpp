// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/window/main_window.hpp"

#include "app/gui/answers/tables_panel.hpp"
#include "app/gui/comparison/differences_panel.hpp"
#include "app/gui/export/export_dialog.hpp"
#include "app/gui/notes/annotation_dialogs.hpp"
#include "app/gui/replay/replay_panel.hpp"
#include "app/gui/scenes/drawing/to_qt.hpp"
#include "app/gui/settings/run_settings.hpp"
#include "app/gui/settings/window_layout.hpp"
#include "app/gui/setup/chip_bar.hpp"
#include "app/gui/setup/setup_panel.hpp"
#include "app/gui/style/icons.hpp"
#include "app/gui/views/basic_views.hpp"
#include "app/gui/views/diagram_panel.hpp"
#include "app/gui/views/network_and_timeline.hpp"
#include "app/gui/views/program_timeline_panel.hpp"
#include "app/gui/views/table_window.hpp"
#include "app/gui/what_if/better_schedule_panel.hpp"
#include "app/gui/what_if/sliders_panel.hpp"
#include "app/gui/what_if/small_multiples_panel.hpp"
#include "app/gui/what_if/tuning_window.hpp"
#include "app/gui/widgets/field.hpp"
#include "app/gui/widgets/notice_bar.hpp"
#include "app/gui/window/help.hpp"
#include "app/session/compare/run_names.hpp"
#include "app/session/saved_window.hpp"
#include "app/teaching/teaching.hpp"
#include "engine/base/error.hpp"
#include "engine/catalogue/algorithm_file.hpp"

#include <QApplication>
#include <QCloseEvent>
#include <QDropEvent>
#include <QKeyEvent>
#include <QMimeData>
#include <QStatusBar>

namespace app::gui {
namespace {

constexpr int noteMilliseconds = 8000;

}  // namespace

MainWindow::MainWindow(QSettings& settings, Playback::Clock clock)
    : settings_{settings},
      playback_{clock},
      secondPlayback_{clock},
      runLoader_{playback_, contents_, files_, settings, *statusBar()},
      saving_{playback_, files_, *contents_.notice, *statusBar()},
      sessions_{playback_, runLoader_, contents_, files_, *statusBar()},
      replay_{playback_, secondPlayback_, contents_, runLoader_, comparison_, files_, *statusBar()},
      lessons_{contents_, runLoader_, comparison_, settings, *statusBar()},
      editor_{contents_, runLoader_, files_, settings, *statusBar()},
      game_{playback_, contents_, runLoader_, files_, *statusBar()},
      speaker_{*this, playback_, *contents_.teach, projector_, clock} {
    setObjectName("window");
    setWindowTitle(QCoreApplication::applicationName());
    setWindowIcon(programIcon());
    setAcceptDrops(true);
    setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
    new Menus{*this};
    secondPlayback_.setKeepsMarks(false);
    connectParts();
    restore();
}

void MainWindow::connectParts() {
    connect(&runLoader_, &RunLoader::reported, this,
            [this](const QString& name, const QString& text) { showReport(this, name, text); });
    connect(&runLoader_, &RunLoader::shown, this, [this] {
        const DrawableRun& subject = *playback_.subject();
        const QString name = toQt(app::titleOf(app::Side{&subject.report(), runLoader_.name().toStdString()}));
        setWindowTitle(tr("%1 - %2").arg(name, QCoreApplication::applicationName()));
        contents_.chips->show(playback_.subject(), runLoader_.name());
        // A program's trace is another kind of work than a run; whoever learns or compares goes on with that.
        const bool program = !subject.hasRounds();
        if (program && layouts_.layout() == Layout::inspect) layouts_.choose(Layout::analyse);
        if (!program && layouts_.layout() == Layout::analyse) layouts_.choose(Layout::inspect);
    });
    // Stands only where it is true, and takes no other sentence away.
    const auto hintAtSecondRun = [this](Layout layout) {
        const QString hint = tr("No second run is open: the menu Compare adds one, of another algorithm or a trace.");
        if (layout == Layout::compare && !comparison_.comparing()) contents_.notice->say(hint);
        else if (contents_.notice->sentence() == hint) contents_.notice->say({});
    };
    connect(&secondPlayback_, &Playback::subjectChanged, this, [this, hintAtSecondRun] {
        contents_.chips->setOther(secondPlayback_.subject());
        hintAtSecondRun(layouts_.layout());
    });
    connect(&layouts_, &LayoutSwitcher::changed, this, hintAtSecondRun);
    connect(&comparison_, &ComparisonController::began, this, [this] {
        layouts_.choose(Layout::compare);
        projector_.choosePanels();
    });
    connect(&comparison_, &ComparisonController::ended, this, [this] {
        const bool program = playback_.subject() && !playback_.subject()->hasRounds();
        if (layouts_.layout() == Layout::compare) layouts_.choose(program ? Layout::analyse : Layout::inspect);
        projector_.choosePanels();
    });
    connect(&projector_, &Projector::changed, this, [this] { contents_.fit(); });
    connect(&sessions_, &SessionController::saving, this,
            [this](SavedSession& session) { session.replay = contents_.replay->form().words(); });
    connect(&sessions_, &SessionController::broughtBack, this,
            [this](const SavedSession& session) { replay_.bringBack(session.replay); });
    connect(contents_.teach, &TeachPanel::runWanted, this, [this] {
        layouts_.choose(Layout::learn);
        contents_.docks.bringUp(Dock::lesson);
    });
    connect(contents_.teach, &TeachPanel::playWanted, &game_, &GameController::beginWithRun);
    connect(&editor_, &EditorController::lessonShown, this, [this] {
        comparison_.stop();
        layouts_.choose(Layout::learn);
        contents_.docks.bringUp(Dock::lesson);
        const bool closed = contents_.docks[Dock::editor].isHidden();
        contents_.docks.bringUp(Dock::editor);
        // Written is more than what is read of one stop.
        if (closed) contents_.docks.growBy(Dock::editor, height() / 8);
    });
    connect(&lessons_, &LessonController::left, this, [this] {
        if (layouts_.layout() == Layout::learn) layouts_.choose(Layout::inspect);
    });
    connect(contents_.answers, &TablesPanel::instanceOpened, &drilldown_, &CollectiveDrilldown::openInstance);
    connect(contents_.sliders, &SlidersPanel::wished, this, [this](const RunWish& wish) {
        contents_.setup->setWish(wish);
        runLoader_.run(wish, RunLoader::Moment::keepFraction);
    });
    connect(&contents_.sliders->sweep(), &SweepPanel::tooLow, this,
            [this](int missing) { contents_.docks.growBy(Dock::whatIf, missing + contents_.sliders->lacking()); });
    connect(contents_.multiples, &MultiplesPanel::chosen, &comparison_,
            [this](const QString& algorithm) { comparison_.compareWith(algorithm.toStdString()); });
    connect(contents_.better, &BetterSchedulePanel::scheduleWanted, this,
            [this](const RunWish& run, const QString& text) {
                contents_.setup->setWish(run);  // the schedule runs on the same network
                editor_.beginSchedule(text);
            });
    connect(&runLoader_, &RunLoader::ran, contents_.sliders, &SlidersPanel::settle);
    connect(&runLoader_, &RunLoader::refused, contents_.sliders, &SlidersPanel::refuse);
}

void MainWindow::restore() {
    if (!setAsideUnreadable(settings_))
        contents_.notice->tell(tr("The settings of the window could not be read: it starts with defaults."));
    setTheme(themeNamed(settings_.value("theme").toString()));
    playback_.setReduceMotion(settings_.value("reduceMotion").toBool());
    for (Playback* each : {&playback_, &secondPlayback_}) each->setLegends(settings_.value("legends", true).toBool());
    playback_.setLooping(settings_.value("loop").toBool());
    playback_.setSpeed(settings_.value("speed", 1.0).toDouble());
    contents_.setup->setProcesses(savedProcesses(settings_));
    if (restoreLayout()) return;
    resize(1280, 800);
    contents_.docks.shareOut();
}

/// False at the first start, and when what was kept is of no use.
bool MainWindow::restoreLayout() {
    try {
        const std::optional<WindowLayout> layout = savedLayout(settings_);
        if (!layout) return false;
        if (!contents_.docks.bringBack(layout->docks))
            throw engine::Error{"the panels of the window are not those of that time"};
        restoreGeometry(layout->geometry);
        contents_.pictures->divideAs(layout->pictures);
        layouts_.bringBack(layout->left);
        return true;
    } catch (const engine::Error& error) {
        setLayoutAside(settings_);
        contents_.notice->tell(tr("The window starts with its defaults: %1.").arg(QString::fromUtf8(error.what())));
        return false;
    }
}

void MainWindow::remember(const QByteArray& geometry) {
    save(settings_, WindowLayout{.geometry = geometry,
                                 .pictures = contents_.pictures->division(),
                                 .docks = contents_.docks.arrangement(),
                                 .left = layouts_.left()});
    settings_.setValue("theme", name(theme_));
    settings_.setValue("reduceMotion", playback_.state().reduceMotion);
    settings_.setValue("legends", playback_.state().legends);
    settings_.setValue("loop", playback_.looping());
    settings_.setValue("speed", playback_.speed());
    save(settings_, contents_.setup->processes());
    editor_.remember();
    settings_.sync();
}

void MainWindow::setTheme(Theme theme) {
    theme_ = theme;
    const QPalette palette = widgetPalette(theme);
    QApplication::setPalette(palette);
    playback_.setDark(isDark(palette));
    secondPlayback_.setDark(isDark(palette));
}

void MainWindow::setEased(bool eased) {
    for (Playback* each : {&playback_, &secondPlayback_}) each->setEased(eased);
}

void MainWindow::open(const QString& path) {
    const std::string file = path.toStdString();
    if (isSavedWindow(file)) sessions_.open(file);
    else if (isTask(file)) exercises_.open(file);
    else if (tune::measurementsOf(file)) showTuning(file);
    else if (isLesson(file) || engine::schedules::isAlgorithmFile(file)) editor_.open(file);
    else runLoader_.openTrace(file);
}

void MainWindow::setFullScreen(bool on) {
    const Qt::WindowStates others = windowState() & ~Qt::WindowFullScreen;
    setWindowState(on ? others | Qt::WindowFullScreen : others);
}

void MainWindow::showTable() {
    auto* view = qobject_cast<ViewWidget*>(focusWidget());
    if (view == nullptr || !view->isVisible()) view = contents_.network;
    (new TableWindow{*view, playback_, this})->show();
}

void MainWindow::askForTuning() {
    const QString path = files_.ask(
        {.title = tr("Open the measurements of a tuning"), .filters = tr("Measurements (*.measured);;All files (*)")});
    if (!path.isEmpty()) showTuning(path.toStdString());
}

void MainWindow::showTuning(const std::string& file) {
    try {
        (new TuningWindow{file, playback_.state().dark, this})->show();
    } catch (const engine::Error& error) {
        contents_.notice->tell(inWords(toQt(error.words())));
    }
}

void MainWindow::putNote() {
    for (ViewWidget* view :
         {qobject_cast<ViewWidget*>(focusWidget()), static_cast<ViewWidget*>(contents_.network),
          static_cast<ViewWidget*>(contents_.spaceTime), static_cast<ViewWidget*>(contents_.tracks)}) {
        if (view == nullptr || !view->isVisible()) continue;
        const std::optional<Mark> place = view->placeSelected();
        if (place) return askForNote(*this, playback_, *place);
    }
    statusBar()->showMessage(tr("A note belongs to a rank or a link: select one first."), noteMilliseconds);
}

void MainWindow::showExport() {
    if (!playback_.subject()) return;
    (new ExportDialog{this, playback_, runLoader_.source(), runLoader_.name(), files_})->show();
}

QString MainWindow::notice() const { return contents_.notice->sentence(); }

void MainWindow::changeEvent(QEvent* event) {
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::WindowStateChange) Q_EMIT stateChanged();
    if (event->type() == QEvent::FontChange) contents_.fit();
}

void MainWindow::keyPressEvent(QKeyEvent* event) {
    if (event->key() != Qt::Key_Escape) return QMainWindow::keyPressEvent(event);
    if (projector_.on()) projector_.set(false);
    else if (isFullScreen()) setFullScreen(false);
    else playback_.selectRank(std::nullopt);
}

void MainWindow::closeEvent(QCloseEvent* event) {
    const QByteArray geometry = projector_.geometry();
    projector_.set(false);
    remember(geometry);
    QMainWindow::closeEvent(event);
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    contents_.fit();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    const QList<QUrl> urls = event->mimeData()->urls();
    if (!urls.isEmpty() && urls.front().isLocalFile()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    event->acceptProposedAction();
    open(event->mimeData()->urls().front().toLocalFile());
}

}  // namespace app::gui
