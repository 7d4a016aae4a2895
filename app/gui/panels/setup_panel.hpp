// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "app/gui/panels/field.hpp"
#include "app/gui/recall.hpp"

#include <QComboBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QTimer>

#include <functional>
#include <vector>

namespace app::gui {

/// What to run: algorithm, problem, the algorithm's own options, machine. A change runs at once when the run is small,
/// else on demand. What cannot be run is said in a sentence beside the field it comes from.
class SetupPanel final : public QWidget {
    Q_OBJECT

public:
    SetupPanel();

    /// What the fields say; nothing when one of them cannot be read (then its note says why).
    [[nodiscard]] std::optional<RunWish> wish();
    /// Fills the fields in; runs nothing.
    void setWish(const RunWish& wish);
    /// How a run over MPI is started, and how often it is executed.
    [[nodiscard]] Processes processes() const;
    void setProcesses(const Processes& processes);
    /// Says something about the run beneath the fields, until one of them changes; where there is too little room,
    /// `more` stands in the tip.
    void say(const QString& sentence, const QString& more = {});
    [[nodiscard]] QString said() const { return hint_->text(); }
    /// Shows a refusal beside the field it speaks of, or beneath the algorithm.
    void refuse(const QString& sentence);
    /// The sentence that stands anywhere in the form; empty when all is well.
    [[nodiscard]] QString refusal() const;

    void setBusy(bool busy);
    void setProgress(double share);

    /// Checks the fields and runs, however large.
    void runNow();

    [[nodiscard]] QSize sizeHint() const override { return {300, 400}; }

protected:
    void resizeEvent(QResizeEvent* event) override;

Q_SIGNALS:
    void wished(const app::RunWish& wish);
    void cancelled();

private:
    void buildAlgorithm();
    void buildProblem();
    void buildMachine();
    void buildConditions();
    void buildProcesses();
    void fitProcesses();
    void hostsChosen();
    static QString theLab();  ///< the choices among hosts that are no file
    static QString ofAFile();
    void showConditions(const RunWish& wish);
    [[nodiscard]] bool readConditions(RunWish& wish);
    void fitConditions();
    void modelChosen();
    void modelChanged();
    void takeModel(const engine::Model& model);
    [[nodiscard]] QLineEdit* addLine(Field*& field, const QString& label, const QString& empty,
                                     const QStringList& words, const QString& tip);
    [[nodiscard]] QComboBox* addBox(Field*& field, const QString& label, const QString& empty,
                                    const QStringList& choices, const QStringList& words, const QString& tip);
    void buildOptions();
    Field* addField(QFormLayout* form, const QString& label, QWidget* editor, const QStringList& words,
                    const QString& tip);
    void watch(QWidget* editor);
    void algorithmChanged();
    void suggestTopologies();
    void clearNotes();
    void consider(bool evenIfLarge);

    /// Whether `read` was done; where it throws, the field says why not.
    bool readInto(Field* field, const std::function<void()>& read);
    [[nodiscard]] const engine::Algorithm& algorithm() const;

    QComboBox* algorithm_;
    Field* algorithmField_;
    QFormLayout* form_;
    QSpinBox* groupA_;
    QSpinBox* groupB_;
    QLineEdit* size_;
    QLineEdit* sizeB_;
    QComboBox* sizes_;
    QSpinBox* root_;
    QComboBox* operation_;
    QComboBox* element_;
    QSpinBox* ports_;
    QComboBox* on_;
    QComboBox* topology_;
    QComboBox* model_;
    QLineEdit* alpha_;
    QLineEdit* beta_;
    QLineEdit* gamma_;
    QComboBox* stepping_;
    QComboBox* sharing_;
    QPushButton* more_;  // shows the conditions below it
    QLineEdit *logGP_, *eager_, *header_, *detached_, *slowRanks_, *slowLinks_;
    QComboBox *placement_, *relay_, *arrival_;
    Field *modelField_, *logGPField_, *eagerField_, *headerField_, *detachedField_, *slowRanksField_, *slowLinksField_,
        *placementField_, *relayField_, *arrivalField_;
    QLineEdit* launcher_;
    QComboBox* hosts_;
    QSpinBox *repeats_, *warmUps_;
    Field *launcherField_, *hostsField_, *repeatsField_, *warmUpsField_;
    std::string ownModel_ = "alpha-beta";  // name of the model where none of the list is chosen
    Field *ranksField_, *sizeField_, *sizeBField_, *sizesField_, *rootField_, *operationField_, *elementField_,
        *alphaField_, *betaField_, *gammaField_, *steppingField_, *sharingField_;
    struct OptionField {
        const engine::Option* option;
        Field* field;
        QWidget* editor;
    };
    std::vector<OptionField> options_;
    std::vector<Field*> fields_;
    QLabel* hint_;
    QPushButton* run_;
    QPushButton* cancel_;
    QProgressBar* progress_;
    QTimer settle_;
    bool filling_ = false;
    std::string builtFor_;  // algorithm whose options are shown
};

}  // namespace app::gui
