// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/gui.hpp"
#include "app/gui/answers/tables_panel.hpp"
#include "app/gui/scenes/common/block_highlight.hpp"
#include "app/gui/scenes/picture/offscreen.hpp"
#include "app/gui/settings/session_file.hpp"
#include "app/gui/setup/setup_panel.hpp"
#include "app/gui/style/quiet_style.hpp"
#include "app/gui/window/main_window.hpp"

#include <QApplication>
#include <QBuffer>
#include <QElapsedTimer>
#include <QScreen>
#include <QTemporaryDir>
#include <QThread>

#include <cstdio>
#include <cstdlib>

namespace app::gui {
namespace {

constexpr int longestWait = 120'000;  // milliseconds for the first run to appear in a picture of the window

void name(QApplication& application) {
    QApplication::setApplicationName("Collscope");
    QApplication::setApplicationVersion(COLLSCOPE_VERSION);
    QApplication::setOrganizationName("Collscope");
    QApplication::setStyle(new QuietStyle);
    application.setDesktopFileName("collscope");
}

/// An application is needed once per program; a picture of the window never asks for a display.
std::unique_ptr<QApplication> applicationWithoutDisplay() {
    if (QCoreApplication::instance() != nullptr) return nullptr;
    static int count = 1;
    static char program[] = "collscope";
    static char* arguments[] = {program, nullptr};
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    qInstallMessageHandler(sayWhatMatters);
    auto application = std::make_unique<QApplication>(count, arguments);
    name(*application);
    return application;
}

/// Qt ends the program with an abort when it finds no display: what it says then is for its programmers.
void sayThatThereIsNone(QtMsgType type, const QMessageLogContext&, const QString& message) {
    constexpr int userMistake = 2;
    if (type == QtFatalMsg) {
        std::fputs(
            "collscope: view: no display: set DISPLAY or "
            "WAYLAND_DISPLAY, or draw pictures with 'collscope export'; 'collscope --help' lists the commands\n",
            stderr);
        std::_Exit(userMistake);
    }
    // What comes before the end only repeats it; the rest is reported once the application exists.
    if (type == QtWarningMsg && !message.contains(QStringLiteral("platform plugin")) &&
        !message.contains(QStringLiteral("could not connect to display")))
        std::fprintf(stderr, "%s\n", qPrintable(message));
}

}  // namespace

int runWindow(int& argc, char** argv, Beginning beginning, ReadReport readReport) {
    const auto* saved = std::get_if<SavedWindow>(&beginning);
    const auto* task = std::get_if<TaskFile>(&beginning);
    const auto* lesson = std::get_if<LessonFile>(&beginning);
    const auto* tuning = std::get_if<TuningFile>(&beginning);
    // Said now, where it can be said.
    if (saved != nullptr) (void)readSession(saved->file);
    if (task != nullptr) (void)taskIn(task->task.string());
    const QtMessageHandler before = qInstallMessageHandler(sayThatThereIsNone);
    QApplication application{argc, argv};
    qInstallMessageHandler(before);
    name(application);
    QSettings settings;
    MainWindow window{settings};
    // Not every display has a window manager that would.
    window.resize(window.size().boundedTo(window.screen()->availableSize()));
    window.setEased(true);
    window.presenter().setReadReport(std::move(readReport));
    window.show();
    if (task != nullptr && !task->algorithm.empty()) window.authoring().open(task->algorithm);
    if (saved != nullptr) window.sessions().open(saved->file);
    else if (task != nullptr) window.homework().open(task->task);
    else if (lesson != nullptr) window.authoring().open(lesson->file);
    else if (tuning != nullptr) window.open(QString::fromStdString(tuning->file.string()));
    else window.presenter().begin(std::move(beginning));
    return QApplication::exec();
}

void writeWindowPicture(std::optional<Trace> trace, const std::filesystem::path& file, const Picture& picture) {
    if (file.extension() != ".png") {
        throw engine::Error{"--view window: a picture of the window ends in .png, not '" + file.extension().string() +
                            "'"};
    }
    const std::unique_ptr<QApplication> application = applicationWithoutDisplay();
    ENSURE(qobject_cast<QApplication*>(QCoreApplication::instance()) != nullptr, "a window needs a QApplication");
    const QTemporaryDir folder;
    QSettings fresh{folder.filePath("settings.ini"), QSettings::IniFormat};
    MainWindow window{fresh};
    window.setTheme(picture.dark ? Theme::dark : Theme::light);
    window.setAttribute(Qt::WA_DontShowOnScreen);
    window.resize(picture.width, picture.height);
    window.show();
    window.presenter().begin(trace ? Beginning{std::move(*trace)} : Beginning{});
    QElapsedTimer waited;
    waited.start();
    while ((window.working() || window.contents().answers->busy()) && waited.elapsed() < longestWait) {
        QCoreApplication::processEvents();
        QThread::msleep(1);
    }
    if (!window.playback().subject()) throw engine::Error{window.setup().refusal().toStdString()};
    (void)window.playback().subject()->tallies();  // a chart may be in sight
    if (window.playback().subject()->isProgram()) (void)window.playback().subject()->programmed();
    if (picture.time) window.playback().seek(*picture.time);
    if (picture.block) {
        window.playback().selectBlock(columnOfBlock(*window.playback().subject(), *picture.block));
        window.contents().docks.bringForward(Dock::details, Dock::lesson);
    }
    // Bars of tabs are made, named and given their place one after the other.
    for (int pass = 0; pass < 5; ++pass) QCoreApplication::processEvents();
    QBuffer content;
    content.open(QIODevice::WriteOnly);
    if (!window.grab().save(&content, "PNG")) throw engine::Error{"the window is too large to be encoded as PNG"};
    engine::writeFile(file, {content.data().constData(), static_cast<std::size_t>(content.size())}, picture.existing);
}

}  // namespace app::gui
