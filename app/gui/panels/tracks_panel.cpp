// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/panels/tracks_panel.hpp"

#include "app/gui/scenes/program_words.hpp"
#include "app/gui/scenes/tracks_frame.hpp"

namespace app::gui {
namespace {

/// Of the picture below the cursor: what is selected is drawn above it.
ViewState onlySeen(const Subject&, ViewState state) {
    ViewState kept;
    kept.spanBegin = state.spanBegin;
    kept.spanEnd = state.spanEnd;
    kept.horizon = state.horizon;
    kept.dark = state.dark;
    kept.tracks = std::move(state.tracks);
    return kept;
}

ViewState onlyAsked(const Subject&, ViewState state) {
    ViewState kept;
    kept.dark = state.dark;
    kept.asked = state.asked;
    return kept;
}

bool programIsReady(const Subject& subject) { return !subject.isProgram() || subject.programReady(); }

std::optional<RowsInSight> rowsOf(const Subject& subject, const ViewState& state, QSizeF paper) {
    const analysis::TracedProgram* program = programOf(subject);
    if (program == nullptr) return std::nullopt;
    const TracksFrame frame = tracksFrame(subject, *program, state, paper);
    return RowsInSight{frame.pitch, frame.plot.top(), frame.top, frame.plot.height() / frame.pitch};
}

const std::vector<analysis::RankGroup>& groupsIn(const Subject& subject, TracksView::Groups groups) {
    static const std::vector<analysis::RankGroup> none;
    const analysis::TracedProgram* program = programOf(subject);
    return program == nullptr ? none : groupsOf(*program, {.groups = groups});
}

}  // namespace

TracksPanel::TracksPanel(Playback& playback)
    : DiagramPanel{playback,
                   {.upper = tracksForeground,
                    .table = tracksTable,
                    .lower = tracksBackground,
                    .depends = onlySeen,
                    .ready = programIsReady,
                    .at = tracksMeaningAt},
                   {.axis = timeAxisOf, .rows = rowsOf, .groups = groupsIn},
                   tr("Tracks of the program"),
                   tr(" O orders rows.")} {
    addRowKey(tr("&Order rows by rank, time waited, time computed"), Qt::Key_O, [this] {
        TracksView view = this->playback().state().tracks;
        view.order = next(view.order, 3);
        this->playback().setTracks(std::move(view));
    });
}

WherePanel::WherePanel(Playback& playback)
    : ViewWidget{
          playback,
          {.upper = noScene, .table = whereTable, .lower = whereScene, .depends = onlyAsked, .ready = programIsReady},
          tr("Where the time went: call tree"),
          tr("A click on a cell leads to the longest call of the path on that rank.")} {}

WhenPanel::WhenPanel(Playback& playback)
    : ViewWidget{
          playback,
          {.upper = noScene, .table = whenTable, .lower = whenScene, .depends = onlyAsked, .ready = programIsReady},
          tr("When: iterations"),
          tr("A click on a bar leads to the iteration.")} {}

}  // namespace app::gui
