// SPDX-License-Identifier: BSD-3-Clause
// What Qt says where there is no display.
#pragma once

#include <QtGlobal>

class QMessageLogContext;
class QString;

namespace app::gui {

/// Writes warnings to stderr, but not what matters to displays and sockets alone; for qInstallMessageHandler.
void sayWhatMatters(QtMsgType type, const QMessageLogContext& context, const QString& message);

}  // namespace app::gui
