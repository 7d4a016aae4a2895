// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/gui.hpp"
#include "app/gui/main_window.hpp"
#include "app/gui/panels/setup_panel.hpp"

#include <QApplication>
#include <QElapsedTimer>
#include <QSaveFile>
#include <QTemporaryDir>
#include <QThread>

namespace app::gui {
namespace {

constexpr int longestWait = 120'000;  // milliseconds for the first run to appear in a picture of the window

void name(QApplication& application) {
    QApplication::setApplicationName("Collscope");
    QApplication::setApplicationVersion(COLLSCOPE_VERSION);
    QApplication::setOrganizationName("Collscope");
    QApplication::setStyle("Fusion");
    application.setDesktopFileName("collscope");
}

/// An application is needed once per program; a picture of the window never asks for a display.
std::unique_ptr<QApplication> applicationWithoutDisplay() {
    if (QCoreApplication::instance() != nullptr) return nullptr;
    static int count = 1;
    static char program[] = "collscope";
    static char* arguments[] = {program, nullptr};
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    auto application = std::make_unique<QApplication>(count, arguments);
    name(*application);
    return application;
}

}  // namespace

int runWindow(int& argc, char** argv, Beginning beginning) {
    QApplication application{argc, argv};
    name(application);
    QSettings settings;
    MainWindow window{settings};
    window.show();
    window.begin(std::move(beginning));
    return QApplication::exec();
}

void writeWindowPicture(std::optional<Report> report, const std::filesystem::path& file, const Picture& picture) {
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
    window.begin(report ? Beginning{Trace{std::move(*report)}} : Beginning{});
    QElapsedTimer waited;
    waited.start();
    while (window.working() && waited.elapsed() < longestWait) {
        QCoreApplication::processEvents();
        QThread::msleep(1);
    }
    if (!window.playback().subject()) throw engine::Error{window.setup().refusal().toStdString()};
    (void)window.playback().subject()->tallies();  // a chart may be in sight
    if (picture.time) window.playback().seek(*picture.time);
    QCoreApplication::processEvents();
    QSaveFile saved{QString::fromStdString(file.string())};
    if (!saved.open(QIODevice::WriteOnly) || !window.grab().save(&saved, "PNG") || !saved.commit()) {
        throw engine::Error{"cannot write " + file.string() + ": " + saved.errorString().toStdString()};
    }
}

}  // namespace app::gui
