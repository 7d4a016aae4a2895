// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/executor.hpp"

namespace engine {

void describe(const Plan& plan, Run& run) {
    run.setting.algorithm = plan.algorithm->id;
    run.setting.problem = toText(plan.problem);
    for (const auto& [name, value] : plan.options.given())
        run.setting.options += (run.setting.options.empty() ? "" : " ") + name + "=" + value;
    const Facts& facts = plan.schedule->facts();
    run.remarks.insert(run.remarks.end(), facts.remarks.begin(), facts.remarks.end());
    if (isIntergroup(plan.problem.collective)) {
        run.groupA = plan.problem.groupA;
        run.groupB = plan.problem.groupB;
    }
}

}  // namespace engine
