// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/replay/replay_algorithms.hpp"

#include "app/analysis/bounds/algorithm_ranking.hpp"
#include "app/analysis/trace/library_use.hpp"
#include "app/analysis/trace/trace_analysis.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/algorithm_file.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "engine/schedule/kernel.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace app {

using analysis::AlgorithmsInSequence;
using analysis::AlgorithmSource;
using analysis::Identified;
using analysis::IdentifiedPtr;
using analysis::Instance;
using analysis::LibrarySetting;
using analysis::LibraryUse;
using analysis::RecordedCollective;
using analysis::TraceAnalysis;
using engine::Plan;
using engine::text;

namespace {

/// Why these words of a recorder name no algorithm of the catalogue; empty where they do.
std::string whyUnknown(const std::string& words) {
    try {
        const std::string id = readVariant(words, "").id;
        // A file may be a script: only its user chooses what the program runs.
        if (engine::schedules::isPath(id)) return "a file, which a trace does not open; name it with --with";
        (void)engine::algorithmNamed(id);
        return {};
    } catch (const engine::Error& error) {
        return error.words();
    }
}

/// What is known of all collectives with the same messages.
struct Recognised {
    AlgorithmSource source = AlgorithmSource::none;
    std::string algorithm{};
    std::shared_ptr<const AlgorithmsInSequence> sequence{};
    std::shared_ptr<const engine::Problem> problem{};
};

/// Both schedules one after the other. Their strands join between them, and in the second one also where it would let
/// them run apart, if the first one does so too.
engine::SchedulePtr inSequence(const Plan& first, const Plan& second) {
    const engine::Facts& before = first.schedule->facts();
    const engine::Facts& behind = second.schedule->facts();
    engine::Facts facts = before;
    facts.ports = std::max(before.ports, behind.ports);
    facts.slots = std::max(before.slots, behind.slots);
    facts.pieces = before.pieces || behind.pieces;
    if (before.uncoupled.count == 0 && behind.uncoupled.count > 0)
        facts.uncoupled = {behind.uncoupled.first + before.rounds, behind.uncoupled.count};
    return then(facts, engine::Part{first.algorithm->id, before.rounds, engine::Borrowed{first.schedule}},
                engine::Part{second.algorithm->id, behind.rounds, engine::Borrowed{second.schedule}});
}

Recognised recognisedIn(TraceAnalysis& analysis, std::size_t i, const LibrarySetting& setting) {
    const Instance& instance = analysis.instances()[i];
    const IdentifiedPtr known = analysis.identified(i);
    const LibraryUse use = analysis::usedIn(analysis, i, setting);
    const bool takesPart = std::ranges::all_of(
        use.plans, [&](const Plan* plan) { return plan->schedule->facts().ranks == instance.rankCount(); });
    // Which problem messages solve that are only close to an algorithm's is not known from them.
    if (use.plans.empty() || !takesPart || (!instance.problem && !known->problem)) return {};
    Recognised found;
    if (use.plans.size() == 1) {
        found.algorithm = analysis::variantWords(*use.plans.front());
        found.source = known->plan ? AlgorithmSource::recognised : AlgorithmSource::closest;
        if (!instance.problem) found.problem = std::make_shared<const engine::Problem>(*known->problem);
        return found;
    }
    found.sequence = std::make_shared<const AlgorithmsInSequence>(
        AlgorithmsInSequence{use.catalogue, inSequence(*use.plans[0], *use.plans[1])});
    found.source = known->sequence->isExact ? AlgorithmSource::recognised : AlgorithmSource::closest;
    return found;
}

}  // namespace

