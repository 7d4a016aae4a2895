// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "app/gui/playback/playback.hpp"
#include "app/gui/tables/answer_table.hpp"
#include "app/gui/widgets/worker.hpp"
#include "app/session/session.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>

namespace app::gui {

/// An algorithm that cannot solve a problem, by its title, and why, in a sentence; empty: unknown.
struct Absent {
    QString name;
    QString why{};
};

/// Something of all algorithms for the problem of the run that is shown, made when it is asked for: a button that
/// begins and cancels it, how far it has come, who cannot solve the problem, and a picture, or the same as a table.
class AlgorithmComparisonPanel : public QWidget {
    Q_OBJECT

public:
    /// What stands in a line goes below each other in little room.
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] bool busy() const { return worker_.busy(); }
    virtual void start() = 0;
    /// Whether it can be run at all.
    [[nodiscard]] bool isKnown() const;

protected:
    struct Words {
        QString run;    ///< on the button
        QString runs;   ///< what it does, as screen readers say it
        QString table;  ///< on the switch between picture and table
        QString rows;   ///< what the table is called
    };

    AlgorithmComparisonPanel(Playback& playback, QWidget* picture, const Words& words);

    [[nodiscard]] const Playback& playback() const { return *playback_; }
    /// Before the button.
    void addFirst(QWidget* widget) { bar_->insertWidget(0, widget); }
    /// How to run what is shown, where that is known.
    [[nodiscard]] std::optional<RunWish> wishShown() const;
    /// In a thread of its own; a mistake of the user is said.
    template <class Work, class Then>
    void make(Work work, Then then) {
        worker_.start(std::move(work), std::move(then), [this](const QString& sentence) { refuse(sentence); });
    }
    /// What was made is shown as `table`, too; `absent`: which algorithms cannot solve the problem.
    void fill(Table table, const std::vector<Absent>& absent);
    /// Nothing is made, or being made.
    void clear();
    void resizeEvent(QResizeEvent* event) override;

private:
    void refuse(const QString& sentence);

    Playback* playback_;
    AnswerTable* rows_;
    QStackedWidget* pages_;  // the picture, and its table
    QBoxLayout* bar_;
    QPushButton* run_;
    QLabel* why_;
    Worker worker_;
};

}  // namespace app::gui
