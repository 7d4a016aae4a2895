// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/main_window.hpp"

#include "app/gui/gui.hpp"
#include "app/gui/icons.hpp"
#include "app/gui/panels/explain_panel.hpp"
#include "app/gui/panels/notice_bar.hpp"
#include "app/gui/panels/pictures.hpp"
#include "app/gui/panels/rounds_table.hpp"
#include "app/gui/panels/setup_panel.hpp"
#include "app/gui/panels/space_time_panel.hpp"
#include "app/gui/panels/transport_bar.hpp"
#include "app/gui/recall.hpp"
#include "app/gui/scenes/words.hpp"
#include "engine/text.hpp"
#include "traces/archive.hpp"

#include <QAbstractButton>
#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QCloseEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QKeyEvent>
#include <QLabel>
#include <QMenuBar>
#include <QMimeData>
#include <QStatusBar>
#include <QTabBar>
#include <QToolBar>
#include <QVBoxLayout>

namespace app::gui {

using engine::Picoseconds;

namespace {

constexpr int mostRecent = 8;
constexpr int narrow = 960;  // pixels
constexpr int messageMilliseconds = 8000;

QString toQt(const std::filesystem::path& path) { return QString::fromStdString(path.string()); }

QString counted(std::int64_t number, const QString& one, const QString& many) {
    return QString::number(number) + ' ' + (number == 1 ? one : many);
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
    : settings_{settings}, playback_{std::move(clock)} {
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

MainWindow::~MainWindow() { qApp->removeEventFilter(this); }

void MainWindow::buildPanels() {
    network_ = new NetworkPanel{playback_};
    spaceTime_ = new SpaceTimePanel{playback_};
    auto* holdings = new HoldingsPanel{playback_};
    auto* bounds = new BoundsPanel{playback_};
    setup_ = new SetupPanel;
    transport_ = new TransportBar{playback_};
    notice_ = new NoticeBar;

    auto* bar = new QToolBar{tr("Transport")};
    bar->setObjectName("transport");
    bar->setMovable(false);
    bar->addWidget(transport_);
    addToolBar(Qt::TopToolBarArea, bar);
    bar->toggleViewAction()->setEnabled(false);

    splitter_ = new QSplitter{Qt::Vertical};
    splitter_->addWidget(network_);
    splitter_->addWidget(spaceTime_);
    splitter_->setChildrenCollapsible(false);
    splitter_->setMinimumWidth(240);
    splitter_->setStretchFactor(0, 11);
    splitter_->setStretchFactor(1, 9);
    auto* middle = new QWidget;
    auto* column = new QVBoxLayout{middle};
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(notice_);
    column->addWidget(splitter_, 1);
    setCentralWidget(middle);

    addDock(tr("Set-up"), "setup", setup_, Qt::LeftDockWidgetArea);
    addDock(tr("Explanation"), "explanation", new ExplainPanel{playback_}, Qt::LeftDockWidgetArea);
    addDock(tr("Holdings"), "holdings", holdings, Qt::RightDockWidgetArea);
    addDock(tr("Bounds"), "bounds", bounds, Qt::RightDockWidgetArea);
    addDock(tr("Rounds"), "rounds", new RoundsTable{playback_}, Qt::RightDockWidgetArea);
    for (const auto corner : {Qt::TopLeftCorner, Qt::BottomLeftCorner}) setCorner(corner, Qt::LeftDockWidgetArea);
    for (const auto corner : {Qt::TopRightCorner, Qt::BottomRightCorner}) setCorner(corner, Qt::RightDockWidgetArea);

    summary_ = new QLabel;
    summary_->setContentsMargins(12, 0, 0, 0);
    summary_->setAccessibleName(tr("The run in a line"));
    statusBar()->addPermanentWidget(summary_);
    for (ViewWidget* view : std::initializer_list<ViewWidget*>{network_, spaceTime_, holdings, bounds}) {
        connect(view, &ViewWidget::pointedAt, statusBar(),
                [this](const QString& words) { statusBar()->showMessage(QString{words}.replace('\n', ' ')); });
    }
}

QDockWidget* MainWindow::addDock(const QString& title, const QString& name, QWidget* content,
                                 Qt::DockWidgetArea area) {
    auto* dock = new QDockWidget{title};
    dock->setObjectName(name);
    dock->setWidget(content);
    addDockWidget(area, dock);
    docks_ += dock;
    return dock;
}

void MainWindow::begin(std::optional<Report> report) {
    if (report) {
        if (const std::optional<RunWish> behind = wishBehind(*report)) setup_->setWish(*behind);
        const std::string& algorithm = report->run->setting.algorithm;
        const QString name = algorithm.empty() ? tr("trace") : QString::fromStdString(algorithm);
        return present(std::make_shared<const Subject>(std::move(*report)), name, Where::tellingMoment);
    }
    const RunWish wish = savedWish(settings_);
    setup_->setWish(wish);
    if (!settings_.contains("run/algorithm")) statusBar()->showMessage(tr("Space plays; F1 lists all keys"));
    run(wish, Where::tellingMoment);
}

void MainWindow::run(const RunWish& wish, Where where) {
    runner_.start(
        [wish](const engine::Progress& progress) -> std::any {
            return std::make_shared<const Subject>(execute(wish, progress));
        },
        [this, wish, where](const std::any& result) {
            save(settings_, wish);
            const QString name = QString::fromStdString(wish.algorithm);
            present(std::any_cast<std::shared_ptr<const Subject>>(result), name, where);
        },
        [this](const QString& sentence) { setup_->refuse(sentence); });
}

void MainWindow::present(SubjectPtr subject, const QString& name, Where where) {
    const double before = static_cast<double>(playback_.duration().count());
    const double share = before > 0 ? static_cast<double>(playback_.state().time.count()) / before : 0;
    notice_->say({});
    setWindowTitle(tr("%1 - %2").arg(name, QCoreApplication::applicationName()));
    playback_.show(std::move(subject));
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

void MainWindow::openTrace(const std::filesystem::path& path) {
    runner_.start(
        [path](const engine::Progress& progress) -> std::any {
            return std::make_shared<const Subject>(open(path, progress));
        },
        [this, path](const std::any& result) {
            const auto subject = std::any_cast<std::shared_ptr<const Subject>>(result);
            addRecent(toQt(path));
            if (const std::optional<RunWish> behind = wishBehind(subject->report())) setup_->setWish(*behind);
            present(subject, toQt(path.filename()), Where::tellingMoment);
        },
        [this](const QString& sentence) { notice_->say(sentence); });
}

void MainWindow::saveTrace(const std::filesystem::path& folder) {
    if (!playback_.subject()) return;
    writer_.start(
        [folder, subject = playback_.subject()](const engine::Progress& progress) -> std::any {
            traces::write(subject->run(), folder, traces::Overwrite::refuse, progress);
            return {};
        },
        [this, folder](const std::any&) {
            addRecent(toQt(folder));
            statusBar()->showMessage(tr("Saved %1").arg(toQt(folder)), messageMilliseconds);
        },
        [this](const QString& sentence) { notice_->say(sentence); });
}

void MainWindow::exportPicture(const std::filesystem::path& file) {
    if (!playback_.subject()) return;
    Picture picture;
    picture.time = playback_.state().time;
    picture.dark = playback_.state().dark;
    writer_.start(
        [file, picture, subject = playback_.subject()](const engine::Progress& progress) -> std::any {
            writePicture(subject->report(), file, picture, progress);
            return {};
        },
        [this, file](const std::any&) {
            statusBar()->showMessage(tr("Wrote %1").arg(toQt(file)), messageMilliseconds);
        },
        [this](const QString& sentence) { notice_->say(withoutFlags(sentence)); });
}

void MainWindow::askForTrace() {
    const QString path = QFileDialog::getOpenFileName(this, tr("Open trace"), settings_.value("folder").toString(),
                                                      tr("OTF2 archives (*.otf2);;All files (*)"));
    if (path.isEmpty()) return;
    settings_.setValue("folder", QFileInfo{path}.absolutePath());
    openTrace(path.toStdString());
}

void MainWindow::askWhereToSave() {
    const QString path = QFileDialog::getSaveFileName(this, tr("Save trace as a new folder"),
                                                      settings_.value("folder").toString() + "/trace", {}, nullptr,
                                                      QFileDialog::DontConfirmOverwrite);
    if (!path.isEmpty()) saveTrace(path.toStdString());
}

void MainWindow::askWhereToExport() {
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Export picture"), settings_.value("folder").toString() + "/collscope.png",
        tr("Pictures (*.png *.svg *.pdf);;Films (*.mp4 *.webm *.gif);;Page (*.html);;All files (*)"));
    if (!path.isEmpty()) exportPicture(path.toStdString());
}

void MainWindow::addRecent(const QString& path) {
    QStringList recent = settings_.value("recent").toStringList();
    const QString whole = QFileInfo{path}.absoluteFilePath();
    recent.removeAll(whole);
    recent.prepend(whole);
    settings_.setValue("recent", recent.mid(0, mostRecent));
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

void MainWindow::restore() {
    setTheme(themeNamed(settings_.value("theme").toString()));
    playback_.setReduceMotion(settings_.value("reduceMotion").toBool());
    playback_.setLooping(settings_.value("loop").toBool());
    playback_.setSpeed(settings_.value("speed", 1.0).toDouble());
    reduceMotion_->setChecked(playback_.state().reduceMotion);
    if (settings_.contains("geometry")) {
        restoreGeometry(settings_.value("geometry").toByteArray());
        restoreState(settings_.value("docks").toByteArray());
        splitter_->restoreState(settings_.value("splitter").toByteArray());
        return;
    }
    resize(1280, 800);
    resizeDocks({docks_[0], docks_[2]}, {300, 340}, Qt::Horizontal);
    resizeDocks({docks_[0], docks_[1]}, {372, 346}, Qt::Vertical);
    resizeDocks({docks_[2], docks_[3], docks_[4]}, {250, 240, 220}, Qt::Vertical);
}

void MainWindow::remember() {
    settings_.setValue("geometry", saveGeometry());
    settings_.setValue("docks", saveState());
    settings_.setValue("splitter", splitter_->saveState());
    settings_.setValue("theme", name(theme_));
    settings_.setValue("reduceMotion", playback_.state().reduceMotion);
    settings_.setValue("loop", playback_.looping());
    settings_.setValue("speed", playback_.speed());
    settings_.sync();
}

void MainWindow::setTheme(Theme theme) {
    theme_ = theme;
    const QPalette palette = widgetPalette(theme);
    QApplication::setPalette(palette);
    playback_.setDark(isDark(palette));
    for (QAction* action : themes_->actions()) action->setChecked(action->data().toString() == name(theme));
}

// A main window takes missing room from its middle alone; the pictures there are what a small window is opened for.
void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    if (width() < narrow) resizeDocks({docks_[0], docks_[2]}, {width() * 3 / 10, width() * 3 / 10}, Qt::Horizontal);
}

void MainWindow::closeEvent(QCloseEvent* event) {
    remember();
    QMainWindow::closeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    const QList<QUrl> urls = event->mimeData()->urls();
    if (!urls.isEmpty() && urls.front().isLocalFile()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    event->acceptProposedAction();
    openTrace(event->mimeData()->urls().front().toLocalFile().toStdString());
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && needs(watched, *static_cast<QKeyEvent*>(event))) {
        event->accept();
        return true;
    }
    return QMainWindow::eventFilter(watched, event);
}

}  // namespace app::gui
