// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/findings/algorithm_advice.hpp"

#include "app/analysis/trace/library_use.hpp"

#include <functional>

namespace app::analysis {

using engine::Picoseconds;

namespace {

/// Where the time an instance took is to be compared with an emulation: from the last entry into a collective of the
/// library, else all of it.
Picoseconds measuredTime(const Instance& instance) {
    return instance.hasMessages && !instance.isNative ? instance.duration() : timeFromLastEntry(instance);
}

/// What an instance ran (Advice::own).
std::vector<engine::Plan> ownPlans(TraceAnalysis& analysis, std::size_t index) {
    const IdentifiedPtr known = analysis.identified(index);
    std::vector<engine::Plan> plans;
    if (const auto use = usedInUnmatched(analysis, index))
        for (const engine::Plan* const plan : use->plans) plans.push_back(*plan);
    if (plans.empty() && known->plan) plans.push_back(*known->plan);
    return plans;
}

}  // namespace

std::optional<double> Advice::factor(Picoseconds time) const {
    if (!again) return std::nullopt;
    return time.count() > 0 ? static_cast<double>(again->count()) / static_cast<double>(time.count()) : 1;
}

std::optional<Picoseconds> Advice::saving(Picoseconds time) const {
    if (!again) return std::nullopt;
    const double gone = 1 - 1 / std::max(*factor(time), 1e-9);
    return Picoseconds{static_cast<std::int64_t>(static_cast<double>(measured.count()) * gone)};
}

std::optional<double> Advice::deviation() const {
    if (!again || measured.count() <= 0) return std::nullopt;
    return static_cast<double>(again->count()) * static_cast<double>(instances) /
               static_cast<double>(measured.count()) -
           1;
}

std::vector<Advice> advice(TraceAnalysis& analysis, const std::set<std::size_t>& kinds) {
    std::map<std::size_t, Advice> found;
    for (std::size_t i = 0; i < analysis.instances().size(); ++i) {
        const IdentifiedPtr known = analysis.identified(i);
        const std::size_t kind = analysis.kindOf(i);
        if (!known->problem || !analysis.model() || (!kinds.empty() && !kinds.contains(kind))) continue;
        auto [entry, isNew] = found.try_emplace(kind);
        Advice& one = entry->second;
        if (isNew) {
            one.first = i;
            one.own = ownPlans(analysis, i);
            const bool isIdentified =
                known->plan && one.own.size() == 1 && one.own.front().algorithm == known->plan->algorithm;
            one.again = isIdentified ? analysis.reemulatedTime(i) : emulatedAgain(analysis, i, one.own);
            one.alternatives = analysis.whatIf(i);
        }
        ++one.instances;
        const Instance& instance = analysis.instances()[i];
        one.measured += measuredTime(instance);
        one.fromLastArrival = one.fromLastArrival || measuredTime(instance) != instance.duration();
    }
    std::vector<Advice> all;
    for (auto& [kind, one] : found)
        if (one.alternatives != nullptr && !one.alternatives->ranked.empty()) all.push_back(std::move(one));
    std::ranges::stable_sort(all, std::greater{},
                             [](const Advice& one) { return one.saving(one.alternatives->ranked.front().time); });
    return all;
}

}  // namespace app::analysis
