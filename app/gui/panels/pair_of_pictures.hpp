// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QSplitter>

namespace app::gui {

class Playback;
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
    PairOfPictures(Playback& playback, NetworkPanel* network, SpaceTimePanel* spaceTime, OverviewPanel* overview,
                   TracksPanel* tracks);

    /// Which run this is, while there are two.
    [[nodiscard]] const QString& run() const;
    /// Whether two runs stand above each other.
    void setAbove(bool above);
    /// Whether there is room for the network beside the diagram, and for the overview below that.
    void setRoom(bool network, bool overview);
    /// Tracks in the place of both pictures, or these again.
    void showProgram(bool shown);

private:
    void showParts();
    void nameCards();

    Playback* playback_;
    Card* network_;
    Card* overTime_;
    SpaceTimePanel* spaceTime_;
    OverviewPanel* overview_;
    TracksPanel* tracks_;
    bool program_ = false;
    bool roomForNetwork_ = true;
};

/// The second run beside the first, on the first one's clock.
PairOfPictures* otherSide(Playback& other);

}  // namespace app::gui
