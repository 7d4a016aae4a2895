// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/picture/views.hpp"

#include "app/gui/scenes/picture/picture_options.hpp"
#include "app/gui/scenes/run/drawable_run.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <array>

namespace app::gui {
namespace {

/// The links show the loads of the round in progress: any moment of a round stands for all of it.
ViewState onlyRound(const DrawableRun& subject, ViewState state) {
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
            .veil = state.veil,
            .cut = state.cut,
            .lens = state.lens};
}

/// The same, with what is selected; whether the run is over decides which rounds are shown of many.
ViewState roundAndSelection(const DrawableRun& subject, ViewState state) {
    ViewState kept = onlyRound(subject, state);
    if (state.time >= subject.run().duration) kept.time = engine::Picoseconds{-1};
    kept.rank = state.rank;
    kept.message = state.message;
    kept.block = state.block;
    kept.link.reset();
    kept.cut = {};
    kept.lens = {};
    return kept;
}

ViewState allButTime(const DrawableRun&, ViewState state) {
    state.time = {};
    state.marks.clear();
    state.link.reset();
    state.reduceMotion = false;
    state.lit.reset();
    state.cut = {};
    state.lens = {};
    return state;
}

/// Of the picture below the cursor: what is selected is drawn above it.
ViewState onlySeen(const DrawableRun&, ViewState state) {
    ViewState kept;
    kept.spanBegin = state.spanBegin;
    kept.spanEnd = state.spanEnd;
    kept.horizon = state.horizon;
    kept.firstBeside = state.firstBeside;
    kept.dark = state.dark;
    kept.tracks = std::move(state.tracks);
    return kept;
}

ViewState onlyAsked(const DrawableRun&, ViewState state) {
    ViewState kept;
    kept.dark = state.dark;
    kept.asked = state.asked;
    return kept;
}

bool programIsReady(const DrawableRun& subject) { return !subject.isProgram() || subject.programReady(); }
bool isCounted(const DrawableRun& subject) { return subject.counted(); }

/// In the order of pictureViews, which has their headings.
constexpr View rows[]{
    {.name = "poster", .scene = posterScene},
    {.name = "network",
     .scene = networkScene,
     .table = networkTable,
     .upper = networkForeground,
     .lower = networkBackground,
     .depends = onlyRound,
     .lights = true,
     .keys = "Up and Down select a rank, comma and period a message. W and S zoom, A, D, E and Q move, 0 shows all of "
             "it. Of three dimensions X, Y and Z show one layer alone, [ and ] the one before and behind.",
     .note = View::Note::moment},
    {.name = "timeline",
     .scene = runTimelineScene,
     .table = runTimelineTable,
     .upper = runTimelineForeground,
     .lower = runTimelineBackground,
     .depends = allButTime,
     .lights = true,
     .keys = "",
     .note = View::Note::leftOut},
    {.name = "tracks",
     .scene = programTimelineScene,
     .table = programTimelineTable,
     .upper = programTimelineForeground,
     .lower = programTimelineBackground,
     .depends = onlySeen,
     .ready = programIsReady,
     .meanwhile = programTimelineAtFirst,
     .at = programTimelineMeaningAt,
     .lights = true,
     .keys = "O orders rows, V shows other metrics.",
     .note = View::Note::leftOut,
     .ofPrograms = true},
    {.name = "messages", .scene = runTimelineScene, .table = runTimelineTable, .keys = "", .note = View::Note::leftOut},
    {.name = "where",
     .scene = whereScene,
     .table = whereTable,
     .depends = onlyAsked,
     .ready = programIsReady,
     .preferred = {520, 220},
     .keys = "A click on a cell leads to the longest call of the path on that rank.",
     .ofPrograms = true},
    {.name = "when",
     .scene = whenScene,
     .table = whenTable,
     .depends = onlyAsked,
     .ready = programIsReady,
     .preferred = {420, 220},
     .keys = "A click on a bar leads to the iteration.",
     .ofPrograms = true},
    {.name = "strip",
     .scene = stripScene,
     .table = stripTable,
     .upper = stripForeground,
     .lower = stripBackground,
     .depends = roundAndSelection,
     .lights = true,
     .preferred = {320, 220},
     .keys = "Up and Down select a rank, comma and period a message."},
    {.name = "holdings",
     .scene = ownershipScene,
     .table = holdingsTable,
     .upper = holdingsForeground,
     .lower = holdingsBackground,
     .depends = holdingsDepends,
     .lights = true,
     .preferred = {320, 260},
     .note = View::Note::moment,
     .grows = true},
    {.name = "bounds", .scene = boundsScene, .table = boundsTable, .preferred = {320, 220}, .keys = "", .grows = true},
    {.name = "idle", .scene = idleScene, .table = idleTable, .tab = "Ranks"},
    {.name = "waits", .scene = waitsScene, .table = waitsTable, .ready = isCounted, .tab = "Waits"},
    {.name = "links", .scene = linksScene, .table = linksTable, .ready = isCounted, .tab = "Links"},
    {.name = "matrix", .scene = trafficScene, .table = trafficTable, .ready = isCounted, .tab = "Matrix"},
    {.name = "brackets", .scene = bracketsScene, .table = bracketsTable, .tab = "Reduction order"},
    {.name = "pattern", .scene = patternScene, .table = stripTable, .tab = "Pattern", .grows = true},
    {.name = "partials", .scene = partialsScene, .table = partialsTable, .tab = "Partial results", .grows = true},
};
static_assert(std::ranges::equal(rows, pictureViews, {}, &View::name, &PictureView::name));

}  // namespace

std::span<const View> views() {
    static const auto all = [] {
        std::array made = std::to_array(rows);
        for (std::size_t i = 0; i < made.size(); ++i) made[i].heading = pictureViews[i].heading;
        return made;
    }();
    return all;
}

const View& viewNamed(std::string_view name) {
    const auto known = std::ranges::find(views(), name, &View::name);
    if (known != views().end()) return *known;
    const std::string hint = engine::didYouMean(name, viewNames());
    throw engine::Error{engine::text("unknown view '", name, "'",
                                     hint.empty() ? "; there are poster, network, timeline and others" : hint)};
}

}  // namespace app::gui
