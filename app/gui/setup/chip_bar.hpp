// SPDX-License-Identifier: BSD-3-Clause
// What is shown, in a row of chips: the algorithm and the fields of its run, or what a trace is. A chip opens the
// set-up at its field.
#pragma once

#include "app/gui/scenes/run/drawable_run.hpp"

#include <QAbstractButton>

namespace app::gui {

/// One of them: a quiet label, and what it is.
class ChipButton final : public QAbstractButton {
    Q_OBJECT

public:
    ChipButton(const QString& label, const QString& words, QWidget* parent);

    [[nodiscard]] QString label() const { return label_; }
    [[nodiscard]] QString words() const { return text(); }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    QString label_;
};

class ChipBar final : public QWidget {
    Q_OBJECT

public:
    ChipBar();

    /// Shows what `subject` is; `name`: of the archive it comes from, where no algorithm is known.
    void show(const DrawableRunPtr& subject, const QString& name);
    /// The run beside it; null: there is none.
    void setOther(const DrawableRunPtr& other);
    [[nodiscard]] const QList<ChipButton*>& chips() const { return chips_; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// The set-up at the field of that key; empty: at the algorithm.
    void fieldAsked(const QString& key);
    /// What a trace is.
    void traceAsked();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fill();
    ChipButton* add(const QString& label, const QString& words, const QString& tip);
    void fit();

    DrawableRunPtr subject_;
    DrawableRunPtr other_;
    QString name_;
    QList<ChipButton*> chips_;
    ChipButton* more_;  // stands for those that have no room
};

}  // namespace app::gui
