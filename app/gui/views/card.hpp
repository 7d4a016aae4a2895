// SPDX-License-Identifier: BSD-3-Clause
// Panels as cards: a quiet title at the left, a fact about the run at the right, a rounded outline around both.
#pragma once

#include "app/gui/widgets/fitting_label.hpp"

#include <QDockWidget>
#include <QToolButton>

#include <functional>

namespace app::gui {

class Playback;
class DrawableRun;
struct ViewState;

/// What a card says at its right; empty: nothing.
using CardFact = QString (*)(const DrawableRun& subject, const ViewState& state);

/// The line above what a card shows: a title and, where there is room beside it, a fact.
class CardTitle final : public QWidget {
    Q_OBJECT

public:
    explicit CardTitle(const QString& title);

    void setTitle(const QString& title);
    /// Of which of two runs the card is; empty: there is one.
    void setOf(const QString& run);
    [[nodiscard]] QString title() const { return title_->words(); }
    void setFact(const QString& words);
    [[nodiscard]] QString fact() const { return fact_->words(); }
    /// Says `fact` of whatever `playback` shows, at every moment; of no other one any more.
    void follow(Playback& playback, CardFact fact);
    /// A button that takes the place of the fact while the mouse is on the title.
    QToolButton* addButton(const QString& sign, const QString& name);

protected:
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void colour();
    void name();
    void share();

    FittingLabel* title_;
    FittingLabel* fact_;
    QList<QToolButton*> buttons_;
    bool pointedAt_ = false;
    Playback* followed_ = nullptr;
    QString words_;
    QString of_;
};

/// A card that stays where it is.
class Card final : public QWidget {
    Q_OBJECT

public:
    Card(const QString& title, QWidget* content);

    [[nodiscard]] CardTitle& title() const { return *title_; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    CardTitle* title_;
    QWidget* content_;
};

/// A card that can be moved, stacked, floated and closed.
class CardDock final : public QDockWidget {
    Q_OBJECT

public:
    CardDock(const QString& title, QWidget* content);

    [[nodiscard]] CardTitle& title() const { return *title_; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    CardTitle* title_;
};

}  // namespace app::gui
