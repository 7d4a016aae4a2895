// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "app/gui/tables/answer_table.hpp"
#include "app/session/replay/replay_run.hpp"

#include <QLabel>
#include <QStackedWidget>
#include <QTabBar>
#include <QTextBrowser>

namespace app::gui {

/// What a replay came to, as the command line tells it: the error of the recorded conditions first, then times and
/// their difference by cause, what the trace lacks, and who waits forever. Its other tables stand behind.
class ReplayAnswer final : public QWidget {
    Q_OBJECT

public:
    ReplayAnswer();

    void show(const Replaying& replaying);
    /// Empties it, but for a sentence.
    void clear(const QString& sentence = {});
    /// The first page in plain text.
    [[nodiscard]] QString text() const { return page_->toPlainText(); }
    /// The table that is in sight: of the first page the causes.
    [[nodiscard]] const engine::Table& table() const { return rows_->table(); }

    [[nodiscard]] QSize sizeHint() const override { return {400, 300}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {200, 80}; }

Q_SIGNALS:
    /// A row about this rank was chosen.
    void rankChosen(engine::Rank rank);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void turn(int page);
    void write();
    void fitRemarks();

    QTabBar* tabs_;
    QStackedWidget* pages_;
    QTextBrowser* page_;
    AnswerTable* rows_;
    QLabel* remarks_;
    std::vector<engine::Table> tables_;  // in the order of tabs
    // Of the first page
    QString title_;
    std::vector<std::pair<QString, QString>> facts_;
    QStringList stuck_;
    QStringList more_;  // remarks
};

}  // namespace app::gui
