// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/widgets/run_progress.hpp"

#include <QHBoxLayout>

namespace app::gui {

RunProgress::RunProgress(const QString& name, const QString& cancels, int length)
    : bar_{new QProgressBar}, cancel_{new QPushButton{tr("Cancel")}} {
    bar_->setAccessibleName(name);
    bar_->setRange(0, 100);
    bar_->setFixedWidth(length);
    cancel_->setAccessibleName(cancels);
    auto* row = new QHBoxLayout{this};
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(bar_);
    row->addWidget(cancel_);
    connect(cancel_, &QPushButton::clicked, this, &RunProgress::cancelled);
    hide();
    // What is quick, as runs that follow a slider, would only make it flicker.
    later_.setSingleShot(true);
    later_.setInterval(150);
    connect(&later_, &QTimer::timeout, this, &QWidget::show);
}

void RunProgress::follow(const Worker& worker) {
    connect(&worker, &Worker::busyChanged, this, &RunProgress::setBusy);
    connect(&worker, &Worker::progressed, this,
            [this](double share) { bar_->setValue(static_cast<int>(share * 100)); });
}

void RunProgress::setBusy(bool busy) {
    bar_->setValue(0);
    if (busy) return later_.start();
    later_.stop();
    hide();
}

}  // namespace app::gui
