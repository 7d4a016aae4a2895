// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/views/charts_panel.hpp"

#include "app/gui/scenes/drawing/to_qt.hpp"

#include <QTabBar>

namespace app::gui {
namespace {

/// Whether the chart of that name is more than a sentence on what is missing.
bool showsAnything(std::string_view view, const DrawableRun& subject) {
    if (view == "links") return subject.report().network != nullptr && subject.report().network->links() > 0;
    if (view == "brackets") return subject.problem() && engine::isReduction(subject.problem()->collective);
    if (view == "pattern") return subject.hasRounds();
    if (view == "partials")
        return subject.hasRounds() && subject.columns().kind() == analysis::Columns::Kind::contributions;
    return true;
}

}  // namespace

ChartsPanel::ChartsPanel(Playback& playback) {
    setDocumentMode(true);
    setUsesScrollButtons(true);
    tabBar()->setAccessibleName(tr("Charts"));
    tabBar()->setExpanding(false);
    for (const View& view : views())
        if (view.tab != nullptr) {
            const int tab = addTab(new ViewWidget{playback, view}, tr(view.tab));
            setTabToolTip(tab, toQt(view.heading));
            connect(&playback, &Playback::subjectChanged, this, [this, tab, &playback, name = view.name] {
                setTabVisible(tab, !playback.subject() || showsAnything(name, *playback.subject()));
            });
        }
}

void ChartsPanel::choose(const QString& title) {
    for (int i = 0; i < count(); ++i)
        if (tabText(i) == title) {
            setTabVisible(i, true);  // an empty chart gives the reason
            setCurrentIndex(i);
        }
}

}  // namespace app::gui
