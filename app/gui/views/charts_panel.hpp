// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "app/gui/views/view_widget.hpp"

#include <QTabWidget>

namespace app::gui {

/// Sums over the whole run, one chart at a time.
class ChartsPanel final : public QTabWidget {
    Q_OBJECT

public:
    explicit ChartsPanel(Playback& playback);

    /// Brings the chart of that title to the front.
    void choose(const QString& title);

    [[nodiscard]] QSize sizeHint() const override { return {320, 260}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {140, 110}; }
};

}  // namespace app::gui
