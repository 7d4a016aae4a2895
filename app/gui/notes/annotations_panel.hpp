// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "app/gui/playback/playback.hpp"

#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableWidget>
#include <QWidget>

namespace app::gui {

/// The user's marks: a row for each, with a note that can be written; choosing a row goes to its moment. Those on
/// pictures can be moved to what is selected.
class AnnotationsPanel final : public QWidget {
    Q_OBJECT

public:
    explicit AnnotationsPanel(Playback& playback);

    /// Marks the moment of the cursor, and waits for its note.
    void mark();

    [[nodiscard]] QSize sizeHint() const override { return {300, 180}; }

private:
    void follow();
    void remove();
    void moveHere();
    void choose(int row);

    Playback* playback_;
    QStackedWidget* pages_;  // the notes, or what they are while there are none
    QTableWidget* rows_;
    QPushButton* move_;
    QPushButton* remove_;
    QLabel* hint_;
    std::vector<Mark> shown_;
};

}  // namespace app::gui
