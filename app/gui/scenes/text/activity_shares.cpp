// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/text/activity_shares.hpp"

#include "app/analysis/format/cell_format.hpp"
#include "app/analysis/overview/program_view.hpp"
#include "app/gui/scenes/drawing/to_qt.hpp"
#include "app/gui/scenes/text/run_text.hpp"

#include <algorithm>
#include <numeric>

namespace app::gui {

using analysis::Activity;
using engine::Picoseconds;
using engine::Rank;

Spent spentBy(const DrawableRun& subject, const analysis::TracedProgram& program, std::int64_t first,
              std::int64_t next) {
    Spent all{};
    for (Rank rank{static_cast<std::int32_t>(first)}; rank.value < next; ++rank)
        if (program.tracks().ownOf(rank) != traces::noIndex)
            for (std::size_t k = 1; k < all.size(); ++k)
                all[k] += static_cast<double>(program.tracks().spentBy(rank)[k].count());
    const double whole = static_cast<double>(subject.run().duration.count()) * static_cast<double>(next - first);
    all[0] = std::max(0.0, whole - std::accumulate(all.begin() + 1, all.end(), 0.0));
    return all;
}

/// From below: what anybody did, then what nothing was recorded of.
std::vector<Activity> partsOf(const DrawableRun& subject, const analysis::TracedProgram& program) {
    const Spent all = spentBy(subject, program, 0, subject.run().ranks);
    std::vector<Activity> parts;
    for (std::size_t k = 1; k < all.size(); ++k)
        if (all[k] > 0) parts.push_back(static_cast<Activity>(k));
    if (all[0] > 0) parts.push_back(Activity::none);
    return parts;
}

QString nameOfActivity(Activity activity) {
    return activity == Activity::none ? QStringLiteral("nothing recorded") : toQt(analysis::name(activity));
}

double waitingShare(const DrawableRun& subject, const analysis::TracedProgram& program) {
    const Spent all = spentBy(subject, program, 0, subject.run().ranks);
    const double whole = std::accumulate(all.begin(), all.end(), 0.0);
    return whole > 0 ? all[static_cast<std::size_t>(Activity::waiting)] / whole : 0;
}

QStringList spentInWords(const DrawableRun& subject, const analysis::TracedProgram& program, Rank rank) {
    const Spent spent = spentBy(subject, program, rank.value, rank.value + 1);
    const double whole = std::max(1.0, std::accumulate(spent.begin(), spent.end(), 0.0));
    QStringList words;
    for (const Activity part : partsOf(subject, program)) {
        const double time = spent[static_cast<std::size_t>(part)];
        if (time > 0)
            words << QStringLiteral("%1 %2, %3")
                         .arg(nameOfActivity(part), timeInWords(Picoseconds{static_cast<std::int64_t>(time)}),
                              toQt(analysis::percent(time / whole)));
    }
    return words;
}

}  // namespace app::gui
