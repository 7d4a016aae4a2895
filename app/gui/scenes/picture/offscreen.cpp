// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/picture/offscreen.hpp"

#include <QString>

#include <cstdio>

namespace app::gui {

void sayWhatMatters(QtMsgType type, const QMessageLogContext&, const QString& message) {
    if (type == QtDebugMsg || type == QtInfoMsg) return;
    // A missing XDG_RUNTIME_DIR matters to sockets, windows that cannot be raised to screens: not to pictures.
    if (message.startsWith(QStringLiteral("QStandardPaths:")) ||
        message.startsWith(QStringLiteral("This plugin does not support")))
        return;
    std::fprintf(stderr, "%s\n", qPrintable(message));
}

}  // namespace app::gui
