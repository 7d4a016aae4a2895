// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/views/charts_panel.hpp"

#include <QTabBar>

namespace app::gui {

ChartsPanel::ChartsPanel(Playback& playback) {
    setDocumentMode(true);
    setUsesScrollButtons(true);
    tabBar()->setAccessibleName(tr("Charts"));
    tabBar()->setExpanding(false);
    const QString keys = tr("Up and Down select a rank.");
    const auto add = [&](View view, const QString& title, const QString& name, const QString& tip) {
        const int index = addTab(new ViewWidget{playback, view, name, keys}, title);
        setTabToolTip(index, tip);
    };
    add({.upper = idleScene, .table = idleTable}, tr("Ranks"), tr("Chart: how every rank spent the run"),
        tr("How every rank spent the run"));
    const auto counted = [](const DrawableRun& subject) { return subject.counted(); };
    add({.upper = waitsScene, .table = waitsTable, .ready = counted}, tr("Waits"), tr("Chart: waiting time by rank"),
        tr("How long ranks waited, and who made them wait"));
    add({.upper = linksScene, .table = linksTable, .ready = counted}, tr("Links"), tr("Chart: load of links by round"),
        tr("What every link carried in every round"));
    add({.upper = trafficScene, .table = trafficTable, .ready = counted}, tr("Matrix"),
        tr("Chart: communication matrix"), tr("Bytes from every rank to every rank"));
    add({.upper = bracketsScene, .table = bracketsTable}, tr("Reduction order"), tr("Chart: reduction order"),
        tr("In which order, and by whom, a result is reduced"));
    add({.upper = patternScene, .table = stripTable}, tr("Pattern"), tr("Chart: communication pattern"),
        tr("Who sends to whom in each round"));
    add({.upper = partialsScene, .table = partialsTable}, tr("Partial"), tr("Chart: partial results"),
        tr("What each rank has combined after each round"));
}

void ChartsPanel::choose(const QString& title) {
    for (int i = 0; i < count(); ++i)
        if (tabText(i) == title) setCurrentIndex(i);
}

}  // namespace app::gui
