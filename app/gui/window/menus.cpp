// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/window/menus.hpp"

#include "app/gui/answers/tables_panel.hpp"
#include "app/gui/explain/glossary.hpp"
#include "app/gui/notes/annotations_panel.hpp"
#include "app/gui/setup/setup_panel.hpp"
#include "app/gui/views/basic_views.hpp"
#include "app/gui/views/diagram_panel.hpp"
#include "app/gui/views/program_timeline_panel.hpp"
#include "app/gui/views/search_bar.hpp"
#include "app/gui/what_if/small_multiples_panel.hpp"
#include "app/gui/window/help.hpp"
#include "app/gui/window/main_window.hpp"
#include "app/teaching/teaching.hpp"

#include <QActionGroup>
#include <QMenuBar>

namespace app::gui {

Menus::Menus(MainWindow& window) : QObject{&window}, window_{&window} {
    buildFile();
    buildRun();
    buildCompare();
    buildTeach();
    buildView();
    buildHelp();
}

QMenu* Menus::add(const QString& title) { return window_->menuBar()->addMenu(title); }

QAction* Menus::addSwitch(QMenu& menu, const QString& words, const QKeySequence& key) {
    QAction* action = menu.addAction(words);
    action->setShortcut(key);
    action->setCheckable(true);
    return action;
}

void Menus::buildFile() {
    QMenu* menu = add(tr("&File"));
    TraceSaving* saving = &window_->saving();
    menu->addAction(tr("&Open trace..."), QKeySequence::Open, &window_->presenter(), &RunLoader::askForTrace);
    menu->addAction(tr("Open &folder of traces..."), QKeySequence{"Ctrl+Shift+T"}, &window_->presenter(),
                    &RunLoader::askForFolder);
    QMenu* recent = menu->addMenu(tr("Open &recent"));
    connect(menu, &QMenu::aboutToShow, this, [this, recent] { fillRecent(*recent); });
    SessionController* sessions = &window_->sessions();
    menu->addAction(tr("Open s&ession..."), QKeySequence{"Ctrl+Alt+O"}, sessions, &SessionController::askWhatToOpen);
    menu->addAction(tr("Open t&uning..."), window_, &MainWindow::askForTuning);
    menu->addSeparator();
    EditorController* authoring = &window_->authoring();
    menu->addAction(tr("&Write an algorithm"), QKeySequence::New, authoring, &EditorController::begin);
    menu->addAction(tr("Open a&lgorithm..."), QKeySequence{"Ctrl+Shift+O"}, authoring, &EditorController::askForFile);
    menu->addAction(tr("Save al&gorithm"), QKeySequence{"Ctrl+Shift+S"}, authoring, &EditorController::save);
    menu->addSeparator();
    QAction* all[] = {
        menu->addAction(tr("Save sess&ion as..."), QKeySequence{"Ctrl+Alt+S"}, sessions,
                        &SessionController::askWhereToSave),
        menu->addAction(tr("&Save trace as..."), QKeySequence::Save, saving, &TraceSaving::askWhereToSave),
        menu->addAction(tr("&Export..."), QKeySequence{"Ctrl+E"}, window_, &MainWindow::showExport)};
    for (QAction* writes : all) {
        writes->setEnabled(false);
        connect(&window_->playback(), &Playback::subjectChanged, writes, [writes] { writes->setEnabled(true); });
    }
    menu->addSeparator();
    menu->addAction(tr("&Quit"), QKeySequence::Quit, window_, &QWidget::close);
}

void Menus::fillRecent(QMenu& menu) {
    menu.clear();
    for (const QString& path : window_->files().recent())
        menu.addAction(path, this, [this, path] { window_->open(path); });
    menu.setEnabled(!menu.isEmpty());
}

void Menus::buildRun() {
    QMenu* menu = add(tr("&Run"));
    Playback* playback = &window_->playback();
    menu->addAction(tr("&Run again"), QKeySequence{"Ctrl+R"}, &window_->setup(), &SetupPanel::runNow);
    menu->addAction(tr("&Cancel"), QKeySequence{"Ctrl+."}, &window_->presenter(), &RunLoader::cancel);
    // Also where a picture is asked what can be done.
    QAction* replay = window_->replays().action();
    menu->addAction(replay);
    menu->addAction(window_->insides().opening());
    menu->addAction(window_->insides().leaving());
    const Contents& contents = window_->contents();
    contents.tracks->addAction(window_->insides().opening());
    for (ViewWidget* view : {static_cast<ViewWidget*>(contents.network), static_cast<ViewWidget*>(contents.spaceTime),
                             static_cast<ViewWidget*>(contents.tracks)})
        view->addAction(replay);
    menu->addSeparator();
    menu->addAction(tr("&Play or pause"), QKeySequence{Qt::Key_Space}, playback, &Playback::playOrPause);
    menu->addAction(tr("Round &forward"), QKeySequence{Qt::Key_Right}, playback, [playback] { playback->step(+1); });
    menu->addAction(tr("Round &back"), QKeySequence{Qt::Key_Left}, playback, [playback] { playback->step(-1); });
    menu->addAction(tr("To th&e start"), QKeySequence{Qt::Key_Home}, playback, &Playback::toBegin);
    menu->addAction(tr("To the e&nd"), QKeySequence{Qt::Key_End}, playback, &Playback::toEnd);
    menu->addSeparator();
    QAction* faster = menu->addAction(tr("F&aster"), playback, &Playback::faster);
    faster->setShortcuts({QKeySequence{Qt::Key_Plus}, QKeySequence{Qt::Key_Equal}});
    menu->addAction(tr("S&lower"), QKeySequence{Qt::Key_Minus}, playback, &Playback::slower);
    QAction* loop = addSwitch(*menu, tr("L&oop"), QKeySequence{Qt::Key_L});
    connect(loop, &QAction::toggled, playback, &Playback::setLooping);
    connect(playback, &Playback::changed, loop, [playback, loop] { loop->setChecked(playback->looping()); });
}

void Menus::buildCompare() {
    QMenu* menu = add(tr("&Compare"));
    ComparisonController* comparison = &window_->comparison();
    QMenu* rivals = menu->addMenu(tr("With another al&gorithm"));
    connect(rivals, &QMenu::aboutToShow, this, [this, rivals] { fillRivals(*rivals); });
    // A submenu is entered only when it has something to enter.
    fillRivals(*rivals);
    menu->addAction(tr("With &all algorithms"), QKeySequence{"Ctrl+Alt+K"}, this, [this] {
        window_->contents().docks.bringUp(Dock::allAlgorithms);
        window_->contents().multiples->start();
    });
    menu->addAction(tr("With a &trace..."), comparison, &ComparisonController::askForTrace);
    menu->addAction(tr("This run with the &next"), QKeySequence{"Ctrl+K"}, comparison,
                    &ComparisonController::compareWithNext);
    menu->addSeparator();
    menu->addAction(tr("&Stop comparing"), QKeySequence{"Ctrl+Shift+K"}, comparison, &ComparisonController::stop);
}

void Menus::fillRivals(QMenu& menu) {
    menu.clear();
    for (const engine::Algorithm* rival : window_->comparison().rivals()) {
        QAction* action = menu.addAction(QString::fromStdString(rival->title));
        action->setToolTip(QString::fromStdString(rival->id));
        connect(action, &QAction::triggered, this, [this, id = rival->id] { window_->comparison().compareWith(id); });
    }
    if (menu.isEmpty()) menu.addAction(tr("There is none for this run"))->setEnabled(false);
}

void Menus::buildTeach() {
    QMenu* menu = add(tr("&Teach"));
    QMenu* all = menu->addMenu(tr("&Lessons"));
    connect(all, &QMenu::aboutToShow, this, [this, all] { fillLessons(*all); });
    fillLessons(*all);
    menu->addAction(tr("&Write a lesson"), &window_->authoring(), &EditorController::resumeLesson);
    menu->addAction(tr("&Open a lesson to change it..."), &window_->authoring(), &EditorController::askForFile);
    menu->addAction(tr("Open a &task..."), &window_->homework(), &ExerciseController::askForFile);
    menu->addAction(tr("Play this problem by &hand"), &window_->game(), &GameController::beginWithRun)
        ->setToolTip(tr("Sends blocks by clicks, round by round; a search reports how many rounds are lost"));
    QAction* predict = addSwitch(*menu, tr("&Predict every round"), QKeySequence{Qt::Key_P});
    connect(predict, &QAction::toggled, &window_->teaching(), &LessonController::setPredicting);
    connect(&window_->teaching(), &LessonController::left, predict, [predict] { predict->setChecked(false); });
    Playback* playback = &window_->playback();
    QAction* slow = addSwitch(*menu, tr("&Slow motion"), QKeySequence{"Ctrl+M"});
    connect(slow, &QAction::toggled, playback, [playback](bool on) { playback->setSpeed(on ? slowMotion : 1); });
    connect(playback, &Playback::changed, slow, [playback, slow] {
        const QSignalBlocker quiet{slow};
        slow->setChecked(playback->speed() <= slowMotion);
    });
    QAction* projector = addSwitch(*menu, tr("Pro&jector"), QKeySequence{Qt::Key_F5});
    projector->setToolTip(tr("Full screen, large letters and slow motion"));
    connect(projector, &QAction::toggled, &window_->projector(), &Projector::set);
    connect(&window_->projector(), &Projector::changed, projector, &QAction::setChecked);
}

void Menus::fillLessons(QMenu& menu) {
    menu.clear();
    for (std::size_t number = 0; number < lessons().size(); ++number) {
        const Lesson& lesson = lessons()[number];
        const QString words = tr("%1. %2 (%3 min)").arg(number + 1).arg(lesson.title).arg(lesson.minutes);
        QAction* action = menu.addAction(words, this, [this, number] { window_->teaching().start(number); });
        action->setToolTip(lesson.paper);
        action->setCheckable(true);
        action->setChecked(window_->teaching().finished(lesson));
    }
}

void Menus::buildView() {
    QMenu* menu = add(tr("&View"));
    Contents& contents = window_->contents();
    for (const QDockWidget* dock : contents.docks.all()) menu->addAction(dock->toggleViewAction());
    menu->addSeparator();
    menu->addActions(contents.spaceTime->timeActions());
    menu->addMenu(tr("Ro&ws of the diagram"))->addActions(contents.spaceTime->rowActions());
    menu->addMenu(tr("&Rows of the timeline"))->addActions(contents.tracks->rowActions());
    menu->addMenu(tr("La&yers of a torus"))->addActions(contents.network->actions());
    menu->addSeparator();
    QAction* find = menu->addAction(tr("&Find messages..."), contents.search, &SearchBar::begin);
    find->setShortcuts({QKeySequence::Find, QKeySequence{Qt::Key_Slash}});
    menu->addAction(tr("&Ask about the run"), QKeySequence{"Ctrl+J"}, this, [&contents] {
        contents.docks.bringUp(Dock::analysis);
        contents.answers->setFocus();
    });
    menu->addAction(tr("Mar&k this time"), QKeySequence{"Ctrl+B"}, this, [&contents] {
        contents.docks.bringUp(Dock::notes);
        contents.notes->mark();
    });
    menu->addAction(tr("&Put a note on the picture..."), QKeySequence{"Ctrl+Shift+B"}, window_, &MainWindow::putNote);
    Playback* playback = &window_->playback();
    QAction* undo =
        menu->addAction(tr("&Undo the last change of notes"), QKeySequence::Undo, playback, &Playback::undoMarks);
    undo->setEnabled(false);
    connect(playback, &Playback::changed, undo, [playback, undo] { undo->setEnabled(playback->canUndoMarks()); });
    menu->addAction(tr("Picture as a &table"), QKeySequence{"Ctrl+T"}, window_, &MainWindow::showTable);
    menu->addSeparator();
    buildLayouts(*menu->addMenu(tr("La&youts")));
    buildColours(*menu->addMenu(tr("&Colours")));
    QAction* reduce = addSwitch(*menu, tr("Reduce &motion"));
    reduce->setToolTip(tr("Messages, rounds and zoom change without animation"));
    connect(reduce, &QAction::toggled, playback, &Playback::setReduceMotion);
    connect(playback, &Playback::changed, reduce,
            [playback, reduce] { reduce->setChecked(playback->state().reduceMotion); });
    QAction* legends = addSwitch(*menu, tr("&Legends"), QKeySequence{Qt::Key_K});
    legends->setToolTip(tr("What the marks of the pictures mean"));
    legends->setChecked(true);
    connect(legends, &QAction::toggled, playback, &Playback::setLegends);
    connect(legends, &QAction::toggled, &window_->other(), &Playback::setLegends);
    connect(playback, &Playback::changed, legends,
            [playback, legends] { legends->setChecked(playback->state().legends); });
    QAction* full = addSwitch(*menu, tr("&Full screen"), QKeySequence{Qt::Key_F11});
    connect(full, &QAction::toggled, window_, &MainWindow::setFullScreen);
    connect(window_, &MainWindow::stateChanged, full, [this, full] { full->setChecked(window_->isFullScreen()); });
}

void Menus::buildLayouts(QMenu& menu) {
    LayoutSwitcher* desk = &window_->desk();
    auto* group = new QActionGroup{this};
    for (const Layout layout : layouts) {
        QAction* action = menu.addAction(LayoutSwitcher::title(layout), desk, [desk, layout] { desk->choose(layout); });
        action->setToolTip(LayoutSwitcher::meaning(layout));
        action->setShortcut(QKeySequence{Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + static_cast<int>(layout))});
        action->setCheckable(true);
        group->addAction(action);
        connect(&menu, &QMenu::aboutToShow, action,
                [desk, action, layout] { action->setChecked(desk->layout() == layout); });
    }
    menu.addSeparator();
    menu.addAction(tr("&Reset this layout"), QKeySequence{"Ctrl+0"}, desk, &LayoutSwitcher::reset);
}

