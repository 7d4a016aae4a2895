// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/panels/tracks_panel.hpp"

#include "app/gui/panels/time_zoom.hpp"
#include "app/gui/scenes/program_words.hpp"
#include "app/gui/scenes/tracks_frame.hpp"

#include <QMouseEvent>
#include <QWheelEvent>

#include <cmath>

namespace app::gui {
namespace {

constexpr double rowStep = 0.8;
constexpr double rowsPerNotch = 3;

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

template <class Value>
Value next(Value value, int values) {
    return static_cast<Value>((static_cast<int>(value) + 1) % values);
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
                   timeAxisOf,
                   tr("Tracks of the program"),
                   tr(" E and Q make rows higher and lower, Page Up and Page Down show others, O orders them, G groups "
                      "them.")} {
    addKey(tr("Rows hi&gher"), Qt::Key_E, [this] { zoomRows(1 / rowStep); });
    addKey(tr("Rows lo&wer"), Qt::Key_Q, [this] { zoomRows(rowStep); });
    addKey(tr("Rows a&bove"), Qt::Key_PageUp, [this] { scrollRows(-rows().value_or(Rows{}).seen * 0.8); });
    addKey(tr("Rows belo&w"), Qt::Key_PageDown, [this] { scrollRows(rows().value_or(Rows{}).seen * 0.8); });
    addKey(tr("&Order rows by rank, time waited, time computed"), Qt::Key_O, [this] {
        TracksView view = this->playback().state().tracks;
        view.order = next(view.order, 3);
        show(std::move(view));
    });
    addKey(tr("&Group ranks by node, by communicator, not at all"), Qt::Key_G, [this] {
        TracksView view = this->playback().state().tracks;
        view.groups = next(view.groups, 3);
        view.folded.clear();
        show(std::move(view));
    });
}

std::optional<TracksPanel::Rows> TracksPanel::rows() const {
    const SubjectPtr& subject = playback().subject();
    if (!subject || !programIsReady(*subject)) return std::nullopt;
    const analysis::TracedProgram* program = programOf(*subject);
    if (program == nullptr) return std::nullopt;
    const TracksFrame frame = tracksFrame(*subject, *program, playback().state(), paper());
    const double times = playback().magnification();
    return Rows{frame.pitch * times, frame.plot.top() * times, frame.top, frame.plot.height() / frame.pitch};
}

void TracksPanel::show(TracksView view) { playback().setTracks(std::move(view)); }

void TracksPanel::zoomRows(double factor, std::optional<double> y) {
    const std::optional<Rows> before = rows();
    if (!before) return;
    TracksView view = playback().state().tracks;
    const double into = y ? *y - before->above : before->pitch * before->seen / 2;
    const double row = before->top + into / before->pitch;
    view.zoom = std::clamp(view.zoom * factor, 1.0, 1e5);
    show(view);
    const std::optional<Rows> after = rows();
    // What is no higher for it keeps its zoom: the next step back is felt at once.
    if (after->pitch == before->pitch && factor > 1) view.zoom /= factor;
    view.top = std::max(row - into / after->pitch, 0.0);
    show(std::move(view));
}

void TracksPanel::scrollRows(double rows) {
    const std::optional<Rows> now = this->rows();
    if (!now) return;
    TracksView view = playback().state().tracks;
    view.top = std::max(now->top + rows, 0.0);
    show(std::move(view));
    // Not beyond the last one.
    if (const std::optional<Rows> after = this->rows(); after->top != view.top) {
        view = playback().state().tracks;
        view.top = after->top;
        show(std::move(view));
    }
}

void TracksPanel::wheelEvent(QWheelEvent* event) {
    // With Alt, Qt turns the wheel sideways.
    const double notches = notchesOf(*event).y() + notchesOf(*event).x();
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        zoomRows(std::pow(1 / rowStep, notches), event->position().y());
    } else if (event->modifiers().testFlag(Qt::AltModifier)) {
        scrollRows(-rowsPerNotch * notches);
    } else {
        return DiagramPanel::wheelEvent(event);
    }
    event->accept();
}

void TracksPanel::mousePressEvent(QMouseEvent* event) {
    dragged_.reset();
    if (event->button() == Qt::MiddleButton) dragged_ = event->position().y();
    DiagramPanel::mousePressEvent(event);
}

void TracksPanel::mouseMoveEvent(QMouseEvent* event) {
    if (dragged_ && event->buttons().testFlag(Qt::MiddleButton)) {
        const double before = *std::exchange(dragged_, event->position().y());
        if (const std::optional<Rows> now = rows()) scrollRows((before - *dragged_) / now->pitch);
    }
    DiagramPanel::mouseMoveEvent(event);
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