const ChosenAlgorithm& AlgorithmChoice::best(const analysis::RecordedCollective& collective,
                                             const engine::Progress& progress) {
    const std::string key = collective.problem ? engine::toText(*collective.problem) : ' ' + collective.whyNoProblem;
    const auto [at, isNew] = known_.try_emplace(key);
    if (!isNew) return at->second;
    ChosenAlgorithm& chosen = at->second;
    if (!collective.problem) {
        chosen.why = collective.whyNoProblem;
        return chosen;
    }
    const std::int32_t ranks = collective.problem->ranks();
    const bool whole = ranks == ranks_;
    emulation::Conditions conditions = conditions_;
    if (!whole) conditions.perturbation = {};
    const analysis::AlgorithmRanking all = analysis::whatIf(*collective.problem, conditions, whole ? topology_ : "",
                                                            {.report = {}, .stop = progress.stop});
    // Who stands for nobody has no place in the program.
    for (const analysis::Alternative& alternative : all.ranked)
        if (alternative.plan.schedule->facts().ranks == ranks) {
            chosen.plan = alternative.plan;
            return chosen;
        }
    chosen.why = "no algorithm of the catalogue fits";
    return chosen;
}

const ChosenAlgorithm* AlgorithmChoice::recorded(const analysis::RecordedCollective& collective,
                                                 const engine::Progress& progress) {
    if (collective.algorithm.empty() || !collective.problem) return nullptr;
    const auto [at, isNew] = unknown_.try_emplace(collective.algorithm);
    if (isNew) at->second = whyUnknown(collective.algorithm);
    if (!at->second.empty()) return nullptr;
    const ChosenAlgorithm& named = said(collective, readVariant(collective.algorithm, ""), progress);
    return named.plan ? &named : nullptr;
}

const ChosenAlgorithm& AlgorithmChoice::said(const analysis::RecordedCollective& collective, const Variant& variant,
                                             const engine::Progress& progress) {
    if (variant.id.empty() || !collective.problem) return best(collective, progress);
    std::string key = variant.id;
    for (const auto& [option, value] : variant.options) key += text(':', option, '=', value);
    const auto [at, isNew] = known_.try_emplace(key + ' ' + engine::toText(*collective.problem));
    if (!isNew) return at->second;
    try {
        engine::Plan plan = engine::makePlan(engine::algorithmNamed(variant.id), *collective.problem, variant.options,
                                             {.model = conditions_.model});
        if (plan.schedule->facts().ranks != collective.problem->ranks())
            throw engine::Error{text(variant.id, ": needs additional ranks without a process")};
        at->second.plan = std::move(plan);
    } catch (const engine::Error& error) {
        at->second.why = error.words();
    }
    return at->second;
}

void recogniseAlgorithms(analysis::RecordedProgram& program, const analysis::Trace& trace,
                         const engine::Progress& progress) {
    if (!trace.recording || trace.isCollscopeRun() || trace.recording->library.messages.empty()) return;
    std::map<std::size_t, RecordedCollective*> unknown;  // by place in the recording
    for (RecordedCollective& one : program.collectives)
        if (!one.isSynchronisation() && one.source == AlgorithmSource::none) unknown[one.instance] = &one;
    if (unknown.empty()) return;
    TraceAnalysis analysis{trace, {}, progress};
    analysis.skipMessages();
    const LibrarySetting setting = analysis::librarySettingOf(*trace.recording);
    std::map<std::tuple<const Identified*, std::string, const engine::Problem*>, Recognised> all;
    for (std::size_t i = 0; i < analysis.instances().size(); ++i) {
        const Instance& instance = analysis.instances()[i];
        const auto its = instance.isNative ? unknown.find(instance.collective) : unknown.end();
        if (its == unknown.end()) continue;
        const auto [entry, isNew] = all.try_emplace(
            {analysis.identified(i).get(), text(instance.ofLibrary, '\n', instance.component), instance.problem.get()});
        if (isNew) entry->second = recognisedIn(analysis, i, setting);
        const Recognised& found = entry->second;
        RecordedCollective& one = *its->second;
        one.source = found.source;
        one.algorithm = found.algorithm;
        one.sequence = found.sequence;
        if (found.problem) one.problem = found.problem;
    }
}

}  // namespace app
