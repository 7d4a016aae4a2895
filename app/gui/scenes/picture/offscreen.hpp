// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QGuiApplication>

#include <array>
#include <optional>

namespace app::gui {

/// Writes Qt's warnings to stderr, but not what matters to displays and sockets alone; for qInstallMessageHandler.
void sayWhatMatters(QtMsgType type, const QMessageLogContext& context, const QString& message);

/// Fonts need a QGuiApplication. Where the window has not made one, this is one without a display.
class OffscreenGui {
public:
    OffscreenGui() {
        if (QCoreApplication::instance() != nullptr) return;
        before_ = qInstallMessageHandler(sayWhatMatters);
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
    std::array<char, 10> name_{"collscope"};
    std::array<char, 10> option_{"-platform"};
    std::array<char, 10> platform_{"offscreen"};
    std::array<char*, 4> words_{name_.data(), option_.data(), platform_.data(), nullptr};
    int count_ = 3;
    QtMessageHandler before_ = nullptr;
    std::optional<QGuiApplication> gui_;
};

}  // namespace app::gui
