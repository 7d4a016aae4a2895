// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QFrame>
#include <QLabel>

namespace app::gui {

/// Says above the pictures of which part of a trace they are, and leads back.
class InsideBar final : public QFrame {
    Q_OBJECT

public:
    InsideBar();

    /// An empty sentence closes it.
    void say(const QString& sentence);
    [[nodiscard]] QString sentence() const { return label_->text(); }

Q_SIGNALS:
    /// The user wants the whole again.
    void left();

private:
    QLabel* label_;
};

}  // namespace app::gui
