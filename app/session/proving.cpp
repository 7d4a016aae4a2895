// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/proving.hpp"

namespace app {

Proofs prove(const std::vector<Conjecture>& conjectures, const OnRefuted& onRefuted, const engine::Progress& progress) {
    Proofs proofs;
    const double all = static_cast<double>(conjectures.size());
    for (const Conjecture& conjecture : conjectures) {
        const double done = static_cast<double>(proofs.problems++);
        progress.at(done / all);
        engine::Plan plan;
        try {
            plan = makePlan(*conjecture.algorithm, conjecture.problem, conjecture.options, conjecture.network,
                            {.stop = progress.stop});
        } catch (const engine::Error& error) {
            if (proofs.refused++ == 0) proofs.refusal = error.what();
            continue;
        }
        engine::Progress inner{.stop = progress.stop};
        if (progress.report) inner.report = [&](double share) { progress.report((done + share) / all); };
        const engine::Verdict verdict = engine::verify(*plan.schedule, plan.problem, inner);
        proofs.messages += verdict.messages;
        ++(verdict.proved ? proofs.proved : proofs.refuted);
        if (!verdict.proved && onRefuted) onRefuted(plan, verdict);
    }
    progress.at(1);
    return proofs;
}

}  // namespace app
