// SPDX-License-Identifier: BSD-3-Clause
// A view is a pure function: (subject, view state, size) -> list of shapes. Widgets, exports, the command line and
// the tests all call the same functions; nothing here knows a widget.
#pragma once

#include "app/gui/scenes/drawing/annotation.hpp"
#include "app/gui/scenes/drawing/rounds_shown.hpp"
#include "app/gui/scenes/drawing/scene_table.hpp"
#include "app/gui/scenes/drawing/time_axis.hpp"
#include "app/session/session.hpp"

#include <QColor>
#include <QImage>
#include <QPainter>
#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <QString>

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace app::gui {

/// All that there is to say of a run and its bounds, in place of a row of them.
inline constexpr std::int64_t boundsAtLength = -2;

/// What a shape stands for, so that a click finds it and a test can name it.
struct Meaning {
    /// `still`: a stretch of time in which a rank moves nothing.
    /// Of a traced program `call`, `wait`, `collective`, `own` (a rank's computation), `group` of ranks, `iteration`,
    /// `path`, `metric`. `note`: one of the user's marks.
    enum class Kind : std::uint8_t {
        none,
        rank,
        link,
        message,
        block,
        stage,
        axis,
        bound,
        cause,
        round,
        still,
        call,
        wait,
        collective,
        own,
        group,
        iteration,
        path,
        metric,
        note
    };
    Kind kind = Kind::none;
    /// Rank (also of a still stretch), link id, message index, block, stage index, round, row of the bounds, or
    /// boundsAtLength; of analysis::gapCauses, -1: the bound; call of a location; wait; instance; location; group;
    /// iteration; call path; curve of a metric; number of a mark.
    std::int64_t index = -1;
    /// Block: the rank's row, or -1; link: a round, or -1; cause: -1, or of the time by activity a SpentIn;
    /// still, own and metric: a moment of the stretch in picoseconds; call: the location; path: a rank, or -1.
    std::int64_t second = -1;

    friend bool operator==(const Meaning&, const Meaning&) = default;
};

/// Pixels from a line of a hatch to the next one, along either axis.
inline constexpr int hatchApart = 5;

struct Shape {
    enum class Kind : std::uint8_t { rectangle, ellipse, line, arrow, text, cells };
    Kind kind = Kind::rectangle;
    QRectF box;        ///< rectangle, ellipse, text, cells
    QPointF from, to;  ///< line, arrow
    QColor fill;       ///< invalid = none
    QColor pen;        ///< outline, line or text colour; invalid = none
    double width = 1;  ///< of the line, in pixels
    QString text;
    int align = Qt::AlignCenter;
    double points = 9;  ///< text size
    bool bold = false;
    double radius = 0;     ///< of a rectangle's corners
    bool dashed = false;   ///< outline or line
    QColor casing;         ///< around a line or arrow, so that it stands out from what it crosses; invalid = none
    bool hatched = false;  ///< hatched in the pen's colour over the fill: differences never rest on colour alone
    std::optional<QImage> cells;  ///< a colour per cell, stretched over the box; transparent = none
    Meaning meaning;
    QString tip;  ///< what hovering says beyond the meaning; see tipAt
};

/// Only the poster brings its own paper; below the other scenes the caller fills paletteFor(dark).paper.
struct Scene {
    std::vector<Shape> shapes;  ///< back to front
    QString description;        ///< the picture in words, for screen readers
    bool crowded = false;       ///< with more room there would be more, or larger, of a picture that needs no more
};

/// How many times as high as when all fit rows are at most.
inline constexpr double mostRowZoom = 1e5;

/// How the rows of Tracks, or of the space-time diagram, are arranged.
struct ProgramTimelineView {
    enum class Order : std::uint8_t { rank, waited, computed };
    enum class Groups : std::uint8_t { none, node, communicator };
    Order order = Order::rank;
    Groups groups = Groups::none;
    std::optional<std::vector<std::int32_t>> metrics{};  ///< that are shown, rising; nothing chosen: the first few
    std::vector<std::int32_t> folded{};                  ///< groups of which one row is seen, rising
    double zoom = 1;                                     ///< rows are so many times as high as when all fit, 1 or more
    double top = 0;                                      ///< the first one in sight; a fraction is cut off

    friend bool operator==(const ProgramTimelineView&, const ProgramTimelineView&) = default;
};

/// One layer of a three-dimensional grid that is shown while the others fade.
struct CutPlane {
    std::int32_t axis = -1;  ///< 0, 1, 2: x, y, z, as the network's name counts its lengths; -1: nothing is cut
    std::int32_t layer = 0;  ///< from 0

    friend bool operator==(const CutPlane&, const CutPlane&) = default;
};

/// Which part of the network is seen.
struct Lens {
    double zoom = 1;           ///< so many times as large as when all of it fits, 1 or more
    QPointF middle{0.5, 0.5};  ///< of what is seen, as a share of all of it

    friend bool operator==(const Lens&, const Lens&) = default;
};
inline constexpr double mostLensZoom = 64;

/// The rows of a picture as a widget shows them.
struct RowsInSight {
    double pitch = 1;
    double above = 0;  ///< pixels over the first one
    double top = 0;    ///< the first one; a fraction is cut off
    double seen = 0;   ///< how many fit
};

/// Where the user is: owned by Playback, read by every scene. Never accumulated: a scene is a function of it.
struct ViewState {
    engine::Picoseconds time{};            ///< the cursor
    std::optional<engine::Rank> rank{};    ///< selected rank
    std::optional<std::size_t> message{};  ///< selected message
    engine::Picoseconds spanBegin{};       ///< visible part of the time axis
    engine::Picoseconds spanEnd{};         ///< equal to spanBegin: the whole run
    bool dark = false;
    bool reduceMotion = false;             ///< messages jump instead of flying
    std::optional<engine::LinkId> link{};  ///< selected link
    std::optional<std::int32_t> block{};   ///< selected column of what is held: its way is followed
    std::optional<Meaning> asked{};        ///< what was chosen last: Details tell about it
    std::vector<Mark> marks{};             ///< the user's, in the order of time
    /// Where the axis of a whole run ends at the earliest: of two runs beside each other both have the longer one's.
    engine::Picoseconds horizon{};
    /// And when the first thing happens in either of them.
    engine::Picoseconds firstBeside{};
    bool legends = true;  ///< what marks mean stands beside them
    /// How long the run took before a slider was moved: the axis reaches so far, and a line stands there; 0: no line.
    engine::Picoseconds before{};
    /// What begins at this moment or later stays hidden: somebody is asked about it.
    std::optional<engine::Picoseconds> veil{};
    ProgramTimelineView tracks{};
    std::optional<std::uint32_t> lit{};  ///< message under the pointer, whose chain is lit
    CutPlane cut{};
    Lens lens{};
    RoundsShown rounds{};

    friend bool operator==(const ViewState&, const ViewState&) = default;
};

/// A report with everything that scenes need at every frame, computed once.
class DrawableRun;
using DrawableRunPtr = std::shared_ptr<const DrawableRun>;

/// `quick`: where there are many lines they are not smoothed, as a frame has no time for it. `smooth`: even thousands
/// are, lest they make patterns with the pixels.
enum class Strokes : std::uint8_t { quick, smooth };
void paint(QPainter& painter, const Scene& scene, Strokes strokes = Strokes::quick);

/// How far a casing goes beyond each side of its line.
constexpr double casingWidth = 1.1;

/// Tip and both barbs of an arrow; nothing of one too short for a head.
using ArrowHead = std::array<QPointF, 3>;
std::optional<ArrowHead> arrowHeadOf(const Shape& arrow);

/// The topmost shape with a meaning at `at`; nothing where there is none.
std::optional<Meaning> meaningAt(const Scene& scene, QPointF at);

/// The tip of the topmost shape at `at` that has one or means something.
QString ownTipAt(const Scene& scene, QPointF at);
/// What hovering at `at` says: the shape's own tip, else words about what it stands for; empty where there is nothing.
QString tipAt(const DrawableRun& subject, const Scene& scene, QPointF at);
/// The rank, link, message or block in a few words.
QString wordsFor(const DrawableRun& subject, const Meaning& meaning);

Scene networkScene(const DrawableRun& subject, const ViewState& state, QSizeF size);
/// Its two layers, for a widget that keeps the lower one: links, their loads and the legend, which change only with the
/// round in progress, `dark` and the size; and above them ranks and messages.
Scene networkBackground(const DrawableRun& subject, const ViewState& state, QSizeF size);
Scene networkForeground(const DrawableRun& subject, const ViewState& state, QSizeF size);

Scene runTimelineScene(const DrawableRun& subject, const ViewState& state, QSizeF size);
/// Its two layers: everything that changes only with the visible span, the selection, `dark` and the size; and above it
/// the cursor.
Scene runTimelineBackground(const DrawableRun& subject, const ViewState& state, QSizeF size);
Scene runTimelineForeground(const DrawableRun& subject, const ViewState& state, QSizeF size);
/// The axis the diagram draws, to turn the mouse into a time; of a traced program that of Tracks.
TimeAxis timeAxisOf(const DrawableRun& subject, const ViewState& state, QSizeF size);
TimeAxis runTimelineAxis(const DrawableRun& subject, const ViewState& state, QSizeF size);
/// Its rows, to turn the mouse into one.
/// The rank whose row lies at the height `y`; nothing where none does, or a group that is folded.
std::optional<engine::Rank> runTimelineRankAt(const DrawableRun& subject, const ViewState& state, QSizeF size,
                                              double y);
std::optional<RowsInSight> runTimelineRows(const DrawableRun& subject, const ViewState& state, QSizeF size);

/// What every rank and every other location of a traced program did when: calls nested, waits below them, collectives
/// and messages across, iterations on top.
Scene programTimelineScene(const DrawableRun& subject, const ViewState& state, QSizeF size);
/// Its two layers: everything but the cursor, marks and what is selected.
Scene programTimelineBackground(const DrawableRun& subject, const ViewState& state, QSizeF size);
/// What there is to see while waits are still looked for, with nothing to point at; nothing before and after that.
std::optional<Scene> programTimelineAtFirst(const DrawableRun& subject, const ViewState& state, QSizeF size);
Scene programTimelineForeground(const DrawableRun& subject, const ViewState& state, QSizeF size);
/// A message that the rank at a place of Tracks sends then, else one that it receives.
std::optional<std::uint32_t> programTimelineMessageAt(const DrawableRun& subject, const ViewState& state, QSizeF size,
                                                      QPointF at);
/// What lies at a place of the picture, also where stretches are too short to be distinguished there.
std::optional<Meaning> programTimelineMeaningAt(const DrawableRun& subject, const ViewState& state, QSizeF size,
                                                QPointF at);
/// Where in a program the time went: call paths with a cell for each rank.
Scene whereScene(const DrawableRun& subject, const ViewState& state, QSizeF size);
/// When: a bar for each iteration of a program.
Scene whenScene(const DrawableRun& subject, const ViewState& state, QSizeF size);

Scene ownershipScene(const DrawableRun& subject, const ViewState& state, QSizeF size);
/// Its two layers: all that is drawn, and the moment in words. The lower one is the same for all moments at which as
/// much is held; `holdingsDepends` has one of these in the place of each.
Scene holdingsBackground(const DrawableRun& subject, const ViewState& state, QSizeF size);
Scene holdingsForeground(const DrawableRun& subject, const ViewState& state, QSizeF size);
ViewState holdingsDepends(const DrawableRun& subject, ViewState state);
/// Round by round, a small network with the messages of the round, as papers draw them. Of more rounds than there is
/// room for, those around the one in progress; once the run is over, the first ones.
Scene stripScene(const DrawableRun& subject, const ViewState& state, QSizeF size);
/// Its two layers: the pictures; and above them a frame around those in progress.
Scene stripBackground(const DrawableRun& subject, const ViewState& state, QSizeF size);
Scene stripForeground(const DrawableRun& subject, const ViewState& state, QSizeF size);
/// The result in a sentence, and the time cut by cause; for a low strip.
Scene headlineScene(const DrawableRun& subject, const ViewState& state, QSizeF size);
/// Rounds, volume, time, still share beside lower bound and formula.
Scene boundsScene(const DrawableRun& subject, const ViewState& state, QSizeF size);
/// How every rank spent the run: busy, waiting, finished early.
Scene idleScene(const DrawableRun& subject, const ViewState& state, QSizeF size);
/// Load of the busiest links, round by round.
Scene linksScene(const DrawableRun& subject, const ViewState& state, QSizeF size);
/// Bytes from every rank to every rank.
Scene trafficScene(const DrawableRun& subject, const ViewState& state, QSizeF size);
/// How long ranks waited, for whom, and who made them wait.
Scene waitsScene(const DrawableRun& subject, const ViewState& state, QSizeF size);
/// In which order the selected rank's result, of the selected block, was reduced.
Scene bracketsScene(const DrawableRun& subject, const ViewState& state, QSizeF size);
/// Ranks downwards, rounds to the right, and an arrow for each message from its sender before the round to its receiver
/// after it. Where the messages are those of a butterfly of 2^k processes on fewer ranks, virtual processes have rows.
Scene patternScene(const DrawableRun& subject, const ViewState& state, QSizeF size);
/// What each rank has combined after each round, in terms of the results of the round before.
Scene partialsScene(const DrawableRun& subject, const ViewState& state, QSizeF size);

// The same as tables. Those of the network and of what is held speak of the cursor's moment.
Table networkTable(const DrawableRun& subject, const ViewState& state);
Table runTimelineTable(const DrawableRun& subject, const ViewState& state);
Table programTimelineTable(const DrawableRun& subject, const ViewState& state);
Table whereTable(const DrawableRun& subject, const ViewState& state);
Table whenTable(const DrawableRun& subject, const ViewState& state);
Table holdingsTable(const DrawableRun& subject, const ViewState& state);
Table stripTable(const DrawableRun& subject, const ViewState& state);
Table headlineTable(const DrawableRun& subject, const ViewState& state);
Table boundsTable(const DrawableRun& subject, const ViewState& state);
Table idleTable(const DrawableRun& subject, const ViewState& state);
Table linksTable(const DrawableRun& subject, const ViewState& state);
Table trafficTable(const DrawableRun& subject, const ViewState& state);
Table waitsTable(const DrawableRun& subject, const ViewState& state);
Table bracketsTable(const DrawableRun& subject, const ViewState& state);
Table partialsTable(const DrawableRun& subject, const ViewState& state);

/// The network, the diagram, what is held and the bounds in one picture with title and caption, and where the page has
/// room the rounds one by one: what `export` and `run` without a display write.
Scene posterScene(const DrawableRun& subject, const ViewState& state, QSizeF size);

}  // namespace app::gui
