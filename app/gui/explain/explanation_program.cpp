// SPDX-License-Identifier: BSD-3-Clause
// What a traced program does at a moment, rank by rank.
#include "app/gui/explain/explanation_program.hpp"

#include "app/gui/explain/details_page.hpp"
#include "app/gui/scenes/drawing/number_text.hpp"
#include "app/gui/scenes/drawing/to_qt.hpp"
#include "app/gui/scenes/text/activity_shares.hpp"
#include "app/gui/scenes/text/headline.hpp"
#include "app/gui/scenes/text/program_text.hpp"
#include "app/gui/scenes/text/run_text.hpp"

#include <algorithm>

namespace app::gui {
namespace {

using analysis::Activity;
using engine::Picoseconds;
using engine::Rank;

constexpr std::int32_t mostRanksTold = 16;

QString iterationAt(const analysis::TracedProgram& program, Picoseconds time) {
    const auto& all = program.iterations().all;
    const auto after = std::partition_point(all.begin(), all.end(), [&](const auto& one) { return one.begin <= time; });
    if (after == all.begin() || time > std::prev(after)->begin + std::prev(after)->duration) return {};
    return detail("iteration %1 of %2").arg(after - all.begin()).arg(all.size());
}

/// "rank 3: computes in main/assemble", "rank 0: waits for rank 3 in main/MPI_Allreduce (wait at NxN)".
QString doingOf(const analysis::TracedProgram& program, Rank rank, Picoseconds time) {
    const std::int32_t own = program.tracks().ownOf(rank);
    if (own == traces::noIndex) return {};
    const analysis::Lane& lane = program.tracks().of(static_cast<std::size_t>(own)).activity;
    const std::size_t at = lane.at(time);
    const analysis::Lane::Stretch stretch =
        at < lane.size() && lane[at].begin <= time ? lane[at] : analysis::Lane::Stretch{};
    const auto pathOf = [&](Meaning::Kind kind) {
        const Meaning meaning{kind, stretch.id, kind == Meaning::Kind::call ? own : -1};
        return pathOfStretch(program, meaning).toHtmlEscaped();
    };
    if (stretch.activity == Activity::none)
        return detail("%1: %2").arg(linkTo(rank), nameOfActivity(Activity::none, program));
    if (stretch.activity == Activity::waiting) {
        const analysis::Wait& wait = program.waits()[stretch.id];
        const QString whom =
            wait.lateThread == 0 ? linkTo(wait.late) : threadWords(program, wait.late, wait.lateThread).toHtmlEscaped();
        return detail("%1: waits for %2 in %3 (%4)")
            .arg(linkTo(rank), whom, pathOf(Meaning::Kind::wait), toQt(analysis::name(wait.kind)));
    }
    if (stretch.id == analysis::Lane::noId) return detail("%1: computes, outside of recorded calls").arg(linkTo(rank));
    return detail("%1: %2, in %3")
        .arg(linkTo(rank), toQt(analysis::name(stretch.activity)), pathOf(Meaning::Kind::call));
}

}  // namespace

QString programText(const DrawableRun& subject, const ViewState& state) {
    const analysis::TracedProgram* program = knownProgramOf(subject);
    if (program == nullptr) return {};
    const QString iteration = iterationAt(*program, state.time);
    const QString text = iteration.isEmpty() ? QString{} : QStringLiteral("<p><b>%1</b></p>").arg(iteration);
    const std::int32_t ranks = program->recording().ranks;
    // Those around the selected one.
    const std::int32_t first =
        std::clamp(state.rank ? state.rank->value - mostRanksTold / 2 : 0, 0, std::max(ranks - mostRanksTold, 0));
    QStringList lines;
    for (Rank rank{first}; rank.value < std::min(first + mostRanksTold, ranks); ++rank)
        if (const QString line = doingOf(*program, rank, state.time); !line.isEmpty())
            lines += state.rank == rank ? QStringLiteral("<b>%1</b>").arg(line) : line;
    if (ranks > mostRanksTold) lines += detail("and %1 more ranks").arg(countInWords(ranks - mostRanksTold));
    const Headline headline = headlineOf(*program);
    return text + QStringLiteral("<p>%1</p><hr><p>%2.</p>")
                      .arg(lines.join(QStringLiteral("<br>")), headline.words().toHtmlEscaped());
}

}  // namespace app::gui
