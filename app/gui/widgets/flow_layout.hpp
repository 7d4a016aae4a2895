// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QLayout>

namespace app::gui {

/// Widgets in a line, like words: where there is no room for all, they are as small as they can be, and those that have
/// none even so go on in the next line.
class FlowLayout final : public QLayout {
    Q_OBJECT

public:
    FlowLayout();
    ~FlowLayout() override;

    void addItem(QLayoutItem* item) override { items_ += item; }
    [[nodiscard]] int count() const override { return static_cast<int>(items_.size()); }
    [[nodiscard]] QLayoutItem* itemAt(int index) const override { return items_.value(index); }
    QLayoutItem* takeAt(int index) override;
    [[nodiscard]] Qt::Orientations expandingDirections() const override { return {}; }
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    /// All in one line.
    [[nodiscard]] QSize sizeHint() const override;
    /// One of them in each line.
    [[nodiscard]] QSize minimumSize() const override;
    void setGeometry(const QRect& place) override;

private:
    /// Puts them there and tells how high they are together; where not `really`, it only tells.
    int flow(const QRect& place, bool really) const;

    QList<QLayoutItem*> items_;
};

}  // namespace app::gui
