// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QSplitter>

namespace app::gui {

class Playback;
class Card;
class NetworkPanel;
class OverviewPanel;
class RunTimelinePanel;
class ProgramTimelinePanel;

/// The network of a run and its space-time diagram, as cards that share a place: above each other, or, where two runs
/// stand above each other and where a place is low and wide, side by side. Until the user divides the place, the
/// network gives way to the diagram in a low one, and the strip below that to both. A traced program is shown by its
/// tracks, alone.
class NetworkAndTimeline final : public QSplitter {
    Q_OBJECT

public:
    NetworkAndTimeline(Playback& playback, NetworkPanel* network, RunTimelinePanel* spaceTime, OverviewPanel* overview,
                       ProgramTimelinePanel* tracks);

    /// Which run this is, while there are two.
    [[nodiscard]] const QString& run() const;
    /// Whether two runs stand above each other.
    void setAbove(bool above);
    /// Whether there is room for the network beside the diagram.
    void setNetwork(bool room);
    /// Tracks in the place of both pictures, or these again.
    void showProgram(bool shown);
    /// How the user divided the place; empty: not at all.
    [[nodiscard]] QByteArray division() const;
    void divideAs(const QByteArray& division);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void nameCards();
    void showParts();
    void turn(Qt::Orientation way);
    void arrange();
    void share();
    void showOverview();
    [[nodiscard]] int scaled(int pixels) const;

    const Playback* playback_;
    Card* network_;
    Card* overTime_;
    RunTimelinePanel* spaceTime_;
    OverviewPanel* overview_;
    ProgramTimelinePanel* tracks_;
    bool program_ = false;
    bool roomForNetwork_ = true;
    bool above_ = false;
    bool divided_ = false;  // by the user
};

/// The second run beside the first, on the first one's clock.
NetworkAndTimeline* otherSide(Playback& other);

}  // namespace app::gui
