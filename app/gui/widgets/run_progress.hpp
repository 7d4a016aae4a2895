// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "app/gui/widgets/worker.hpp"

#include <QProgressBar>
#include <QPushButton>
#include <QTimer>
#include <QWidget>

namespace app::gui {

/// How far what is run or read has come, and a button that stops it; there only while that takes some time.
class RunProgress final : public QWidget {
    Q_OBJECT

public:
    static constexpr int shortBar = 80;  // pixels, on a narrow card

    /// What a screen reader calls the bar and the button, and how long the bar is, in pixels.
    explicit RunProgress(const QString& name = tr("Progress of the run"), const QString& cancels = tr("Cancel"),
                         int length = 160);

    /// Shows how far `worker` has come.
    void follow(const Worker& worker);

Q_SIGNALS:
    void cancelled();

private:
    void setBusy(bool busy);

    QProgressBar* bar_;
    QPushButton* cancel_;
    QTimer later_;
};

}  // namespace app::gui