void Menus::buildColours(QMenu& menu) {
    auto* themes = new QActionGroup{this};
    const std::pair<Theme, QString> all[] = {
        {Theme::system, tr("As the &desktop")}, {Theme::light, tr("&Light")}, {Theme::dark, tr("D&ark")}};
    for (const auto& [theme, words] : all) {
        QAction* action = menu.addAction(words, this, [this, theme = theme] { window_->setTheme(theme); });
        action->setCheckable(true);
        themes->addAction(action);
        connect(&menu, &QMenu::aboutToShow, action,
                [this, action, theme = theme] { action->setChecked(window_->theme() == theme); });
    }
}

void Menus::buildHelp() {
    QMenu* menu = add(tr("&Help"));
    QAction* keys = menu->addAction(tr("&Keys"), this, [this] {
        QList<QAction*> actions = window_->menuBar()->actions();
        // Menus within menus are taken as they are met.
        for (qsizetype i = 0; i < actions.size(); ++i)
            if (const QMenu* within = actions[i]->menu()) actions += within->actions();
        showKeys(window_, actions);
    });
    keys->setShortcuts({QKeySequence{Qt::Key_F1}, QKeySequence{"?"}});
    menu->addAction(tr("&Glossary"), QKeySequence{Qt::Key_F2}, this, [this] { showGlossary(window_); });
    menu->addAction(tr("&About"), this, [this] { showAbout(window_); });
}

}  // namespace app::gui
