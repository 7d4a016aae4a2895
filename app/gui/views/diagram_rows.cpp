// SPDX-License-Identifier: BSD-3-Clause
// The rows of pictures over time under the mouse and the keyboard: how high they are, which are seen, and their groups.
#include "app/gui/views/diagram_panel.hpp"
#include "app/gui/views/time_zoom.hpp"

#include <algorithm>
#include <numeric>

namespace app::gui {

void DiagramPanel::addRowKeys() {
    addRowKey(tr("Rows hi&gher"), Qt::Key_E, [this] { zoomRows(1 / rowStep); });
    addRowKey(tr("Rows lo&wer"), Qt::Key_Q, [this] { zoomRows(rowStep); });
    addRowKey(tr("Rows a&bove"), Qt::Key_PageUp, [this] { scrollRows(-rows().value_or(RowsInSight{}).seen * 0.8); });
    addRowKey(tr("Rows belo&w"), Qt::Key_PageDown, [this] { scrollRows(rows().value_or(RowsInSight{}).seen * 0.8); });
    addRowKey(tr("&Group ranks by node, by communicator, not at all"), Qt::Key_G, [this] { groupNext(); });
    addRowKey(tr("&Fold or unfold all groups"), QKeySequence{"Shift+G"}, [this] { foldAll(); });
}

std::optional<RowsInSight> DiagramPanel::rows() const {
    const DrawableRunPtr& subject = playback().subject();
    if (!subject || !ready()) return std::nullopt;
    std::optional<RowsInSight> found = arrangement_.rows(*subject, playback().state(), paper());
    if (found) {
        found->pitch *= playback().magnification();
        found->above *= playback().magnification();
    }
    return found;
}

void DiagramPanel::zoomRows(double factor, std::optional<double> y) {
    const std::optional<RowsInSight> before = rows();
    if (!before) return;
    ProgramTimelineView view = playback().state().tracks;
    const double into = y ? *y - before->above : before->pitch * before->seen / 2;
    const double row = before->top + into / before->pitch;
    view.zoom = std::clamp(view.zoom * factor, 1.0, mostRowZoom);
    playback().setProgramTimeline(view);
    const std::optional<RowsInSight> after = rows();
    // What is no higher for it keeps its zoom: the next step back is felt at once.
    if (after->pitch == before->pitch && factor > 1) view.zoom /= factor;
    view.top = std::max(row - into / after->pitch, 0.0);
    playback().setProgramTimeline(std::move(view));
}

void DiagramPanel::scrollRows(double rows) {
    const std::optional<RowsInSight> now = this->rows();
    if (!now) return;
    ProgramTimelineView view = playback().state().tracks;
    view.top = std::max(now->top + rows, 0.0);
    playback().setProgramTimeline(view);
    // Not beyond the last one.
    if (const std::optional<RowsInSight> after = this->rows(); after->top != view.top) {
        view.top = after->top;
        playback().setProgramTimeline(std::move(view));
    }
}

void DiagramPanel::groupNext() {
    const DrawableRunPtr& subject = playback().subject();
    if (!subject || !ready()) return;
    ProgramTimelineView view = playback().state().tracks;
    do {
        view.groups = next(view.groups, 3);
    } while (view.groups != ProgramTimelineView::Groups::none && arrangement_.groups(*subject, view.groups).empty());
    view.folded.clear();
    view.top = 0;
    playback().setProgramTimeline(std::move(view));
}

void DiagramPanel::foldAll() {
    const DrawableRunPtr& subject = playback().subject();
    if (!subject || !ready()) return;
    ProgramTimelineView view = playback().state().tracks;
    const std::size_t groups = arrangement_.groups(*subject, view.groups).size();
    const bool isFolded = view.folded.size() == groups;
    view.folded.resize(isFolded ? 0 : groups);
    std::iota(view.folded.begin(), view.folded.end(), 0);
    playback().setProgramTimeline(std::move(view));
}

}  // namespace app::gui
