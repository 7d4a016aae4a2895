// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/text/activity_shares.hpp"

#include "app/analysis/format/cell_format.hpp"
#include "app/analysis/overview/program_view.hpp"
#include "app/gui/scenes/drawing/to_qt.hpp"
#include "app/gui/scenes/text/run_text.hpp"
#include "traces/recording/training.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

namespace app::gui {
namespace {

/// The number of the first iteration among the profiler's steps; nothing where iterations are no steps.
std::optional<std::int64_t> firstStep(const analysis::TracedProgram& program) {
    const traces::Recording& recording = program.recording();
    if (!traces::isTraining(recording) || program.iterations().all.empty()) return std::nullopt;
    const analysis::Iteration& first = program.iterations().all.front();
    const engine::Picoseconds middle = first.begin + first.duration / 2;
    for (const traces::Marker& marker : recording.markers) {
        const engine::Picoseconds length = marker.end - marker.begin;
        if (marker.group != traces::stepGroup || marker.category != traces::stepCategory || middle < marker.begin ||
            middle >= marker.end || length > 2 * first.duration || first.duration > 2 * length)
            continue;
        bool numbered = false;
        const qint64 number = QString::fromStdString(marker.text).toLongLong(&numbered);
        if (numbered) return number;
    }
    return std::nullopt;
}

}  // namespace

using analysis::Activity;
using engine::Picoseconds;
using engine::Rank;

Picoseconds summedTime(const analysis::TracedProgram& program) {
    const traces::TimeSpan span = program.tracks().summed();
    return span.end - span.begin;
}

QString baseOfShares(const analysis::TracedProgram* program) {
    return program != nullptr && program->tracks().isWithoutStartUp()
               ? QStringLiteral("of the time from MPI_Init to MPI_Finalize")
               : QStringLiteral("of total rank time");
}

Spent spentBy(const analysis::TracedProgram& program, std::int64_t first, std::int64_t next) {
    Spent all{};
    std::int64_t recorded = 0;
    for (Rank rank{static_cast<std::int32_t>(first)}; rank.value < next; ++rank) {
        if (program.isRecorded(rank)) ++recorded;
        if (program.tracks().ownOf(rank) != traces::noIndex)
            for (std::size_t k = 1; k < all.size(); ++k)
                all[k] += static_cast<double>(program.tracks().spentBy(rank)[k].count());
    }
    const double whole = static_cast<double>(summedTime(program).count()) * static_cast<double>(recorded);
    all[0] = std::max(0.0, whole - std::accumulate(all.begin() + 1, all.end(), 0.0));
    return all;
}

/// From below: what anybody did, then what nothing was recorded of.
std::vector<Activity> partsOf(const DrawableRun& subject, const analysis::TracedProgram& program) {
    const Spent all = spentBy(program, 0, subject.run().ranks);
    std::vector<Activity> parts;
    for (std::size_t k = 1; k < all.size(); ++k)
        if (all[k] > 0) parts.push_back(static_cast<Activity>(k));
    if (all[0] > 0) parts.push_back(Activity::none);
    return parts;
}

QString nameOfActivity(Activity activity, const analysis::TracedProgram& program) {
    const bool training = traces::isTraining(program.recording());
    switch (activity) {
        case Activity::none: return training ? QStringLiteral("idle") : QStringLiteral("nothing recorded");
        case Activity::compute: return training ? QStringLiteral("host") : toQt(analysis::name(activity));
        case Activity::collective: return training ? QStringLiteral("communication") : toQt(analysis::name(activity));
        case Activity::accelerator:
            return training ? QStringLiteral("kernels and copies") : toQt(analysis::name(activity));
        default: return toQt(analysis::name(activity));
    }
}

QString iterationWord(const analysis::TracedProgram& program) {
    return firstStep(program) ? QStringLiteral("step") : QStringLiteral("iteration");
}

QString iterationNumber(const analysis::TracedProgram& program, std::size_t iteration) {
    return QString::number(static_cast<qint64>(iteration) + firstStep(program).value_or(1));
}

double waitingShare(const DrawableRun& subject, const analysis::TracedProgram& program) {
    const Spent all = spentBy(program, 0, subject.run().ranks);
    const double whole = std::accumulate(all.begin(), all.end(), 0.0);
    return whole > 0 ? all[static_cast<std::size_t>(Activity::waiting)] / whole : 0;
}

QStringList spentInWords(const DrawableRun& subject, const analysis::TracedProgram& program, Rank rank) {
    const Spent spent = spentBy(program, rank.value, rank.value + 1);
    const double whole = std::max(1.0, std::accumulate(spent.begin(), spent.end(), 0.0));
    QStringList words;
    for (const Activity part : partsOf(subject, program)) {
        const double time = spent[static_cast<std::size_t>(part)];
        if (time > 0)
            words << QStringLiteral("%1 %2, %3")
                         .arg(nameOfActivity(part, program), timeInWords(Picoseconds{static_cast<std::int64_t>(time)}),
                              toQt(analysis::percent(time / whole)));
    }
    return words;
}

}  // namespace app::gui
