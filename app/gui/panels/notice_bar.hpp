// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QFrame>
#include <QLabel>

namespace app::gui {

/// A sentence above the pictures that stays until it is closed or no longer true; never a dialog in the way.
class NoticeBar final : public QFrame {
    Q_OBJECT

public:
    NoticeBar();

    /// An empty sentence closes it.
    void say(const QString& sentence);
    [[nodiscard]] QString sentence() const { return label_->text(); }

protected:
    void changeEvent(QEvent* event) override;

private:
    QLabel* label_;
};

}  // namespace app::gui
