// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/views/charts_panel.hpp"

#include "app/gui/scenes/drawing/to_qt.hpp"

#include <QTabBar>

namespace app::gui {

ChartsPanel::ChartsPanel(Playback& playback) {
    setDocumentMode(true);
    setUsesScrollButtons(true);
    tabBar()->setAccessibleName(tr("Charts"));
    tabBar()->setExpanding(false);
    for (const View& view : views())
        if (view.tab != nullptr)
            setTabToolTip(addTab(new ViewWidget{playback, view}, tr(view.tab)), toQt(view.heading));
}

void ChartsPanel::choose(const QString& title) {
    for (int i = 0; i < count(); ++i)
        if (tabText(i) == title) setCurrentIndex(i);
}

}  // namespace app::gui
