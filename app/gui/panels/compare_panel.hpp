// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "app/gui/models/words_model.hpp"
#include "app/gui/pairing.hpp"

#include <QComboBox>
#include <QLabel>
#include <QSplitter>
#include <QTableView>
#include <QWidget>

namespace app::gui {

class Card;
class NetworkPanel;
class OverviewPanel;
class SpaceTimePanel;
class TracksPanel;

/// The network of a run and its space-time diagram, as cards that share a place: above each other, or, where two runs
/// stand above each other, side by side. A traced program is shown by its tracks, alone.
class PairOfPictures final : public QSplitter {
    Q_OBJECT

public:
    /// `tracks`: null where no program is ever shown.
    PairOfPictures(Playback& playback, NetworkPanel* network, SpaceTimePanel* spaceTime, OverviewPanel* overview,
                   TracksPanel* tracks = nullptr);

    /// Which run this is, while there are two: "A: ring-streams"; empty: there is one.
    void setRun(const QString& name);
    /// What the card of the diagram is called.
    [[nodiscard]] QString run() const;
    /// Whether two runs stand above each other.
    void setAbove(bool above);
    /// Tracks in the place of both pictures, or these again.
    void showProgram(bool shown);

private:
    Card* network_;
    Card* overTime_;
    SpaceTimePanel* spaceTime_;
    TracksPanel* tracks_;
};

/// The second run beside the first, on the first one's clock.
PairOfPictures* otherSide(Playback& other);

/// What differs between two runs, and which moments of them belong together.
class DifferencesPanel final : public QWidget {
    Q_OBJECT

public:
    DifferencesPanel(Playback& first, Playback& second, Pairing& pairing);

    [[nodiscard]] const WordsModel& model() const { return model_; }
    /// The sentence that says which run is faster, and why.
    [[nodiscard]] QString winner() const { return winner_->text(); }
    /// That sentence, to be shown elsewhere.
    [[nodiscard]] QLabel* verdict() const { return winner_; }
    [[nodiscard]] QSize sizeHint() const override { return {420, 180}; }

Q_SIGNALS:
    /// The user wants only one run again.
    void closed();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fill();
    void shareOut();

    Playback* first_;
    Playback* second_;
    QLabel* winner_;  // and why
    WordsModel model_;
    QTableView* rows_;
};

}  // namespace app::gui
