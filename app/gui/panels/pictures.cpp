// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/panels/pictures.hpp"

#include <QApplication>
#include <QMouseEvent>

namespace app::gui {
namespace {

/// The links show the loads of the round in progress: any moment of a round stands for all of it.
ViewState onlyRound(const Subject& subject, ViewState state) {
    const ViewState blank;
    return {.time = engine::Picoseconds{subject.roundAt(state.time).value},
            .rank = blank.rank,
            .message = blank.message,
            .spanBegin = blank.spanBegin,
            .spanEnd = blank.spanEnd,
            .dark = state.dark,
            .reduceMotion = blank.reduceMotion,
            .link = state.link,
            .block = state.block,
            .asked = blank.asked,
            .legends = state.legends,
            .veil = state.veil};
}

/// The same, with what is selected; whether the run is over decides which rounds are shown of many.
ViewState roundAndSelection(const Subject& subject, ViewState state) {
    ViewState kept = onlyRound(subject, state);
    if (state.time >= subject.run().duration) kept.time = engine::Picoseconds{-1};
    kept.rank = state.rank;
    kept.message = state.message;
    kept.block = state.block;
    kept.link.reset();
    return kept;
}

/// The headline is the same at every moment.
ViewState onlyLooks(const Subject&, ViewState state) {
    ViewState kept;
    kept.dark = state.dark;
    return kept;
}

}  // namespace

HeadlinePanel::HeadlinePanel(Playback& playback)
    : ViewWidget{playback,
                 {.upper = noScene,
                  .table = headlineTable,
                  .lower = headlineScene,
                  .depends = onlyLooks,
                  .ready = [](const Subject& subject) { return !subject.isProgram() || subject.programReady(); }},
                 tr("The result in a sentence"),
                 {}} {
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
    playback().select(meaning);
    Q_EMIT causeAsked(static_cast<int>(meaning->index));
}

NetworkPanel::NetworkPanel(Playback& playback)
    : ViewWidget{playback,
                 {.upper = networkForeground, .table = networkTable, .lower = networkBackground, .depends = onlyRound},
                 tr("Network"),
                 tr("Up and Down select a rank, comma and period a message.")} {}

std::optional<PinnedNote> NetworkPanel::placeOf(const std::optional<Meaning>& meaning, std::optional<QPointF>) const {
    if (meaning && meaning->kind == Meaning::Kind::link)
        return PinnedNote{
            .text = {}, .time = {}, .rank = {}, .link = engine::LinkId{static_cast<std::int32_t>(meaning->index)}};
    const std::optional<engine::Rank> rank = rankOf(meaning);
    return rank ? std::optional{PinnedNote{.text = {}, .time = {}, .rank = rank, .link = {}}} : std::nullopt;
}

StripPanel::StripPanel(Playback& playback)
    : ViewWidget{
          playback,
          {.upper = stripForeground, .table = stripTable, .lower = stripBackground, .depends = roundAndSelection},
          tr("Round by round"),
          tr("Up and Down select a rank, comma and period a message.")} {}

HoldingsPanel::HoldingsPanel(Playback& playback)
    : ViewWidget{playback,
                 {.upper = holdingsScene, .table = holdingsTable},
                 tr("Holdings: which rank holds which block"),
                 tr("Up and Down select a rank.")} {}

BoundsPanel::BoundsPanel(Playback& playback)
    : ViewWidget{
          playback, {.upper = boundsScene, .table = boundsTable}, tr("Lower bounds beside what the run took"), {}} {}

}  // namespace app::gui
