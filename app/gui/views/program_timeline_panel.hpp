// SPDX-License-Identifier: BSD-3-Clause
// A traced program: its tracks.
#pragma once

#include "app/gui/views/diagram_panel.hpp"

#include <QMenu>

namespace app::gui {

/// What every rank and every other location did when. Beside the keys of diagrams over time: O, another order of rows,
/// and V, other metrics.
class ProgramTimelinePanel final : public DiagramPanel {
    Q_OBJECT

public:
    explicit ProgramTimelinePanel(Playback& playback);

protected:
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    [[nodiscard]] std::optional<std::uint32_t> messageAt(QPointF at) override;

private:
    /// One metric after the other, then all, then none.
    void nextMetrics();
    void fillMetrics(QMenu& menu);
};

}  // namespace app::gui
