// SPDX-License-Identifier: BSD-3-Clause
// The window's tests need an application, and no display.
#include "app/gui/style/quiet_style.hpp"

#include <gtest/gtest.h>

#include <QApplication>

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    testing::InitGoogleTest(&argc, argv);
    QApplication application{argc, argv};
    QApplication::setApplicationName("Collscope");
    QApplication::setStyle(new app::gui::QuietStyle);
    return RUN_ALL_TESTS();
}
