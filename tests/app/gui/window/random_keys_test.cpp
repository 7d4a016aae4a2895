// SPDX-License-Identifier: BSD-3-Clause
// Whatever is pressed, however large the window is made, it lives on and no file is lost. Only where no file can be
// lost but decoys: in a folder that tests/scripts/output/random_keys_test.py makes, in which alone anything can be
// written.
#include "tests/app/gui/window_fixture.hpp"

#include <QDir>
#include <QDirIterator>
#include <QFile>

#include <filesystem>
#include <random>

namespace app::gui {
namespace {

constexpr int windows = 6;
constexpr int keysEach = 400;

/// The names of all decoys: those whose content may be lost are lost only after the user agreed.
std::set<QString> decoys(const QString& folder) {
    std::set<QString> found;
    QDirIterator entries{folder, {"decoy*"}, QDir::AllEntries | QDir::Hidden, QDirIterator::Subdirectories};
    while (entries.hasNext()) found.insert(entries.next());
    return found;
}

bool canWriteTo(const QString& folder) {
    QFile file{QDir{folder}.filePath("collscope-must-not-write-here")};
    if (!file.open(QIODevice::WriteOnly)) return false;
    file.remove();
    return true;
}

/// Gives whatever is in front another size, from nothing to more than a screen.
void resizeAny(std::mt19937& random) {
    QWidget* front = QApplication::activeModalWidget();
    if (front == nullptr) front = QApplication::activeWindow();
    if (front == nullptr) return;
    const auto side = [&] { return static_cast<int>(random() % 4 == 0 ? random() % 60 : random() % 2500); };
    const int width = side();
    front->resize(width, side());
}

/// Presses one key in whatever is in front.
void pressAny(std::mt19937& random) {
    constexpr std::array special{Qt::Key_Delete, Qt::Key_F2,    Qt::Key_Return, Qt::Key_Escape,   Qt::Key_Tab,
                                 Qt::Key_Up,     Qt::Key_Down,  Qt::Key_Left,   Qt::Key_Right,    Qt::Key_Home,
                                 Qt::Key_End,    Qt::Key_F5,    Qt::Key_F10,    Qt::Key_F11,      Qt::Key_Space,
                                 Qt::Key_Menu,   Qt::Key_Enter, Qt::Key_F1,     Qt::Key_Backspace};
    constexpr std::array modifiers{Qt::NoModifier,      Qt::NoModifier,  Qt::NoModifier,
                                   Qt::ControlModifier, Qt::AltModifier, Qt::ShiftModifier};
    const auto any = [&](const auto& all) { return all[random() % all.size()]; };
    const auto letter = static_cast<Qt::Key>(Qt::Key_0 + static_cast<int>(random() % (Qt::Key_Z - Qt::Key_0 + 1)));
    const Qt::Key key = random() % 2 == 0 ? any(special) : letter;
    QWidget* front = QApplication::activePopupWidget();
    if (front == nullptr) front = QApplication::activeModalWidget();
    if (front == nullptr) front = QApplication::activeWindow();
    if (front == nullptr) return;
    QWidget* focused = front->focusWidget();
    QTest::keyClick(focused != nullptr ? focused : front, key, any(modifiers));
}

/// Presses one after the other, also in dialogs that are waited for; then sends all of them away.
class Presser : public QObject {
public:
    explicit Presser(std::uint32_t seed) : random_{seed} {}
    void press(int keys) {
        left_ = keys;
        schedule();
        EXPECT_TRUE(
            QTest::qWaitFor([this] { return left_ == 0 && QApplication::activeModalWidget() == nullptr; }, 60'000));
    }

private:
    void schedule() { QTimer::singleShot(1, this, &Presser::next); }
    void next() {
        schedule();
        if (left_ > 0) {
            --left_;
            return random_() % 20 == 0 ? resizeAny(random_) : pressAny(random_);
        }
        if (QWidget* menu = QApplication::activePopupWidget()) menu->close();
        else if (QWidget* dialog = QApplication::activeModalWidget()) dialog->close();
    }

    std::mt19937 random_;
    int left_ = 0;
};

TEST(RandomKeys, loseNoFileAndStopNoWindow) {
    const QString scratch = qEnvironmentVariable("COLLSCOPE_SCRATCH");
    if (scratch.isEmpty())
        GTEST_SKIP() << "runs only where nothing can be lost: tests/scripts/output/random_keys_test.py";
    for (const QString& other : {QDir::homePath(), QDir::rootPath(), QCoreApplication::applicationDirPath()})
        ASSERT_FALSE(canWriteTo(other)) << other.toStdString() << " could be harmed";
    QDir::setCurrent(scratch);
    for (const char* folder : {"decoys/decoy-folder/decoy-below", "decoys/decoy-empty"}) QDir{scratch}.mkpath(folder);
    for (const char* name : {"decoy.otf2", "decoys/decoy.otf2", "decoys/decoy-folder/decoy-below/decoy.csv"}) {
        QFile file{QDir{scratch}.filePath(name)};
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    }
    const std::set<QString> before = decoys(scratch);
    ASSERT_EQ(before.size(), 7U);
    const QString settings = QDir{scratch}.filePath("settings.ini");
    const auto seed = static_cast<std::uint32_t>(qEnvironmentVariableIntValue("COLLSCOPE_SEED"));
    for (int start = 0; start < windows; ++start) {
        SCOPED_TRACE(start);
        Stage stage{settings};
        stage.begin();
        Presser presser{seed + static_cast<std::uint32_t>(start)};
        presser.press(keysEach);
        stage.window.close();
        EXPECT_EQ(decoys(scratch), before);
    }
}

}  // namespace
}  // namespace app::gui
