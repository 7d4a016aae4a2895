// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/replay/replay_algorithms.hpp"

#include "app/analysis/bounds/algorithm_ranking.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/algorithm_file.hpp"
#include "engine/catalogue/catalogue.hpp"

namespace app {

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

}  // namespace

std::string variantWords(const engine::Plan& plan) {
    std::string words = plan.algorithm->id;
    for (const auto& [key, value] : plan.options.given()) words += text(':', key, '=', value);
    return words;
}

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
    const analysis::WhatIf all = analysis::whatIf(*collective.problem, conditions, whole ? topology_ : "",
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

}  // namespace app
