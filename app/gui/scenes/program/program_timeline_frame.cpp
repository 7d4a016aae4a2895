// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/program/program_timeline_frame.hpp"

#include "app/gui/scenes/common/program_timeline_colours.hpp"
#include "app/gui/scenes/drawing/style.hpp"
#include "app/gui/scenes/run/visible_span.hpp"
#include "app/gui/scenes/text/activity_shares.hpp"
#include "traces/recording/training.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

namespace app::gui {
namespace {

using analysis::Activity;
using engine::Rank;

constexpr double leastLane = 12;  // pixels in which a name can be read
constexpr double lowestBox = 5;   // in which a hatch is seen
constexpr double mostLane = 26;
constexpr double mostBand = 15;
constexpr double leastBand = 6;
constexpr double mostGap = 14;
constexpr double gapShare = 0.16;
constexpr double mostLegend = 0.35;  // of the height of the picture

double gapOf(double pitch) { return pitch < 6 ? 0 : std::clamp(pitch * gapShare, 1.0, mostGap); }

double roomIn(double pitch) { return pitch - gapOf(pitch); }

/// Nested calls on the own locations of ranks, and how many levels of them are one call each.
struct Depths {
    std::size_t all = 1;
    std::size_t trivial = 0;
};

Depths depthsOf(const analysis::TracedProgram& program) {
    Depths depths{1, analysis::LocationTimelines::deepest};
    for (Rank rank{0}; rank.value < program.recording().ranks; ++rank) {
        const std::int32_t own = program.tracks().ownOf(rank);
        if (own == traces::noIndex) continue;
        const auto& calls = program.tracks().of(static_cast<std::size_t>(own)).calls;
        depths.all = std::max(depths.all, calls.size());
        std::size_t trivial = 0;
        // A call with what is before and after it.
        while (trivial + 1 < calls.size() && calls[trivial].size() <= 3) ++trivial;
        depths.trivial = std::min(depths.trivial, trivial);
    }
    depths.trivial = std::min(depths.trivial, depths.all - 1);
    return depths;
}

ProgramTimelineInRow inRowOf(const Depths& depths, double pitch) {
    ProgramTimelineInRow in;
    const double room = roomIn(pitch);
    if (room < lowestBox) {
        in.compact = true;
        in.innermost = true;
        in.lanes = 1;
        in.lane = room;
        return in;
    }
    in.band = room >= leastLane + leastBand ? std::clamp(room * 0.3, leastBand, mostBand) : 0;
    const std::size_t fit = std::max<std::size_t>(1, static_cast<std::size_t>((room - in.band) / leastLane));
    in.lanes = std::min(fit, depths.all);
    in.lane = std::min((room - in.band) / static_cast<double>(in.lanes), mostLane);
    // What is one call all the time is the first to go; then the middle, since what is innermost says most.
    in.first = std::min(depths.trivial, depths.all - in.lanes);
    in.innermost = in.band == 0 || in.first + in.lanes < depths.all;
    return in;
}

constexpr double overLegend = 4;

/// As many lines of a legend, `all` high, as leave rows their names in `room`; all of them where rows have none anyway.
double legendBeside(double room, std::size_t rows, double all) {
    constexpr double leastPitch = 14.5;
    static_assert(leastPitch * (1 - gapShare) >= leastLane);
    const double line = lineHeight(points::small) + 2;
    const double left = room - overLegend - static_cast<double>(rows) * leastPitch;
    return left < line ? all : std::min(all, std::floor(left / line) * line);
}

constexpr std::size_t metricsAtFirst = 3;

/// The curves of `shown` metrics by rank; behind them those of no rank.
std::vector<std::vector<std::int32_t>> curvesByRank(const analysis::TracedProgram& program,
                                                    const std::vector<std::int32_t>& shown) {
    std::vector<std::vector<std::int32_t>> curves(engine::asSize(program.recording().ranks) + 1);
    const auto& all = program.metrics().all();
    for (std::size_t i = 0; i < all.size(); ++i)
        if (std::binary_search(shown.begin(), shown.end(), static_cast<std::int32_t>(all[i].metric)))
            (all[i].rank == traces::noRank ? curves.back() : curves[all[i].rank.index()])
                .push_back(static_cast<std::int32_t>(i));
    return curves;
}

void addRank(ProgramTimelineFrame& frame, const analysis::TracedProgram& program, Rank rank, std::int32_t group) {
    frame.rowOf[rank.index()] = static_cast<std::int32_t>(frame.rows.size());
    frame.rows.push_back({program.tracks().ownOf(rank), rank, group, true});
    for (const std::size_t other : program.tracks().othersOf(rank))
        frame.rows.push_back({static_cast<std::int32_t>(other), rank, group, false});
}

void arrange(ProgramTimelineFrame& frame, const analysis::TracedProgram& program, const ProgramTimelineView& view) {
    const auto spent = [&](Rank rank) {
        return program.tracks().spentBy(rank)[static_cast<std::size_t>(
            view.order == ProgramTimelineView::Order::waited ? Activity::waiting : Activity::compute)];
    };
    const auto inOrder = [&](std::vector<Rank> ranks) {
        if (view.order != ProgramTimelineView::Order::rank)
            std::stable_sort(ranks.begin(), ranks.end(), [&](Rank a, Rank b) { return spent(a) > spent(b); });
        return ranks;
    };
    frame.rowOf.assign(engine::asSize(program.recording().ranks), traces::noIndex);
    const std::vector<std::int32_t> shown = metricsIn(program, view);
    const std::vector<std::vector<std::int32_t>> curves = curvesByRank(program, shown);
    const auto addRanks = [&](const std::vector<Rank>& ranks, std::int32_t group) {
        for (const Rank rank : ranks) {
            addRank(frame, program, rank, group);
            for (const std::int32_t curve : curves[rank.index()])
                frame.rows.push_back({traces::noIndex, rank, group, false, curve});
        }
    };
    const std::vector<analysis::RankGroup>& groups = groupsOf(program, view);
    std::vector<std::int32_t> ofNobody = curves.back();
    if (groups.empty()) {
        addRanks(inOrder(program.recordedRanks()), -1);
    }
    // Those of a node stand with its ranks.
    const auto addNodes = [&](std::int32_t number) {
        std::erase_if(ofNobody, [&](std::int32_t curve) {
            const std::string& name = groups[static_cast<std::size_t>(number)].name;
            if (program.metrics().all()[engine::asSize(curve)].about != name) return false;
            frame.rows.push_back({traces::noIndex, traces::noRank, number, false, curve});
            return true;
        });
    };
    frame.addGroups(
        groups, view,
        [&](std::int32_t number) {
            const auto row = static_cast<std::int32_t>(frame.rows.size());
            for (const Rank rank : groups[static_cast<std::size_t>(number)].ranks) frame.rowOf[rank.index()] = row;
            frame.rows.push_back({traces::noIndex, traces::noRank, number, true});
            addNodes(number);
            return frame.rows.size();
        },
        [&](std::int32_t number) {
            addRanks(inOrder(groups[static_cast<std::size_t>(number)].ranks), number);
            addNodes(number);
            return frame.rows.size();
        });
    for (const std::int32_t curve : ofNobody) frame.rows.push_back({traces::noIndex, traces::noRank, -1, false, curve});
}

double widestName(const analysis::TracedProgram& program, const ProgramTimelineFrame& frame) {
    // Of ranks the one with most digits, as if it were to blame; names of threads and streams may be long.
    double widest =
        sizeOf(QStringLiteral("rank %1").arg(std::max(program.recording().ranks - 1, 0)), points::small, true).width();
    constexpr std::size_t most = 64;
    std::size_t looked = 0;
    for (const ProgramTimelineRow& row : frame.rows) {
        if (row.own && !row.isGroup()) continue;
        widest = std::max(widest, sizeOf(nameOfRow(program, frame, row), points::small).width());
        if (row.isMetric()) {
            const std::size_t metric = program.metrics().all()[static_cast<std::size_t>(row.curve)].metric;
            const QString upper = valueInWords(program, metric, scaleOf(program, metric).most);
            widest = std::max(widest, sizeOf(upper, points::tiny).width());
        }
        if (++looked == most) break;
    }
    return std::min(widest, 160.0);
}

}  // namespace

double ProgramTimelineFrame::gap() const { return gapOf(pitch); }

double ProgramTimelineFrame::middleOf(Rank rank) const {
    const auto row = static_cast<std::size_t>(std::max(rowOf[rank.index()], 0));
    const double lanes = inRow.compact ? inRow.lane : inRow.lane * static_cast<double>(inRow.lanes);
    return topOf(row) + gapOf(pitch) / 2 + lanes / 2;
}

std::size_t ProgramTimelineFrame::endRow() const {
    const double end = top + plot.height() / pitch;
    // By density rows are whole: nobody could tell a part of one.
    return std::min(rows.size(), static_cast<std::size_t>(inRow.compact ? std::floor(end + 1e-6) : std::ceil(end)));
}

std::optional<std::size_t> ProgramTimelineFrame::rowAt(double y) const {
    if (y < plot.top() || y >= plot.bottom()) return std::nullopt;
    const auto row = static_cast<std::size_t>(top + (y - plot.top()) / pitch);
    return row < rows.size() ? std::optional{row} : std::nullopt;
}

const std::vector<analysis::RankGroup>& groupsOf(const analysis::TracedProgram& program,
                                                 const ProgramTimelineView& view) {
    static const std::vector<analysis::RankGroup> none;
    switch (view.groups) {
        case ProgramTimelineView::Groups::node: return program.nodes();
        case ProgramTimelineView::Groups::communicator: return program.communicators();
        case ProgramTimelineView::Groups::none: break;
    }
    return none;
}

std::vector<std::int32_t> metricsIn(const analysis::TracedProgram& program, const ProgramTimelineView& view) {
    const std::size_t all = program.recording().metrics.size();
    std::vector<std::int32_t> shown(std::min(all, metricsAtFirst));
    std::iota(shown.begin(), shown.end(), 0);
    if (view.metrics) {
        shown = *view.metrics;
        std::erase_if(shown,
                      [&](std::int32_t metric) { return metric < 0 || static_cast<std::size_t>(metric) >= all; });
    }
    return shown;
}

QString nameOfRow(const analysis::TracedProgram& program, const ProgramTimelineFrame& frame,
                  const ProgramTimelineRow& row) {
    if (row.isGroup()) {
        const RowGroup& group = frame.groups[static_cast<std::size_t>(row.group)];
        return QStringLiteral("%1 ranks").arg(group.ranks->size());
    }
    if (row.isMetric()) {
        const analysis::MetricCurve& its = program.metrics().all()[static_cast<std::size_t>(row.curve)];
        const QString name = QString::fromStdString(program.recording().metrics[its.metric].name);
        return its.about.empty() ? name : name + QStringLiteral(", ") + QString::fromStdString(its.about);
    }
    if (row.own) return QStringLiteral("rank %1").arg(row.rank.value);
    return QString::fromStdString(program.recording().locations[static_cast<std::size_t>(row.location)].name);
}

ProgramTimelineFrame programTimelineFrame(const DrawableRun& subject, const analysis::TracedProgram& program,
                                          const ViewState& state, QSizeF size) {
    const QRectF whole = QRectF{QPointF{}, size}.adjusted(margin, margin / 2, -margin, -margin / 2);
    ProgramTimelineFrame frame;
    arrange(frame, program, state.tracks);
    double left = whole.left();
    frame.groupsLeft = left;
    if (!frame.groups.empty()) left += roomForGroupNames(groupsOf(program, state.tracks));
    frame.groupsRight = left - 6;
    left += widestName(program, frame) + 8;
    const double most = whole.left() + whole.width() * 0.45;
    frame.groupsRight -= std::max(left - most, 0.0);
    left = std::min(left, most);
    frame.labels = left - 8;

    double top = whole.top();
    const double line = lineHeight(points::small);
    frame.iterations = {left, top, 0,
                        program.iterations().all.empty() && subject.run().messages.size() == 0 ? 0 : line + 3};
    top += frame.iterations.height() > 0 ? frame.iterations.height() + 4 : 0;
    double bottom = whole.bottom();
    const double axis = lineHeight(points::tiny) + 8;
    if (whole.height() > 160) {
        const double all = programTimelineLegend(program, state.dark).rowsHeight(whole.right() - left);
        // What is explained comes first.
        const double height = legendBeside(bottom - axis - top, frame.rows.size(), all);
        if (height <= whole.height() * mostLegend) {
            frame.legend = {left, bottom - height, whole.right() - left, height};
            bottom -= height + overLegend;
        }
    }
    bottom -= axis;
    const double unit = sizeOf(QStringLiteral("ms"), points::tiny).width() + 14;
    frame.plot = {left, top, std::max(whole.right() - unit - left, 10.0), std::max(bottom - top, 10.0)};
    frame.iterations.setWidth(frame.plot.width());
    const traces::TimeSpan span = visibleSpan(subject, state);
    frame.axis = TimeAxis{span.begin, span.end, frame.plot.left(), frame.plot.right()};

    const Depths depths = depthsOf(program);
    frame.fit(frame.rows.size(), static_cast<double>(depths.all) * mostLane + mostBand + mostGap, state.tracks);
    frame.inRow = inRowOf(depths, frame.pitch);
    if (frame.inRow.compact) frame.top = std::floor(frame.top);
    // A few rows leave room below: the axis stands where they end, not far from what it measures.
    if (const double rows = static_cast<double>(frame.rows.size()) * frame.pitch; rows < frame.plot.height()) {
        frame.legend.translate(0, rows - frame.plot.height());
        frame.plot.setHeight(std::max(rows, 10.0));
    }
    return frame;
}

namespace {

/// What stands for messages in the place of iterations. Without these, what crowds together depends on what is seen:
/// all signs may come.
void addSigns(Legend& legend, const analysis::TracedProgram& program) {
    const std::vector<analysis::MessagePattern>& patterns = program.patterns();
    const bool bursts = program.iterations().all.empty() && program.recording().messages.size() >= fewMessages;
    const auto occurs = [&](analysis::PatternKind kind) {
        return bursts || std::ranges::find(patterns, kind, &analysis::MessagePattern::kind) != patterns.end();
    };
    constexpr std::array kinds{std::pair{analysis::PatternKind::shift, "pattern: shift (all to the same distance)"},
                               std::pair{analysis::PatternKind::exchange, "pattern: exchange in pairs"},
                               std::pair{analysis::PatternKind::tree, "pattern: tree"},
                               std::pair{analysis::PatternKind::allToAll, "pattern: all-to-all"}};
    const bool any = std::ranges::any_of(kinds, [&](const auto& one) { return occurs(one.first); });
    if (any && !bursts && program.recording().messages.size() >= fewMessages * patterns.size())
        legend.entry(QStringLiteral("messages too close to be drawn"), [](SceneBuilder& pencil, const QRectF& box) {
            pencil.line({box.left(), box.center().y()}, {box.right(), box.center().y()}, pencil.palette().muted, 2);
        });
    for (const auto& [kind, words] : kinds)
        if (occurs(kind))
            legend.entry(QString::fromLatin1(words), [kind = kind](SceneBuilder& pencil, const QRectF& box) {
                const double side = box.height() - 2;
                drawPattern(pencil, {box.center().x() - side / 2, box.top() + 1, side, side}, kind,
                            pencil.palette().muted);
            });
}

}  // namespace

Legend programTimelineLegend(const analysis::TracedProgram& program, bool dark) {
    Legend legend;
    for (std::size_t k = 1; k < analysis::activities; ++k) {
        if (!program.tracks().present()[k]) continue;
        const auto activity = static_cast<Activity>(k);
        // A function covers its calls of MPI, too.
        const bool isFunction = activity == Activity::compute && !traces::isTraining(program.recording());
        legend.entry(isFunction ? QStringLiteral("function of the program") : nameOfActivity(activity, program),
                     [activity, dark](SceneBuilder& pencil, const QRectF& box) {
                         Shape& mark = drawActivity(pencil, box.adjusted(0, 1, 0, -1), activity, dark);
                         // Its quiet colour alone, on so small a mark, is hardly seen.
                         mark.pen = strongColour(activity, dark);
                         mark.width = 0.8;
                     });
    }
    const auto& present = program.tracks().present();
    const bool callsMpi =
        !traces::isTraining(program.recording()) && (present[static_cast<std::size_t>(Activity::pointToPoint)] ||
                                                     present[static_cast<std::size_t>(Activity::collective)]);
    if (callsMpi)
        legend.entry(QStringLiteral("empty, between calls: computation"), [](SceneBuilder& pencil, const QRectF& box) {
            pencil.rectangle(box.adjusted(0, 1, 0, -1), pencil.palette().paper).pen = pencil.palette().muted;
        });
    // Where they are too short to be distinguished.
    std::vector<Activity> some;
    for (std::size_t k = 1; k < analysis::activities; ++k)
        if (program.tracks().present()[k]) some.push_back(static_cast<Activity>(k));
    if (some.size() > 1)
        legend.entry(QStringLiteral("several activities in a pixel"), [one = some.front(), other = some.back(), dark](
                                                                          SceneBuilder& pencil, const QRectF& box) {
            constexpr int steps = 6;
            for (int step = 0; step < steps; ++step)
                pencil.rectangle({box.left() + box.width() * step / steps, box.top() + 1, box.width() / steps + 0.5,
                                  box.height() - 2},
                                 mixed(sharedColour(one, dark), sharedColour(other, dark), (step + 0.5) / steps));
        });
    if (callsMpi) {
        // The strip has the colours of the calls that are in it.
        std::vector<Activity> calls;
        for (const Activity activity : some)
            if (analysis::isMpi(activity)) calls.push_back(activity);
        legend.entry(QStringLiteral("strip below a call: time in MPI, hatched while waiting"),
                     [calls, dark](SceneBuilder& pencil, const QRectF& box) {
                         const double width = box.width() / static_cast<double>(std::max<std::size_t>(calls.size(), 1));
                         for (std::size_t i = 0; i < calls.size(); ++i)
                             pencil.rectangle(
                                 {box.left() + static_cast<double>(i) * width, box.top() + 1, width, box.height() - 2},
                                 strongColour(calls[i], dark));
                     });
    }
    if (!program.tracks().collectives().empty())
        legend.entry(QStringLiteral("end of a collective"), [dark](SceneBuilder& pencil, const QRectF& box) {
            pencil.line({box.center().x(), box.top()}, {box.center().x(), box.bottom()},
                        strongColour(Activity::collective, dark), 1.5);
        });
    if (!program.recording().messages.empty())
        legend.entry(QStringLiteral("message"), [](SceneBuilder& pencil, const QRectF& box) {
            pencil.arrow(box.topLeft() + QPointF{0, 1}, box.bottomRight() - QPointF{0, 1}, pencil.palette().muted, 1.2);
        });
    addSigns(legend, program);
    return legend;
}

}  // namespace app::gui
