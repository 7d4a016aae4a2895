// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QGuiApplication>

#include <array>
#include <cstdio>
#include <optional>

namespace app::gui {

/// Fonts need a QGuiApplication. Where the window has not made one, this is one without a display.
class OffscreenGui {
public:
    OffscreenGui() {
        if (QCoreApplication::instance() != nullptr) return;
        before_ = qInstallMessageHandler(quiet);
        gui_.emplace(count_, words_.data());
    }
    ~OffscreenGui() {
        if (!gui_) return;
        gui_.reset();
        qInstallMessageHandler(before_);
    }
    OffscreenGui(const OffscreenGui&) = delete;
    OffscreenGui& operator=(const OffscreenGui&) = delete;

private:
    /// A missing XDG_RUNTIME_DIR matters to sockets, not to pictures.
    static void quiet(QtMsgType type, const QMessageLogContext&, const QString& message) {
        if (type == QtDebugMsg || type == QtInfoMsg || message.startsWith(QStringLiteral("QStandardPaths:"))) return;
        std::fprintf(stderr, "%s\n", qPrintable(message));
    }

    std::array<char, 10> name_{"collscope"};
    std::array<char, 10> option_{"-platform"};
    std::array<char, 10> platform_{"offscreen"};
    std::array<char*, 4> words_{name_.data(), option_.data(), platform_.data(), nullptr};
    int count_ = 3;
    QtMessageHandler before_ = nullptr;
    std::optional<QGuiApplication> gui_;
};

}  // namespace app::gui
