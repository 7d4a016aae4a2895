// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/views/basic_views.hpp"

#include "app/gui/scenes/network/network_frame.hpp"
#include "app/gui/views/time_zoom.hpp"

#include <QApplication>
#include <QMouseEvent>
#include <QWheelEvent>

#include <cmath>
#include <tuple>

namespace app::gui {
namespace {

constexpr double nearRank = 12;  // pixels from its middle

/// The headline is the same at every moment.
ViewState onlyLooks(const DrawableRun&, ViewState state) {
    ViewState kept;
    kept.dark = state.dark;
    return kept;
}

}  // namespace

HeadlinePanel::HeadlinePanel(Playback& playback)
    : ViewWidget{playback,
                 {.heading = "The result in a sentence",
                  .scene = headlineScene,
                  .table = headlineTable,
                  .depends = onlyLooks,
                  .ready = [](const DrawableRun& subject) { return !subject.isProgram() || subject.programReady(); },
                  .keys = ""}} {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    standOnGround();
}

// It is about all cards, and stands on none.
void HeadlinePanel::standOnGround() {
    QPalette palette;
    palette.setColor(QPalette::Base, palette.color(QPalette::Window));
    setPalette(palette);
}

void HeadlinePanel::changeEvent(QEvent* event) {
    ViewWidget::changeEvent(event);
    const QColor ground = QApplication::palette().color(QPalette::Window);
    if (event->type() == QEvent::PaletteChange && palette().color(QPalette::Base) != ground) standOnGround();
}

void HeadlinePanel::mousePressEvent(QMouseEvent* event) {
    const auto meaning = meaningAt(event->position());
    if (event->button() != Qt::LeftButton || !meaning || meaning->kind != Meaning::Kind::cause) return;
    if (meaning->second >= 0) return Q_EMIT spentAsked(static_cast<SpentIn>(meaning->second));
    playback().select(meaning);
    Q_EMIT causeAsked(static_cast<int>(meaning->index));
}

NetworkPanel::NetworkPanel(Playback& playback) : ViewWidget{playback, viewNamed("network")} {
    const qsizetype others = actions().size();
    addLensKeys();
    const QList<QAction*> everywhere = actions().mid(others);
    const std::pair<QString, QKeySequence> axes[] = {{tr("Layers along &x"), QKeySequence{Qt::Key_X}},
                                                     {tr("Layers along &y"), QKeySequence{Qt::Key_Y}},
                                                     {tr("Layers along &z"), QKeySequence{Qt::Key_Z}}};
    for (std::int32_t axis = 0; axis < 3; ++axis)
        addKey(axes[axis].first, axes[axis].second, [this, axis] {
            const bool again = this->playback().state().cut.axis == axis;
            this->playback().setCut(again ? CutPlane{} : CutPlane{axis, 0});
        });
    addKey(tr("Layer &before"), QKeySequence{Qt::Key_BracketLeft}, [this] { moveLayer(-1); });
    addKey(tr("Layer be&hind"), QKeySequence{Qt::Key_BracketRight}, [this] { moveLayer(+1); });
    const auto enable = [this, everywhere] {
        const DrawableRunPtr& subject = this->playback().subject();
        for (QAction* action : actions())
            action->setEnabled(subject && (subject->blueprint().hasLayers() || everywhere.contains(action)));
    };
    enable();
    connect(&playback, &Playback::subjectChanged, this, enable);
}

void NetworkPanel::addLensKeys() {
    addKey(tr("Zoom &in"), QKeySequence{Qt::Key_W}, [this] { zoom(1 / zoomStep); });
    addKey(tr("Zoom o&ut"), QKeySequence{Qt::Key_S}, [this] { zoom(zoomStep); });
    const std::tuple<QString, Qt::Key, QPointF> ways[] = {{tr("To the &left"), Qt::Key_A, {-panStep, 0}},
                                                          {tr("To the &right"), Qt::Key_D, {panStep, 0}},
                                                          {tr("&Upwards"), Qt::Key_E, {0, -panStep}},
                                                          {tr("&Downwards"), Qt::Key_Q, {0, panStep}}};
    for (const auto& [words, key, by] : ways)
        addKey(words, QKeySequence{key}, [this, by = by] { playback().setLens(moved(playback().state().lens, by)); });
    addKey(tr("&All of it"), QKeySequence{Qt::Key_0}, [this] { playback().setLens({}); });
}

void NetworkPanel::zoom(double factor, std::optional<QPointF> at) {
    if (!playback().subject()) return;
    const NetworkFrame frame = networkFrame(*playback().subject(), playback().state(), paper());
    playback().setLens(zoomedAt(playback().state().lens, factor, at.value_or(frame.network.center()), frame));
}

void NetworkPanel::wheelEvent(QWheelEvent* event) {
    zoom(std::pow(1 / zoomStep, notchesOf(*event).y()), event->position() / playback().magnification());
    event->accept();
}

// The left button moves what is larger than its card, and any time the middle one does.
void NetworkPanel::mousePressEvent(QMouseEvent* event) {
    ViewWidget::mousePressEvent(event);
    const bool moves = event->button() == Qt::MiddleButton ||
                       (event->button() == Qt::LeftButton && playback().state().lens.zoom > 1 && !draggingNote());
    if (moves) held_ = event->position();
}

void NetworkPanel::mouseMoveEvent(QMouseEvent* event) {
    if (!held_ || !playback().subject()) return ViewWidget::mouseMoveEvent(event);
    const NetworkFrame frame = networkFrame(*playback().subject(), playback().state(), paper());
    const QPointF by = (*held_ - event->position()) / playback().magnification();
    held_ = event->position();
    playback().setLens(moved(playback().state().lens, {by.x() / std::max(frame.network.width(), 1.0),
                                                       by.y() / std::max(frame.network.height(), 1.0)}));
}

void NetworkPanel::mouseReleaseEvent(QMouseEvent* event) {
    held_.reset();
    ViewWidget::mouseReleaseEvent(event);
}

void NetworkPanel::moveLayer(std::int32_t by) {
    CutPlane cut = playback().state().cut;
    cut.layer += by;
    playback().setCut(cut);
}

std::optional<Mark> NetworkPanel::placeBelow(QPointF at) {
    const DrawableRun& subject = *playback().subject();
    const ViewState& state = playback().shown();
    const NetworkLayout layout = layoutIn(subject, networkFrame(subject, state, paper()));
    Mark place{.time = playback().state().time, .note = {}, .on = notesOn()};
    double nearest = std::max(layout.radius(), nearRank);
    for (std::int32_t rank = 0; rank < subject.run().ranks; ++rank) {
        const double away =
            QLineF{layout.middleOf(subject.blueprint().markOf(rank)), at / playback().magnification()}.length();
        if (away >= nearest) continue;
        nearest = away;
        place.rank = engine::Rank{rank};
    }
    if (place.rank) return place;
    const std::optional<Meaning> meaning = meaningInLower(at);
    if (!meaning || meaning->kind != Meaning::Kind::link) return std::nullopt;
    place.link = engine::LinkId{static_cast<std::int32_t>(meaning->index)};
    return place;
}

std::optional<std::uint32_t> OwnershipPanel::messageAt(QPointF at) {
    const std::optional<Meaning> meaning = meaningAt(at);
    if (!meaning || meaning->kind != Meaning::Kind::block || meaning->second < 0) return std::nullopt;
    const DrawableRun& subject = *playback().subject();
    const auto ends = subject.run().messages.receiveEnd();
    const auto column = static_cast<std::int32_t>(meaning->index);
    std::optional<std::uint32_t> first;
    for (const std::uint32_t message : subject.receivedBy(engine::Rank{static_cast<std::int32_t>(meaning->second)}))
        if (subject.carries(message, column) && (!first || ends[message] < ends[*first])) first = message;
    return first;
}

}  // namespace app::gui
