// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/proofs/proofs.hpp"

#include "app/session/options/specification.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/algorithm_file.hpp"
#include "engine/proof/bracketing.hpp"
#include "engine/proof/send_receive_matching.hpp"

namespace app {
namespace {

/// Whether several ranks get a result of the same vectors.
bool sharesResults(engine::Collective collective) {
    return collective == engine::Collective::allreduce || collective == engine::Collective::intergroupAllreduce;
}

/// Proves one and counts it. Throws Faulty, Cancelled.
void prove(const Conjecture& conjecture, Proofs& proofs, const OnRefuted& onRefuted, const engine::Progress& progress) {
    engine::Plan plan;
    try {
        plan = makePlan(*conjecture.algorithm, conjecture.problem, conjecture.options, conjecture.network,
                        {.stop = progress.stop});
    } catch (const engine::Faulty&) {
        throw;
    } catch (const engine::Error& error) {
        if (proofs.refused++ == 0) proofs.refusal = error.words();
        return;
    }
    const engine::Facts& facts = plan.schedule->facts();
    if (!facts.unstated.empty() && facts.wrong.sentence.empty()) {
        if (proofs.refused++ == 0) proofs.refusal = unprovable(plan);
        return;
    }
    if (engine::schedules::isPath(plan.algorithm->id)) proofs.remarks = facts.remarks;
    const engine::Verdict verdict = engine::verify(*plan.schedule, plan.problem, progress);
    proofs.messages += verdict.messages;
    ++(verdict.proved ? proofs.proved : proofs.refuted);
    if (verdict.proved && sharesResults(plan.problem.collective))
        ++proofs.sameBits[static_cast<std::size_t>(
            engine::bracketingOf(*plan.schedule, plan.problem, {.stop = progress.stop}).sameBits)];
    if (!verdict.proved && onRefuted) onRefuted(conjecture, plan, verdict);
}

}  // namespace

std::string unprovable(const engine::Plan& plan) {
    return engine::text(plan.algorithm->id, ": it cannot be proved: it does not specify ",
                        plan.schedule->facts().unstated);
}

std::string commandOf(const Conjecture& conjecture) {
    return "collscope verify " + lineOf({.run = {.algorithm = conjecture.algorithm->id,
                                                 .problem = conjecture.problem,
                                                 .options = conjecture.options,
                                                 .network = conjecture.network}});
}

Proofs prove(const std::vector<Conjecture>& conjectures, const OnRefuted& onRefuted, const engine::Progress& progress) {
    Proofs proofs;
    const double all = static_cast<double>(conjectures.size());
    for (const Conjecture& conjecture : conjectures) {
        const double done = static_cast<double>(proofs.problems++);
        progress.at(done / all);
        engine::Progress inner{.stop = progress.stop};
        if (progress.report) inner.report = [&](double share) { progress.report((done + share) / all); };
        try {
            prove(conjecture, proofs, onRefuted, inner);
        } catch (const engine::Faulty& fault) {
            if (conjectures.size() == 1) throw;
            throw engine::Faulty{engine::text(fault.words(), "; to repeat this case: ", commandOf(conjecture))};
        }
    }
    if (conjectures.size() > 1) proofs.remarks.clear();  // those of the last problem are not those of all
    progress.at(1);
    return proofs;
}

void requirePaired(const engine::Plan& plan, const engine::Progress& progress) {
    const engine::Facts& facts = plan.schedule->facts();
    if (facts.ranks * facts.rounds > analysis::provedTurns) return;
    if (const auto unpaired = engine::Pairing{*plan.schedule}.firstUnpaired(progress))
        throw engine::Error{
            engine::text(plan.algorithm->id, ": real ranks would wait forever: in ", unpaired->sentence)};
}

}  // namespace app
