// SPDX-License-Identifier: BSD-3-Clause
// A window under test: its clock is moved by hand, its settings are in a folder of the test.
#pragma once

#include "app/gui/settings/run_settings.hpp"
#include "app/gui/window/main_window.hpp"

#include <gtest/gtest.h>

#include <QApplication>
#include <QTemporaryDir>
#include <QTest>

#include <chrono>

namespace app::gui {

/// A clock that stands until it is moved.
struct HandClock {
    std::shared_ptr<std::chrono::nanoseconds> now = std::make_shared<std::chrono::nanoseconds>(0);

    [[nodiscard]] Playback::Clock clock() const {
        return [now = now] { return *now; };
    }
    void pass(std::chrono::nanoseconds time) const { *now += time; }
};

/// The run of the first example: 4 senders, 6 receivers, 7 rounds.
inline DrawableRunPtr firstSubject() { return std::make_shared<const DrawableRun>(execute(firstWish())); }

class Stage {
public:
    explicit Stage(const QString& settingsFile = {})
        : settings{settingsFile.isEmpty() ? folder.filePath("settings.ini") : settingsFile, QSettings::IniFormat},
          window{settings, clock.clock()} {
        window.show();
        EXPECT_TRUE(QTest::qWaitForWindowExposed(&window));
        window.activateWindow();
        EXPECT_TRUE(QTest::qWaitForWindowActive(&window));
    }

    /// Begins as the program does, and waits for the first run.
    void begin() {
        window.presenter().begin({});
        settle();
    }
    /// Waits until nothing is being worked on.
    void settle() {
        EXPECT_TRUE(QTest::qWaitFor([&] { return !window.working(); }, 60'000));
        QCoreApplication::processEvents();
    }
    /// Waits until another run than `before` is shown.
    void settleAfter(const DrawableRunPtr& before) {
        EXPECT_TRUE(QTest::qWaitFor([&] { return window.playback().subject() != before; }, 60'000));
    }
    template <class Widget>
    Widget& find(const QString& accessibleName) {
        for (Widget* widget : window.findChildren<Widget*>()) {
            if (widget->accessibleName() == accessibleName) return *widget;
        }
        throw std::runtime_error{"no widget is called " + accessibleName.toStdString()};
    }
    /// The first one seen, else the first one.
    template <class Widget>
    Widget& find() {
        for (Widget* widget : window.findChildren<Widget*>()) {
            if (widget->isVisible()) return *widget;
        }
        return *window.findChild<Widget*>();
    }

    QTemporaryDir folder;
    HandClock clock;
    QSettings settings;
    MainWindow window;
};

}  // namespace app::gui
