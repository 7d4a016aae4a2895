// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/panels/pictures.hpp"

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
            .block = blank.block,
            .veil = state.veil};
}

}  // namespace

NetworkPanel::NetworkPanel(Playback& playback)
    : ViewWidget{playback,
                 {.upper = networkForeground, .table = networkTable, .lower = networkBackground, .depends = onlyRound},
                 tr("Network"),
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
