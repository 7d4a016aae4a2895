// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "app/gui/widgets/field.hpp"
#include "app/session/options/run_options.hpp"
#include "app/session/replay/replay_changes.hpp"
#include "app/session/replay/replay_offers.hpp"

#include <QFormLayout>
#include <QPushButton>

#include <optional>
#include <vector>

namespace app::gui {

/// What of a recorded program is to be another way: the changes of a replay and its conditions, each empty as long as
/// it is as recorded.
class ReplayForm final : public QWidget {
    Q_OBJECT

public:
    ReplayForm();

    /// What the fields say; nothing when one of them cannot be read (then its note says why).
    [[nodiscard]] std::optional<ReplayWish> wish();
    /// The same as it is typed, whether it can be read or not.
    [[nodiscard]] ReplayWords words() const;
    /// Fills the fields in; those that nothing is said of are emptied.
    void setWords(const ReplayWords& words);
    /// Says more in the field of that key, which takes several entries.
    void add(std::string_view key, const QString& word);
    /// Whether labels stand above their fields.
    void setSlim(bool slim);
    /// What is replayed: a program, or one run, which has no computing. Fields that mean nothing for it are hidden.
    void setTrace(std::int32_t ranks, bool program);
    void offer(const ReplayOffers& offers);
    /// Shows a refusal beside the first field that it is about; false where it is about none.
    bool refuse(const QString& sentence);
    void clearNotes();
    /// The sentence beside any field; empty when all is well.
    [[nodiscard]] QString refusal() const;

Q_SIGNALS:
    /// Return, or an entry chosen from a list.
    void wanted();

private:
    /// An editor of a change, or of a condition.
    struct Editor {
        std::string_view key;
        const fields::Entry* entry;  ///< of a condition
        Field* field;
        QWidget* widget;
        bool further = false;  ///< only seen where more conditions are asked for
    };

    void add(const ReplayChange& change);
    void add(const fields::Entry& entry);
    void put(const Editor& editor, const QString& label, const QString& tip);
    [[nodiscard]] const Editor& editorOf(std::string_view key) const;
    [[nodiscard]] static std::vector<std::string> wordsIn(const Editor& editor);
    static void fill(const Editor& editor, const std::vector<std::string>& words);
    void fit();

    QFormLayout* form_;
    QPushButton* more_;
    std::vector<Editor> editors_;
    bool program_ = true;
};

}  // namespace app::gui
