// SPDX-License-Identifier: BSD-3-Clause
// What can be asked, as a list, or where there is little room as a box to choose from.
#pragma once

#include <QComboBox>
#include <QListWidget>

namespace app::gui {

class QuestionChoice final : public QObject {
    Q_OBJECT

public:
    explicit QuestionChoice(QObject* parent);

    [[nodiscard]] QListWidget* list() const { return list_; }
    [[nodiscard]] QComboBox* box() const { return box_; }
    /// Of both the one that is used now.
    void setSlim(bool slim);
    /// The name of a table of analysis::tableDefinitions(), or "" for the first page.
    void choose(const QString& definition);
    [[nodiscard]] QString chosen() const;

Q_SIGNALS:
    void changed();

private:
    QListWidget* list_;
    QComboBox* box_;
};

}  // namespace app::gui
