// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <QScrollArea>
#include <QSplitter>
#include <QTabBar>

namespace app::gui {

class Card;
class NetworkAndTimeline;
class Playback;

/// The pictures of a run; of two runs above each other or side by side, with what differs between them. What has no
/// room is not crushed: it stands behind a tab, and on a projector, where nobody chooses tabs, it is left out.
class TwoRunView final : public QScrollArea {
    Q_OBJECT

public:
    /// `playback` is the first run's, `other` the second one's.
    TwoRunView(const Playback& playback, const Playback& other, NetworkAndTimeline* first, NetworkAndTimeline* second,
               Card* differences);

    /// Whether there is a second run.
    void setSecond(bool there);
    /// Whether two runs stand above each other where there is room for them side by side.
    void setAbove(bool above);
    /// To be called when everything is larger or smaller than before.
    void arrange();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    /// Which of several parts has all of the room.
    enum class Part : std::uint8_t { both, first, second, differences };

    void arrangeOne();
    void arrangeTwo(QSizeF room);
    void arrangeTight(QSizeF room);
    void offer(const QList<Part>& parts);
    void show(Part part);
    void setWays(Qt::Orientation runs, Qt::Orientation levels);
    [[nodiscard]] QString name(Part part) const;

    const Playback* playback_;
    NetworkAndTimeline* first_;
    NetworkAndTimeline* second_;
    Card* differences_;
    QSplitter* runs_;
    QSplitter* levels_;  // them, and what differs
    QTabBar* tabs_;
    bool two_ = false;
    bool above_ = false;
    bool divided_ = false;  // runs, by the user
};

}  // namespace app::gui
