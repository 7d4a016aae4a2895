// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QLabel>

namespace app::gui {

/// A line of plain words that never asks for more room than there is: what is too long ends in dots, and all of it
/// stands in the tip.
class FittingLabel final : public QLabel {
    Q_OBJECT

public:
    explicit FittingLabel(const QString& words = {});

    void setWords(const QString& words);
    [[nodiscard]] const QString& words() const { return words_; }
    /// Pixels below which words are not shortened where others beside them could be.
    void setLeast(int least);
    /// Wants the room of these words, too, so that neighbours stay where they are while words change.
    void reserve(const QString& widest);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void fit();
    [[nodiscard]] int wanted() const;
    [[nodiscard]] QSize sizeWith(int width) const;

    QString words_;
    QString widest_;
    int least_ = 0;
};

}  // namespace app::gui
