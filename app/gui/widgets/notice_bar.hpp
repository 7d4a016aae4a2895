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

    /// An empty sentence closes it, unless the user must see it.
    void say(const QString& sentence);
    /// Says what is true whatever is shown: it stays until the user closes it or something else is said.
    void tell(const QString& sentence);
    [[nodiscard]] QString sentence() const { return label_->text(); }

protected:
    void changeEvent(QEvent* event) override;

private:
    void write(const QString& sentence);

    QLabel* label_;
    bool telling_ = false;
};

}  // namespace app::gui
