// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "app/gui/playback/linked_playback.hpp"
#include "app/gui/tables/answer_model.hpp"
#include "app/gui/widgets/worker.hpp"
#include "app/session/compare/value_by_value.hpp"

#include <QComboBox>
#include <QLabel>
#include <QTableView>
#include <QWidget>

namespace app::gui {

/// What differs between two runs, and which moments of them belong together.
class DifferencesPanel final : public QWidget {
    Q_OBJECT

public:
    DifferencesPanel(Playback& first, Playback& second, LinkedPlayback& pairing);

    [[nodiscard]] const AnswerModel& model() const { return model_; }
    /// Rows of two programs are pending.
    [[nodiscard]] bool busy() const { return comparer_.busy(); }
    /// The sentence that says which run is faster, and why.
    [[nodiscard]] const QString& winner() const { return sentence_; }
    /// That sentence, to be shown elsewhere.
    [[nodiscard]] QLabel* verdict() const { return winner_; }
    /// Shows another sentence in its place until the runs change, and the times that it compares as the first row; ": "
    /// parts the result from its reasons.
    void setVerdict(const QString& sentence, Compared times);
    /// What is shown together, as if it were chosen.
    void setMatch(Match match);
    [[nodiscard]] QSize sizeHint() const override { return {420, 180}; }

Q_SIGNALS:
    /// The user wants only one run again.
    void closed();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fill();
    void fillRows();
    void say(const QString& sentence);
    void showDifferences(engine::Table table);
    void shareOut();
    void fitVerdict();

    Playback* first_;
    Playback* second_;
    LinkedPlayback* pairing_;
    QLabel* winner_;  // and why
    QString sentence_;
    QComboBox* match_;
    AnswerModel model_;
    Worker comparer_;
    QTableView* rows_;
    std::vector<Compared> times_;  // the first rows
};

}  // namespace app::gui
