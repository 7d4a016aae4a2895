// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "app/gui/settings/run_settings.hpp"
#include "app/gui/widgets/field.hpp"
#include "app/session/options/run_options.hpp"

#include <QComboBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QTimer>

#include <array>
#include <functional>
#include <vector>

namespace app::gui {

inline constexpr int mostRanks = 1 << 20;  ///< what a picture of a run can still be about

/// The fields that say the costs of a machine, value by value.
inline constexpr std::array<std::string_view, 5> costs{"alpha", "beta", "gamma", "loggp", "eager"};

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
    /// Shows a refusal beside the first field that it is about and that can be seen, or beneath the algorithm.
    void refuse(const QString& sentence);
    /// The sentence that stands anywhere in the form; empty when all is well.
    [[nodiscard]] QString refusal() const;

    /// Checks the fields and runs, however large.
    void runNow();
    /// Puts the keyboard into the field of that key, and the field in sight; empty: the algorithm.
    void edit(const QString& key);

    [[nodiscard]] QSize sizeHint() const override { return {300, 400}; }

protected:
    void resizeEvent(QResizeEvent* event) override;

Q_SIGNALS:
    void wished(const app::RunWish& wish);

private:
    void buildAlgorithm();
    void buildRanks();
    void buildModel();
    void buildHosts();
    void buildConditions();
    void fitProcesses();
    void hostsChosen();
    static QString theLab();  ///< the choices among hosts that are no file
    static QString ofAFile();
    void showConditions(const RunWish& wish);
    void fitConditions();
    void modelChosen();
    void modelChanged();
    void takeModel(const engine::Model& model);
    /// An editor of a field of the table: what it is called and explained by stands there.
    struct Editor {
        const fields::Entry* entry;
        Field* field;
        QWidget* widget;
    };
    /// Editors of all fields of the section, in the order of the table.
    void add(fields::Section section);
    [[nodiscard]] const Editor& editorOf(std::string_view key) const;
    [[nodiscard]] Field* fieldOf(std::string_view key) const { return editorOf(key).field; }
    template <class Widget = QLineEdit>
    [[nodiscard]] Widget* widgetOf(std::string_view key) const {
        return qobject_cast<Widget*>(editorOf(key).widget);
    }
    /// The words in an editor, as its field reads them.
    [[nodiscard]] static std::string wordsIn(const Editor& editor);
    static void fill(const Editor& editor, const std::string& words);
    /// Reads every editor that matters into `specification`; whether all could be read.
    bool readEditors(Specification& specification);
    void readModelName(engine::Model& model) const;
    void buildOptions();
    Field* addField(const QString& label, QWidget* editor, const QStringList& keys, const QString& tip);
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
    QScrollArea* scroll_;
    QSpinBox* groupA_;
    QSpinBox* groupB_;
    QComboBox *on_, *topology_, *model_, *sharing_, *hosts_;
    QPushButton* more_;  // shows the conditions below it
    Field *ranksField_, *modelField_, *hostsField_;
    std::vector<Editor> editors_;
    std::map<engine::Operation, engine::Rate> gammaOf_;  // of the model chosen last
    std::string ownModel_ = "alpha-beta";                // name of the model where none of the list is chosen
    struct OptionField {
        const engine::Option* option;
        Field* field;
        QWidget* editor;
    };
    std::vector<OptionField> options_;
    std::vector<Field*> fields_;
    QLabel* hint_;
    QPushButton* run_;
    QTimer settle_;
    bool filling_ = false;
    std::string builtFor_;  // algorithm whose options are shown
};

}  // namespace app::gui
