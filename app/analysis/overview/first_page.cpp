// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/overview/first_page.hpp"

#include "app/analysis/format/cell_format.hpp"
#include "app/analysis/overview/efficiency_finding.hpp"
#include "app/analysis/overview/fault_findings.hpp"
#include "app/analysis/overview/instance_findings.hpp"
#include "app/analysis/overview/training_page.hpp"
#include "app/analysis/overview/wait_findings.hpp"
#include "engine/base/option_placeholders.hpp"
#include "engine/base/text.hpp"
#include "traces/recording/training.hpp"

#include <algorithm>
#include <future>
#include <iterator>
#include <optional>
#include <utility>

namespace app::analysis {

std::vector<Finding> firstPage(TraceAnalysis& analysis, AnalysisUse afterwards) {
    if (analysis.trace().recording && traces::isTraining(*analysis.trace().recording)) return trainingPage(analysis);
    constexpr std::size_t most = 7, mostKinds = 4;
    const std::vector<Finding> cautions = cautionFindings(analysis);
    if (afterwards == AnalysisUse::pageOnly) {
        analysis.skipMessages();
        analysis.recogniseCostliest(mostKinds);
        // Where causes are shown for all but very many waits, these are kept for them.
        if (!recordsProgram(analysis.trace())) analysis.sumWaitsOnly();
    }
    // The replay on an ideal network is a task for one processor, beside the search for instances.
    std::future<void> replay = std::async(std::launch::async, [&] { (void)analysis.efficiency(); });
    // So are wait states and their causes. They do not depend on what collectives are recognised as, which changes
    // instances only where these have their messages.
    (void)analysis.instances();
    (void)analysis.analysedSpan();
    std::future<void> waitStates;
    if (afterwards == AnalysisUse::pageOnly)
        waitStates = std::async(std::launch::async, [&] { prepareWaitFindings(analysis); });
    const std::vector<InstanceGroup> kinds = instanceGroups(analysis);
    replay.get();
    if (waitStates.valid()) waitStates.get();
    std::vector<Finding> instances = instanceFindings(analysis, kinds, mostKinds);
    const std::optional<SerialChain> chain = serializationOf(analysis);
    std::vector<Finding> waits = waitFindings(analysis, chain.has_value());
    std::vector<Finding> last;
    // Without a known problem there is no bound, whatever alpha and beta are.
    const bool mayHaveBounds = std::ranges::any_of(
        kinds, [&](const InstanceGroup& kind) { return analysis.identified(kind.typical)->problem.has_value(); });
    if (analysis.model() || mayHaveBounds) last.push_back(modelFinding(analysis));
    if (std::optional<Finding> limitations = limitationFinding(analysis)) last.push_back(std::move(*limitations));

    // What was waited for stands first, but leaves room for what was done.
    const std::size_t room = most - cautions.size() - last.size();
    const std::size_t ofKinds = std::min(instances.size(), std::max(room - std::min(room, waits.size()), room / 2));
    instances.resize(ofKinds);
    waits.resize(std::min(waits.size(), room - ofKinds));
    if (const std::size_t others = kinds.size() - std::min(kinds.size(), ofKinds); others > 0)
        instances.back().words +=
            engine::text(" ", counted(static_cast<std::int64_t>(others), "more kind"),
                         others == 1 ? " of collectives and exchanges takes" : " of collectives and exchanges take",
                         " less time; see ", engine::field::tables, " collectives.");

    // A program that is wrong, or hangs, has no other trouble that counts.
    std::vector<Finding> page = faultFindings(analysis);
    bool transferLimits = false;
    if (std::optional<Finding> efficiency = efficiencyFinding(analysis, chain)) {
        transferLimits = analysis.efficiency()->isTransferLimited();
        page.push_back(std::move(*efficiency));
    }
    page.insert(page.end(), cautions.begin(), cautions.end());
    // What limits the program comes first. A run of ours is one collective.
    if (analysis.trace().isCollscopeRun() || transferLimits) std::swap(waits, instances);
    for (std::vector<Finding>* part : {&waits, &instances, &last})
        std::move(part->begin(), part->end(), std::back_inserter(page));
    return page;
}

}  // namespace app::analysis
