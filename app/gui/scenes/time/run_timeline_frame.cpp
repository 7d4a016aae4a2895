// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/time/run_timeline_frame.hpp"

#include "app/gui/scenes/common/block_highlight.hpp"
#include "app/gui/scenes/drawing/style.hpp"
#include "app/gui/scenes/run/visible_span.hpp"
#include "app/gui/scenes/text/run_text.hpp"

#include <algorithm>
#include <cmath>

namespace app::gui {
namespace {

using engine::Picoseconds;

constexpr std::size_t mostMessageLines = 10'000;
constexpr std::size_t mostOfThem = 1'000'000;  // messages of ranks in sight, of other times as well
constexpr double smallestPitch = 2;
constexpr double crossedPitch = 8;            // lines between lower rows are seen
constexpr std::size_t mostCrossings = 1'500;  // as long as there are no more
constexpr double largestPitch = 64;
constexpr double highestBar = 28;
// Of the picture: below these the rows need the height more.
constexpr double leastUnderStages = 130;
constexpr double leastOverLegend = 200;

/// Which rank, or folded group, is in which row.
void arrange(RunTimelineFrame& frame, const DrawableRun& subject, const ProgramTimelineView& view) {
    const std::vector<analysis::RankGroup>& groups = subject.groupsBy(view.groups);
    frame.rowCount = static_cast<std::size_t>(std::max(subject.run().ranks, 0));
    if (groups.empty()) return;
    frame.rowOf.assign(frame.rowCount, 0);
    const auto put = [&](engine::Rank rank) {
        frame.rowOf[rank.index()] = static_cast<std::int32_t>(frame.rankIn.size());
    };
    frame.addGroups(
        groups, view,
        [&](std::int32_t number) {
            for (const engine::Rank rank : groups[static_cast<std::size_t>(number)].ranks) put(rank);
            frame.rankIn.push_back(-1);
            return frame.rankIn.size();
        },
        [&](std::int32_t number) {
            for (const engine::Rank rank : groups[static_cast<std::size_t>(number)].ranks) {
                put(rank);
                frame.rankIn.push_back(rank.value);
            }
            return frame.rankIn.size();
        });
    frame.rowCount = frame.rankIn.size();
}

double widestName(const DrawableRun& subject, const RunTimelineFrame& frame) {
    double widest = sizeOf(QString::number(std::max(subject.run().ranks - 1, 0)), points::small).width();
    for (const RowGroup& group : frame.groups)
        if (group.folded) widest = std::max(widest, sizeOf(nameOfFolded(group), points::small).width());
    return widest;
}

}  // namespace

std::size_t RunTimelineFrame::groupOf(std::size_t row) const {
    const auto behind =
        std::partition_point(groups.begin(), groups.end(), [row](const RowGroup& group) { return group.end <= row; });
    return static_cast<std::size_t>(behind - groups.begin());
}

std::size_t RunTimelineFrame::endRow() const {
    return std::min(rowCount, static_cast<std::size_t>(std::ceil(top + plot.height() / pitch - 1e-6)));
}

std::vector<bool> RunTimelineFrame::ranksInSight() const {
    std::vector<bool> seen(rowOf.empty() ? rowCount : rowOf.size());
    for (engine::Rank rank{0}; rank.index() < seen.size(); ++rank) seen[rank.index()] = isInSight(rank);
    return seen;
}

QRectF RunTimelineFrame::cut(const QRectF& box) const {
    const double above = std::max(box.top(), plot.top());
    return {box.left(), above, box.width(), std::max(0.0, std::min(box.bottom(), plot.bottom()) - above)};
}

QString nameOfFolded(const RowGroup& group) { return QStringLiteral("%1 ranks").arg(group.ranks->size()); }

RunTimelineFrame runTimelineFrame(const DrawableRun& subject, const ViewState& state, QSizeF size) {
    const QRectF whole = QRectF{QPointF{}, size}.adjusted(margin, margin / 2, -margin, -margin / 2);
    const engine::Run& run = subject.run();
    const bool sides = subject.sideOf(engine::Rank{0}) == Side::a;
    RunTimelineFrame frame;
    arrange(frame, subject, state.tracks);
    const double numbers = widestName(subject, frame);
    const double caption = sizeOf(QStringLiteral("round"), points::tiny).width();
    const double before = !frame.groups.empty() ? roomForGroupNames(subject.groupsBy(state.tracks.groups))
                          : sides               ? 20.0
                                                : 0.0;
    const double left = whole.left() + std::max(before + numbers, caption) + 6;
    frame.labels = left - 6;
    frame.letters = whole.left() + 6;
    frame.groupsLeft = whole.left();
    frame.groupsRight = frame.labels - numbers - 6;

    const double line = lineHeight(points::small);
    double top = whole.top();
    frame.stages = top;
    frame.stageHeight = run.stages.empty() || whole.height() < leastUnderStages ? 0 : line + 3;
    top += frame.stageHeight + (frame.stageHeight > 0 ? 2 : 0);
    frame.rounds = top + lineHeight(points::tiny) / 2;
    top += lineHeight(points::tiny) + 2;

    double bottom = whole.bottom();
    const bool maybeCrowded = subject.run().messages.size() > mostCrossings;
    const Legend legend = runTimelineLegend(subject, state, maybeCrowded ? RowsDrawn::bars : RowsDrawn::messages);
    if (state.legends && whole.height() > leastOverLegend) {
        const double height = legend.rowsHeight(whole.right() - left);
        frame.legend = {left, bottom - height, whole.right() - left, height};
        bottom -= height + 4;
    }
    bottom -= lineHeight(points::tiny) + 8;
    const double unit = sizeOf(QStringLiteral("ms"), points::tiny).width() + 14;
    // Where rows are lower than their numbers, the first one must not meet the line of rounds.
    const double rows = static_cast<double>(std::max<std::size_t>(frame.rowCount, 1));
    top += std::max(0.0, (line - (bottom - top) / rows) / 2 - 2);
    frame.plot = {left, top, std::max(whole.right() - unit - left, 10.0), std::max(bottom - top, 10.0)};
    const auto [begin, end] = visibleSpan(subject, state);
    frame.axis = TimeAxis{begin, end, frame.plot.left(), frame.plot.right()};
    frame.fit(frame.rowCount, std::max(largestPitch, frame.plot.height() / rows), state.tracks);
    frame.bar = frame.pitch < 4 ? frame.pitch : std::clamp(frame.pitch * 0.52, 2.0, highestBar);
    return frame;
}

std::optional<std::vector<std::uint32_t>> messagesInSight(const DrawableRun& subject, const RunTimelineFrame& frame) {
    const Picoseconds begin = frame.axis.begin();
    const Picoseconds end = frame.axis.end();
    const bool fewInAll = subject.run().messages.size() <= mostMessageLines;
    if (frame.firstRow() == 0 && frame.endRow() == frame.rowCount) {
        if (fewInAll) return subject.index().touching(begin, end);
        std::vector<std::uint32_t> found = subject.index().touching(begin, end, mostMessageLines + 1);
        if (found.size() > mostMessageLines) return std::nullopt;
        return found;
    }
    const engine::Messages& messages = subject.run().messages;
    const std::vector<bool> seen = frame.ranksInSight();
    const std::size_t own = messagesOf(subject, seen);
    const std::size_t most = std::max(std::min(own, mostOfThem), 4 * mostMessageLines);
    std::vector<std::uint32_t> found = subject.index().touching(begin, end, most + 1);
    if (found.size() <= most) {
        std::erase_if(found, [&](std::uint32_t i) {
            return !seen[messages.from()[i].index()] && !seen[messages.to()[i].index()];
        });
    } else if (own <= mostOfThem) {
        found = listOf(subject, seen);
        std::erase_if(found, [&](std::uint32_t i) {
            return std::min(messages.sendBegin()[i], messages.receiveBegin()[i]) > end ||
                   std::max(messages.sendEnd()[i], messages.receiveEnd()[i]) < begin;
        });
    }
    if (found.size() > mostMessageLines) return std::nullopt;
    return found;
}

bool drawsDensity(const DrawableRun& subject, const RunTimelineFrame& frame) {
    return frame.pitch < smallestPitch || !messagesInSight(subject, frame);
}

bool isCrowded(const DrawableRun& subject, const RunTimelineFrame& frame) {
    if (frame.pitch >= crossedPitch || subject.run().messages.size() <= mostCrossings) return false;
    const auto seen = messagesInSight(subject, frame);
    return seen && seen->size() > mostCrossings;
}

Legend runTimelineLegend(const DrawableRun& subject, const ViewState& state, RowsDrawn drawn) {
    Legend legend;
    if (state.block) {
        addFollowedTo(legend, subject, *state.block);
        if (drawn != RowsDrawn::density)
            legend.entry(QStringLiteral("route to the last receiver"),
                         [&subject, block = *state.block](SceneBuilder& pencil, const QRectF& box) {
                             const QPointF middle{box.left(), box.center().y()};
                             pencil.arrow(middle, middle + QPointF{box.width(), 0},
                                          subject.colourOf(block, pencil.dark()), chainWidth);
                         });
        legend.entry(QStringLiteral("receives it last"), [](SceneBuilder& pencil, const QRectF& box) {
            pencil.ellipse({box.center() - QPointF{5, 5}, QSizeF{10, 10}}, {}, pencil.palette().accent).width = 2;
        });
    }
    const auto bar = [&](const char* words, QColor Palette::*fill, bool outlined) {
        legend.entry(QString::fromLatin1(words), [fill, outlined](SceneBuilder& pencil, const QRectF& box) {
            pencil.rectangle(box.adjusted(0, 1, 0, -1), pencil.palette().*fill,
                             outlined ? pencil.palette().sending : QColor{});
        });
    };
    if (drawn == RowsDrawn::density) {
        legend.entry(QStringLiteral("ports: idle to busy"), [](SceneBuilder& pencil, const QRectF& box) {
            for (int step = 0; step < 3; ++step)
                pencil.rectangle(
                    {box.left() + box.width() * step / 3, box.top() + 1, box.width() / 3, box.height() - 2},
                    mixed(pencil.palette().tint, pencil.palette().both, (step + 1) / 3.0));
        });
        if (subject.fault()) addFaultTo(legend);
        return legend;
    }
    bar("sending", &Palette::sending, false);
    bar("receiving", &Palette::receiving, true);
    bar("sending and receiving", &Palette::both, false);
    if (!subject.run().combining.empty())
        legend.entry(nameOf(RankState::combining), [](SceneBuilder& pencil, const QRectF& box) {
            pencil.rectangle(box.adjusted(0, 1, 0, -1), combiningColour(pencil.palette()));
        });
    if (!subject.computing().empty())
        legend.entry(nameOf(RankState::computing), [](SceneBuilder& pencil, const QRectF& box) {
            pencil.rectangle(box.adjusted(0, 1, 0, -1), pencil.palette().tint, pencil.palette().muted);
        });
    if (subject.anyAbsent())
        legend.entry(nameOf(RankState::absent), [](SceneBuilder& pencil, const QRectF& box) {
            drawStill(pencil, box.adjusted(0, 1, 0, -1), RankState::absent);
        });
    legend.entry(betweenWords(subject), [between = betweenState(subject)](SceneBuilder& pencil, const QRectF& box) {
        drawStill(pencil, box.adjusted(0, 1, 0, -1), between);
    });
    addMessagesTo(legend, subject, state,
                  drawn == RowsDrawn::messages ? QStringLiteral("message")
                                               : QStringLiteral("messages of the selected rank only"));
    if (subject.anyQueued())
        legend.entry(subject.report().model && subject.report().model->logGP
                         ? QStringLiteral("message in the network, or waiting for its receiver")
                         : QStringLiteral("message waits for its receiver"),
                     [](SceneBuilder& pencil, const QRectF& box) {
                         pencil
                             .line(box.topLeft() + QPointF{0, 1}, box.bottomRight() - QPointF{0, 1},
                                   pencil.palette().muted, 1.2)
                             .dashed = true;
                     });
    if (subject.fault()) addFaultTo(legend);
    return legend;
}

}  // namespace app::gui
