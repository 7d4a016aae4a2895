// SPDX-License-Identifier: BSD-3-Clause
// The panel Analysis: a summary in sentences, and the tables of the run or trace that is shown. A row leads to its
// place.
#pragma once

#include "app/analysis/overview/analysis_queue.hpp"
#include "app/gui/playback/playback.hpp"
#include "app/gui/tables/answer_table.hpp"
#include "app/gui/tables/table_chooser.hpp"
#include "app/gui/widgets/run_progress.hpp"
#include "app/gui/widgets/worker.hpp"

#include <QBoxLayout>
#include <QCheckBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QTextBrowser>
#include <QTimer>
#include <QToolButton>

namespace app::gui {

/// Works only while it is seen; another question, part or assumption cancels the work for the one before.
class TablesPanel final : public QWidget {
    Q_OBJECT

public:
    explicit TablesPanel(Playback& playback);

    /// Asks a question of analysis::tableDefinitions() by its name, or for the first page by "".
    void choose(const QString& question) { questions_->choose(question); }
    [[nodiscard]] bool busy() const { return worker_.busy(); }
    /// The rows as they are sorted now.
    [[nodiscard]] const QAbstractItemModel& rows() const { return table_->sorted(); }
    [[nodiscard]] QString sentences() const { return page_->toPlainText(); }
    /// What is said below the answer: remarks, or why there is none.
    [[nodiscard]] QString remark() const { return remarks_->text(); }
    /// Puts the selected rows, or all, on the clipboard; of the first page its text.
    void copy();
    /// Writes the whole table, in the units of the command line's csv. Says what went wrong below the answer.
    void save(const QString& file);

    [[nodiscard]] QSize sizeHint() const override { return {560, 240}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {200, 100}; }

Q_SIGNALS:
    /// Of the causes of waiting one that a replay is to do without: "rank 3: main/assemble".
    void delayChosen(const QString& delay);
    /// The rounds of an instance of a trace are wanted, by its number from 1.
    void instanceOpened(std::int64_t number);

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* buildAnswer();
    QLayout* buildChoice();
    QWidget* buildTools();
    QWidget* buildAssumptions();
    QLineEdit* field(const QString& name, const QString& empty, const QString& tip);
    void begin();
    void ask();
    void present(analysis::Answer answer);
    void present(const std::vector<analysis::Finding>& findings);
    void goTo(const QModelIndex& row);
    void addMenu();
    [[nodiscard]] std::optional<std::string> chosenDelay() const;
    [[nodiscard]] std::optional<std::int64_t> chosenInstance() const;
    void askWhereToSave();
    [[nodiscard]] analysis::AnalysisOptions wish() const;
    [[nodiscard]] QString question() const { return questions_->chosen(); }
    void follow();

    void fold(bool slim);
    void unfold();
    void remark(const QStringList& words);

    Playback* playback_;
    std::shared_ptr<analysis::AnalysisQueue> queue_;
    std::vector<analysis::Place> places_;
    QuestionChoice* questions_;
    QToolButton* more_;
    QStackedWidget* pages_;
    QTextBrowser* page_;
    AnswerTable* table_;
    QLabel* remarks_;
    QCheckBox* visibleOnly_;
    QLineEdit *ranks_, *network_, *placement_, *alpha_, *beta_;
    QWidget* toolBox_;
    QBoxLayout* tools_;
    QGridLayout* assumptions_;
    std::vector<std::pair<QLabel*, QLineEdit*>> fields_;
    QPushButton* copy_;
    QPushButton* save_;
    RunProgress* progress_;
    bool titled_ = false;  // the remark says what the rows are of, not why there are none
    QTimer settle_;
    QString savedIn_;                                             // the folder of the last table
    bool stale_ = true;                                           // what is shown is not the answer to what is chosen
    std::pair<engine::Picoseconds, engine::Picoseconds> span_{};  // that was asked about
    Worker worker_;
};

}  // namespace app::gui
