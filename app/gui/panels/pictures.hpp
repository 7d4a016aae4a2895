// SPDX-License-Identifier: BSD-3-Clause
// Pictures of a run that need nothing beyond what every view does: the network, who holds what, and the bounds.
#pragma once

#include "app/gui/panels/view_widget.hpp"

namespace app::gui {

/// Ranks, links and the messages under way.
class NetworkPanel final : public ViewWidget {
    Q_OBJECT
public:
    explicit NetworkPanel(Playback& playback);
};

/// Which rank holds which block.
class HoldingsPanel final : public ViewWidget {
    Q_OBJECT
public:
    explicit HoldingsPanel(Playback& playback);
    [[nodiscard]] QSize sizeHint() const override { return {320, 260}; }
};

/// Rounds, volume and time beside their lower bounds and the formula.
class BoundsPanel final : public ViewWidget {
    Q_OBJECT
public:
    explicit BoundsPanel(Playback& playback);
    [[nodiscard]] QSize sizeHint() const override { return {320, 220}; }
};

}  // namespace app::gui
