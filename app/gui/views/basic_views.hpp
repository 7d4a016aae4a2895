// SPDX-License-Identifier: BSD-3-Clause
// Pictures of a run that need little beyond what every view does: the headline, the network, block ownership.
#pragma once

#include "app/gui/scenes/common/gap_bar.hpp"
#include "app/gui/views/view_widget.hpp"

namespace app::gui {

/// The result in a sentence, and the time cut by cause; a click on a part asks where it is seen.
class HeadlinePanel final : public ViewWidget {
    Q_OBJECT
public:
    explicit HeadlinePanel(Playback& playback);
    [[nodiscard]] QSize sizeHint() const override { return {420, 78}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {120, 24}; }

Q_SIGNALS:
    /// Of analysis::gapCauses; -1: the bound.
    void causeAsked(int cause);
    /// Mean time per rank by activity.
    void spentAsked(SpentIn seen);

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void standOnGround();
};

/// Ranks, links and the messages in flight.
class NetworkPanel final : public ViewWidget {
    Q_OBJECT
public:
    explicit NetworkPanel(Playback& playback);
    [[nodiscard]] Mark::On notesOn() const override { return Mark::On::network; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {120, 44}; }

protected:
    /// The nearest rank, where it is near enough; else the link that lies there.
    [[nodiscard]] std::optional<Mark> placeBelow(QPointF at) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    void addLensKeys();
    void zoom(double factor, std::optional<QPointF> at = {});
    void moveLayer(std::int32_t by);

    std::optional<QPointF> held_;  // where what is seen was taken to be moved
};

/// Which rank holds which block.
class OwnershipPanel final : public ViewWidget {
    Q_OBJECT
public:
    explicit OwnershipPanel(Playback& playback) : ViewWidget{playback, viewNamed("holdings")} {}
    /// The message that brought a rank what a cell stands for: the first one, where several did.
    [[nodiscard]] std::optional<std::uint32_t> messageAt(QPointF at) override;
};

}  // namespace app::gui
